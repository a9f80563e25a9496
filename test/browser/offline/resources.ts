import { createResource, Entity, RestEndpoint } from 'rtk-resource';

export class Todo extends Entity {
  id = 0;
  title = '';
  /** What somebody else changes. */
  outside = 0;
  // Each edit of a history has a field of its own: one that is lost is seen.
  f0 = '';
  f1 = '';
  f2 = '';
  f3 = '';
  f4 = '';
  f5 = '';
  static override key = 'Todo';
}

export const fields = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5'] as const;
export type Field = (typeof fields)[number];

export class Note extends Entity {
  id = 0;
  todoId = 0;
  text = '';
  static override key = 'Note';
}

export class Upload extends Entity {
  id = 0;
  name = '';
  text = '';
  static override key = 'Upload';
}

const common = { optimistic: true, etag: true } as const;
export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, ...common });
export const NoteResource = createResource({ path: '/todos/:todoId/notes/:id', schema: Note, ...common });
export const upload = new RestEndpoint({
  ...{ path: '/uploads', method: 'POST', name: 'upload', schema: Upload },
  body: new FormData(),
});
