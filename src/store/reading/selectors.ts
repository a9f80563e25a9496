import { resourceError } from '../../errors.js';
import { assertEndpoint, assertEntity } from '../assertions.js';
import { freezeInDevelopment } from '../../schema/freezing.js';
import type { EntityClass } from '../../schema/Entity.js';
import { EntitySchema, isPk } from '../../schema/EntitySchema.js';
import { identify, numberOf } from '../../schema/identify.js';
import { getOrMake, isRecord, type Definition, type Schema } from '../../schema/Schema.js';
import { isShallowSame } from '../../schema/sameShape.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { keptPk } from '../../tables/aliases.js';
import type { Tables } from '../../tables/tables.js';
import { queryTables } from './finder.js';
import { withNewPks } from './renames.js';
import { adopt } from '../adopt.js';
import { protocol, type AnyEndpoint, type EntityId } from '../endpoint.js';
import { mayNameTemporary } from '../order/temporaryIds.js';
import { recordOf, requestPk, type ResourcesState } from '../state.js';
import { entityName, readerOf, type Question, type Reading, type StoreReader } from './StoreReader.js';

/** The slice in a root state, as it will be taken over where it came from elsewhere; throws R2 where there is none. */
export function sliceOf(rootState: unknown, reducerPath: string): ResourcesState {
  const slice = isRecord(rootState) ? rootState[reducerPath] : undefined;
  if (slice === undefined) throw resourceError('R2', reducerPath);
  return adopt(slice);
}

/** The question that a request answers. */
export function questionOf(endpoint: AnyEndpoint, args: readonly unknown[], key: string): Question {
  const given = endpoint[protocol].plainArgs(args);
  return {
    name: requestPk(endpoint.name, key),
    definition: endpoint.schema,
    args: endpoint[protocol].naming(given),
    isVariant: endpoint[protocol].isVariant(given),
    endpoint,
  };
}

/** Reads something, or something else instead; it knows the reader of the store it read last, and what it was given there. */
function reading(
  question: Question,
  instead?: (slice: ResourcesState, reader: StoreReader) => Question | undefined,
): (slice: ResourcesState) => unknown {
  let anchor: object | undefined;
  let reader: StoreReader;
  let last: Reading | undefined;
  return (slice) => {
    if (slice.anchor !== anchor) {
      reader = readerOf(slice);
      anchor = slice.anchor;
      last = undefined;
    }
    const other = instead?.(slice, reader);
    return (other ? reader.reading(slice, other) : (last = reader.reading(slice, question, last))).value;
  };
}

type Select<Value> = (slice: ResourcesState) => Value;

/**
 * Reads by the real ids of what arguments name by temporary ones, as soon as these are known, and by the new pks of rows that were renamed. How a request
 * with the old ones stands is told until there is one with the new ones.
 */
export function following<Value>(
  asked: Pick<AnyEndpoint, 'name' | 'key'>,
  args: readonly unknown[],
  make: (args: readonly unknown[], key: string) => Select<Value>,
  endpoint?: AnyEndpoint,
): Select<Value> {
  const key = asked.key(...args);
  const own = make(args, key);
  const isTemporary = mayNameTemporary.test(key);
  if (!isTemporary && !endpoint) return own;
  let last: { readonly at: string; readonly select: Select<Value> } | undefined;
  const nowIn = (slice: ResourcesState): readonly unknown[] => {
    const reader = readerOf(slice);
    const known = isTemporary ? reader.ids.real(args) : args;
    return endpoint && reader.hasAliases(slice.tables) ? withNewPks(endpoint, known, slice.tables) : known;
  };
  return (slice) => {
    const real = nowIn(slice);
    if (real === args) return own(slice);
    const now = asked.key(...real);
    const record = recordOf(slice, asked.name, key);
    // What was answered by hand, before the id was known, has the list of the temporary one.
    const isBefore = typeof record?.answer?.result === 'string' && mayNameTemporary.test(record.answer.result);
    const at = record && !isBefore && !recordOf(slice, asked.name, now) ? key : now;
    if (last?.at !== at) last = { at, select: make(real, at) };
    return last.select(slice);
  };
}

