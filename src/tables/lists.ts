import type { Reader } from '../schema/Schema.js';
import { middleOf } from './changes.js';
import { isRowValue, type Changed, type Made, type RowValue } from './values.js';

/** A list that was made of the one before it. */
export interface Patched {
  readonly value: readonly unknown[];
  /** A place where it may have another member than the one before, to be looked at first when the two are compared; or -1. */
  readonly at: number;
}

/** Where a list lacks members that are not there: all its members in the order of its row, with undefined in their places. */
interface Holes {
  readonly row: unknown;
  readonly members: readonly unknown[];
}

const holesOf = new WeakMap<object, Holes>();
const none: readonly unknown[] = [];

/** More new members than this are read with all others. */
const MANY = 32;

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * A list of which a few members have changed, come or gone, with these read anew: 10 µs of 10 000, where reading all of
 * them takes 1.3 ms. Undefined where there is more to do.
 */
export function patchList(
  list: RowValue,
  { value: last, of: lastRow }: Made,
  changed: readonly Changed[],
  from: Reader,
): Patched | undefined {
  const { row, schema } = list;
  // Only a list is made of nothing but its members; an entity with a list inside is no array itself.
  if (!isList(last) || !isList(lastRow) || !isList(row)) return undefined;
  const holes = holesOf.get(last);
  const known = holes?.row === lastRow ? holes.members : last;
  if (known.length !== lastRow.length) return undefined;
  const middleAt = middleOf(lastRow, row);
  const { start, end } = middleAt;
  if (row.length - start - end > MANY) return undefined;
  const read = (ref: unknown): unknown => {
    const one: unknown[] = [];
    schema.fill(one, [ref], from);
    return one[0];
  };
  // What is read is told its place, so that it need not be looked for when it changes or goes.
  list.reads = start;
  const middle = row === lastRow ? none : row.slice(start, row.length - end).map(read);
  const members = spliced(known, start, middle, end);
  let isWhole = known === last && !middle.includes(undefined);
  let at = row === lastRow ? -1 : start;
  for (const { value, was } of changed) {
    if (!isRowValue(value)) return undefined;
    if (was === undefined) continue;
    // A Collection has a row once: what was in the middle of the last list has gone, or has been read anew.
    if (wasInMiddle(known, middleAt, value, was)) continue;
    const place = members[value.place] === was ? value.place : members.indexOf(was);
    if (place < 0) {
      // It may be what has gone; or it lies within a member that is no row itself.
      if (!known.includes(was)) return undefined;
      continue;
    }
    const now = (members[place] = from.row(value.schema, value.pk));
    value.place = place;
    if (now !== was) at = place;
    isWhole &&= now !== undefined;
  }
  return isWhole ? { value: members, at } : withoutHoles(members, row, read);
}

/**
 * The list that was made of the very row before, as after a rollback, where all its members are what they were: with 10 000 of them it takes a
 * third of what it takes to patch the last one, and to find then that the outcome was there before.
 */
export function formerList(
  list: RowValue,
  { value: last, of: lastRow }: Made,
  changed: readonly Changed[],
  from: Reader,
): Patched | undefined {
  const { row, schema, past } = list;
  const value = row === lastRow ? undefined : past.find(({ of }) => of === row)?.value;
  if (!isList(value) || !isList(last) || !isList(row) || value.length !== row.length) return undefined;
  const middleAt = middleOf(value, last);
  const { start, end } = middleAt;
  if (row.length - start - end > MANY) return undefined;
  const middle: unknown[] = [];
  list.reads = start;
  schema.fill(middle, row.slice(start, row.length - end), from);
  const isAsBefore = ({ value: member, was }: Changed): boolean =>
    isRowValue(member) && (wasInMiddle(last, middleAt, member, was) || from.row(member.schema, member.pk) === was);
  // A row that is missing leaves no hole among those that are read: they are fewer.
  const isThere = start + middle.length + end === value.length;
  const isSame = isThere && middle.every((member, i) => member === value[start + i]) && changed.every(isAsBefore);
  return isSame ? { value, at: -1 } : undefined;
}

/** Whether a member stood between the start and the end of a list, by the place that it was last told. */
function wasInMiddle(
  list: readonly unknown[],
  { start, end }: ReturnType<typeof middleOf>,
  { place }: RowValue,
  was: unknown,
): boolean {
  return place >= start && place < list.length - end && list[place] === was;
}

/** A list without the members that are not there. Those that were not there before are looked for again. */
function withoutHoles(
  members: unknown[],
  row: readonly unknown[],
  read: (ref: unknown) => unknown,
): Patched | undefined {
  for (let at = members.indexOf(undefined); at >= 0; at = members.indexOf(undefined, at + 1)) {
    members[at] = read(row[at]);
  }
  if (!members.includes(undefined)) return { value: members, at: -1 };
  const value = members.filter((member) => member !== undefined);
  holesOf.set(value, { row, members });
  return { value, at: -1 };
}

/** A list with other members between its start and its end; made in one piece, for that is what it costs. */
function spliced(list: readonly unknown[], start: number, middle: readonly unknown[], end: number): unknown[] {
  const gone = list.length - start - end;
  if (middle.length > gone) {
    // `concat` makes what is longer in one piece; `slice` of a frozen list is 60 times slower than a spread.
    return (start === list.length ? list : list.slice(0, start)).concat(middle, list.slice(start + gone));
  }
  const next = [...list];
  if (gone > 0) next.splice(start, gone, ...middle);
  return next;
}
