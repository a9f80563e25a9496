import { sameValue } from '../schema/sameShape.js';
import { own, pick, setOwn, type Row } from '../schema/Schema.js';

/** Whether one version is greater than another; undefined where they are equal, or cannot be compared. */
export function isGreater(one: unknown, other: unknown): boolean | undefined {
  if (typeof one === 'number' && typeof other === 'number') return isAbove(one, other);
  return typeof one === 'string' && typeof other === 'string' ? isGreaterText(one, other) : undefined;
}

const DIGITS = /^\d+$/;
const TIME = /^(?:\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)|\w{3}, \d.* GMT)$/;

/** Numbers and times compare as what they are, other texts letter by letter. */
function isGreaterText(one: string, other: string): boolean | undefined {
  // Most are times of one form, of which letters tell: a tenth of the time.
  const isPlain = one === other || (one.length === other.length && one.endsWith('Z') && other.endsWith('Z'));
  const areBoth = (form: RegExp): boolean => !isPlain && form.test(one) && form.test(other);
  if (areBoth(DIGITS)) return isAbove(BigInt(one), BigInt(other));
  if (!areBoth(TIME)) return isAbove(one, other);
  return isAbove(Date.parse(one), Date.parse(other)) ?? isAbove(fractionOf(one), fractionOf(other));
}

function isAbove<Value extends string | number | bigint>(one: Value, other: Value): boolean | undefined {
  return one > other || (one < other ? false : undefined);
}

/** The digits of a second after the point; a date has no more than ms of them. */
function fractionOf(time: string): string {
  return /\.(\d*[1-9])/.exec(time)?.[1] ?? '';
}

/** Whether a row has no other fields than another one. Two of a class mostly have them in one order: to compare that takes a fifth of the time. */
export function hasNoOthers(row: Row, than: Row): boolean {
  const fields = Object.keys(row);
  const others = Object.keys(than);
  return fields.every((field, i) => field === others[i] || Object.hasOwn(than, field));
}

/** What a row says otherwise than another; undefined where that is nothing. */
export function newsIn(row: Row, there: Row): Row | undefined {
  return some(row, (field) => !sameValue(own(there, field), row[field]));
}

/** Some fields of a row; undefined where none is left. */
export function some(row: Row, counts: (field: string) => boolean): Row | undefined {
  const fields = Object.keys(row);
  const kept = fields.filter(counts);
  if (kept.length === 0) return undefined;
  return kept.length === fields.length ? row : pick(row, counts);
}

/** Whether a row has any field. */
export function hasAny(row: object): boolean {
  for (const _ in row) return true;
  return false;
}

/** Whether a value stays the object that it is, for what comes says the same: whoever shows a part of a row need not show it anew. */
function stays(there: unknown, incoming: unknown): boolean {
  return typeof there === 'object' && there !== incoming && sameValue(there, incoming);
}

/** A row with another over it. To lay it field by field over a copy takes twice as long: 0.5 µs for 16 fields. */
export function over(there: Row, incoming: Row): Row {
  const row = { ...there, ...incoming };
  for (const field in incoming)
    if (typeof incoming[field] === 'object' && stays(own(there, field), incoming[field]))
      setOwn(row, field, there[field]);
  return row;
}

/** Whether an incoming row brings anything new. */
export function differs(there: Row, incoming: Row): boolean {
  for (const field in incoming) {
    const value = incoming[field];
    // A field that is there by inheritance only (`__proto__`) is not there.
    if (value !== there[field] && !(Object.hasOwn(there, field) && sameValue(there[field], value))) return true;
  }
  return false;
}

export { sameValue } from '../schema/sameShape.js';
