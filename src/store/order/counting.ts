import { keyNames } from '../../schema/listKey.js';
import type { ListsSchema } from '../../schema/ListsSchema.js';
import { getOrMake, own, refersTo, type Created, type List, type Row } from '../../schema/Schema.js';
import { totalIn, totalTable, type Moved, type TotalRow } from '../../schema/Total.js';
import type { Changes, RowChanges } from '../../tables/changes.js';
import { refsIn } from '../../tables/members.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, listFrom, pksOf, tableOf, type Table, type Tables } from '../../tables/tables.js';
import { knownIn, type FindRow } from '../../tables/wireRow.js';
import { overlapped, type Event } from './event.js';
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

/**
 * The totals that an edited or deleted row joins or leaves, and those of which only the server knows; `findAfter` finds rows as they are after the edit,
 * `findTotal` totals as they are by now.
 */
export function countingOf(
  followed: FollowedLists,
  tables: Tables,
  change: Change,
  findAfter: FindRow,
  findTotal?: FindRow,
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
      const counted = nameOf(change);
      const judge = followed.judgeOf(collection, total);
      const call = callIn(inPaths, total);
      if (!call) return;
      const judged = judge.judge(before, total, known, call);
      const told = judged ?? isListed(total);
      const is = after === undefined ? false : (judge.judge(after, total, knownAfter, call) ?? told);
      const isOpen = told === is;
      if (isOpen && judged !== undefined) return;
      const moved = own((findTotal?.(name, total) ?? kept) as TotalRow, counted) as Moved | undefined;
      const { was, isUnseen } = countedBefore(kept, change, { moved, told, list: listOf(total) });
      // A list inside an item is a preview.
      const isPreview = judge.nestNames.has(keyNames(total));
      const open = isOpen && { isOpen, isUnseen: isUnseen && !isPreview };
      countings.push({ total: { table: name, pk: total }, name: counted, was, is, ...open });
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

/** Whether a total has counted a row; unseen is a deleted one of which no list tells whether it was. */
function countedBefore(
  kept: TotalRow,
  change: Change,
  { moved, told, list }: { readonly moved: Moved | undefined; readonly told: boolean; readonly list: List | undefined },
): { readonly was: boolean; readonly isUnseen: boolean } {
  if (moved) return { was: moved[0] === 1, isUnseen: false };
  // A row that has joined since is none that the total was told with; nor is one that the list lacks where it has as many as are counted.
  const isMissing = isLacked(list, kept, change);
  return { was: told && !isMissing, isUnseen: !change.after && !isMissing };
}

/** Whether a list has as many rows as are counted, and not this one. */
function isLacked(list: List | undefined, kept: TotalRow, place: Place): boolean {
  return list !== undefined && refsIn(list).length >= totalIn(kept) && !hasRow(list, place);
}

/** Whether a list, or a set of values, has a row. */
export function hasRow(list: List | undefined, { table, pk }: Place): boolean {
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

/** What a guess counts, as changes of the totals that are there. */
export function guessed(changes: Changes, countings: readonly Counting[]): Changes {
  const moves = countings.filter(({ isOpen }) => !isOpen);
  if (moves.length === 0) return changes;
  const rows = moves.map(({ total: { table, pk }, name, was, is }): RowChanges => ({
    table,
    pks: [pk],
    rows: [{ [name]: moved(was, is) }],
    existing: true,
  }));
  return { ...changes, rows: [...changes.rows, ...rows] };
}

function moved(was: boolean, is: boolean, { sent, came }: Pick<Event, 'sent' | 'came'> = { sent: 0, came: 0 }): Moved {
  return [was ? 1 : 0, is ? 1 : 0, sent, came];
}

/** What is made of a total, and whether nobody knows what it has counted. */
interface Recount {
  readonly row: TotalRow;
  readonly isDoubtful: boolean;
}

/** A total that an answer tells: it has counted what was sent before its request was, and nothing else. */
export function recount(kept: TotalRow | undefined, count: number, event: Event, isLast: boolean): Recount | undefined {
  const { sent: at, came: until } = event;
  if (kept && kept.at > at) return undefined;
  const { count: _, at: __, until: ___, ...rest } = kept ?? { count, at, until };
  const all = Object.entries(rest as Record<string, Moved>);
  if (kept?.count === count && all.length === 0 && isLast && event.kind === 'read') return undefined;
  const left = all.filter(([, [, , sent]]) => sent > at);
  const isDoubtful = all.some(([, [, , sent, came]]) => overlapped({ sent, came }, event));
  return { row: { ...Object.fromEntries(left), count, at, until }, isDoubtful };
}

/** A total after a write has landed that a row joins it by, or leaves it; `isGone`: the row is deleted. */
export function counted(kept: TotalRow, { name, was, is }: Counting, event: Event, isGone = false): Recount {
  const { sent, came } = event;
  const known = Object.hasOwn(kept, name) ? (kept[name] as Moved) : undefined;
  const isDoubtful = overlapped(event, { sent: kept.at, came: kept.until });
  // The total has counted it, or a later write says otherwise. What is deleted is deleted, whatever was written since.
  if (sent < kept.at || (known && known[2] > sent && !isGone)) return { row: kept, isDoubtful };
  return { row: { ...kept, [name]: moved(known ? known[0] === 1 : was, is, { sent, came }) }, isDoubtful };
}

/** A total without the rows that have moved before an event beside which nothing is under way: nobody asks for them any more, and a list that is never fetched again would have ever more. */
export function summed(row: TotalRow, { came }: Event): TotalRow {
  const { at, until } = row;
  const all = Object.entries(row as Record<string, unknown>);
  const ofEvent = all.filter(([, move]) => (move as Partial<Moved>)[3] === came);
  const moves = Object.fromEntries(ofEvent) as Record<string, Moved>;
  return { ...moves, count: totalIn(row) - totalIn({ ...moves, count: 0, at, until }), at, until };
}
