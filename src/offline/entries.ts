import type { NetworkError } from '../errors.js';
import type { Row } from '../schema/Schema.js';
import type { KeptEntry, KeptOutbox } from '../store/outbox.js';
import type { SerializedFailure } from '../store/request.js';

/** A row as it was confirmed under a guess. */
export interface BaseRow {
  readonly table: string;
  readonly pk: string;
  readonly row: Row;
}

/** What the user has seen of a row when a write to it was made, the tag of that, and what `onConflict` has sent something else for. */
export interface Seen {
  readonly row: Row | undefined;
  readonly tag: string | undefined;
  readonly merged?: Row | undefined;
}

/**
 * Not tried yet; under way; to be tried again; sent, and nobody knows what came of it; refused.
 *
 * @example
 * const isStuck = (status: EntryStatus) => status === 'failed' || status === 'unknown';
 */
export type EntryStatus = KeptEntry['status'];

/**
 * A write in the outbox.
 *
 * @example
 * const textOf = ({ endpointName, status }: OutboxEntry) => `${endpointName}: ${status}`;
 */
export interface OutboxEntry extends KeptEntry {
  /** What the endpoint was called with. */
  readonly args: readonly unknown[];
}

/**
 * How the outbox stands.
 *
 * @example
 * const badge = ({ size, failed }: OutboxState) => (failed > 0 ? '!' : String(size));
 */
export interface OutboxState extends Omit<KeptOutbox, 'entries'> {
  /** How many writes are kept that have not failed. */
  readonly size: number;
  /** How many have failed. */
  readonly failed: number;
  /** In the order in which they are sent. */
  readonly entries: readonly OutboxEntry[];
}

/**
 * A write as it is stored: what `migrate` gets and gives.
 *
 * @example
 * const migrate = (entry: StoredEntry): StoredEntry => ({ ...entry, endpointName: 'Todo/partialUpdate' });
 */
export interface StoredEntry {
  /** The id of the request. */
  readonly id: string;
  /** The name of the endpoint. */
  readonly endpointName: string;
  /** As JSON makes them. */
  readonly args: readonly unknown[];
  /** Whose it is; absent where there are no owners. */
  readonly owner?: string | undefined;
  /** The version of the app that has stored it. */
  readonly version: number;
  /** Which body it has: with each other one, it is one more. */
  readonly revision: number;
  /** How it stands. */
  readonly status: EntryStatus;
  /** How often it was sent. */
  readonly attempts: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** When this revision was first sent, in ms since the epoch. */
  readonly sentAt?: number | undefined;
  /** Why it was refused, or could not be sent last. */
  readonly error?: SerializedFailure | undefined;
}

/** All that is stored of a write. */
export interface StoredRecord extends StoredEntry {
  /** Its place in the line of all tabs; the database gives it. */
  readonly n?: number | undefined;
  readonly key: string;
  /** The writes whose items it names. */
  readonly dependsOn: readonly string[];
  /** The rows that it is about: table and pk. */
  readonly rows: readonly string[];
  /** The lists that it takes items out of: `move` and `remove`. */
  readonly lists: readonly string[];
  readonly base: readonly BaseRow[];
  /** When that was confirmed, in ms since the epoch; absent where it was when the write was made. */
  readonly baseAt?: number | undefined;
  /** What the user has seen of its row, and the tag of that; of a write whose endpoint heeds tags. */
  readonly seen?: Seen | undefined;
  /** Not sent before that, in ms since the epoch: the server has asked for it. */
  readonly notBefore?: number | undefined;
  /** When it is tried next, in ms since the epoch. */
  readonly nextAt?: number | undefined;
  /** How long that was ahead, in ms. */
  readonly pause?: number | undefined;
  /** How often in a row it was refused with a 500, and with a 409 to a resend. */
  readonly faults: number;
  readonly conflicts: number;
  /** How often it was made anew on what somebody else has changed. */
  readonly rebases: number;
  /** It was sent once without an answer that says whether it was done. */
  readonly isInDoubt?: boolean | undefined;
}

/** Whether a write stands as it did: with the same body, and sent as often. */
export function isAsIn(one: StoredRecord, other: StoredRecord): boolean {
  return one.revision === other.revision && one.status === other.status && one.attempts === other.attempts;
}

/**
 * What `retry` is asked about.
 *
 * @example
 * const retry = ({ error, attempts }: RetryCase) => (error?.status === 418 && attempts < 3 ? 1_000 : undefined);
 */
export interface RetryCase {
  /** What it was refused with; absent where it was sent, and no answer came. */
  readonly error?: NetworkError | undefined;
  /** The write. */
  readonly entry: OutboxEntry;
  /** How often it was sent. */
  readonly attempts: number;
}
