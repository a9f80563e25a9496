import { keyNames } from '../../schema/listKey.js';
import type { ListsSchema } from '../../schema/ListsSchema.js';
import { getOrMake, own, refersTo, type Created, type List, type Row } from '../../schema/Schema.js';
import { movesIn, totalIn, totalTable, type Moved, type TotalRow } from '../../schema/Total.js';
import type { Changes, RowChanges } from '../../tables/changes.js';
import { refsIn } from '../../tables/members.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, listFrom, pksOf, rowFrom, tableOf, type Table, type Tables } from '../../tables/tables.js';
import { knownIn, type FindRow } from '../../tables/wireRow.js';
import type { Event } from './event.js';
import type { FollowedLists } from './FollowedLists.js';
import { callIn, inPathsOf, listedIn } from './inPaths.js';
import { rowsOf } from './lists.js';

/** A row that joins what a total counts, or leaves it. */
export interface Counting {
  readonly total: Place;
  /** What the row is counted under. */
  readonly name: string;
  readonly was: boolean;
  readonly is: boolean;
  /** Only the server knows whether it does. */
  readonly isOpen?: true;
  /** It is deleted, and no list shows it of which only the server knows whether it was counted. */
  readonly isUnseen?: boolean;
}

/** What becomes of a row: it is edited, or deleted. */
interface Change extends Place {
  readonly before: Row;
  readonly after: Row | undefined;
}

/** Under which name a row is counted. */
function nameOf({ table, pk }: Place): string {
  return `${table} ${pk}`;
}

/** The row that is counted under a name. */
export function countedAs(name: string): Place {
  const space = name.indexOf(' ');
  return { table: name.slice(0, space), pk: name.slice(space + 1) };
}

/** The totals that an edited or deleted row joins or leaves, and those of which only the server knows; `findAfter` finds rows as they are after the edit. */
export function countingOf(
  followed: FollowedLists,
  tables: Tables,
  change: Change,
  findAfter: FindRow,
): readonly Counting[] {
  const { table, pk, before, after } = change;
  const countings: Counting[] = [];
  const [known, knownAfter] = [knownIn(tables), knownIn(tables, findAfter)];
  const edited = { table, pk, befores: [before], after: after ?? before };
  for (const collection of followed.judgesOf(table)) {
    const name = totalTable(collection.table);
    const inPaths = inPathsOf(collection, edited, { tables, has: listedIn(tables) });
    const listOf = (list: string): List | undefined => listFrom(tables, collection.table, list);
    let beside: ReturnType<typeof listsByTotal> | undefined;
    const isListed = (total: string): boolean => {
      beside ??= listsByTotal({ followed, tables }, collection);
      return beside.get(total)?.some((list) => hasRow(listOf(list), change)) === true;
    };
    eachRow(tableOf(tables, name) as Table<TotalRow> | undefined, (kept, total) => {
      const judge = followed.judgeOf(collection, total);
      const call = callIn(inPaths, total);
      if (!call) return;
      const judged = judge.judge(before, total, known, call);
      const told = judged ?? isListed(total);
      const is = after === undefined ? false : (judge.judge(after, total, knownAfter, call) ?? told);
      const isOpen = told === is;
      if (isOpen && judged !== undefined) return;
      // The total was not told with what its list lacks, where that has as many rows as are counted.
      const isMissing = isLacked(listOf(total), kept, change);
      // A list inside an item is a preview.
      const isPreview = judge.nestNames.has(keyNames(total));
      const open = isOpen && { isOpen, isUnseen: !after && !isMissing && !isPreview };
      countings.push({ total: { table: name, pk: total }, name: nameOf(change), was: told && !isMissing, is, ...open });
    });
  }
  return countings;
}

/** The lists, and parts of lists, that each total counts: found once for all totals, for there may be a list for each. */
export function listsByTotal(
  { followed, tables }: { readonly followed: FollowedLists; readonly tables: Tables },
  collection: ListsSchema,
): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const pk of pksOf(tableOf(tables, collection.table)))
    getOrMake(all, followed.judgeOf(collection, pk).totalOf(pk), () => []).push(pk);
  return all;
}

/** Whether a list has as many rows as are counted, and not this one. */
function isLacked(list: List | undefined, kept: TotalRow, place: Place): boolean {
  return list !== undefined && refsIn(list).length >= totalIn(kept) && !hasRow(list, place);
}

/** Whether a list, or a set of values, has a row. */
function hasRow(list: List | undefined, { table, pk }: Place): boolean {
  return list !== undefined && refsIn(list).some((ref) => refersTo(ref, table, pk));
}

/** The totals that created items join. */
export function countingCreated(created: readonly Created[]): readonly Counting[] {
  return created.flatMap(({ list, ref, totals }) =>
    rowsOf(list, ref).flatMap(([table, pk]) =>
      totals.map((total) => ({
        total: { table: totalTable(list), pk: total },
        name: nameOf({ table, pk }),
        was: false,
        is: true,
      })),
    ),
  );
}

/** What a guess counts, as changes of the totals that are there in given tables. */
export function guessed(changes: Changes, countings: readonly Counting[], tables: Tables = {}): Changes {
  const moves = countings.filter(({ isOpen }) => !isOpen);
  if (moves.length === 0) return changes;
  const rows = moves.map((counting): RowChanges => {
    const { table, pk } = counting.total;
    const move = moveBy(counting, rowFrom(tables, table, pk));
    return { table, pks: [pk], rows: [{ [counting.name]: move }], existing: true };
  });
  return { ...changes, rows: [...changes.rows, ...rows] };
}

/** How a row has joined a total, or left it: the number was told with what the row was before all that is remembered of it. */
export function moveBy(
  { name, was, is }: Counting,
  kept: Row | undefined,
  { sent, came }: Pick<Event, 'sent' | 'came'> = { sent: 0, came: 0 },
): Moved {
  const known = own(kept, name) as Moved | undefined;
  return [known?.[0] ?? (was ? 1 : 0), is ? 1 : 0, sent, came];
}

/** A total without the rows that had moved before all that is under way was sent: nobody asks for them any more, and a list that is never fetched again would have ever more. */
export function summed(row: TotalRow, since: number): TotalRow {
  const { at, until } = row;
  const open = Object.fromEntries(movesIn(row).filter(([, [, , , came]]) => came >= since));
  return { ...open, count: totalIn(row) - totalIn({ ...open, count: 0, at, until }), at, until };
}
