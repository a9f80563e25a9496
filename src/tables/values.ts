import type { RowSchema } from '../schema/Schema.js';

/** Something that was read, and what was made of it: the graph along which a change makes values out of date. */
export interface Value {
  value: unknown;
  /** Whether nothing it was made of has changed. */
  isFresh: boolean;
  /** What was made of it. Mostly that is one value or a few, and a Set for each row would cost more than the row. */
  usedBy: Value | Value[] | Set<Value> | undefined;
  /** How many rows it has read. */
  reads: number;
  /** What it was made of that has changed since, as far as that is all that has; undefined where more has. */
  changed: Changed[] | undefined;
}

/** A value that has changed, and what it was before. */
export interface Changed {
  readonly value: Value;
  /** Its pk then; its place may have been taken by another row since. */
  readonly pk: string;
  readonly was: unknown;
}

/** What was made of a row. */
export interface RowValue extends Value {
  readonly schema: RowSchema;
  /** As which it was read last, among all that its reader has read: where a list has it, if nothing is missing there. */
  place: number;
  pk: string;
  row: unknown;
  /** What it was before it was made anew, while that may be shown still. */
  before: { readonly pk: string; readonly value: unknown; readonly row: unknown } | undefined;
  isGone: boolean;
  /** Whether nothing it was made of can still turn out to be gone. */
  isSettled: boolean;
}

export function newValue(isFresh = true): Value {
  return { value: undefined, isFresh, usedBy: undefined, reads: 0, changed: [] };
}

export function newRowValue(schema: RowSchema): RowValue {
  return {
    value: undefined,
    isFresh: false,
    usedBy: undefined,
    reads: 0,
    changed: undefined,
    schema,
    place: -1,
    pk: '',
    row: undefined,
    before: undefined,
    isGone: false,
    isSettled: false,
  };
}

export function isRowValue(value: Value): value is RowValue {
  return 'row' in value;
}

/** Remembers that one value was made of another. */
export function use(value: Value, user: Value): void {
  const { usedBy } = value;
  if (usedBy === user) return;
  if (usedBy === undefined) value.usedBy = user;
  else if (usedBy instanceof Set) usedBy.add(user);
  else if (!Array.isArray(usedBy)) value.usedBy = [usedBy, user];
  else if (usedBy.includes(user)) return;
  else if (usedBy.length < FEW) usedBy.push(user);
  else value.usedBy = new Set([...usedBy, user]);
}

/** So many are looked through. */
const FEW = 16;

export function isUsedBy({ usedBy }: Value, user: Value): boolean {
  if (usedBy instanceof Set) return usedBy.has(user);
  return Array.isArray(usedBy) ? usedBy.includes(user) : usedBy === user;
}

export function usersOf({ usedBy }: Value): Iterable<Value> {
  if (usedBy === undefined) return [];
  return usedBy instanceof Set || Array.isArray(usedBy) ? usedBy : [usedBy];
}

/** More changes than this are not told one by one. */
const MANY = 32;

/** Tells a value which of its parts has changed. */
export function told(user: Value, value: Value): void {
  if (user.changed && user.changed.length < MANY) {
    user.changed.push({ value, pk: isRowValue(value) ? value.pk : '', was: value.value });
  } else user.changed = undefined;
}

/** A value is out of date, and with it all that was made of it. */
export function outdate(first: Value): void {
  // What is told to be out of date by itself, a change of its parts does not explain; a list's row shows what it is.
  if (!isRowValue(first) || !Array.isArray(first.row)) first.changed = undefined;
  const queue = [first];
  for (const value of queue) {
    if (!value.isFresh) continue;
    value.isFresh = false;
    for (const user of usersOf(value)) {
      told(user, value);
      queue.push(user);
    }
    value.usedBy = undefined;
  }
}

/** Values, and all that was made of them. */
export function reachedFrom(values: readonly Value[]): ReadonlySet<Value> {
  const reached = new Set(values);
  for (const value of reached) for (const user of usersOf(value)) reached.add(user);
  return reached;
}
