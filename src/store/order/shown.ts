import type { Ref } from '../../schema/Schema.js';
import type { Changes } from '../../tables/changes.js';
import type { ListChange } from '../../tables/members.js';
import { Overlay } from '../../tables/Overlay.js';
import type { Tables } from '../../tables/tables.js';
import type { Intent } from './intent.js';
import type { ListRecord } from './journal.js';
import { besideOf } from './standing.js';

/** What is remembered of lists. */
export type RecordOf = (table: string, pk: string) => ListRecord | undefined;

/** What is shown: the guesses, in the order in which they were made, over what is confirmed; the very tables while nothing is pending. */
export function showIntents(
  tables: Tables,
  intents: readonly Intent[],
  recordOf: RecordOf,
  overlay = new Overlay(),
): Tables {
  if (intents.length === 0) return tables;
  return overlay.show(
    tables,
    intents.map((intent) => placed(intent, recordOf)),
  );
}

/** The changes of a guess with its items in their places: the same object as long as these are, for the overlay looks only at changes that are new to it. */
const placedChanges = new WeakMap<Changes, Changes>();

/** The changes of a guess, whose created items stand before those that were created later and have come in already. */
function placed({ seq, changes }: Intent, recordOf: RecordOf): Changes {
  const last = placedChanges.get(changes) ?? changes;
  const besideIn = ({ table, pk, operation }: ListChange): Ref | undefined =>
    operation === 'push' || operation === 'unshift'
      ? besideOf(recordOf(table, pk), seq, operation === 'unshift')
      : undefined;
  // Mostly all stand where they stood.
  if (changes.lists.every((change, i) => besideIn(change) === last.lists[i]?.beside)) return last;
  const lists = changes.lists.map((change): ListChange => {
    const beside = besideIn(change);
    return beside === undefined ? change : { ...change, beside };
  });
  const next = { rows: changes.rows, lists };
  placedChanges.set(changes, next);
  return next;
}
