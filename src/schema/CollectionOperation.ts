import { warnOnce } from '../errors.js';
import { ArrayOf } from './ArrayOf.js';
import { assertPlain } from './json.js';
import type { ListsSchema, MembersSchema } from './ListsSchema.js';
import { keyValue, listKey, plainBody, tablesOfLists, type ListKey } from './listKey.js';
import {
  isPlain,
  isRecord,
  isUnionRef,
  pick,
  refersTo,
  type Definition,
  type List,
  type Normalizer,
  type Reader,
  type Ref,
  type Schema,
} from './Schema.js';
import { totalTable } from './Total.js';

/** Makes one list of what is there and what came. */
export type Merge<Refs = readonly Ref[]> = (existing: Refs, incoming: Refs) => Refs;

/** Whether a list with this key is meant by a call with these arguments. */
export type ListFilter = { choose(key: ListKey, ...args: readonly never[]): boolean }['choose'];

/** What an operation does its own way. */
export interface OperationOptions {
  readonly merge?: Merge | undefined;
  readonly filter?: ListFilter | undefined;
  /** What is left of the arguments of a page: those of the list that it is added to. */
  readonly listArgs?: ((args: readonly unknown[]) => readonly unknown[]) | undefined;
}

/** What an endpoint does to the lists of a Collection, beside bringing items. */
export type CollectionVerb = 'append' | 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/**
 * An answer that brings items, and changes the lists they belong to.
 *
 * @example
 * const todos = new Collection([Todo]);
 * const add = new RestEndpoint({ path: '/todos', method: 'POST', schema: todos.push });
 */
export class CollectionOperation<Value = unknown> implements Schema<Value> {
  /** The Collection whose lists it changes. */
  readonly collection: ListsSchema;
  /** What it does to the lists. */
  readonly verb: CollectionVerb;
  readonly #options: OperationOptions;

  constructor(collection: ListsSchema, verb: CollectionVerb, options: OperationOptions = {}) {
    this.collection = collection;
    this.verb = verb;
    this.#options = options;
  }

  get addsItems(): boolean {
    return this.verb !== 'remove' && this.verb !== 'move';
  }

  children(): readonly Definition[] {
    return [this.collection];
  }

  query(): undefined {
    return undefined;
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    // Go writes an empty page as null.
    if (this.verb === 'append' && input !== undefined)
      return this.#append(input ?? (this.collection.inner.isByName ? {} : []), parent, key, into);
    if (input === null || input === undefined) return input;

    const { table, inner } = this.collection;
    if (this.verb === 'assign') {
      const refs = inner.normalize(input, parent, key, into) as List;
      for (const pk of into.lists(table)) {
        if (!this.#isMeant(pk, into.args)) continue;
        if (this.collection.isWindow(pk)) into.outdate(table, pk);
        else into.change(table, pk, 'assign', refs);
      }
      return refs;
    }
    const many = Array.isArray(input);
    const items: readonly unknown[] = many ? input : [input];
    const wrong = into.atTop ? items.find((item) => !isRecord(item)) : undefined;
    if (wrong !== undefined) into.misfit('the item itself', wrong);
    const refs = this.#items.normalize(items, parent, key, into) as readonly Ref[];
    const joined = into.lists(table).filter((pk) => this.#change(pk, items, refs, into));
    if (this.addsItems) {
      this.#tellCreated(items, refs, into);
      if (joined.length === 0) this.#warnOfNone(refs, into);
      if (many) this.#warnOfList(refs, into);
    }
    return many ? refs : refs[0];
  }

  /** One item was sent, and a list of one has come: PostgREST answers so. */
  #warnOfList(refs: readonly Ref[], into: Normalizer): void {
    warnOnce(() =>
      refs.length === 1 && isPlain(into.args[1]) && !this.#before(refs[0], into)
        ? [
            `list of one ${this.collection.table}`,
            `a create of one item of ${this.collection.table} was answered with a list of one, so its promise gives a list, and not the item that its type says.\nHave the server answer with the item (PostgREST: the header Accept: application/vnd.pgrst.object+json), or take it out of the list in process.`,
          ]
        : undefined,
    );
  }

  /** What describes several items; a set of values has no list of its own for them. */
  get #items(): MembersSchema {
    const { inner } = this.collection;
    return inner.isByName ? new ArrayOf(inner.member) : inner;
  }

  denormalize(refs: unknown, from: Reader): Value | undefined {
    // The value is what the verb is about: the list, the items, or the item.
    return this.#read(refs, from) as Value | undefined;
  }

