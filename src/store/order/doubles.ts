import { listKey, tablesOfLists } from '../../schema/listKey.js';
import { isUnionRef, type Ref, type Row } from '../../schema/Schema.js';
import { isTemporary } from '../../schema/temporary.js';
import { rowIn, type Changes } from '../../tables/changes.js';
import { identity, refsIn, type ListChange } from '../../tables/members.js';
import { Places } from '../../tables/Places.js';
import { sameValue } from '../../tables/same.js';
import type { Intent } from './intent.js';
import { creatorOf, rowsOf } from './lists.js';
import type { Rebasing } from './rebasing.js';

/**
 * What a pending create changes, and what it hides: a row that nobody had told of when the create was made, that no other
 * create has made, and that is more like what was sent than unlike it, may be what is being created. It is not shown beside
 * the pending item; when the create settles, it is.
 */
export function withDoubles(
  intent: Intent,
  changes: Changes,
  { intents, landing, recipes, made }: Rebasing,
  strangers: Places,
): Changes {
  const hidden = intent.changes.lists.filter(({ hides }) => hides);
  if (strangers.tables().length === 0 && hidden.length === 0) return changes;
  const lists = changes.lists.filter(({ hides }) => !hides);
  const hiding = lists.flatMap((change): readonly ListChange[] => {
    if (!isItemOf(intent, change)) return [];
    const { table, pk } = change;
    const isHere = (one: ListChange): boolean => one.table === table && one.pk === pk;
    const before = hidden.filter(isHere).flatMap(({ list }) => refsIn(list));
    const candidates = refsIn(change.list).flatMap((ref) => candidatesFor(table, ref as Ref, strangers));
    const doubles = [...new Map([...before, ...candidates].map((ref) => [identity(ref), ref as Ref])).values()];
    const { sends } = recipes.get(intent.requestId) ?? {};
    const likenessOf = (ref: Ref): number =>
      Math.max(
        ...rowsOf(table, ref).map(([name, rowPk]) => {
          const row = made.has(name, rowPk) ? undefined : landing.rows.row(name, rowPk);
          return row ? likeness(row, name, changes, { list: pk, sends }) : 0;
        }),
      );
    const alike = doubles.map((ref) => ({ ref, by: likenessOf(ref) })).filter(({ by }) => by > 0);
    if (alike.length === 0) return [];
    // Each pending item is one row. Of items that are as alike, as two messages that say the same, nobody knows which is whose.
    const pending = intents.flatMap((one) => one.changes.lists.filter((own) => isHere(own) && isItemOf(one, own)));
    const list = alike
      .sort((one, other) => other.by - one.by)
      .slice(0, Math.max(1, pending.flatMap((own) => refsIn(own.list)).length))
      .map(({ ref }) => ref);
    return [{ table, pk, operation: 'remove', list, hides: true }];
  });
  return hiding.length === 0 && hidden.length === 0 ? changes : { rows: changes.rows, lists: [...lists, ...hiding] };
}

/** Whether a change puts what a request is to create into a list. */
function isItemOf({ requestId }: Intent, { follows, hides, list }: ListChange): boolean {
  return !follows && !hides && creatorOf(list) === requestId;
}

/** The rows that nobody had told of before, and that are not what the create made whose answer has come. */
export function strangersIn({ landing, made }: Rebasing): Places {
  const strangers = new Places();
  for (const [table, pks] of landing.rows.fresh.tables())
    for (const pk of pks.keys()) if (!made.has(table, pk)) strangers.set(table, pk, true);
  return strangers;
}

/** These rows, as a list refers to them. */
function candidatesFor(list: string, ref: Ref, strangers: Places): readonly Ref[] {
  const tables = isUnionRef(ref) ? [ref.table] : tablesOfLists(list);
  return tables.flatMap((table) =>
    [...strangers.in(table).keys()].map((pk) => (isUnionRef(ref) ? { ...ref, pk } : pk)),
  );
}

/**
 * In how many more of the fields that a create sent a row agrees with an item of it than it differs in; 1 where it has none of them. What a list is filtered by
 * tells nothing.
 */
function likeness(
  row: Row,
  table: string,
  { rows }: Changes,
  { list, sends }: { readonly list: string; readonly sends: ReadonlySet<string> | undefined },
): number {
  const filters = listKey(list);
  const items = rows.flatMap((change) =>
    change.table === table ? change.pks.filter(isTemporary).map((pk) => rowIn({ rows: [change] }, table, pk)) : [],
  );
  const each = items.map((item) => {
    const sent = Object.keys(item ?? {}).filter((field) => sends?.has(field) && !Object.hasOwn(filters, field));
    const told = sent.filter((field) => Object.hasOwn(row, field));
    const alike = told.filter((field) => sameValue(row[field], item?.[field]));
    if (told.length === 0) return Number(sent.length > 0);
    return 2 * alike.length - told.length;
  });
  return Math.max(0, ...each);
}