export function selectAnswer(endpoint: AnyEndpoint, args: readonly unknown[]): (slice: ResourcesState) => unknown {
  assertEndpoint('select', endpoint);
  return following(endpoint, args, (given, key) => reading(questionOf(endpoint, given, key)), endpoint);
}

/** Reads one entity, by pk or by what a pk or an index is computed of. */
export function selectEntity(definition: Definition, id: EntityId): (slice: ResourcesState) => unknown {
  assertEntity('selectEntity', definition);
  const table = entityOf(definition)?.table ?? '';
  const question = (pk: string): Question => ({ name: entityName(table, pk), definition, args: [id], ref: pk });
  const pk = isPk(id) ? String(id) : undefined;
  if (pk !== undefined) {
    return reading(question(pk), ({ tables }, reader) => {
      const kept = reader.hasAliases(tables) ? keptPk(tables, table, pk) : pk;
      return kept === pk ? undefined : question(kept);
    });
  }
  return (slice) => {
    const reader = readerOf(slice);
    const pk = queryTables(reader.shown(slice), definition, [id]);
    return typeof pk === 'string' ? reader.reading(slice, question(pk)).value : undefined;
  };
}

/** Reads what a schema gives for these arguments, from whichever answers. */
export function selectSchema(schema: Schema, args: readonly unknown[]): (slice: ResourcesState) => unknown {
  const name = `schema ${String(numberOf(schema))}`;
  const asked = { name: '', key: (...given: readonly unknown[]): string => identify(given) };
  return following(asked, args, (given, key) => reading({ name: `${name} ${key}`, definition: schema, args: given }));
}

const all = new WeakMap<EntityClass, Schema>();

export function selectAll(entity: EntityClass): (slice: ResourcesState) => unknown {
  assertEntity('selectAll', entity);
  // One of a kind, for what was read of it is remembered by it.
  return selectSchema(
    getOrMake(all, entity, () => allOf(entity)),
    [],
  );
}

function allOf(entity: EntityClass): Schema {
  return {
    normalize: () => null,
    query: () => null,
    denormalize: (_ref, from) => freezeInDevelopment(from.resolve(entity)?.rows?.(from)),
  };
}

/** The requestIds of the intents that touch one entity. */
export function selectPending(definition: Definition, id: EntityId): (slice: ResourcesState) => readonly string[] {
  let last: readonly string[] = none;
  return (slice) => {
    if (slice.intents.length === 0) return none;
    const found = queryTables(readerOf(slice).shown(slice), definition, [id]);
    // A row that is shown no more, because it is being deleted, is known by its pk still.
    const table = entityOf(definition)?.table ?? '';
    const pk = typeof found === 'string' ? found : keptPkOf(slice.tables, definition, id);
    const next = slice.intents
      .filter(({ changes }) => changes.rows.some((rows) => rows.table === table && rows.pks.includes(pk)))
      .map(({ requestId }) => requestId);
    if (!isShallowSame(last, next)) last = next;
    return last.length === 0 ? none : last;
  };
}

const none: readonly string[] = Object.freeze([]);

/** The pk that the row of an id is kept under, whether the row is there or not; `''` where the id does not tell. */
export function keptPkOf(tables: Tables, definition: Definition, id: EntityId): string {
  const entity = entityOf(definition);
  const told = isPk(id) ? String(id) : isRecord(id) ? entity?.pk(id) : undefined;
  return keptPk(tables, entity?.table ?? '', told ?? '');
}

/** The schema of an entity; undefined for what is none. */
export function entityOf(definition: Definition): EntitySchema | undefined {
  const schema = schemaOf(definition);
  return schema instanceof EntitySchema ? schema : undefined;
}
