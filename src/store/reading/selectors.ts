import { resourceError } from '../../errors.js';
import { EntitySchema, isPk } from '../../schema/EntitySchema.js';
import { isRecord, isShallowSame, type Definition, type Schema } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { queryTables } from './finder.js';
import { isFresh } from './freshness.js';
import type { Requestable, SerializedFailure } from '../endpoint.js';
import { requestPk, type RequestRecord, type ResourcesState } from '../state.js';
import { rowOf } from '../../tables/tables.js';
import { entityName, hasAnswer, readerOf, type Question, type Reading, type StoreReader } from './StoreReader.js';

/** What is known of the pages beside those that a list is made of. */
export interface PageState {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchingPreviousPage: boolean;
  /** Why the next page could not be had, until it is there or the list was fetched again. */
  readonly nextPageError?: SerializedFailure | undefined;
}

/** What is known of the newest request with some arguments; of a list that is read page by page, also of its pages. */
export interface RequestState<Value = unknown> extends Partial<PageState> {
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
  /** Whether it came with other answers, and lacks fields that its class has defaults for: shown, and fetched as if it was stale. */
  readonly isPartial: boolean;
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

/** The slice in a root state; throws R2 where there is none. */
export function sliceOf(rootState: unknown, reducerPath: string): ResourcesState {
  const slice = isRecord(rootState) ? rootState[reducerPath] : undefined;
  if (!isRecord(slice) || !('anchor' in slice)) throw resourceError('R2', reducerPath);
  // Only our reducer makes a slice with an anchor.
  return slice as unknown as ResourcesState;
}

/** The question that a request answers. */
export function questionOf(endpoint: Requestable, args: readonly unknown[], key: string): Question {
  return { name: requestPk(endpoint.name, key), definition: endpoint.schema, args, endpoint };
}

/** Reads something; it knows the reader of the store it read last, and what it was given there. */
function reading(question: Question): (slice: ResourcesState) => unknown {
  let anchor: object | undefined;
  let reader: StoreReader;
  let last: Reading | undefined;
  return (slice) => {
    if (slice.anchor !== anchor) {
      reader = readerOf(slice);
      anchor = slice.anchor;
      last = undefined;
    }
    return (last = reader.reading(slice, question, last)).value;
  };
}

/** Reads the value of one request. */
export function selectAnswer(endpoint: Requestable, args: readonly unknown[]): (slice: ResourcesState) => unknown {
  return reading(questionOf(endpoint, args, endpoint.key(...args)));
}

/** Reads the state of one request. */
export function selectState(endpoint: Requestable, args: readonly unknown[]): (slice: ResourcesState) => RequestState {
  const question = questionOf(endpoint, args, endpoint.key(...args));
  const { name, paging } = endpoint;
  const list = paging && endpoint.key(...paging.listArgs(args));
  return (slice) => {
    const record = rowOf(slice.requests, question.name);
    const reader = readerOf(slice);
    const isPartial = !record?.answer && !endpoint.sideEffect && reader.isPartial(slice, question);
    const state = describe(record, reader.answer(slice, question), reader.isOptimistic(slice, question), isPartial);
    return reader.state(question.name, list === undefined ? state : { ...state, ...describePages(slice, name, list) });
  };
}

function describe(
  record: RequestRecord | undefined,
  data: unknown,
  isOptimistic: boolean,
  isPartial: boolean,
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
    isStale: record?.expired ?? (answer !== undefined && !isFresh(record, Date.now())),
    isPartial,
    isOptimistic,
    data,
    error: failure?.error,
    requestId: pending?.requestId ?? failure?.requestId ?? answer?.requestId,
    startedTimeStamp: pending?.startedTimeStamp,
    fulfilledTimeStamp: answer?.fulfilledTimeStamp,
  };
}

function describePages({ requests }: ResourcesState, name: string, key: string): PageState {
  const [list, next, previous] = ['', '/getNextPage', '/getPreviousPage'].map((member) =>
    rowOf(requests, requestPk(`${name}${member}`, key)),
  );
  const { failure } = next ?? {};
  const isNewest = failure !== undefined && failure.seq > (list?.pages?.seq ?? 0);
  return {
    hasNextPage: list?.pages?.next !== undefined,
    hasPreviousPage: (list?.pages?.before.length ?? 0) > 0,
    isFetchingNextPage: (next?.pending.length ?? 0) > 0,
    isFetchingPreviousPage: (previous?.pending.length ?? 0) > 0,
    nextPageError: isNewest ? failure.error : undefined,
  };
}

/** Reads one entity, by pk or by what a pk or an index is computed of. */
export function selectEntity(definition: Definition, id: EntityId): (slice: ResourcesState) => unknown {
  const table = tableNameOf(definition);
  const question = (pk: string): Question => ({ name: entityName(table, pk), definition, args: [id], ref: pk });
  if (isPk(id)) return reading(question(String(id)));
  return (slice) => {
    const reader = readerOf(slice);
    const pk = queryTables(reader.shown(slice), definition, [id]);
    return typeof pk === 'string' ? reader.answer(slice, question(pk)) : undefined;
  };
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
  return reading({
    name: `schema ${String(numberOf(schema))} ${JSON.stringify(args)}`,
    definition: schema,
    args,
  });
}

/** The requestIds of the intents that touch one entity. */
export function selectPending(definition: Definition, id: EntityId): (slice: ResourcesState) => readonly string[] {
  let last: readonly string[] = none;
  return (slice) => {
    if (slice.intents.length === 0) return none;
    const table = tableNameOf(definition);
    const found = queryTables(readerOf(slice).shown(slice), definition, [id]);
    // A row that is shown no more, because it is being deleted, is known by its pk still.
    const pk = typeof found === 'string' ? found : typeof id === 'object' ? schemaPk(definition, id) : String(id);
    const next = slice.intents
      .filter(({ changes }) => changes.rows.some((rows) => rows.table === table && rows.pks.includes(pk)))
      .map(({ requestId }) => requestId);
    if (!isShallowSame(last, next)) last = next;
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
