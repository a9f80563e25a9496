import type { Row } from '../../schema/Schema.js';
import type { ListChange } from '../../tables/changes.js';
import type { Place } from '../../tables/Places.js';
import type { Tables } from '../../tables/tables.js';
import type { Answer, Journal, RowClock } from './journal.js';
import type { FollowedLists } from './FollowedLists.js';
import type { Pending } from './waiting.js';

/** A slice, as far as answers settle in it. */
export interface Settled {
  readonly tables: Tables;
  readonly journal: Journal;
}

/** An answer that settles, and what it says of itself. */
export interface Settling extends Answer {
  readonly requestId: string;
  /** When it was asked for; it may have been sent later. */
  readonly askedSeq: number;
  /** The fields that it names in a row. */
  names(table: string, pk: string, isOutermost: boolean): readonly string[];
  /** The lists that its guess moves rows into and out of. */
  readonly moves: readonly ListChange[];
  /**
   * Whether a value of a field that it names has been seen, and is news: its guess is not shown over it, it is not what it
   * sends, and not what was confirmed when it was sent, or that again after it was another.
   */
  hasSeenNews(table: string, pk: string, field: string, value: unknown, hasChanged: boolean): boolean;
}

/** What is under way beside what settles. */
export interface Beside extends Pending {
  /** When the oldest of them was asked for; undefined where nothing is under way. */
  readonly oldest: number | undefined;
  /** The longest that anything waits, in ms. */
  readonly holdTimeout: number;
  readonly followed: FollowedLists;
  /** The lists that reads will bring. */
  expectedLists(): readonly ExpectedList[];
}

/** A list that a read will bring, and the position of the read. */
export interface ExpectedList extends Place {
  readonly seq: number;
}

/** A row that an answer brings. */
export interface NamingRow extends Place {
  readonly row: Row;
  /** The fields that it names. */
  readonly names: readonly string[];
  /** Its class has said that the answer is in time, however the requests overlapped. */
  readonly isOrdered?: boolean;
}

/** A row that an answer brings, and what is there before. */
export interface PlacedRow extends NamingRow {
  readonly clock: RowClock | undefined;
  readonly kept: Row | undefined;
  /** The fields that must wait. */
  readonly held: ReadonlySet<string> | undefined;
}
