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
import type { Intent } from '../order/intent.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import { withMoves } from '../order/intents.js';
import type { Recipe } from '../order/rebasing.js';
import { countingCreated, guessed } from '../order/counting.js';
import { createdIds, namedRows } from '../order/temporaryIds.js';
import { queryTables } from '../reading/finder.js';
import { answerIn } from '../reading/queryEndpoint.js';
import { snapshotOf } from '../reading/snapshot.js';
import { readerOf } from '../reading/StoreReader.js';
import type { ResourcesState } from '../state.js';
import { toWire } from './plain.js';
import { complete, draft, noting, type Subject } from './recipes/recipes.js';
import type { StoreAccess } from './StoreAccess.js';
import { targetOf, type KnownTarget } from './target.js';

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

/** What a request is made of. */
type Call = Pick<Request, 'endpoint' | 'args'>;

/** The slice over which a guess is made, and what is shown where that is not what the slice says. */
interface Ground {
  readonly slice: ResourcesState;
  readonly shown?: Tables;
}

/** What is found of a guess, before the lists are looked at that its rows leave and join. */
type Expected = Pick<Guess, 'told' | 'own' | 'isDrafted'>;

/** A write, and the row that it is about. */
interface Aimed extends Call {
  readonly target: KnownTarget | undefined;
  readonly requestId: string;
}

/** A write of which a guess is made, and what its recipe may use. */
interface Guessing extends Aimed {
  readonly about: RecipeAbout;
}

/** What the unsettled requests of one store are expected to change, and how to find it anew: functions, which cannot be in the state. */
export class Guesses {
  readonly recipes = new Map<string, Recipe>();
  readonly #store: StoreAccess;
  readonly #lifetime: Pick<Lifetime, 'followed' | 'endpointOf'>;
  /** What a recipe has made, and whether it counts on what it finds. */
  readonly #counting = new WeakMap<Changes, boolean>();

  constructor(store: StoreAccess, lifetime: Pick<Lifetime, 'followed' | 'endpointOf'>) {
    this.#store = store;
    this.#lifetime = lifetime;
  }

  /** The row that a write is about, as far as it is known in a slice: that of the store, unless given. */
  target({ endpoint, args }: Call, slice = this.#store.slice): KnownTarget | undefined {
    return targetOf(endpoint, args, slice, this.#lifetime.endpointOf);
  }

  /** Finds what to show of a request before its answer, over what is shown. Throws what the user's code throws. */
  make(
    { endpoint, args }: Request,
    about: RecipeAbout,
    { slice, shown = readerOf(slice).shown(slice) }: Ground = this.#store,
  ): Guess {
    if (!endpoint.sideEffect) return { shown };
    const { requestId } = about;
    const target = this.target({ endpoint, args }, slice);
    const write = { endpoint, args, target, requestId, about };
    const recipe = endpoint[protocol].recipe(args, about);
    const confirmed = shown === slice.tables ? undefined : slice.tables;
    const expected = recipe
      ? this.#draft(draftingOf(write, recipe), requestId, shown)
      : this.#expect(write, shown, confirmed);
    const { told } = expected;
    if (!told) return { shown, target, ...expected };
    const moved = withMoves(told.changes, { base: () => shown, followed: this.#lifetime.followed });
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
  #expect(write: Guessing, shown: Tables, confirmed: Tables | undefined): Expected {
    let expected: Partial<Expectation> | undefined;
    const find = finder(write, this.#store, (expectation) => (expected ??= expectation));
    const changes = find(shown);
    if (!changes) return { own: confirmed && orElse(() => find(confirmed), undefined) };
    const { constant = false, creates = false, holdsRows = false } = expected ?? {};
    if (constant && isEmpty(changes)) return {};
    const params = write.args.flatMap((part) => (isRecord(part) ? Object.keys(part) : []));
    const sends = new Set([...params, ...(write.endpoint[protocol].named(write.args) ?? [])]);
    if (!constant) this.recipes.set(write.requestId, { find, sends, onLists: creates && !holdsRows });
    return { told: { changes, ...(holdsRows && { holdsRows }) } };
  }

  /** The arguments of a request have become others. */
  rename({ endpoint, args }: Call, about: RecipeAbout, slice = this.#store.slice): void {
    const { requestId } = about;
    const { sends = new Set<string>(), onLists = false } = this.recipes.get(requestId) ?? {};
    const write = { endpoint, args, target: this.target({ endpoint, args }, slice), requestId, about };
    const recipe = endpoint[protocol].recipe(args, about);
    this.recipes.set(
      requestId,
      recipe ? draftingOf(write, recipe) : { find: finder(write, this.#store), sends, onLists },
    );
  }

  /** Whether a guess that may count does so on what it finds. A recipe is asked: run on what it has made, it would change that again. */
  counts({ requestId, changes }: Intent, made: () => Tables): boolean {
    const recipe = this.recipes.get(requestId);
    if (!recipe?.looked) return true;
    const changesAgain = (): boolean => !isEmpty(recipe.find(made()) ?? noChanges);
    return getOrMake(this.#counting, changes, () => orElse(changesAgain, true));
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

/** What finds the changes of a write by its recipe, and what that has looked at last. */
function draftingOf(write: Guessing, recipe: RunRecipe): Recipe {
  const { endpoint, args, target } = write;
  const { name } = endpoint;
  const expected = endpoint[protocol].attempted(args);
  const creates = expected?.creates === true && !target;
  const noted = noting((over) => {
    const { tables } = over;
    if (!creates) return draft(name, over, subjectOf(write, tables), recipe);
    const given = { definition: endpoint.schema, response: toWire(expected.response, name) };
    const { response, changes: others } = complete(name, over, given, recipe);
    const { rows, lists } = changesOf(write, { ...expected, response }, { tables });
    return { rows: [...rows, ...others.rows], lists: [...lists, ...others.lists] };
  });
  const sends = new Set(creates ? endpoint[protocol].named(args) : []);
  return { sends, onLists: creates, ...noted };
}

/** What the recipe of a write is about: its row, or what the tables have for its arguments. */
function subjectOf({ endpoint, args, target }: Guessing, tables: Tables): Subject {
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
function finder(write: Guessing, store: StoreAccess, note?: (expectation: Expectation) => void): Recipe['find'] {
  const { endpoint, args, target, about } = write;
  let before: Tables | undefined;
  return (tables) => {
    before ??= tables;
    const snapshot = snapshotOf(tables, answerIn(store.slice));
    let expectation: Expectation | undefined;
    try {
      expectation = endpoint[protocol].expect(args, snapshot, { about, held: heldOf(tables, target) });
      if (!expectation) return undefined;
      note?.(expectation);
      const changes = changesOf(write, expectation, { tables, before });
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
  { endpoint, args, target, requestId }: Aimed,
  expectation: Expectation,
  known: Pick<NormalizeOptions, 'tables' | 'before' | 'expected'>,
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
