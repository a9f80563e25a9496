/** One step of a scene. Requests have names, so that a later step can have them answered. */
export type Step = {
  readonly says: string;
  /** What a user should see after it. */
  readonly expected: readonly string[];
} & (
  | {
      readonly does: 'edit';
      readonly as: string;
      readonly id: number;
      readonly title: string;
      readonly isRefused?: true;
    }
  | { readonly does: 'remove'; readonly as: string; readonly id: number; readonly isRefused?: true }
  | { readonly does: 'poll'; readonly as: string }
  | { readonly does: 'answer'; readonly as: string }
);

export interface Scene {
  readonly title: string;
  readonly steps: readonly Step[];
}

const before = ['Bread', 'Butter', 'Tea'];
const rye = ['Rye bread', 'Butter', 'Tea'];
const oat = ['Oat bread', 'Butter', 'Tea'];

export const scenes: readonly Scene[] = [
  {
    title: 'The first of two edits fails, late',
    steps: [
      {
        says: 'Bread becomes Rye bread.',
        does: 'edit',
        as: 'first',
        id: 1,
        title: 'Rye bread',
        isRefused: true,
        expected: rye,
      },
      { says: 'Rye bread becomes Oat bread.', does: 'edit', as: 'second', id: 1, title: 'Oat bread', expected: oat },
      { says: 'The server accepts the second edit.', does: 'answer', as: 'second', expected: oat },
      { says: 'The server refuses the first edit.', does: 'answer', as: 'first', expected: oat },
    ],
  },
  {
    title: 'A poll is answered after a later edit',
    steps: [
      { says: 'A poll is sent.', does: 'poll', as: 'poll', expected: before },
      { says: 'Bread becomes Rye bread.', does: 'edit', as: 'edit', id: 1, title: 'Rye bread', expected: rye },
      { says: 'The server accepts the edit.', does: 'answer', as: 'edit', expected: rye },
      { says: 'The poll is answered with what was before.', does: 'answer', as: 'poll', expected: rye },
    ],
  },
  {
    title: 'A poll is answered while an edit is pending',
    steps: [
      {
        says: 'Bread becomes Rye bread.',
        does: 'edit',
        as: 'edit',
        id: 1,
        title: 'Rye bread',
        isRefused: true,
        expected: rye,
      },
      { says: 'A poll is sent.', does: 'poll', as: 'poll', expected: rye },
      { says: 'The poll is answered.', does: 'answer', as: 'poll', expected: rye },
      { says: 'The server refuses the edit.', does: 'answer', as: 'edit', expected: before },
    ],
  },
  {
    title: 'Two deletions fail',
    steps: [
      { says: 'Bread is deleted.', does: 'remove', as: 'bread', id: 1, isRefused: true, expected: ['Butter', 'Tea'] },
      { says: 'Butter is deleted.', does: 'remove', as: 'butter', id: 2, isRefused: true, expected: ['Tea'] },
      { says: 'The server refuses to delete Bread.', does: 'answer', as: 'bread', expected: ['Bread', 'Tea'] },
      { says: 'The server refuses to delete Butter.', does: 'answer', as: 'butter', expected: before },
    ],
  },
];
