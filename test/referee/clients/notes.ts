import { Entity, schema } from 'rtk-resource';
import type { ShownRow } from '../Client.js';

/** A row as this package keeps it. */
export class Note extends Entity {
  id: number | string = 0;
  origin = '';
  text = '';
  color = '';
  folder = '';
  votes = '';
  static override key = 'Note';
}

/** Its server counts up a version with every write to a row, and sends it along. */
export class VersionedNote extends Note {
  version = 0;
  static override version = 'version';
}

/** A row that is open or closed. */
export class StatefulNote extends Note {
  state = '';
}

export class TypedNote extends Note {
  readonly type: string = 'note';
}
export class Task extends Note {
  readonly type: string = 'task';
  static override key = 'Task';
}

/** A row of one class or the other. */
export const NoteOrTask = new schema.Union({ note: TypedNote, task: Task }, 'type');

export function rowOf(note: ShownRow): ShownRow {
  const { id, origin, text, color, folder, state, votes, type } = note;
  return {
    ...{ id, origin, text, color, folder, votes },
    ...(state !== undefined && { state }),
    ...(type !== undefined && { type }),
  };
}
