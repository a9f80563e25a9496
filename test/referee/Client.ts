import type { Field, ListName } from './history.js';

/** A row as it is shown. */
export interface ShownRow extends Readonly<Record<Field, string>> {
  /** A string for a row that has not been made yet. */
  readonly id: number | string;
  /** Who made it: tells rows apart, whatever their ids. */
  readonly origin: string;
  /** Who voted for it, each as `+name`. */
  readonly votes: string;
}

/** All that is shown at one moment: lists by name, rows by id; undefined for what is not there (yet). */
export interface Shown {
  readonly lists: Readonly<Partial<Record<ListName, readonly ShownRow[] | undefined>>>;
  readonly rows: Readonly<Record<string, ShownRow | undefined>>;
}

/** What is sent when a row is edited or made. */
export type Body = Readonly<Partial<Record<Field | 'origin', string>>>;

/** What somebody asks a client for. */
export type Asked =
  | { readonly is: 'list'; readonly list: ListName }
  | { readonly is: 'get'; readonly id: number | string }
  | { readonly is: 'patch'; readonly id: number | string; readonly body: Body; readonly isQuiet: boolean }
  | { readonly is: 'vote'; readonly id: number | string; readonly by: string }
  | { readonly is: 'push' | 'unshift'; readonly body: Body; readonly isQuiet: boolean }
  | { readonly is: 'delete'; readonly id: number | string; readonly isQuiet: boolean };

/** What has been asked. */
export interface Asking {
  /** What the requests of a write carry as header `x-op`. */
  readonly label: string;
  /** Resolves when whoever asked is told, be it well or ill. */
  readonly ended: PromiseLike<unknown>;
  /** Where it can be cancelled. */
  readonly cancel?: () => void;
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A cache in the seat of the judged. */
export interface Client {
  /** Whether a row may be asked for by the id that it has before it is made. */
  readonly takesTemporaryIds: boolean;
  ask(asked: Asked, number: number): Asking;
  /** What is shown now of all lists, and of these rows. */
  show(ids: readonly number[]): Shown;
  /** What says that something is not confirmed yet; empty when all is. */
  marks(ids: readonly number[]): readonly string[];
  /** What the cache itself has thrown. */
  thrown(): readonly string[];
  subscribe(look: () => void): void;
  close(): void;
}

export type OpenClient = (fetch: Fetch) => Client;
