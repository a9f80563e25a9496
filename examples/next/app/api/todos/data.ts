interface Todo {
  readonly id: number;
  readonly title: string;
  readonly completed: boolean;
}

interface Data {
  todos: readonly Todo[];
  /** The requests so far, as `METHOD path`. */
  readonly asked: string[];
}

const first: readonly Todo[] = [
  { id: 1, title: 'Buy milk', completed: false },
  { id: 2, title: 'Call Ada', completed: true },
];

/** What the API has. Each route is bundled by itself; what they share is of the process. */
export const data: Data = ((globalThis as { data?: Data }).data ??= { todos: first, asked: [] });
