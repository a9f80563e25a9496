import { reasonOf, warnOnce } from '../errors.js';
import type { EntityClass } from '../schema/Entity.js';
import type { EntityId } from '../store/endpoint.js';
import type { OutboxSeam } from '../store/running/keeping.js';
import type { OutboxEntry, OutboxState, RetryCase, StoredEntry } from './entries.js';

/**
 * A resource, or an endpoint: its writes are kept.
 *
 * @example
 * const kept: readonly Keepable[] = [TodoResource];
 */
export type Keepable = object;

/**
 * What an outbox is made of.
 *
 * @example
 * const options: OutboxOptions = { name: 'todos', resources: [TodoResource], idempotencyKey: true };
 */
export interface OutboxOptions {
  /** What its database is called; one outbox of a name in an origin. */
  readonly name: string;
  /** Whose writes are kept: functions cannot be stored, so the names of their endpoints find them again. */
  readonly resources: readonly Keepable[];
  /** Whose writes these are: asked after each action. While it gives undefined, what is kept is neither shown nor sent, and new writes are sent as without an outbox. */
  readonly owner?: ((rootState: never) => string | null | undefined) | undefined;
  /**
   * Whether the server heeds keys, so that it does nothing twice: only you know. `true` sends `Idempotency-Key`; a function gives the headers, none where
   * it gives `{}`.
   */
  readonly idempotencyKey?:
    | boolean
    | ((
        key: string,
        about: { readonly endpointName: string; readonly url: string },
      ) => Readonly<Record<string, string | undefined>>)
    | undefined;
  /** Of what the app stores; 1, unless given. What a newer version has stored is left alone. */
  readonly version?: number | undefined;
  /** Makes of what an older version has stored what this one understands; undefined: it is deleted, with what depends on it. */
  readonly migrate?: ((entry: StoredEntry, from: number) => StoredEntry | undefined) | undefined;
  /** What becomes of a write that was refused, or not answered; a number: it is tried again after so many ms, an hour at most; undefined: what the guide says. */
  readonly retry?: ((about: RetryCase) => 'retry' | 'reject' | 'pause' | number | undefined) | undefined;
  /** Told of what the database throws. */
  readonly onStorageError?: ((error: unknown) => void) | undefined;
}

/**
 * What dispatching something of an outbox does.
 *
 * @example
 * const retryAll = (queue: Outbox): OutboxThunk<Promise<void>> => queue.retry();
 */
export type OutboxThunk<Result> = (dispatch: (action: never) => unknown, getState: () => unknown) => Result;

/**
 * Writes that survive the tab: kept in IndexedDB before they are sent, and sent in order when there is a network.
 *
 * @example
 * const queue: Outbox = outbox({ name: 'todos of a store', resources: [TodoResource] });
 * const resources = configureResources({ outbox: queue });
 */
export interface Outbox extends OutboxSeam {
  /** Resolves when what is stored is shown; await it before the first render. */
  readonly ready: Promise<OutboxState>;
  /**
   * How it stands.
   *
   * @example
   * const sizeOf = (queue: Outbox) => queue.select(store.getState()).size;
   */
  select(rootState: unknown): OutboxState;
  /** Makes a selector of the writes that are about one entity. */
  selectFor(entity: EntityClass, id: EntityId): (rootState: unknown) => readonly OutboxEntry[];
  /** Sends again: one write, or all that have failed. */
  retry(id?: string): OutboxThunk<Promise<void>>;
  /** Forgets a write, and what depends on it and was not sent. If it was sent, it may be done: then what depends on it has failed, and keeps its text. */
  discard(id: string): OutboxThunk<Promise<void>>;
  /** Gives a write that was not sent, or has failed, another body. Rejects with R43 where it was sent, with R44 where it has no body. */
  edit(id: string, body: unknown): OutboxThunk<Promise<void>>;
  /** Sends nothing until `resume`, in all tabs, also after a reload. */
  pause(): OutboxThunk<void>;
  /** Sends again what waits. */
  resume(): OutboxThunk<void>;
  /** Keeps the writes of more resources, as those of a part of the app that was just loaded. */
  add(resources: readonly Keepable[]): void;
  /** Ends it, and frees its name; what is stored stays. Of what is under way it still hears the answer; until then no other outbox of its name sends. */
  close(): Promise<void>;
}

/** Calls an option of the user; what it throws is told, and counts as if it was not given. */
export function guarded<Value>(name: string, call: () => Value): Value | undefined {
  try {
    return call();
  } catch (error) {
    warnOnce(() => [`outbox ${name}`, `The option ${name} of the outbox threw: ${reasonOf(error)}`]);
    return undefined;
  }
}
