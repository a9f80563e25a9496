import { temporaryPk } from '../schema/temporary.js';
import { type Changes } from '../tables/changes.js';
import { normalize } from '../tables/normalize.js';
import type { Tables } from '../tables/tables.js';
import { toWire } from './plain.js';
import type { Expectation, Requestable } from './request.js';
import { snapshotOf } from './snapshot.js';
import type { Intent } from './intent.js';
import type { Journal } from './journal.js';
import { showIntents } from './overlay.js';

/** Finds what a request is expected to change, on top of given tables; undefined when it shows nothing. */
export type Recipe = (base: Tables) => Changes | undefined;

/** What a request is expected to change, and how to find it again when what it builds on has changed. */
export interface Plan {
  readonly changes: Changes;
  /** Absent when it depends on nothing but the arguments. */
  readonly recipe?: Recipe;
  readonly holdsRows?: true;
}

/** Plans what to show of a request before its answer; undefined for nothing. Throws what the user's code throws. */
export function plan(
  endpoint: Requestable,
  args: readonly unknown[],
  requestId: string,
  base: Tables,
): Plan | undefined {
  if (!endpoint.expect) return undefined;
  const expected = { isConstant: false, holdsRows: false };
  const recipe: Recipe = (tables) => {
    const snapshot = snapshotOf(tables);
    let expectation: Expectation | undefined;
    try {
      expectation = endpoint.expect?.(args, snapshot);
    } catch (error) {
      if (error === snapshot.abort) return undefined;
      throw error;
    }
    if (!expectation) return undefined;
    expected.isConstant = expectation.constant ?? false;
    expected.holdsRows = expectation.holdsRows ?? false;
    return changesOf(endpoint, args, expectation, tables, requestId);
  };
  const changes = recipe(base);
  if (!changes) return undefined;
  return { changes, ...(!expected.isConstant && { recipe }), ...(expected.holdsRows && { holdsRows: true }) };
}

/** What an expected response changes. */
export function changesOf(
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

/** Runs recipes again, in order, on confirmed tables that have changed. */
export function rebase(
  tables: Tables,
  journal: Journal,
  intents: readonly Intent[],
  recipes: ReadonlyMap<string, Recipe>,
): Readonly<Record<string, Changes>> | undefined {
  if (!intents.some(({ requestId }) => recipes.has(requestId))) return undefined;
  const rebased: Record<string, Changes> = {};
  const done: Intent[] = [];
  for (const intent of intents) {
    const recipe = recipes.get(intent.requestId);
    const changes = recipe ? again(recipe, showIntents(tables, journal, done)) : intent.changes;
    if (recipe) rebased[intent.requestId] = changes;
    done.push({ ...intent, changes });
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
