import type { ArraySchema } from './Array.js';
import { keyValue, listKey } from './listKey.js';
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
  readonly #merge: Merge | undefined;

  constructor(collection: ListsSchema, verb: CollectionVerb, merge?: Merge) {
    this.collection = collection;
    this.verb = verb;
    this.#merge = merge;
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
    if (this.verb === 'assign' || inner instanceof ValuesSchema) {
      const refs = inner.normalize(input, parent, key, into) as List;
      for (const pk of into.lists(table)) {
        if (this.#belongs(pk, into.args, undefined)) into.change(table, pk, 'assign', refs);
      }
      return refs;
    }
    const many = Array.isArray(input);
    const items: readonly unknown[] = many ? input : [input];
    const refs = inner.normalize(items, parent, key, into) as readonly Ref[];
    for (const pk of into.lists(table)) this.#change(pk, items, refs, into);
    return many ? refs : refs[0];
  }

  denormalize(refs: unknown, from: Reader): Value | undefined {
    // The value is what the verb is about: the list, the items, or the item.
    return this.#read(refs, from) as Value | undefined;
  }

  #read(refs: unknown, from: Reader): unknown {
    const { inner } = this.collection;
    if (this.verb === 'append') return this.collection.denormalize(refs, from);
    if (Array.isArray(refs) || inner instanceof ValuesSchema) return inner.denormalize(refs, from);
    const [item] = refs === undefined ? [] : (inner.denormalize([refs], from) ?? []);
    return item;
  }

  #append(input: unknown, parent: unknown, key: string, into: Normalizer): string {
    const { table, inner } = this.collection;
    const pk = this.collection.pk(key, into);
    const refs = inner.normalize(input, parent, key, into) as List;
    if (!this.#merge) into.change(table, pk, inner instanceof ValuesSchema ? 'assign' : 'append', refs);
    else
      into.change(
        table,
        pk,
        'set',
        this.#merge((into.kept(table, pk) ?? []) as readonly Ref[], refs as readonly Ref[]),
      );
    return pk;
  }

  #change(pk: string, items: readonly unknown[], refs: readonly Ref[], into: Normalizer): void {
    const { table } = this.collection;
    if (this.verb === 'move') {
      const kept = (into.kept(table, pk) ?? []) as readonly Ref[];
      items.forEach((item, i) => {
        const ref = refs[i];
        if (ref === undefined) return;
        const belongs = this.#nowBelongs(pk, item, into.args);
        const there = kept.some((other) => sameRef(other, ref));
        if (belongs === false && there) into.change(table, pk, 'remove', [ref]);
        if (belongs === true && !there) into.change(table, pk, 'push', [ref]);
      });
      return;
    }
    const body = into.args[1];
    const mine = refs.filter((ref, i) => this.#belongs(pk, into.args, Array.isArray(body) ? body[i] : body));
    if (mine.length > 0) into.change(table, pk, this.verb, mine);
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
export function sameRef(one: unknown, other: unknown): boolean {
  return one === other || (isUnionRef(one) && isUnionRef(other) && one.pk === other.pk && one.table === other.table);
}

function plainBody(body: unknown): unknown {
  if (typeof FormData !== 'undefined' && body instanceof FormData) return Object.fromEntries(body);
  return isRecord(body) ? body : undefined;
}
