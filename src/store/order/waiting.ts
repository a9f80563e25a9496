import { pick, type List, type Ref } from '../../schema/Schema.js';
import { rowIn, type ListChange } from '../../tables/changes.js';
import { rowOf, tableOf, type Tables } from '../../tables/tables.js';
import type { Intent } from './intent.js';
import type { Answer, Waiting, WaitingRow } from './journal.js';
import { creatorOf, refsIn, rowsOf, touches } from './lists.js';

/** What an answer may have to wait for. */
export interface Pending {
  readonly intents: readonly Intent[];
  /** The confirmed tables when a request was made. */
  knownAt(requestId: string): Tables | undefined;
}

/**
 * The fields of a row of which an answer must wait: a guess of the user's own that was made before it was sent changes
 * them. The answer may have counted it in already, and the guess would count it twice.
 */
export function fieldsHeld(
  { seq }: Answer,
  intents: readonly Intent[],
  table: string,
  pk: string,
): ReadonlySet<string> | undefined {
  let held: Set<string> | undefined;
  for (const intent of intents) {
    if (!intent.holdsRows || intent.seq >= seq) continue;
    const row = rowIn(intent.changes, table, pk);
    if (row) held = new Set([...(held ?? []), ...Object.keys(row)]);
  }
  return held;
}

/** What waits until its row is there, without the fields of a write that was sent later and waits for the row, too. */
export function untilKnown(
  waiting: readonly Waiting[],
  { seq }: Answer,
  { table, pk, row, names }: WaitingRow,
): WaitingRow {
  const isLost = (field: string): boolean =>
    waiting.some(
      (later) =>
        later.seq > seq &&
        later.rows.some((one) => one.existing && one.table === table && one.pk === pk && Object.hasOwn(one.row, field)),
    );
  const own = pick(row, (field) => !isLost(field));
  return { table, pk, row: own, names: names.filter((field) => Object.hasOwn(own, field)), existing: true };
}

/**
 * Whether an answer with a whole list, or a page, must wait: a create or an operation is pending that would change the
 * list as it is now, and may be in the answer already, where its item would show twice. An answer that was sent before waits only with
 * what it cannot have without the create: a row that was not known when that was made. `waiting` has come before it.
 */
export function isListHeld(
  { seq }: Answer,
  { intents, knownAt, waiting }: Pending & { readonly waiting: readonly Waiting[] },
  { table, pk, list, operation }: ListChange,
  now: List,
  withoutGone: (table: string, list: List, seq: number) => List,
): boolean {
  // A page waits with what it is to stand behind.
  const isBehind = (before: Waiting): boolean => before.lists.some((other) => other.table === table && other.pk === pk);
  if (operation === 'append' && waiting.some(isBehind)) return true;
  return intents.some((intent) =>
    intent.changes.lists.some((change) => {
      if (change.table !== table || change.pk !== pk) return false;
      const own = { ...change, list: withoutGone(table, change.list, intent.seq) };
      if (!touches(now, own)) return false;
      const creator = creatorOf(own.list);
      return intent.seq < seq || (creator !== undefined && bringsUnknown(table, list, knownAt(creator)));
    }),
  );
}

function bringsUnknown(table: string, list: List, known: Tables | undefined): boolean {
  const isUnknown = (ref: Ref | null | undefined): boolean =>
    rowsOf(table, ref).length > 0 &&
    !rowsOf(table, ref).some(([name, pk]) => rowOf(tableOf(known ?? {}, name), pk) !== undefined);
  return known !== undefined && refsIn(list).some(isUnknown);
}
