import { resourceError } from '../errors.js';
import { EntitySchema } from '../schema/EntitySchema.js';
import { isRecord, type Definition, type Schema } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { Memory } from '../tables/Memory.js';
import type { RowChanges } from '../tables/changes.js';
import type { Tables } from '../tables/tables.js';
import { finderOf } from './finder.js';
import { isFresh } from './freshness.js';
import { showIntents } from './overlay.js';
import type { Requestable, SerializedFailure } from './request.js';
import { recordOf, requestPk, type Answer, type RequestRecord, type ResourcesState } from './state.js';

/** What is known of the newest request with some arguments. */
export interface RequestState<Value = unknown> {
  readonly status: 'uninitialized' | 'pending' | 'fulfilled' | 'rejected';
  readonly data?: Value | undefined;
  readonly error?: SerializedFailure | undefined;
  readonly isUninitialized: boolean;
  /** A first load, with nothing to show. */
  readonly isLoading: boolean;
  readonly isFetching: boolean;
  readonly isSuccess: boolean;
  readonly isError: boolean;
  /** Shown still, and fetched by `ifStale` and subscribers. */
  readonly isStale: boolean;
  /** Whether some of what is shown is not confirmed by the server yet. */
  readonly isOptimistic: boolean;
  readonly requestId?: string | undefined;
  /** ms since the epoch. */
  readonly startedTimeStamp?: number | undefined;
  /** ms since the epoch. */
  readonly fulfilledTimeStamp?: number | undefined;
}

/** What identifies an entity: its pk, or the fields that its pk or an index is made of. */
export type EntityId = string | number | Readonly<Record<string, unknown>>;

/** What one store has been asked, so that the same data is the same object. */
class StoreReader {
  readonly #confirmed = new Memory();
  readonly #overlaid = new Memory({}, this.#confirmed);
  readonly #answers = new Map<string, { slice: ResourcesState; value: unknown }>();
  readonly #states = new Map<string, RequestState>();
  #shown: (Pick<ResourcesState, 'tables' | 'intents' | 'journal'> & { readonly shown: Tables }) | undefined;

  /** What is shown: the confirmed tables with the pending intents applied. */
  shown(slice: ResourcesState): Tables {
    const { tables, intents, journal } = slice;
    if (intents.length === 0) return tables;
    const last = this.#shown;
    if (last?.tables === tables && last.intents === intents && last.journal === journal) return last.shown;
    const shown = showIntents(tables, journal, intents, last?.shown);
    this.#shown = { tables, intents, journal, shown };
    return shown;
  }

  /** The value of a definition, read from what is shown. */
  read(slice: ResourcesState, name: string, definition: Definition, ref: unknown): unknown {
    this.#confirmed.sync(slice.tables);
    if (slice.intents.length === 0) return this.#confirmed.answer(name, definition, ref);
    this.#overlaid.sync(this.shown(slice));
    return this.#overlaid.answer(name, definition, ref);
  }

  /** Whether the value of a request, as it is shown, differs from what is confirmed. */
  isOptimistic(slice: ResourcesState, endpoint: Requestable, args: readonly unknown[], key: string): boolean {
    if (slice.intents.length === 0) return false;
    const shown = this.answer(slice, endpoint, args, key);
    const ref = refOf(slice, endpoint, args, key, slice.tables);
    this.#confirmed.sync(slice.tables);
    const name = requestPk(endpoint.name, key);
    return shown !== (ref === undefined ? undefined : this.#confirmed.answer(name, endpoint.schema, ref));
  }

  /** Forgets what was read of requests and rows that are collected. */
  forget(requests: readonly string[], rows: readonly RowChanges[]): void {
    const names = [...requests, ...rows.flatMap(({ table, pks }) => pks.map((pk) => entityName(table, pk)))];
    for (const name of names) {
      this.#answers.delete(name);
      this.#states.delete(name);
      this.#confirmed.forget(name);
      this.#overlaid.forget(name);
    }
  }

  answer(slice: ResourcesState, endpoint: Requestable, args: readonly unknown[], key: string): unknown {
    const name = requestPk(endpoint.name, key);
    const last = this.#answers.get(name);
    if (last?.slice === slice && !isDropped(recordOf(slice, endpoint.name, key))) return last.value;
    const value = this.#find(slice, endpoint, args, key, name);
    if (last) Object.assign(last, { slice, value });
    else this.#answers.set(name, { slice, value });
    return value;
  }

  #find(slice: ResourcesState, endpoint: Requestable, args: readonly unknown[], key: string, name: string): unknown {
    const ref = refOf(slice, endpoint, args, key, this.shown(slice));
    return ref === undefined ? undefined : this.read(slice, name, endpoint.schema, ref);
  }

  /** The same object, as long as it says the same. */
  state(name: string, next: RequestState): RequestState {
    const last = this.#states.get(name);
    if (last && isSame(last, next)) return last;
    this.#states.set(name, next);
    return next;
  }
}

/** What stands for the value of a request: its answer, or what the tables have for its arguments. */
function refOf(
  slice: ResourcesState,
  endpoint: Requestable,
  args: readonly unknown[],
  key: string,
  tables: Tables,
): unknown {
  const record = recordOf(slice, endpoint.name, key);
  if (!hasAnswer(record))
    return record?.answer || record?.invalid ? undefined : schemaOf(endpoint.schema)?.query?.(args, finderOf(tables));
  return record.answer.result;
}

function isSame(one: RequestState, other: RequestState): boolean {
  const names = Object.keys(other) as (keyof RequestState)[];
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name]);
}

