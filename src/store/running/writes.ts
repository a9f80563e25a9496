import type { EntityClass } from '../../schema/Entity.js';
import type { EntitySchema } from '../../schema/EntitySchema.js';
import { isRecord, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { keptPk } from '../../tables/aliases.js';
import { normalize } from '../../tables/normalize.js';
import { rowOf, tableOf } from '../../tables/tables.js';
import type { AnyEndpoint } from '../endpoint.js';
import { entityOf, pkOf, type EntityId } from '../reading/selectors.js';
import type { ResourcesState } from '../state.js';
import { toWire } from './plain.js';
import type { Runtime } from './Runtime.js';

/** Merges fields into one entity; with `update`, into what is confirmed of it, if it is there. */
export function setOne(
  runtime: Runtime,
  entity: EntityClass,
  { id, update }: { readonly id: EntityId; readonly update?: ((row: Row) => Row) | undefined },
  type: string,
): void {
  // As the user calls it: resources.set.
  const name = type.replace('/', '.');
  const row = update && rowIn(runtime.tables, entity, id);
  if (update && !row) return;
  const news = update && row ? update(row) : id;
  const input = toWire(row ? { ...row, ...(news as Row) } : news, name);
  const fields = isRecord(news) ? namedIn(news) : [];
  const pk = runtime.write({
    type,
    payload: { entity: entity.key, fields: row ? toWire(news, name) : input },
    fields: () => fields,
    normalize: (given) => normalize(entity, input, { args: [id], name, ...given }),
  });
  runtime.give(entity, pk);
}

/** Merges fields into each of many entities, in one action. */
export function setMany(runtime: Runtime, entity: EntityClass, items: readonly Row[], type: string): void {
  if (items.length === 0) return;
  const input = toWire(items, type);
  const schema = schemaOf(entity) as EntitySchema;
  // Asked for only where requests are under way.
  let fields: Map<string, readonly string[]> | undefined;
  const pks = runtime.write({
    type,
    payload: { entity: entity.key, fields: input },
    fields: (pk) => (fields ??= namedByPk(schema, input as readonly unknown[])).get(pk) ?? [],
    normalize: (given) => normalize([entity], input, { args: [items], name: type, ...given }),
  });
  for (const pk of pks as readonly unknown[]) runtime.give(entity, pk);
}

/** Writes a response as if the server had said it. */
export function setResponse(
  runtime: Runtime,
  endpoint: AnyEndpoint,
  { args, given }: { readonly args: readonly unknown[]; readonly given: unknown },
  type: string,
): void {
  const { name, schema } = endpoint;
  const response = toWire(given, name);
  runtime.write({
    type,
    payload: response,
    fields: () => [],
    normalize: (options) => normalize(schema, response, { args, name, ...options }),
    about: { endpoint, key: endpoint.key(...args), args },
  });
}

function namedByPk(schema: EntitySchema, items: readonly unknown[]): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const item of items) {
    const pk = isRecord(item) ? schema.pk(item) : undefined;
    if (isRecord(item) && pk !== undefined) fields.set(pk, [...(fields.get(pk) ?? []), ...namedIn(item)]);
  }
  return fields;
}

/** The fields that a write names; the id says which entity is meant, and changes nothing of it. */
function namedIn(fields: Row): readonly string[] {
  return Object.keys(fields).filter((field) => field !== 'id');
}

function rowIn(tables: ResourcesState['tables'], entity: EntityClass, id: EntityId): Row | undefined {
  // A table that is called after an entity holds rows.
  const table = entityOf(entity)?.table ?? '';
  return rowOf(tableOf(tables, table), keptPk(tables, table, pkOf(entity, id) ?? '')) as Row | undefined;
}
