import { isAbsent } from '../schema/Schema.js';
import { orElse, warnOnce } from '../errors.js';
import { effectOf } from '../rest/about.js';
import { requestUrl } from '../rest/internal.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { schemaOf } from '../schema/schemaOf.js';
import { isTemporary, originOf } from '../schema/temporary.js';
import { isTotal } from '../schema/Total.js';
import { noChanges } from '../tables/changes.js';
import { normalize } from '../tables/normalize.js';
import { rowFrom } from '../tables/tables.js';
import type { AnyEndpoint, RunResult } from '../store/endpoint.js';
import { createdIds } from '../store/order/temporaryIds.js';
import type { Flight } from '../store/running/flight.js';
import type { KeeperParts } from '../store/running/keeping.js';
import type { ResourcesState } from '../store/state.js';
import { fieldsOf } from './bodies.js';
import type { BaseRow, StoredRecord } from './entries.js';
import type { Item } from './Item.js';
import { seenBy } from './base.js';

/** An endpoint as an outbox knows it: one that speaks REST. */
export interface RestWrite extends AnyEndpoint {
  readonly method: string;
  readonly path: string;
  readonly content?: string | undefined;
  url(params?: never): string;
  fetch(...args: never): Promise<unknown>;
}

/** What an outbox keeps, by name. */
type Endpoints = ReadonlyMap<string, RestWrite>;

/** The endpoint of a write whose endpoint is known here: what is kept speaks REST. */
export function endpointOf(desk: { readonly endpoints: Endpoints }, { flight, record }: Item): RestWrite {
  return (flight?.request.endpoint ?? desk.endpoints.get(record.endpointName)) as RestWrite;
}

/** The address of a write; empty where its arguments give none. */
export function urlOf(endpoint: RestWrite, args: readonly unknown[]): string {
  return orElse(() => requestUrl(endpoint, args), '');
}

/** Whether it does no harm to do a write twice: an edit or a deletion by a method that says so. */
export function isRepeatable(endpoint: RestWrite): boolean {
  return effectOf(endpoint) !== 'create' && /^(?:PUT|PATCH|DELETE)$/.test(endpoint.method);
}

/** Whether an outbox that knows these endpoints keeps a write. */
export function isDurable({ request, args }: Flight, endpoints: Endpoints): boolean {
  const { name, durable = endpoints.has(name) || warnOfStray(name, endpoints) } = request.endpoint;
  const isKept = typeof durable === 'function' ? durable(args as never) : durable;
  warnOnce(() =>
    isKept && !endpoints.has(name)
      ? [
          `unknown ${name}`,
          `${name} is kept, and the outbox does not know it: after a reload it is not sent. Give the outbox its resource, or the endpoint itself (resources, or add).`,
        ]
      : undefined,
  );
  return isKept;
}

/** A write of a resource that was extended after the outbox was given it is sent, and not kept. */
function warnOfStray(name: string, endpoints: Endpoints): false {
  const [resource = name] = name.split('/');
  warnOnce(() =>
    [...endpoints.keys()].some((known) => known.startsWith(`${resource}/`))
      ? [
          `stray ${name}`,
          `${name} is not kept: the outbox knows other writes of ${resource}, and not this one. Give it the extended resource (resources, or add), or say durable: false.`,
        ]
      : undefined,
  );
  return false;
}

/** What is stored of a write beside its arguments. */
export function recordOf(
  flight: Flight,
  { store: { slice }, etags }: KeeperParts,
  { version, owner }: Pick<StoredRecord, 'version' | 'owner'>,
): StoredRecord {
  const { meta, request } = flight;
  warnOfSecrets(request.endpoint.name, flight.args);
  return {
    id: meta.requestId,
    endpointName: request.endpoint.name,
    key: meta.arg.key,
    args: [],
    version,
    owner,
    revision: 0,
    status: 'queued',
    attempts: 0,
    createdAt: meta.startedTimeStamp,
    ...reachOf(flight, slice),
    seen: seenBy(flight, etags),
    faults: 0,
    conflicts: 0,
    rebases: 0,
  };
}

/** What a write depends on, the rows that it is about, and what is confirmed of these: other arguments may make it another. */
export function reachOf(
  flight: Flight,
  slice: ResourcesState,
): Pick<StoredRecord, 'dependsOn' | 'rows' | 'lists' | 'base'> {
  const { meta, request, target, temporaries } = flight;
  const { changes = noChanges } = slice.intents.find(({ requestId }) => requestId === meta.requestId) ?? {};
  const touched = changes.rows.flatMap(({ table, pks }) => pks.map((pk) => ({ table, pk })));
  // A total is told by the clock of this life, and counts writes that have nothing else in common.
  const places = [...touched.filter(({ table }) => !isTotal(table)), ...(target ? [target] : [])];
  const base = new Map<string, BaseRow>();
  for (const { table, pk } of places) {
    const row = rowFrom(slice.tables, table, pk);
    if (row) base.set(`${table} ${pk}`, { table, pk, row });
  }
  const rows = [...new Set(places.map(({ table, pk }) => `${table} ${pk}`))];
  const schema = schemaOf(request.endpoint.schema);
  const isTaking = schema instanceof CollectionOperation && (schema.verb === 'move' || schema.verb === 'remove');
  // A row that is being created is known by its create.
  const named = [...temporaries, ...places.map(({ pk }) => pk).filter(isTemporary)];
  const origins = new Set(named.map((id) => originOf(id).requestId));
  origins.delete(meta.requestId);
  return { dependsOn: [...origins], rows, lists: isTaking ? [schema.collection.table] : [], base: [...base.values()] };
}

/** The real ids of what a create has made, as its answer writes them; undefined for what creates nothing. */
export function idsOf({ request, args, target }: Flight, { response }: RunResult): readonly unknown[] | undefined {
  const { endpoint } = request;
  // What is kept speaks REST.
  const effect = effectOf(endpoint as RestWrite);
  // What acts on a row has that as its target.
  const isCreate = effect === 'list' || (effect === 'create' && !target);
  if (!isCreate || !schemaOf(endpoint.schema) || isAbsent(response)) return undefined;
  // What does not fit is told when it lands.
  return orElse(() => {
    const { result } = normalize(endpoint.schema, response, { args, name: endpoint.name, isWrite: true });
    return result === undefined ? undefined : createdIds(result, response);
  }, undefined);
}

const SECRET = /password|passwd|secret|token/i;

/** Says once that what is kept lies on the disk as plain text, where a body looks as if it should not. */
function warnOfSecrets(name: string, args: readonly unknown[]): void {
  warnOnce(() => {
    const fields = args.flatMap(fieldsOf);
    // An envelope has them inside.
    const inside = fields.flatMap(([, value]) => fieldsOf(value));
    const [field] = [...fields, ...inside].find(([one]) => SECRET.test(one)) ?? [];
    return field === undefined
      ? undefined
      : [
          `secret ${name}`,
          `${name} sends "${field}", and the outbox keeps that on the disk as plain text. Give the endpoint durable: false if it is secret.`,
        ];
  });
}