const readers = new WeakMap<object, StoreReader>();

/** The reader of the store that a slice belongs to. */
export function readerOf(slice: ResourcesState): StoreReader {
  let reader = readers.get(slice.anchor);
  if (!reader) readers.set(slice.anchor, (reader = new StoreReader()));
  return reader;
}

/** The slice in a root state; throws R2 where there is none. */
export function sliceOf(rootState: unknown, reducerPath: string): ResourcesState {
  const slice = isRecord(rootState) ? rootState[reducerPath] : undefined;
  if (!isRecord(slice) || !('anchor' in slice)) throw resourceError('R2', reducerPath);
  // Only our reducer makes a slice with an anchor.
  return slice as unknown as ResourcesState;
}

/** Whether there is an answer that counts. */
function hasAnswer(record: RequestRecord | undefined): record is RequestRecord & { readonly answer: Answer } {
  return record?.answer !== undefined && !record.invalid && !isDropped(record);
}

/** Whether an answer has become as good as missing by growing stale. */
function isDropped(record: RequestRecord | undefined): boolean {
  return record?.answer?.invalidIfStale === true && !isFresh(record, Date.now());
}

/** Reads the value of one request. */
export function selectAnswer(endpoint: Requestable, args: readonly unknown[]): (slice: ResourcesState) => unknown {
  const key = endpoint.key(...args);
  return (slice) => readerOf(slice).answer(slice, endpoint, args, key);
}

/** Reads the state of one request. */
export function selectState(endpoint: Requestable, args: readonly unknown[]): (slice: ResourcesState) => RequestState {
  const key = endpoint.key(...args);
  return (slice) => {
    const record = recordOf(slice, endpoint.name, key);
    const reader = readerOf(slice);
    const isStale = record?.answer !== undefined && !isFresh(record, Date.now());
    const data = reader.answer(slice, endpoint, args, key);
    const isOptimistic = reader.isOptimistic(slice, endpoint, args, key);
    return reader.state(requestPk(endpoint.name, key), describe(record, data, isStale, isOptimistic));
  };
}

function describe(
  record: RequestRecord | undefined,
  data: unknown,
  isStale: boolean,
  isOptimistic: boolean,
): RequestState {
  const pending = record?.pending.at(-1);
  const status = pending ? 'pending' : record?.failure ? 'rejected' : record?.answer ? 'fulfilled' : 'uninitialized';
  const { failure, answer } = record ?? {};
  return {
    status,
    isUninitialized: status === 'uninitialized',
    isLoading: status === 'pending' && data === undefined && !hasAnswer(record),
    isFetching: status === 'pending',
    isSuccess: status === 'fulfilled',
    isError: status === 'rejected',
    isStale,
    isOptimistic,
    data,
    error: failure?.error,
    requestId: pending?.requestId ?? failure?.requestId ?? answer?.requestId,
    startedTimeStamp: pending?.startedTimeStamp,
    fulfilledTimeStamp: answer?.fulfilledTimeStamp,
  };
}

/** Reads one entity, by pk or by what a pk or an index is computed of. */
export function selectEntity(definition: Definition, id: EntityId): (slice: ResourcesState) => unknown {
  return (slice) => {
    const reader = readerOf(slice);
    const pk = schemaOf(definition)?.query?.([id], finderOf(reader.shown(slice)));
    return typeof pk === 'string'
      ? reader.read(slice, entityName(tableNameOf(definition), pk), definition, pk)
      : undefined;
  };
}

/** What is read of one entity is remembered under its table and pk. */
function entityName(table: string, pk: string): string {
  return `entity ${table} ${pk}`;
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** Names a definition, for as long as it is there. */
function numberOf(definition: object): number {
  let number = numbers.get(definition);
  if (number === undefined) numbers.set(definition, (number = ++count));
  return number;
}

/** Reads what a schema gives for these arguments, from whichever answers. */
export function selectSchema(schema: Schema, args: readonly unknown[]): (slice: ResourcesState) => unknown {
  const name = `schema ${String(numberOf(schema))} ${JSON.stringify(args)}`;
  return (slice) => {
    const reader = readerOf(slice);
    const ref = schema.query?.(args, finderOf(reader.shown(slice)));
    return ref === undefined ? undefined : reader.read(slice, name, schema, ref);
  };
}

/** The requestIds of the intents that touch one entity. */
export function selectPending(definition: Definition, id: EntityId): (slice: ResourcesState) => readonly string[] {
  let last: readonly string[] = none;
  return (slice) => {
    if (slice.intents.length === 0) return none;
    const table = tableNameOf(definition);
    const found = schemaOf(definition)?.query?.([id], finderOf(readerOf(slice).shown(slice)));
    // A row that is shown no more, because it is being deleted, is known by its pk still.
    const pk = typeof found === 'string' ? found : typeof id === 'object' ? schemaPk(definition, id) : String(id);
    const next = slice.intents
      .filter(({ changes }) => changes.rows.some((rows) => rows.table === table && rows.pks.includes(pk)))
      .map(({ requestId }) => requestId);
    if (next.length !== last.length || next.some((requestId, i) => requestId !== last[i])) last = next;
    return last.length === 0 ? none : last;
  };
}

const none: readonly string[] = Object.freeze([]);

function schemaPk(definition: Definition, fields: Readonly<Record<string, unknown>>): string {
  const schema = schemaOf(definition);
  return (schema instanceof EntitySchema ? schema.pk(fields) : undefined) ?? '';
}

function tableNameOf(definition: Definition): string {
  const schema = schemaOf(definition);
  return schema instanceof EntitySchema ? schema.table : '';
}
