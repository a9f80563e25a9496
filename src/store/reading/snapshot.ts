import type { ValueOf } from '../../schema/infer.js';
import { isRecord, type Definition } from '../../schema/Schema.js';
import { Memory } from '../../tables/Memory.js';
import type { Tables } from '../../tables/tables.js';
import { queryTables } from './finder.js';

/**
 * The data as it would be before one request.
 *
 * @example
 * const vote = TodoResource.partialUpdate.extend({
 *   getOptimisticResponse(snapshot: Snapshot, { id }) {
 *     const { title } = snapshot.get(Todo, { id }) ?? {};
 *     return title === undefined ? undefined : { id, title: `${title}!` };
 *   },
 * });
 */
export interface Snapshot {
  /** The value that these arguments have; of a schema, or of an endpoint. */
  get<D extends Definition>(definition: D, ...args: readonly unknown[]): SnapshotValue<D> | undefined;
  /** Thrown by `getOptimisticResponse` to show nothing. */
  readonly abort: Error;
}

type SnapshotValue<D> = D extends { readonly schema: infer S }
  ? D extends abstract new () => unknown
    ? ValueOf<D>
    : ValueOf<S>
  : ValueOf<D>;

/** Finds what tables have for the arguments of an endpoint, which may name another row than its own. */
type QueryEndpoint = (tables: Tables, endpoint: never, args: readonly unknown[]) => unknown;

/** Reads tables as they are before a request. */
export function snapshotOf(tables: Tables, queryEndpoint: QueryEndpoint): Snapshot {
  let memory: Memory | undefined;
  let abort: Error | undefined;
  return {
    // An error looks for the stack it was made on, which costs more than all else here; few ask for it.
    get abort() {
      return (abort ??= new Error('Nothing is to be shown.'));
    },
    get<D extends Definition>(definition: D, ...args: readonly unknown[]) {
      memory ??= new Memory(tables);
      const isAsked = isEndpoint(definition);
      const target: Definition = isAsked ? definition.schema : definition;
      const ref = isAsked ? queryEndpoint(tables, definition as never, args) : queryTables(tables, target, args);
      // What a definition gives is a matter of its type alone.
      return (ref === undefined ? undefined : memory.answer('', target, ref)) as SnapshotValue<D> | undefined;
    },
  };
}

function isEndpoint(definition: Definition): definition is { readonly schema: Definition } {
  return (
    (typeof definition === 'function' || isRecord(definition)) && 'typePrefix' in definition && 'schema' in definition
  );
}
