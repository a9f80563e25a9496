import type { Place } from '../../tables/Places.js';
import type { Tables } from '../../tables/tables.js';
import type { FollowedLists } from './FollowedLists.js';
import type { Intent } from './intent.js';
import type { Journal } from './journal.js';

/** What an event lands in, and what is under way beside it. */
export interface Beside {
  readonly tables: Tables;
  readonly journal: Journal;
  readonly followed: FollowedLists;
  /** What is pending, without the guess of the event that lands. */
  readonly intents: readonly Intent[];
  /** When the request of a guess was sent; undefined before. */
  sentAt(requestId: string): number | undefined;
  /** Lists that are under way. */
  readonly expected: readonly Place[];
  /** Nothing else is under way. */
  readonly isLast: boolean;
  /** Nothing else is under way, and nothing is remembered. */
  readonly isAlone: boolean;
  /** It is a read, nothing is being created, no guess counts, and all that is remembered came before it was sent: nothing can be held against it. */
  readonly isCalm: boolean;
  /** A write is under way. */
  readonly isWriting: boolean;
  /** When the oldest request under way was sent; Infinity where none is. */
  readonly oldest: number;
  /** The longest that anything waits, in ms. */
  readonly holdTimeout: number;
}
