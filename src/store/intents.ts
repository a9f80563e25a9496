import type { ValueOf } from '../schema/infer.js';
import { isRecord, type Definition } from '../schema/Schema.js';
import { temporaryPk } from '../schema/temporary.js';
import { schemaOf } from '../schema/schemaOf.js';
import { overlayChanges, type Changes } from '../tables/changes.js';
import { Memory } from '../tables/Memory.js';
import { normalize } from '../tables/normalize.js';
import type { Tables } from '../tables/tables.js';
import { finderOf } from './finder.js';
import { toWire } from './plain.js';
import type { Expectation, Requestable } from './request.js';
import type { Intent } from './state.js';

/** The data as it would be before one request. */
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

/** Finds what a request is expected to change, on top of given tables; undefined when it shows nothing. */
export type Recipe = (base: Tables) => Changes | undefined;

/** What a request is expected to change, and how to find it again when what it builds on has changed. */
export interface Plan {
  readonly changes: Changes;
  /** Absent when it depends on nothing but the arguments. */
  readonly recipe?: Recipe;
}

/** Plans what to show of a request before its answer; undefined for nothing. Throws what the user's code throws. */
export function plan(
  endpoint: Requestable,
  args: readonly unknown[],
  requestId: string,
  base: Tables,
): Plan | undefined {
  if (!endpoint.expect) return undefined;
  let isConstant = false;
  const recipe: Recipe = (tables) => {
    const snapshot = snapshotOf(tables);
    let expected: Expectation | undefined;
    try {
      expected = endpoint.expect?.(args, snapshot);
    } catch (error) {
      if (error === snapshot.abort) return undefined;
      throw error;
    }
    if (!expected) return undefined;
    isConstant = expected.constant ?? false;
    return changesOf(endpoint, args, expected, tables, requestId);
  };
  const changes = recipe(base);
  if (!changes) return undefined;
  return isConstant ? { changes } : { changes, recipe };
}

/** What an expected response changes. */
function changesOf(
  endpoint: Requestable,
  args: readonly unknown[],
  { response, fields, existing = false, creates = false }: Expectation,
  tables: Tables,
  requestId: string,
): Changes {
  const preview = {
    existing,
    ...(fields && { fields }),
    ...(creates && { temporaryPk: (index: number) => temporaryPk(requestId, index) }),
  };
  return normalize(endpoint.schema, toWire(response), { args, tables, name: endpoint.name, preview }).changes;
}

/** Reads tables as they are before a request. */
export function snapshotOf(tables: Tables): Snapshot {
  let memory: Memory | undefined;
  return {
    abort: new Error('Nothing is to be shown.'),
    get<D extends Definition>(definition: D, ...args: readonly unknown[]) {
      memory ??= new Memory(tables);
      const target: Definition = isEndpoint(definition) ? definition.schema : definition;
      const ref = schemaOf(target)?.query?.(args, finderOf(tables));
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

/** What is shown: confirmed tables with the pending intents applied in order; the very tables while none is pending. */
export function showIntents(tables: Tables, intents: readonly Intent[], previous?: Tables): Tables {
  if (intents.length === 0) return tables;
  return overlayChanges(
    tables,
    intents.map(({ changes }) => changes),
    previous,
  );
}

/** Runs recipes again, in order, on confirmed tables that have changed; gives the changes of the intents that differ. */
export function rebase(
  tables: Tables,
  intents: readonly Intent[],
  recipes: ReadonlyMap<string, Recipe>,
): Readonly<Record<string, Changes>> | undefined {
  if (!intents.some(({ requestId }) => recipes.has(requestId))) return undefined;
  const rebased: Record<string, Changes> = {};
  let base = tables;
  for (const { requestId, changes } of intents) {
    const recipe = recipes.get(requestId);
    let current = changes;
    if (recipe) {
      current = again(recipe, base);
      rebased[requestId] = current;
    }
    base = overlayChanges(base, [current]);
  }
  return rebased;
}

/** On a later run, an intent whose recipe fails shows nothing, and its request goes on. */
function again(recipe: Recipe, base: Tables): Changes {
  try {
    return recipe(base) ?? { rows: [], lists: [] };
  } catch {
    return { rows: [], lists: [] };
  }
}
