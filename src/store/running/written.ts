import { none } from '../../schema/Schema.js';
import type { Changes, RowChanges } from '../../tables/changes.js';
import type { Rebased } from '../actions.js';
import type { JournalChanges } from '../order/journal.js';
import type { Pages } from '../state.js';

/** What comes of an answer, or of the end of a request without one: all that its action writes. */
export interface Written {
  readonly result: unknown;
  /** When it came. */
  readonly came: number;
  readonly changes: Changes;
  readonly journal?: JournalChanges;
  readonly rebased?: Rebased;
  /** Some of the answer waits. */
  readonly waits?: true;
  /** Rows as they came of which not all is taken; told where somebody observes the store. */
  readonly passedOver?: readonly RowChanges[];
  /** The pages of a list, and what the request of that is kept under. */
  readonly pages?: { readonly of: string; readonly pages: Pages };
  /** Requests whose answers are stale from now on. */
  readonly expires?: readonly string[];
  /** Those of them of which also answers on their way are too old. */
  readonly outdated: readonly string[];
}

/** The same, while it is put together. */
export type Writing = { -readonly [Name in keyof Written]: Written[Name] };

/** With requests that are stale from now on, and whose answers on their way are too old. */
export function withOutdated(written: Written, names: readonly string[]): Written {
  if (names.length === 0) return written;
  return { ...withExpired(written, names), outdated: [...names, ...written.outdated] };
}

/** With requests that are stale from now on. */
export function withExpired(written: Written, names: readonly string[]): Written {
  return names.length === 0 ? written : { ...written, expires: [...names, ...(written.expires ?? none)] };
}
