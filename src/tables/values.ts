import { none, type RowSchema, type Schema } from '../schema/Schema.js';

/** Something that was read, and what was made of it: the graph along which a change makes values out of date. */
export interface Value {
  value: unknown;
  schema: Schema;
  /** The pk of the row it was made of; '' for an answer. */
  readonly pk: string;
  /** The row it was made of, or what stands for the answer. */
  row: unknown;
  /** Whether nothing it was made of has changed. */
  isFresh: boolean;
  /** Whether nothing it was made of can still turn out to be gone. */
  isSettled: boolean;
  /** What was made of it. Mostly that is one value or a few, and a Set for each row would cost more than the row. */
  usedBy: Value | Value[] | Set<Value> | undefined;
  /** How many rows it has read; FORGOTTEN where nobody remembers it. */
  reads: number;
  /** As which it was read last, among all that its reader has read: where a list has it, if nothing is missing there. */
  place: number;
  /** What a list was made of that has changed since; undefined where more than that is to be read anew. */
  changed: Changed[] | undefined;
  /** What it was before, the newest first, while requests are pending: what is shown may become the same again. */
  past: readonly Made[];
}

/** What was made of a row. */
export interface RowValue extends Value {
  readonly schema: RowSchema;
}

/** A value that has changed, and what it was before. */
export interface Changed {
  readonly value: Value;
  readonly was: unknown;
}

/** An object that was given out, and the row or the value it was made of. */
export interface Made {
  readonly value: unknown;
  readonly of: unknown;
}

export function newValue<S extends Schema>(schema: S, pk: string): Value & { schema: S } {
  return {
    value: undefined,
    schema,
    pk,
    row: undefined,
    isFresh: false,
    isSettled: false,
    usedBy: undefined,
    reads: 0,
    place: -1,
    changed: undefined,
    past: none,
  };
}

export function isRowValue(value: Value): value is RowValue {
  return value.pk !== '';
}

/** Gives out again what a value was before, where it says the same; of the rest, so many are kept. */
export function reuse(value: Value, isSame: (made: Made) => boolean, kept: number): void {
  const same = value.past.find(isSame);
  if (same) value.value = same.value;
  value.past = kept > 0 ? value.past.filter((made) => made !== same).slice(0, kept) : none;
}

/** Remembers that one value was made of another. */
export function use(value: Value, user: Value): void {
  const { usedBy } = value;
  if (usedBy === user) return;
  if (usedBy === undefined) value.usedBy = user;
  else if (usedBy instanceof Set) addUser(usedBy, user);
  else if (!Array.isArray(usedBy)) value.usedBy = [usedBy, user];
  else if (usedBy.includes(user)) return;
  else if (usedBy.length < FEW) usedBy.push(user);
  else value.usedBy = new Set([...usedBy, user]);
}

/** So many are looked through. */
const FEW = 16;

/** In place of how many rows an answer has read that nobody remembers. */
export const FORGOTTEN = -1;

/** Adds to those that were made of something. Whenever they have become twice as many, those go that need not know of a change. */
export function addUser(users: Set<Value>, user: Value): void {
  const { size } = users.add(user);
  if (size > FEW && (size & (size - 1)) === 0) dropForgotten(users);
}

/** Lets go of what nobody remembers, which is out of date from now on, and of what is to be made anew as a whole if it is read again: its row may be gone. */
export function dropForgotten(users: Set<Value>): void {
  for (const user of users) {
    if (user.reads === FORGOTTEN) user.isFresh = false;
    else if (user.isFresh || user.changed) continue;
    users.delete(user);
  }
}

export function usersOf({ usedBy }: Value): Iterable<Value> {
  if (usedBy === undefined) return none;
  return usedBy instanceof Set || Array.isArray(usedBy) ? usedBy : [usedBy];
}

/** More changes than this are not noted one by one. */
const MANY = 32;

function noteChanged(user: Value, value: Value): void {
  if (user.changed && user.changed.length < MANY) user.changed.push({ value, was: value.value });
  else user.changed = undefined;
}

/** Marks a value as out of date, and with it all that was made of it. */
export function outdate(first: Value): void {
  // A change of its parts does not explain why it is out of date by itself; but a list's row shows what it is.
  if (!Array.isArray(first.row)) first.changed = undefined;
  const queue = [first];
  for (const value of queue) {
    if (!value.isFresh) continue;
    value.isFresh = false;
    for (const user of usersOf(value)) {
      noteChanged(user, value);
      queue.push(user);
    }
    value.usedBy = undefined;
  }
}

/** Whether a row, or what stands for an answer, refers to one of these pks. */
export function mentions(value: unknown, pks: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return pks.has(value);
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const areFew = pks.size < FEW;
  // Few are looked for one by one.
  if (areFew) for (const pk of pks) if (members.includes(pk)) return true;
  return members.some((member) => !(areFew && typeof member === 'string') && mentions(member, pks));
}