  #read(refs: unknown, from: Reader): unknown {
    const { inner } = this.collection;
    if (this.verb === 'append' && typeof refs === 'string') return this.collection.denormalize(refs, from);
    const isOfValues = this.verb === 'assign' || (this.verb === 'append' && inner.isByName);
    if (refs === undefined || isOfValues) return inner.denormalize(refs, from);
    const items = this.#items.denormalize(Array.isArray(refs) ? refs : [refs], from) as readonly unknown[] | undefined;
    return Array.isArray(refs) ? items : items?.[0];
  }

  #append(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    const { table, inner } = this.collection;
    const { merge, filter, listArgs } = this.#options;
    // Pages are lists. What is merged in a way of its own may be an item that was created, and joins the lists it belongs to.
    const isOne = (merge ?? filter) !== undefined && !inner.isByName && isOneItem(input);
    const refs = inner.normalize(isOne ? [input] : input, parent, key, into) as List;
    if (!filter && !isOne) {
      const pk = listArgs ? this.collection.pkOfArgs(listArgs(into.args)) : this.collection.pk(key, into);
      this.#add(pk, refs, into);
      return pk;
    }
    // The declared parameters are those of the user's endpoint.
    const chooses = filter as ((key: ListKey, ...args: readonly unknown[]) => boolean) | undefined;
    for (const pk of into.lists(table)) {
      const isMeant = chooses
        ? chooses(listKey(pk), ...into.args)
        : this.#joins(pk, { item: input, ref: (refs as readonly Ref[])[0], body: into.args[1] }, into);
      // What is created stands at the end of lists, and is no page of theirs.
      if (isMeant) this.#add(pk, refs, into, into.isWritten ? 'push' : 'append');
    }
    if (isOne) this.#tellCreated([input], refs as readonly Ref[], into);
    return refs;
  }

  #add(pk: string, refs: List, into: Normalizer, operation: 'append' | 'push' = 'append'): void {
    const { table, inner } = this.collection;
    const isSet = inner.isByName;
    // It is declared for what the Collection holds: references by position, or by name.
    const merge = this.#options.merge as ((existing: unknown, incoming: unknown) => List) | undefined;
    if (!merge) {
      into.change(table, pk, isSet ? 'assign' : operation, refs);
      return;
    }
    const merged = merge(into.kept(table, pk) ?? (isSet ? {} : []), refs);
    assertPlain(merged, 'merge', table);
    into.change(table, pk, 'merge', merged);
  }

  /** Changes a list, if it is meant; tells whether it is. */
  #change(pk: string, items: readonly unknown[], refs: readonly Ref[], into: Normalizer): boolean {
    const { table } = this.collection;
    if (this.verb === 'move') {
      // Where an item goes, the body says first: the path may name where it was.
      const [params, body] = into.args;
      const sent = plainBody(body) ?? {};
      const goal = pick(sent, (name) => !isRecord(sent[name]));
      items.forEach((item, i) => {
        const ref = refs[i];
        if (ref === undefined) return;
        const told = { ...(isRecord(params) && params), ...(isRecord(item) && item), ...sent };
        const known = this.#rowOf(ref, (...place) => into.kept(...place));
        const judge = (row: unknown): boolean | undefined => this.collection.judge(row, pk, into, [goal]);
        const is = judge(told);
        // What nobody says of it holds as it does now.
        const isOut = judge({ ...(isRecord(known) && known), ...told }) === false;
        // What is told takes it out also where it is not in: that may be done again to an older answer.
        if (isOut && (is === false || isAmong(ref, into.kept(table, pk))))
          into.change(table, pk, 'remove', [ref], true);
        else if (is && !isOut && !this.collection.isWindow(pk)) this.#arrive(pk, ref, into);
      });
      return true;
    }
    if (this.verb === 'remove') {
      if (!this.#isMeant(pk, into.args)) return false;
      if (this.collection.isPart(pk, into)) into.outdate(table, pk);
      into.change(table, pk, 'remove', refs);
      return true;
    }
    const body = into.args[1];
    const mine = refs.filter((ref, i) =>
      this.#joins(pk, { item: items[i], ref, body: Array.isArray(body) ? body[i] : body }, into),
    );
    // A value stays under the name that another answer has given it.
    if (mine.length > 0 && this.collection.inner.isByName)
      into.change(table, pk, 'assign', byPk(mine.filter((ref) => !isAmong(ref, into.kept(table, pk)))));
    else if (mine.length > 0) into.change(table, pk, this.verb, mine);
    return mine.length > 0;
  }

  /** Whether a created item joins a list. Where only the server knows, and where the list is a part of one, the list is stale. */
  #joins(pk: string, { item, ref, body }: Made, into: Normalizer): boolean {
    const isMember = this.collection.judge(item, pk, into, [into.args[0], body]);
    if (isMember === false || (isMember && this.#before(ref, into) && !this.#isOfCall(pk, into))) return false;
    const joins = isMember === true && !this.collection.isWindow(pk);
    if (!joins || this.collection.isPart(pk, into)) into.outdate(this.collection.table, pk);
    return joins;
  }

  /** A row that was there before, though a create is answered with it: what is new of it is that it joins the lists of the call. */
  #before(ref: Ref | undefined, into: Normalizer): unknown {
    return this.#rowOf(ref, (...place) => into.shownBefore(...place));
  }

  /** The row that a member of a list refers to. */
  #rowOf(ref: Ref | undefined, find: (table: string, pk: string) => unknown): unknown {
    if (isUnionRef(ref)) return find(ref.table, ref.pk);
    const tables = typeof ref === 'string' ? tablesOfLists(this.collection.table) : [];
    return tables.map((table) => find(table, String(ref))).find((row) => row !== undefined);
  }

  /** Whether a list, or a total, is filtered by what the parameters of the call say, and by nothing else. */
  #isOfCall(pk: string, { args }: Normalizer): boolean {
    const { collection } = this;
    const [params] = args;
    // One argument may be the body: just what a path names is a parameter for sure.
    const isAlone = args.length === 1 && isRecord(params);
    const given = isAlone ? pick(params, (name) => collection.pathNames.has(name)) : params;
    return collection.totalOf(pk) === collection.totalOf(collection.pkOfArgs([given]));
  }

  /** Whether a total has counted a row before it was answered to a create. */
  #hasCounted(total: string, ref: Ref, into: Normalizer): boolean {
    const { collection } = this;
    const hasRow = (pk: string): boolean =>
      collection.totalOf(pk) === total && isAmong(ref, into.kept(collection.table, pk));
    const isThere = this.#rowOf(ref, (...place) => into.kept(...place)) !== undefined;
    if (isThere && into.lists(collection.table).some(hasRow)) return true;
    const before = this.#before(ref, into);
    return before !== undefined && (!this.#isOfCall(total, into) || collection.judge(before, total, into) === true);
  }

  /** Tells of items that were created: other Collections of their class may have lists that they belong to. */
  #tellCreated(items: readonly unknown[], refs: readonly Ref[], into: Normalizer): void {
    const [params, body] = into.args;
    items.forEach((item, i) => {
      const ref = refs[i];
      if (ref === undefined) return;
      const call = [params, Array.isArray(body) ? (body[i] as unknown) : body];
      const counts = (total: string): boolean =>
        this.collection.judge(item, total, into, call) === true && !this.#hasCounted(total, ref, into);
      const totals = into.lists(totalTable(this.collection.table)).filter(counts);
      into.created({ list: this.collection.table, ref, item, call, totals });
    });
  }

  /** What was created is in no list, though there are some: an argument that nothing tells of it may filter nothing. */
  #warnOfNone(refs: readonly Ref[], into: Normalizer): void {
    warnOnce(() => {
      if (into.isGuess || this.collection.options.belongs || refs.some((ref) => this.#before(ref, into)))
        return undefined;
      const [params, body] = into.args;
      const [item] = Array.isArray(body) ? (body as readonly unknown[]) : [body];
      const isUntold = (name: string): boolean =>
        [params, plainBody(item)].every((sent) => !isRecord(sent) || sent[name] === undefined);
      for (const key of into.lists(this.collection.table).map(listKey)) {
        const names = Object.keys(key).filter(
          (name) => this.collection.argumentKind(name, key[name]) === 'filter' && isUntold(name),
        );
        // A list inside an entity is known by that.
        if (names.length === 0 || names.some((name) => name.includes('.'))) continue;
        const quoted = names.map((name) => `"${name}"`).join(', ');
        const { table } = this.collection;
        return [
          `joins none ${table} ${quoted}`,
          `a created item joined no list of ${table}: nothing tells its ${quoted}, by which a list is filtered, so that list is fetched again.\nSend ${quoted} with the create, or say with belongs who is in the list. If it does not filter the list, name it in nonFilterArgumentKeys, together with those of your arguments that do not filter either (limit, sort): the option replaces the names that are known.`,
        ];
      }
      return undefined;
    });
  }

  /** Puts an item into a list, or under its pk into a set of values; where it is there already, it stays under its name. */
  #arrive(pk: string, ref: Ref, into: Normalizer): void {
    const { table, inner } = this.collection;
    const { merge } = this.#options;
    const isSet = inner.isByName;
    if (!merge && !isSet) {
      into.change(table, pk, 'push', [ref], true);
      return;
    }
    const kept = into.kept(table, pk);
    // Of a set that nobody has fetched, one value would seem to be all.
    if (kept !== undefined && !isAmong(ref, kept)) this.#add(pk, isSet ? byPk([ref]) : [ref], into);
  }

  /** Whether a call names each argument that a list is known by. */
  #isMeant(pk: string, [params]: readonly unknown[]): boolean {
    return Object.entries(listKey(pk)).every(
      ([name, value]) => this.collection.argumentKind(name, value) !== 'filter' || keyValue(params, name) === value,
    );
  }
}

/** What a create is answered with, and what was sent for it. */
interface Made {
  readonly item: unknown;
  readonly ref: Ref | undefined;
  readonly body: unknown;
}

/** Whether an input is an item, and not a list: an object may stand for a list too, if its values are the items. */
function isOneItem(input: unknown): boolean {
  return isRecord(input) && Object.values(input).some((value) => typeof value !== 'object');
}

/** What a set has of some items: each under its pk. */
function byPk(refs: readonly Ref[]): Readonly<Record<string, Ref>> {
  return Object.fromEntries(refs.map((ref) => [isUnionRef(ref) ? ref.pk : ref, ref]));
}

/** Whether a list, or a set of values under any name, has a row. */
function isAmong(ref: Ref, list: unknown): boolean {
  const isIt = (other: unknown): boolean => (isUnionRef(ref) ? refersTo(other, ref.table, ref.pk) : other === ref);
  return Object.values((list ?? {}) as List).some(isIt);
}
