/** What the rows of a list deny: that an argument is what their field of that name is. */
import { isEntityClass } from './Entity.js';
import type { EntitySchema } from './EntitySchema.js';
import { keyValue, valuesOf } from './listKey.js';
import { isObject, type Known, type ListsSchema } from './ListsSchema.js';
import { getOrMake, isRecord } from './Schema.js';
import { schemaOf } from './schemaOf.js';
import { relatedTo } from './told.js';

/** Of lists: whether the rows of each, as the server has put them there, deny that an argument with some value is a field of theirs. */
const denials = new WeakMap<object, Map<string, boolean>>();

/**
 * Whether the rows that a list has say that an argument is not what their field of that name is: `?state=all`. Of an empty list, another row tells: where
 * one is edited, that its field is of another type, or that no row to which it may refer has the value; else that no row of the class has the value.
 */
export function isDenied(
  lists: ListsSchema,
  pk: string,
  name: string,
  value: string,
  known: Known,
  edited?: unknown,
): boolean {
  const { member } = lists.inner;
  const table = isEntityClass(member) ? schemaOf(member)?.['table' as never] : undefined;
  const list = known.kept(lists.table, pk);
  if (typeof table !== 'string' || !isObject(list)) return false;
  const answers = getOrMake(denials, list, () => new Map<string, boolean>());
  const question = `${name}=${value}`;
  const answer = answers.get(question);
  if (answer !== undefined) return answer;
  const rows = Object.values(list).map((ref) => known.kept(table, String(ref)));
  if (rows.length === 0 && edited)
    return isOfOtherType(edited, name, value) || refersToNone(relatedTo(member, name), value, known);
  // Of two values, each is one of the field.
  const byType = isBoolean(value);
  const values = new Set<string | undefined>(valuesOf(value));
  if (rows.length === 0) {
    const told = known.values(table, name);
    const isTold = (isSo: (is: unknown) => boolean): boolean => [...told.values()].some(isSo);
    if (byType) return isTold((is) => isOfOtherType({ [name]: is }, name, value));
    // Where the field is a number, a number is one of its values, as the id of a parent is that has no items yet.
    const isNumber = value === String(Number(value)) && isTold((is) => typeof is === 'number');
    return !isNumber && ![...values].some((one) => told.has(one));
  }
  const isOther = (row: unknown): boolean =>
    byType
      ? isOfOtherType(row, name, value)
      : isRecord(row) && row[name] !== undefined && !values.has(keyValue(row, name));
  const isSo = rows.some(isOther);
  answers.set(question, isSo);
  return isSo;
}

const isBoolean = (value: string): boolean => value === 'true' || value === 'false';

/** Whether the field of a row is of a type that no text like this stands for: a number or an array for `true`, an array for `1`. */
function isOfOtherType(row: unknown, name: string, text: string): boolean {
  const value = isRecord(row) && Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === undefined || value === null || typeof value === 'string') return false;
  const typeOf = (one: string): string =>
    isBoolean(one) ? 'boolean' : Number.isNaN(Number(one)) ? 'string' : 'number';
  return !valuesOf(text).some((one) => typeOf(one) === typeof value);
}

/** Whether a class to which a relation refers has no row that an argument may mean. */
function refersToNone(related: EntitySchema | undefined, value: string, known: Known): boolean {
  return related !== undefined && !valuesOf(value).some((pk) => known.kept(related.table, pk) !== undefined);
}
