import { isAbsent } from '../schema/Schema.js';
import { orElse, warnOnce } from '../errors.js';
import { effectOf } from '../rest/about.js';
import { requestUrl } from '../rest/internal.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { schemaOf } from '../schema/schemaOf.js';
import { isTemporary, originOf } from '../schema/temporary.js';
import { normalize } from '../tables/normalize.js';
import type { AnyEndpoint, RunResult } from '../store/endpoint.js';
import { createdIds } from '../store/order/temporaryIds.js';
import type { Flight } from '../store/running/flight.js';
import type { KeeperParts } from '../store/running/keeping.js';
import type { ResourcesState } from '../store/state.js';
import { fieldsOf } from './bodies.js';
import type { Desk } from './desk.js';
import type { StoredRecord } from './entries.js';
import type { Item } from './Item.js';
import { rowsOf, seenBy } from './base.js';

/** An endpoint as an outbox knows it: one that speaks REST. */
export interface RestWrite extends AnyEndpoint {
  readonly method: string;
  readonly path: string;
  readonly content?: string | undefined;
  url(params?: never): string;
  fetch(...args: never): Promise<unknown>;
}

/** The endpoint of a write whose endpoint is known here: what is kept speaks REST. */
export function endpointOf({ endpoints }: Pick<Desk, 'endpoints'>, { flight, record }: Item): RestWrite {
  return (flight?.request.endpoint ?? endpoints.get(record.endpointName)) as RestWrite;
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
export function isDurable({ request, args }: Flight, endpoints: ReadonlyMap<string, RestWrite>): boolean {
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
function warnOfStray(name: string, endpoints: ReadonlyMap<string, RestWrite>): false {
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

/** What a write depends on, and what it is about: other arguments may make it another. */
export function reachOf(
  flight: Flight,
  slice: ResourcesState,
): Pick<StoredRecord, 'dependsOn' | 'rows' | 'lists' | 'base'> {
  const { meta, request, temporaries } = flight;
  const { base, rows } = rowsOf(flight, slice);
  const schema = schemaOf(request.endpoint.schema);
  const isTaking = schema instanceof CollectionOperation && (schema.verb === 'move' || schema.verb === 'remove');
  // A row that is being created is known by its create.
  const named = [...temporaries, ...rows.map((row) => row.slice(row.lastIndexOf(' ') + 1)).filter(isTemporary)];
  const origins = new Set(named.map((id) => originOf(id).requestId));
  origins.delete(meta.requestId);
  return { dependsOn: [...origins], rows, lists: isTaking ? [schema.collection.table] : [], base };
}

/** The real ids of what a create has made, as its answer writes them; undefined for what creates nothing. */
export function idsOf({ request, args, target }: Flight, { response }: RunResult): readonly unknown[] | undefined {
  const { endpoint } = request;
  // What is kept speaks REST.
  const effect = effectOf(endpoint as RestWrite);
  // What acts on a row has that as its target.
  const isCreate = effect === 'list' || (effect === 'create' && !target);
  if (!isCreate || !schemaOf(endpoint.schema) || isAbsent(response)) return undefined;
  try {
    const { result } = normalize(endpoint.schema, response, { args, name: endpoint.name, isWrite: true });
    return result === undefined ? undefined : createdIds(result, response);
  } catch {
    // What does not fit is told when it lands.
    return undefined;
  }
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
