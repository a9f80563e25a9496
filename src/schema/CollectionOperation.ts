import { ArraySchema } from './Array.js';
import { keyValue, listKey, type ListKey } from './listKey.js';
import {
  isRecord,
  type Definition,
  type List,
  type Normalizer,
  type Reader,
  type Ref,
  type RowSchema,
  type Schema,
} from './Schema.js';
import { isUnionRef } from './Union.js';
import { ValuesSchema } from './Values.js';

/** Makes one list of what is there and what came. */
export type Merge = (existing: readonly Ref[], incoming: readonly Ref[]) => readonly Ref[];

/** Whether a list with this key is meant by a call with these arguments. */
export type ListFilter = { choose(key: ListKey, ...args: readonly never[]): boolean }['choose'];

/** What an operation does its own way. */
export interface OperationOptions {
  readonly merge?: Merge | undefined;
  readonly filter?: ListFilter | undefined;
}

/** What an endpoint does to the lists of a Collection, beside bringing items. */
export type CollectionVerb = 'append' | 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** The lists that an operation is about; a Collection is. */
export interface ListsSchema extends RowSchema {
  readonly inner: ArraySchema | ValuesSchema;
  pk(key: string, into: Normalizer): string;
  nonFilterArgumentKeys(key: string): boolean;
}

/** An answer that brings items, and changes the lists they belong to. */
export class CollectionOperation<Value = unknown> implements Schema<Value> {
  readonly collection: ListsSchema;
  readonly verb: CollectionVerb;
  readonly #options: OperationOptions;

  constructor(collection: ListsSchema, verb: CollectionVerb, options: OperationOptions = {}) {
    this.collection = collection;
    this.verb = verb;
    this.#options = options;
  }

  children(): readonly Definition[] {
    return [this.collection];
  }

  query(): undefined {
    return undefined;
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    if (this.verb === 'append') return this.#append(input, parent, key, into);

    const { table, inner } = this.collection;
    if (this.verb === 'remove' && inner instanceof ValuesSchema) return this.#takeOut(input, parent, key, inner, into);
    if (this.verb === 'assign' || inner instanceof ValuesSchema) {
      const refs = inner.normalize(input, parent, key, into) as List;
      for (const pk of into.lists(table)) {
        if (this.#belongs(pk, into.args, undefined)) into.change(table, pk, 'assign', refs);
      }
      return refs;
    }
    const many = Array.isArray(input);
    const items: readonly unknown[] = many ? input : [input];
    const wrong = into.atTop ? items.find((item) => !isRecord(item)) : undefined;
    if (wrong !== undefined) into.misfit('the item itself', wrong);
    const refs = inner.normalize(items, parent, key, into) as readonly Ref[];
    for (const pk of into.lists(table)) this.#change(pk, items, refs, into);
    return many ? refs : refs[0];
  }

  /** Takes an item out of sets of values, whatever its name there. */
  #takeOut(input: unknown, parent: unknown, key: string, { member }: ValuesSchema, into: Normalizer): unknown {
    const [ref] = new ArraySchema(member).normalize([input], parent, key, into) as readonly Ref[];
    for (const pk of into.lists(this.collection.table)) {
      if (this.#belongs(pk, into.args, undefined)) into.change(this.collection.table, pk, 'remove', [ref]);
    }
    return ref;
  }

  denormalize(refs: unknown, from: Reader): Value | undefined {
    // The value is what the verb is about: the list, the items, or the item.
    return this.#read(refs, from) as Value | undefined;
  }

  #read(refs: unknown, from: Reader): unknown {
    const { inner } = this.collection;
    if (this.verb === 'append' && typeof refs === 'string') return this.collection.denormalize(refs, from);
    if (Array.isArray(refs) || (inner instanceof ValuesSchema && isRecord(refs) && this.verb !== 'remove'))
      return inner.denormalize(refs, from);
    const [item] = refs === undefined ? [] : (new ArraySchema(inner.member).denormalize([refs], from) ?? []);
    return item;
  }

  #append(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    const { table, inner } = this.collection;
    const refs = inner.normalize(input, parent, key, into) as List;
    const { filter } = this.#options;
    if (!filter) {
      const pk = this.collection.pk(key, into);
      this.#add(pk, refs, into);
      return pk;
    }
    // The declared parameters are those of the user's endpoint.
    const chooses = filter as (key: ListKey, ...args: readonly unknown[]) => boolean;
    for (const pk of into.lists(table)) if (chooses(listKey(pk), ...into.args)) this.#add(pk, refs, into);
    return refs;
  }

  #add(pk: string, refs: List, into: Normalizer): void {
    const { table, inner } = this.collection;
    const { merge } = this.#options;
    if (!merge) into.change(table, pk, inner instanceof ValuesSchema ? 'assign' : 'append', refs);
    else into.change(table, pk, 'set', merge((into.kept(table, pk) ?? []) as readonly Ref[], refs as readonly Ref[]));
  }

  #change(pk: string, items: readonly unknown[], refs: readonly Ref[], into: Normalizer): void {
    const { table } = this.collection;
    if (this.verb === 'move') {
      items.forEach((item, i) => {
        const ref = refs[i];
        if (ref === undefined) return;
        const belongs = this.#nowBelongs(pk, item, into.args);
        // Also where it changes nothing: it may be done again to an older answer.
        if (belongs === false) into.change(table, pk, 'remove', [ref], true);
        if (belongs === true) this.#arrive(pk, ref, into);
      });
      return;
    }
    const body = into.args[1];
    const mine = refs.filter((ref, i) => this.#belongs(pk, into.args, Array.isArray(body) ? body[i] : body));
    if (mine.length > 0) into.change(table, pk, this.verb, mine);
  }

  #arrive(pk: string, ref: Ref, into: Normalizer): void {
    const { table } = this.collection;
    const { merge } = this.#options;
    if (!merge) {
      into.change(table, pk, 'push', [ref], true);
      return;
    }
    const kept = (into.kept(table, pk) ?? []) as readonly Ref[];
    if (!kept.some((other) => sameRef(other, ref))) into.change(table, pk, 'set', merge(kept, [ref]), true);
  }

  /** Whether each argument that a list is known by is also one of the call. */
  #belongs(pk: string, [params]: readonly unknown[], body: unknown): boolean {
    const key = listKey(pk);
    return Object.keys(key).every((name) => {
      if (this.collection.nonFilterArgumentKeys(name)) return true;
      if (keyValue(params, name) === key[name]) return true;
      return this.verb !== 'remove' && keyValue(plainBody(body), name) === key[name];
    });
  }

  /** Whether an item that was changed belongs to a list; undefined where nothing tells. */
  #nowBelongs(pk: string, item: unknown, [params, body]: readonly unknown[]): boolean | undefined {
    const key = listKey(pk);
    let known: boolean | undefined = true;
    for (const name of Object.keys(key)) {
      if (this.collection.nonFilterArgumentKeys(name)) continue;
      const value = keyValue(plainBody(body), name) ?? keyValue(item, name) ?? keyValue(params, name);
      if (value === undefined) known = undefined;
      else if (value !== key[name]) return false;
    }
    return known;
  }
}

/** Whether two references are to the same row. */
function sameRef(one: unknown, other: unknown): boolean {
  return one === other || (isUnionRef(one) && isUnionRef(other) && one.pk === other.pk && one.table === other.table);
}

function plainBody(body: unknown): unknown {
  if (typeof FormData !== 'undefined' && body instanceof FormData) return Object.fromEntries(body);
  return isRecord(body) ? body : undefined;
}
