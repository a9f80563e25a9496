import { findCollection } from '../schema/Collection.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { EntitySchema } from '../schema/EntitySchema.js';
import { InvalidateSchema } from '../schema/Invalidate.js';
import { isRecord, setOwn, type Definition } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { describe, toWire } from '../store/running/plain.js';
import type { Expectation, AnyEndpoint } from '../store/endpoint.js';

/** What a write does to what is there. */
export type Effect = 'create' | 'replace' | 'patch' | 'delete' | 'list';

/** What a write with this method and schema does. */
export function effectOf(method: string, definition: Definition): Effect {
  const schema = schemaOf(definition);
  if (schema instanceof InvalidateSchema || method === 'DELETE') return 'delete';
  // What is added in a way of its own is what its method says.
  if (schema instanceof CollectionOperation && schema.verb !== 'append') {
    if (schema.verb === 'push' || schema.verb === 'unshift') return 'create';
    return schema.verb === 'assign' ? 'list' : 'patch';
  }
  if (method === 'PUT') return 'replace';
  return method === 'PATCH' ? 'patch' : 'create';
}

/** The response that a write would have, if the server did just what it is asked to. */
export function expectation(
  { name, method, schema: definition }: Pick<AnyEndpoint, 'name' | 'schema'> & { readonly method: string },
  params: unknown,
  body: unknown,
): Expectation {
  const effect = effectOf(method, definition);
  const sent = toWire(body, name);
  const schema = schemaOf(definition);
  // What is an entity for certain, no table need tell.
  if (effect === 'delete') return { response: params, constant: entityIn(definition) !== undefined };
  if (effect === 'list') return { response: sent };
  if (effect === 'create') {
    const known = filterParams(definition, params);
    const response = Array.isArray(sent) ? sent.map((item) => withParams(known, item)) : withParams(known, sent);
    return { response, creates: true };
  }
  const fields = new Set(fieldsOf(body));
  const existing = effect === 'patch';
  // A class that merges by itself must be asked again whenever the row has changed; what makes a row, whether it is there.
  const constant = existing && schema instanceof EntitySchema && !schema.merge;
  return { response: withParams(isRecord(params) ? params : {}, sent), fields, existing, constant };
}

/** What tells the entity that a write is about from all others; undefined where that is not known before the answer. */
export function entityOf(definition: Definition, params: unknown, body: unknown): string | undefined {
  const entity = entityIn(definition);
  const pk = entity?.pk({ ...(isRecord(body) ? body : {}), ...(isRecord(params) ? params : {}) });
  return entity && pk !== undefined ? `${entity.table} ${pk}` : undefined;
}

/** Whether a response tells which entity it is about, where it is about one. */
export function isIdentified(definition: Definition, response: unknown): boolean {
  return !entityIn(definition) || Array.isArray(response) || entityOf(definition, undefined, response) !== undefined;
}

function entityIn(definition: Definition): EntitySchema | undefined {
  const schema = schemaOf(definition);
  if (schema instanceof EntitySchema) return schema;
  if (schema instanceof CollectionOperation) return entityIn(schema.collection.inner.member);
  return schema instanceof InvalidateSchema ? entityIn(schema.children()[0]) : undefined;
}

/** The fields that a body names; of several items, those of any. */
export function fieldsOf(body: unknown): readonly string[] {
  const sent = describe(body);
  if (Array.isArray(sent)) return [...new Set(sent.flatMap(fieldsOf))];
  return isRecord(sent) ? Object.keys(sent) : [];
}

function withParams(params: Readonly<Record<string, unknown>>, fields: unknown): unknown {
  return { ...params, ...(isRecord(fields) ? fields : {}) };
}

/** The parameters that say something of a new item: all but those that order or page a list. */
function filterParams(definition: Definition, params: unknown): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  if (!isRecord(params)) return known;
  const schema = schemaOf(definition);
  const collection = schema instanceof CollectionOperation ? findCollection(schema) : undefined;
  for (const name of Object.keys(params)) {
    const value = params[name];
    if (value !== undefined && value !== null && collection?.filters(name, value) !== false) setOwn(known, name, value);
  }
  return known;
}
