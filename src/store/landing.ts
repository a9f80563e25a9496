import { applyChanges, type Changes, type RowChanges } from '../tables/changes.js';
import type { Normalized, NormalizeOptions } from '../tables/normalize.js';
import { admissionOf, type Settling } from './admission.js';
import { holdOf, releaseRows } from './heldRows.js';
import type { Intent } from './intent.js';
import { emptyJournal, type Journal, settle, settleFailed, type Settlement } from './journal.js';
import type { ResourcesState } from './state.js';

/** What is under way beside a request that settles. */
export interface Company {
  /** The position of the oldest request among them. */
  readonly oldest: number | undefined;
  readonly intents: readonly Intent[];
  /** The lists that reads among them will bring. */
  readonly expectedLists: () => NonNullable<NormalizeOptions['expected']>;
}

/** What an answer comes to. */
export interface Landing extends Settlement {
  readonly result: unknown;
}

/** How an answer is to be taken apart, as far as that depends on others. */
export type Circumstances = Pick<NormalizeOptions, 'tables' | 'admit' | 'tellsAll' | 'tells' | 'expected'>;

/** Takes an answer apart, and puts what it changes in its place among what has settled meanwhile. */
export function land(
  { journal, tables }: ResourcesState,
  settling: Settling,
  { oldest, intents, expectedLists }: Company,
  takeApart: (circumstances: Circumstances) => Normalized,
): Landing {
  if (oldest === undefined && journal === emptyJournal) {
    const { result, changes } = takeApart({ tables });
    return { result, changes, journal };
  }
  const { landing, held } = releaseRows(journal.rows, journal.entries, intents);
  // What has waited for this answer comes under it.
  const base = landing.length > 0 ? applyChanges(tables, [{ rows: landing, lists: [] }]) : tables;
  const admit = admissionOf(journal.entries, settling);
  const hold = holdOf(settling, intents);
  const normalized = takeApart({ tables: base, admit, tellsAll: true, tells: hold, expected: expectedLists() });
  const settled = settle(withRows(journal, held), base, settling, normalized, oldest, intents, hold);
  return { result: normalized.result, ...after(landing, settled) };
}

/** What happens when a request ends without an answer: nothing, but that what has waited for it lands. */
export function landNothing({ journal, tables }: ResourcesState, { oldest, intents }: Company): Landing {
  const { landing, held } = releaseRows(journal.rows, journal.entries, intents);
  // What is empty is to stay so by reference.
  const waiting = journal.rows.length > 0 ? withRows(journal, held) : journal;
  return { result: undefined, ...after(landing, settleFailed(waiting, tables, oldest, intents)) };
}

function withRows({ entries, lists }: Journal, rows: Journal['rows']): Journal {
  return { entries, lists, rows };
}

function after(landing: readonly RowChanges[], { changes, journal }: Settlement): Settlement {
  if (landing.length === 0) return { changes, journal };
  const all: Changes = { rows: [...landing, ...changes.rows], lists: changes.lists };
  return { changes: all, journal };
}
