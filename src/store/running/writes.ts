import { assertEndpoint, assertEntity } from '../assertions.js';
import type { EntityClass } from '../../schema/Entity.js';
import type { EntitySchema } from '../../schema/EntitySchema.js';
import { isRecord, type Definition, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { normalize, type NormalizeOptions, type Normalized } from '../../tables/normalize.js';
import { rowIn } from '../../tables/changes.js';
import { protocol, type AnyEndpoint, type EntityId } from '../endpoint.js';
import { entityOf, keptPkOf } from '../reading/selectors.js';
import { readerOf } from '../reading/StoreReader.js';
import { normalizedOf } from './answers.js';
import { toWire } from './plain.js';
import { draft } from './recipes/recipes.js';
import { assertCreated } from './refusal.js';
import type { Runtime } from './Runtime.js';
import { targetOf } from './target.js';

/** What the user calls. */
const SET = 'resources.set';

/** Merges fields into one entity, or into each of many in one action. */
export function setRows(runtime: Runtime, entity: EntityClass, given: EntityId | readonly Row[]): void {
  assertEntity(SET, entity);
  runtime.lifetime.followed.meetOnce(entity);
  const isMany = Array.isArray(given);
  if (isMany && given.length === 0) return;
  const { tables } = runtime.store.slice;
  const input = real(runtime, toWire(given, SET));
  // Asked for only where requests are under way.
  let fields: Map<string, readonly string[]> | undefined;
  const fieldsOf = (pk: string): readonly string[] =>
    isMany
      ? ((fields ??= namedByPk(schemaOf(entity) as EntitySchema, input as readonly unknown[])).get(pk) ?? [])
      : namedIn(input);
  const written = runtime.write({
    payload: { entity: entity.key, fields: input },
    fields: (_, pk, isOutermost) => (isOutermost ? fieldsOf(pk) : []),
    normalize: (options) => takeApart(isMany ? [entity] : entity, input, { args: [input], name: SET, ...options }),
  });
  for (const pk of [written].flat()) runtime.lifetime.give(entity, pk, tables);
}

/** Changes what is confirmed of a row, if it is there, and of what is nested in it, by a recipe. */
export function updateRow(runtime: Runtime, entity: EntityClass, id: EntityId, update: (row: Row) => unknown): void {
  assertEntity(SET, entity);
  runtime.lifetime.followed.meetOnce(entity);
  const { tables } = runtime.store.slice;
  const pk = keptPkOf(tables, entity, real(runtime, id));
  const changes = draft(SET, { tables }, { definition: entity, ref: pk }, (row) =>
    // What is drafted is a row.
    update(row as Row),
  );
  if (!changes) return;
  runtime.write({
    payload: { entity: entity.key, fields: { id: pk, ...rowIn(changes, entityOf(entity)?.table ?? '', pk) } },
    fields: (table, rowPk) => Object.keys(rowIn(changes, table, rowPk) ?? {}),
    normalize: () => normalizedOf(changes, pk),
  });
  runtime.lifetime.give(entity, pk, tables);
}

/** Writes a response as if the server had said it. */
export function setResponse(runtime: Runtime, endpoint: AnyEndpoint, of: readonly unknown[], given: unknown): void {
  assertEndpoint('setResponse', endpoint);
  runtime.meet(endpoint);
  const args = real(runtime, endpoint[protocol].plainArgs(of));
  const { name, schema, sideEffect: isWrite } = endpoint;
  const response = real(runtime, toWire(given, name));
  const target = targetOf(endpoint, args, runtime.store.slice, runtime.lifetime.endpointOf);
  runtime.write({
    payload: response,
    fields: () => [],
    normalize: (options) => takeApart(schema, response, { args, name, target, isWrite, ...options }),
    about: { endpoint, key: endpoint.key(...args), args },
  });
}

/** What is given, with real ids in place of temporary ones that somebody has kept. */
function real<Given>(runtime: Runtime, given: Given): Given {
  const { ids } = readerOf(runtime.store.slice);
  return ids.areKnown ? ids.real(given) : given;
}

function takeApart(definition: Definition, input: unknown, options: NormalizeOptions): Normalized {
  const normalized = normalize(definition, input, options);
  assertCreated(normalized.changes, options.name ?? '');
  return normalized;
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
function namedIn(fields: unknown): readonly string[] {
  return isRecord(fields) ? Object.keys(fields).filter((field) => field !== 'id') : [];
}
