import { orElse, ResourceError, warnOnce } from '../../errors.js';
import { ObjectSchema } from '../../schema/Object.js';
import { getOrMake, isRecord, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { originOf, temporaryPk } from '../../schema/temporary.js';
import { isEmpty, noChanges, rowsWhere, type Changes } from '../../tables/changes.js';
import { newsIn } from '../../tables/same.js';
import type { Preview } from '../../tables/NormalizeOptions.js';
import { normalize, type NormalizeOptions, type Normalized } from '../../tables/normalize.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { protocol, type AnyEndpoint, type Expectation, type RecipeAbout, type RunRecipe } from '../endpoint.js';
import type { Request } from '../request.js';
import { counts, type Intent } from '../order/intent.js';
import { withMoves } from '../order/intents.js';
import type { Recipe } from '../order/rebasing.js';
import type { FollowedLists } from '../order/FollowedLists.js';
import { countingCreated, guessed } from '../order/counting.js';
import { createdIds, namedRows } from '../order/temporaryIds.js';
import { queryTables } from '../reading/finder.js';
import { answerIn } from '../reading/queryEndpoint.js';
import { snapshotOf } from '../reading/snapshot.js';
import { readerOf } from '../reading/StoreReader.js';
import type { ResourcesState } from '../state.js';
import { toWire } from './plain.js';
import { complete, draft, noting, type Subject } from './recipes/recipes.js';
import { targetOf, type EndpointOf, type KnownTarget } from './target.js';

/** What a request is expected to change. */
export interface Guess {
  /** What was shown when the request was made. */
  readonly shown: Tables;
  /** The row that it is about. */
  readonly target?: KnownTarget | undefined;
  /** What is shown of it before its answer, if anything. */
  readonly told?: {
    readonly changes: Changes;
    /** It was computed of what was there by the user's own code. */
    readonly holdsRows?: true;
  };
  /** What the user's own code has computed, shown or not. */
  readonly own?: Changes | undefined;
  /** It was computed by a recipe: what that changes is what the write names, beside the fields of its body. */
  readonly isDrafted?: true;
}

/** What is found of a guess, before the lists are looked at that its rows leave and join. */
type Expected = Pick<Guess, 'told' | 'own' | 'isDrafted'>;

/** What is known when a guess is made, and what its recipe may use. */
interface Making {
  readonly slice: ResourcesState;
  readonly followed: FollowedLists;
  readonly endpointOf: EndpointOf;
  readonly about: RecipeAbout;
  /** What is shown, where that is not what the slice says. */
  readonly shown?: Tables | undefined;
}

/** A write, and the row that it is about. */
export interface Aimed extends Pick<Request, 'endpoint' | 'args'> {
  readonly target: KnownTarget | undefined;
  readonly about?: RecipeAbout | undefined;
}

/** What the unsettled requests of one store are expected to change, and how to find it anew: functions, which cannot be in the state. */
export class Guesses {
  readonly recipes = new Map<string, Recipe>();
  readonly #slice: () => ResourcesState;
  /** What a recipe has made, and whether it counts on what it finds. */
  readonly #counting = new WeakMap<Changes, boolean>();

  constructor(slice: () => ResourcesState) {
    this.#slice = slice;
  }

  /** Finds what to show of a request before its answer. Throws what the user's code throws. */
  make({ endpoint, args }: Request, { slice, followed, endpointOf, about, ...given }: Making): Guess {
    const { requestId } = about;
    const shown = given.shown ?? readerOf(slice).shown(slice);
    if (!endpoint.sideEffect) return { shown };
    const target = targetOf(endpoint, args, slice, endpointOf);
    const write = { endpoint, args, target, about };
    const recipe = endpoint[protocol].recipe(args, about);
    const isPending = shown !== slice.tables;
    const expected = recipe
      ? this.#draft(draftingOf(write, requestId, recipe), requestId, shown)
      : this.#expect(write, requestId, shown, isPending ? slice.tables : undefined);
    const { told } = expected;
    if (!told) return { shown, target, ...expected };
    const moved = withMoves(told.changes, { base: () => shown, followed });
    return { shown, target, ...expected, told: { ...told, changes: moved }, ...(told.holdsRows && { own: moved }) };
  }

  /** What a recipe makes of what is shown. */
  #draft(recipe: Recipe, requestId: string, shown: Tables): Expected {
    const changes = recipe.find(shown);
    // Whether an answer that brings the row has counted it in already, nobody knows.
    if (!changes) return {};
    this.recipes.set(requestId, recipe);
    return { told: { changes, holdsRows: true }, isDrafted: true };
  }

  /** What a write is expected to be answered, on top of what is shown; where that is nothing, on top of what is confirmed. */
  #expect(write: Aimed, requestId: string, shown: Tables, confirmed: Tables | undefined): Expected {
    let expected: Partial<Expectation> | undefined;
    const find = finder(write, requestId, this.#slice, (expectation) => (expected ??= expectation));
    const changes = find(shown);
    if (!changes) return { own: confirmed && orElse(() => find(confirmed), undefined) };
    const { constant = false, creates = false, holdsRows = false } = expected ?? {};
    if (constant && isEmpty(changes)) return {};
    const params = write.args.flatMap((part) => (isRecord(part) ? Object.keys(part) : []));
    const sends = new Set([...params, ...(write.endpoint[protocol].named(write.args) ?? [])]);
    if (!constant) this.recipes.set(requestId, { find, sends, onLists: creates && !holdsRows });
    return { told: { changes, ...(holdsRows && { holdsRows }) } };
  }

  /** The arguments of a request have become others. */
  rename(
    { endpoint, args }: Pick<Request, 'endpoint' | 'args'>,
    about: RecipeAbout,
    slice: ResourcesState,
    endpointOf: EndpointOf,
  ): void {
    const { requestId } = about;
    const { sends = new Set<string>(), onLists = false } = this.recipes.get(requestId) ?? {};
    const target = targetOf(endpoint, args, slice, endpointOf);
    const write = { endpoint, args, target, about };
    const recipe = endpoint[protocol].recipe(args, about);
    if (recipe) this.recipes.set(requestId, draftingOf(write, requestId, recipe));
    else this.recipes.set(requestId, { find: finder(write, requestId, this.#slice), sends, onLists });
  }

  /** Whether a guess counts on what it finds. A recipe is asked: run on what it has made, it would change that again. */
  counts(intent: Intent, made: () => Tables): boolean {
    const recipe = this.recipes.get(intent.requestId);
    if (!recipe?.looked || !counts(intent)) return counts(intent);
    return getOrMake(this.#counting, intent.changes, () => changesAgain(recipe, made()));
  }

  forget(requestId: string): void {
    this.recipes.delete(requestId);
  }

  clear(): void {
    this.recipes.clear();
  }

  /** Remembers the ids of the latest creates: a component may hold a temporary one until it renders again. Their rows keep their keys. */
  created(slice: ResourcesState, own: Intent, result: unknown, response: unknown): readonly unknown[] {
    const { requestId } = own;
    const rows = namedRows(own, result);
    const reader = readerOf(slice);
    if (rows.length > 0) reader.named(slice, rows);
    const ids = createdIds(result, response);
    // The answer to an edit has an id, too, which nobody has another one for.
    if (isEmpty(own.changes) || hasMade(own)) reader.ids.add(requestId, ids);
    return ids;
  }
}

/** Whether a write has shown something under a temporary id of its own. */
function hasMade({ requestId, changes }: Intent): boolean {
  return changes.rows.some(({ pks }) => pks.some((pk) => originOf(pk).requestId === requestId));
}

function changesAgain({ find }: Recipe, made: Tables): boolean {
  return orElse(() => !isEmpty(find(made) ?? noChanges), true);
}

/** What finds the changes of a write by its recipe, and what that has looked at last. */
function draftingOf(write: Aimed, requestId: string, recipe: RunRecipe): Recipe {
  const { endpoint, args, target } = write;
  const { name } = endpoint;
  const expected = endpoint[protocol].attempted(args);
  const creates = expected?.creates === true && !target;
  const noted = noting((tables) => {
    if (!creates) return draft(name, tables, subjectOf(write, tables), recipe);
    const given = { definition: endpoint.schema, response: toWire(expected.response, name) };
    const { response, changes: others, looked } = complete(name, tables, given, recipe);
    const { rows, lists } = changesOf(write, { ...expected, response }, { tables }, requestId);
    return { changes: { rows: [...rows, ...others.rows], lists: [...lists, ...others.lists] }, looked };
  });
  const sends = new Set(creates ? endpoint[protocol].named(args) : []);
  return { sends, onLists: creates, ...noted };
}

/** What the recipe of a write is about: its row, or what the tables have for its arguments. */
function subjectOf({ endpoint, args, target }: Aimed, tables: Tables): Subject {
  const definition = endpoint.schema;
  const schema = schemaOf(definition);
  // A shape is drafted as it is.
  const isShape = schema instanceof ObjectSchema;
  const ref = isShape || !target ? queryTables(tables, definition, args) : undefined;
  if (ref !== undefined || !target) return { definition, ref };
  const { entity, pk } = target;
  const field = isShape && Object.keys(schema.fields).find((name) => schemaOf(schema.fields[name]) === entity);
  // Nobody has asked for the shape of a row that is there.
  return field ? { definition, ref: { [field]: pk } } : { definition: entity, ref: pk };
}

/** What is held of the row that a write is about. */
export function heldOf(tables: Tables, target: KnownTarget | undefined): Row | undefined {
  return target && rowFrom(tables, target.table, target.pk);
}

/** Makes what finds the changes that a request is expected to make; tells the expectation, too. */
function finder(
  write: Aimed,
  requestId: string,
  slice: () => ResourcesState,
  note?: (expectation: Expectation) => void,
): Recipe['find'] {
  const { endpoint, args, target, about } = write;
  let before: Tables | undefined;
  return (tables) => {
    before ??= tables;
    const snapshot = snapshotOf(tables, answerIn(slice()));
    let expectation: Expectation | undefined;
    try {
      expectation = endpoint[protocol].expect(args, snapshot, { about, held: heldOf(tables, target) });
      if (!expectation) return undefined;
      note?.(expectation);
      const changes = changesOf(write, expectation, { tables, before }, requestId);
      return expectation.holdsRows ? newsOver(changes, tables) : changes;
    } catch (error) {
      if (error === snapshot.abort) return undefined;
      // What the user's code expects is the user's; what a body makes keeps no write from being sent.
      if (!expectation || expectation.holdsRows || !isMisfit(error)) throw error;
      warnOnce(() => [
        `guess ${endpoint.name}`,
        `${endpoint.name} is not shown before its answer: the guess of optimistic: true, which is what the call sends, does not fit its schema. Write getOptimisticResponse, or optimistic: false.`,
      ]);
      return undefined;
    }
  };
}

/** Whether what was taken apart is not what its schema describes. */
export function isMisfit(error: unknown): boolean {
  return error instanceof ResourceError && error.code === 'R6';
}

/** What an expected response changes. */
export function changesOf(
  { endpoint, args, target }: Aimed,
  expectation: Expectation,
  known: Pick<NormalizeOptions, 'tables' | 'before' | 'expected'>,
  requestId: string,
): Changes {
  const temporary = expectation.creates && !target && { temporaryPk: (index: number) => temporaryPk(requestId, index) };
  const [params] = endpoint[protocol].naming(args);
  const options = { args, params, target, ...known, name: endpoint.name };
  const { changes, created } = normalizeExpected(endpoint, expectation, options, temporary);
  return guessed(changes, countingCreated(created));
}

/** Takes an expected response apart; of a body, no more than the class declares or the row has: the rest may be secret. */
export function normalizeExpected(
  endpoint: AnyEndpoint,
  { response, fields, existing = false, holdsRows = false }: Expectation,
  options: NormalizeOptions,
  more?: Pick<Preview, 'temporaryPk' | 'isConfirmed'> | false,
): Normalized {
  const preview = { existing, declared: !holdsRows, ...(fields && { fields }), ...more };
  return normalize(endpoint.schema, toWire(response, endpoint.name), { preview, ...options });
}

/** Only what differs from what is there: of a response that was computed of all of a row, what it was computed for. */
function newsOver({ rows, lists }: Changes, tables: Tables): Changes {
  const news = rows.flatMap(({ whole: _, ...change }) =>
    rowsWhere(change, (pk, row) => {
      const there = rowFrom(tables, change.table, pk);
      return row && there ? newsIn(row, there) : row;
    }),
  );
  return { rows: news, lists };
}
