export interface Label {
  readonly id: string;
  readonly color: string;
}

export const labels: readonly Label[] = [
  { id: 'bug', color: '#e5484d' },
  { id: 'docs', color: '#3e7bfa' },
  { id: 'idea', color: '#a35ce0' },
  { id: 'speed', color: '#e08a00' },
  { id: 'a11y', color: '#12a594' },
];

const statuses = ['backlog', 'todo', 'doing', 'done'] as const;
export type Status = (typeof statuses)[number];

export function isStatus(text: unknown): text is Status {
  return statuses.some((status) => status === text);
}
