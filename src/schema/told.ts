/** What an item, and the call that brings it, say for an argument of a list. */
import { EntitySchema, toldPk } from './EntitySchema.js';
import type { ListsSchema } from './ListsSchema.js';
import { isSought, keyValue, plainBody } from './listKey.js';
import { declares } from './member.js';
import { isRecord, type Definition, type Schema } from './Schema.js';
import { schemaOf } from './schemaOf.js';

/** The parameters and the body of what creates an item. */
export type Call = readonly unknown[];

/** The value that an item has for an argument. */
export function toldOf(lists: ListsSchema, name: string, item: unknown, call: Call): string | undefined {
  const [params, body] = call;
  const { member } = lists.inner;
  const field = valueIn(member, name, item);
  const isPk = field !== undefined && field === pkOf(schemaOf(member), item) && lists.isPkInPath(name, field);
  // An item that says null has no value, which is none that a list asks for.
  const nothing = isRecord(item) && item[name] === null ? '' : undefined;
  return (
    inPath(lists, name, call) ??
    (isPk ? undefined : field) ??
    nothing ??
    keyValue(params, name) ??
    valueIn(member, name, plainBody(body))
  );
}

/** What a call says of a parameter of the path. */
export function inPath({ pathNames }: ListsSchema, name: string, [params]: Call): string | undefined {
  return pathNames.has(name) ? keyValue(params, name) : undefined;
}

/** Whether an argument says what is sought, and nothing that an item has for a value: the search for a word, or a comparison. */
export function isSoughtBy({ inner, pathNames }: ListsSchema, name: string): boolean {
  return isSought(name) && !pathNames.has(name) && !declares(inner.member, name);
}

/** An item with what the call says of it where it is silent. */
export function itemOf(item: unknown, [params, body]: Call): unknown {
  if (params === undefined && body === undefined) return item;
  return { ...(isRecord(params) && params), ...plainBody(body), ...(isRecord(item) && item) };
}

/** The class of which the field of an item holds one. */
export function relatedTo(member: Definition, name: string): EntitySchema | undefined {
  const schema = schemaOf(member);
  const nested = schema instanceof EntitySchema ? schema.nested.find(([field]) => field === name)?.[1] : undefined;
  return nested instanceof EntitySchema ? nested : undefined;
}

/** The value that an item, or what is sent for it, has under a name: of an entity that stands in place, its pk; a new one has none. */
function valueIn(member: Definition, name: string, from: unknown): string | undefined {
  const value = isRecord(from) ? from[name] : undefined;
  const isNested = typeof value === 'object' && !(value instanceof Date);
  return isNested ? pkOf(relatedTo(member, name), value) : keyValue(from, name);
}

/** The pk of an item that stands in place. */
function pkOf(schema: Schema | undefined, item: unknown): string | undefined {
  return schema instanceof EntitySchema && isRecord(item) ? toldPk(schema, item) : undefined;
}
