import type { Field, Values, World } from './worlds.js';

/** A row as it is shown. */
export interface ShownRow extends Values {
  /** A string for a row that has not been made yet. */
  readonly id: number | string;
  /** Who made it: tells rows apart, whatever their ids. */
  readonly origin: string;
  readonly text: string;
  readonly color: string;
  readonly folder: string;
  /** Who voted for it, each as `+name`. */
  readonly votes: string;
  /** Of which kind it is, where there are two. */
  readonly type?: string;
}

/** What a list with pages says of those beside them. */
export interface Beside {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** All that is shown at one moment: lists by name, rows by id; undefined for what is not there (yet). */
export interface Shown {
  readonly lists: Readonly<Partial<Record<string, readonly ShownRow[] | undefined>>>;
  readonly rows: Readonly<Record<string, ShownRow | undefined>>;
  /** Of lists with pages, by name. */
  readonly beside?: Readonly<Partial<Record<string, Beside>>>;
}

/** What is sent when a row is edited or made. */
export type Body = Readonly<Partial<Record<Field | 'origin' | 'type', string>>>;

/** What somebody asks any client for. */
export type PlainAsked =
  /** `page` is where a list by numbers begins, if anything is said of it. */
  | { readonly is: 'list'; readonly list: string; readonly page?: number }
  | { readonly is: 'get'; readonly id: number | string }
  | { readonly is: 'patch'; readonly id: number | string; readonly body: Body; readonly isQuiet: boolean }
  | { readonly is: 'vote'; readonly id: number | string; readonly by: string }
  | { readonly is: 'push' | 'unshift'; readonly body: Body; readonly isQuiet: boolean }
  | { readonly is: 'delete'; readonly id: number | string; readonly isQuiet: boolean };

/** What somebody asks a client for that reads lists page by page. */
type PageAsked =
  /** The page behind those that are there, the one before them, or all of them once more. */
  | { readonly is: 'next' | 'previous' | 'refetch'; readonly list: string }
  | { readonly is: 'page'; readonly list: string; readonly page: number };

export type Asked = PlainAsked | PageAsked;

/** What has been asked. */
export interface Asking {
  /** What the requests carry as header `x-op`; some clients say so of writes alone. */
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

/** Clients that know the plain world alone pay no heed to the other. */
export type OpenClient = (fetch: Fetch, world: World) => Client;
