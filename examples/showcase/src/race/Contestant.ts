import type { Todo } from './TinyServer';

/** The same little app, with one library or another. */
export interface Contestant {
  readonly name: string;
  /** It shows nothing before the server has answered: what is not there is late, and not wrong. */
  readonly isPatient?: boolean;
  load(): Promise<unknown>;
  poll(): void;
  edit(id: number, title: string): void;
  remove(id: number): void;
  /** What a user sees; the same object until that changes. */
  readonly todos: () => readonly Todo[] | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}
