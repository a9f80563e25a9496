import { resourceError, show, warnOnce } from '../errors.js';
import type { ValueOf } from './infer.js';
import {
  isRecord,
  own,
  type Definition,
  type Normalizer,
  type Reader,
  type RowSchema,
  type Schema,
  type UnionRef,
} from './Schema.js';

/** What tells which schema of a mapping a value has: the name of an attribute, or a function that gives the key. */
// Method syntax lets users declare what their data is, instead of `unknown`.
export type SchemaAttribute = string | { choose(value: never, parent: never, key: string): unknown }['choose'];

/** Schemas by the value of the attribute that chooses among them. */
export type Mapping = Readonly<Record<string, Definition>>;

/** What holds a value itself: of a chosen schema that makes no rows, or, under no name, one that could be taken for a reference. */
interface Inline {
  readonly schema: string;
  readonly value: unknown;
}

/** One of several schemas, chosen for each value by an attribute of it. */
export class UnionSchema<const M extends Mapping = Mapping> implements Schema<ValueOf<M[keyof M]>> {
  #mapping: Mapping;
  readonly #attribute: SchemaAttribute;

  constructor(mapping: M, schemaAttribute: SchemaAttribute) {
    if ((schemaAttribute as unknown) === undefined) throw resourceError('R15', 'schema.Union');
    this.#mapping = mapping;
    this.#attribute = schemaAttribute;
  }

  /** Adds to the mapping; how a schema comes to contain itself. */
  define(mapping: Mapping): this {
    this.#mapping = { ...this.#mapping, ...mapping };
    return this;
  }

  get mapping(): Mapping {
    return this.#mapping;
  }

  children(): readonly Definition[] {
    return Object.values(this.#mapping);
  }

  /** The key of the mapping that a value chooses. */
  keyOf(value: unknown, parent: unknown, key: string): string {
    const attribute = this.#attribute;
    if (typeof attribute === 'string') return String(isRecord(value) ? own(value, attribute) : undefined);
    // The declared parameter types are what the user knows of the data.
    return String((attribute as (value: unknown, parent: unknown, key: string) => unknown)(value, parent, key));
  }

  normalize(value: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (value === null || value === undefined) return value;
    if (into.atTop && !isRecord(value)) return into.misfit(`one of ${Object.keys(this.#mapping).join(', ')}`, value);
    const chosen = this.keyOf(value, parent, key);
    const schema = into.resolve(own(this.#mapping, chosen));
    if (!schema) {
      warnOnce(() => [
        `union ${chosen}`,
        `${show(value)} chose "${chosen}", for which the mapping has no schema; it is kept as it came.`,
      ]);
      return isRecord(value) && typeof value['schema'] === 'string' ? ({ schema: '', value } satisfies Inline) : value;
    }
    const ref = schema.normalize(value, parent, key, into);
    if (typeof ref !== 'string' || !('table' in schema)) return { schema: chosen, value: ref } satisfies Inline;
    return { pk: ref, schema: chosen, table: (schema as RowSchema).table } satisfies UnionRef;
  }

  denormalize(ref: unknown, from: Reader): ValueOf<M[keyof M]> | undefined {
    // Which member of the mapping it is, only the data tells.
    return this.#read(ref, from) as ValueOf<M[keyof M]> | undefined;
  }

  #read(ref: unknown, from: Reader): unknown {
    if (!isRecord(ref)) return ref;
    const { schema: chosen, pk } = ref;
    if (chosen === '' && isInline(ref)) return ref.value;
    const schema = typeof chosen === 'string' ? from.resolve(own(this.#mapping, chosen)) : undefined;
    if (!schema) return ref;
    if (isUnionRef(ref)) return schema.denormalize(pk, from);
    return isInline(ref) ? schema.denormalize(ref.value, from) : ref;
  }
}

function isInline(ref: Readonly<Record<string, unknown>>): ref is Readonly<Record<string, unknown>> & Inline {
  return Object.keys(ref).length === 2 && 'value' in ref;
}

/** Whether a reference is to a member of a union. */
export function isUnionRef(ref: unknown): ref is UnionRef {
  return (
    isRecord(ref) && typeof ref['pk'] === 'string' && typeof ref['table'] === 'string' && Object.keys(ref).length === 3
  );
}

/** Whether a member of a list is this row; in a list of one schema, references are pks. */
export function refersTo(ref: unknown, table: string, pk: string): boolean {
  return ref === pk || (isUnionRef(ref) && ref.pk === pk && ref.table === table);
}
