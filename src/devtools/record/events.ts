import type { Row } from '../../schema/Schema.js';
import type { RequestFilter } from '../../store/endpoint.js';
import type { Cause, RequestArg, SerializedFailure } from '../../store/request.js';

/**
 * Rows of one table of which something has changed: just these fields; null where a row is gone.
 *
 * @example
 * const isGone = ({ rows }: RowNews, at: number) => rows[at] === null;
 */
export interface RowNews {
  /** The table of the rows. */
  readonly table: string;
  /** Their pks. */
  readonly pks: readonly string[];
  /** What has changed of them, in the same order. */
  readonly rows: readonly (Row | null)[];
}

/**
 * A list of which members have come or gone.
 *
 * @example
 * const isNew = ({ come }: ListNews, pk: string) => come.includes(pk);
 */
export interface ListNews {
  /** The table of the list. */
  readonly table: string;
  /** The list. */
  readonly pk: string;
  /** Whether an answer has told all of the list. */
  readonly isWhole: boolean;
  /** The pks of those that have come. */
  readonly come: readonly string[];
  /** The pks of those that have gone. */
  readonly gone: readonly string[];
  /** An item changes lists because its fields are others. */
  readonly follows?: true;
  /** Those that have gone may be what is being created, which stands there already. */
  readonly hides?: true;
}

/**
 * What an action has changed.
 *
 * @example
 * const isNothing = ({ rows, lists }: News) => rows.length + lists.length === 0;
 */
export interface News {
  /** Of rows. */
  readonly rows: readonly RowNews[];
  /** Of lists. */
  readonly lists: readonly ListNews[];
}

/**
 * What is kept of an action: that of its `meta` which tells of the request, and which fields and members have changed. There are no payloads.
 *
 * @example
 * const isPoll = ({ cause }: EventMeta) => cause === 'poll';
 */
export interface EventMeta {
  /** The request that the action is of, or the patch by hand that it begins. */
  readonly requestId?: string;
  /** How it stands. */
  readonly requestStatus?: 'pending' | 'fulfilled' | 'rejected';
  /** What it is. */
  readonly arg?: RequestArg;
  /** When it was made, in ms since the epoch. */
  readonly startedTimeStamp?: number;
  /** When it was made, on the clock of the store. */
  readonly seq?: number;
  /** When its answer came, on the clock of the store. */
  readonly came?: number;
  /** Why it was made, where nobody has dispatched it. */
  readonly cause?: Cause;
  /** It changes something on the server. */
  readonly isWrite?: true;
  /** Its guess counts on what was there. */
  readonly holdsRows?: true;
  /** Some of its answer waits. */
  readonly waits?: true;
  /** It was cancelled. */
  readonly aborted?: boolean;
  /** When its answer becomes stale, or its failure may be tried again, in ms since the epoch. */
  readonly expiresAt?: number;
  /** Why it failed. */
  readonly error?: Pick<SerializedFailure, 'name' | 'message' | 'status' | 'code'>;
  /** What has changed of what is confirmed; of a pending request, its guess. */
  readonly changes?: News;
  /** What has changed of the guesses of others, by their requests. */
  readonly rebased?: Readonly<Record<string, News>>;
  /** Fields that the answer told, and that another holds. */
  readonly passedOver?: readonly RowNews[];
  /** Requests whose data is stale by it, by name and key. */
  readonly expires?: readonly string[];
  /** What was made stale, or as good as missing, by hand. */
  readonly target?: RequestFilter;
  /** Requests that nobody needed any more, by name and key. */
  readonly collected?: readonly string[];
  /** What the outbox shows from here on: writes of another time, or of another tab. */
  readonly begins?: readonly EventMeta[];
  /** Rows that were created, with the pks that they had before. */
  readonly renamed?: readonly { readonly table: string; readonly pk: string; readonly temporary: string }[];
}

/**
 * An action that has changed the slice.
 *
 * @example
 * const failures = recorder.events.filter(({ meta }: ResourceEvent) => meta.requestStatus === 'rejected');
 */
export interface ResourceEvent {
  /** Tells it from all others of its recorder. */
  readonly id: string;
  /** The type of the action. */
  readonly type: string;
  /** When it was reduced, in ms since the epoch. */
  readonly at: number;
  /** What is kept of it. */
  readonly meta: EventMeta;
}

/** The type of the event by which the slice was replaced without an action. */
export const REPLACED = 'replaced';
