import { resourceError, show, warnOnce } from '../errors.js';
import { EntitySchema } from './EntitySchema.js';
import type { ValueOf } from './infer.js';
import {
  isRecord,
  isUnionRef,
  own,
  type Candidate,
  type Definition,
  type Finder,
  type Normalizer,
  type Reader,
  type Resolve,
  type Row,
  type RowSchema,
  type Schema,
  type UnionRef,
} from './Schema.js';
import type { AttributeOf } from './sound.js';

/** What tells which schema of a mapping a value has: the name of an attribute, or a function that gives the key. */
export type SchemaAttribute<Name extends string = string> = Name | Choose;

/** Gives the key of the mapping that a value has. Method syntax lets users declare what their data is, instead of `unknown`. */
export type Choose = { choose(value: unknown, parent: unknown, key: string): unknown }['choose'];

/** Schemas by the value of the attribute that chooses among them. */
export type Mapping = Readonly<Record<string, Definition>>;

/** What holds a value itself: of a chosen schema that makes no rows, or, under no name, one that could be taken for a reference. */
interface Inline {
  readonly schema: string;
  readonly value: unknown;
}

/**
 * One of several schemas, chosen for each value by an attribute of it.
 *
 * @example
 * const kindOf = (value: object) => ('title' in value ? 'todo' : 'user');
 * const getFeed = new RestEndpoint({ path: '/feed', schema: [new schema.Union({ todo: Todo, user: User }, kindOf)] });
 */
export class UnionSchema<const M extends Mapping = Mapping> implements Schema<ValueOf<M[keyof M]>> {
  #mapping: Mapping;
  readonly #attribute: SchemaAttribute;

  constructor(mapping: M, schemaAttribute: SchemaAttribute<AttributeOf<M>>) {
    if ((schemaAttribute as unknown) === undefined) throw resourceError('R15', 'schema.Union');
    this.#mapping = mapping;
    this.#attribute = schemaAttribute;
  }

  /** Adds to the mapping; how a schema comes to contain itself. */
  define(mapping: Mapping): this {
    this.#mapping = { ...this.#mapping, ...mapping };
    return this;
  }

  /** The schemas by the value that chooses them. */
  get mapping(): Mapping {
    return this.#mapping;
  }

  children(): readonly Definition[] {
    return Object.values(this.#mapping);
  }

  /** The key of the mapping that a value chooses, if there is one; undefined where it tells nothing. */
  keyOf(value: unknown, parent: unknown, key: string): string | undefined {
    const attribute = this.#attribute;
    const chosen = String(
      typeof attribute === 'string'
        ? own(isRecord(value) ? value : undefined, attribute)
        : attribute(value, parent, key),
    );
    return chosen === 'undefined' ? undefined : chosen;
  }

  /** The members that some fields may be about: the one that they name, or all. A function is asked of whole values alone. */
  #named(fields: unknown): readonly string[] {
    const name = typeof this.#attribute === 'string' ? this.keyOf(fields, undefined, '') : undefined;
    const names = Object.keys(this.#mapping);
    return name === undefined ? names : names.filter((chosen) => chosen === name);
  }

  /** The rows of its classes: those that are there, else all that could be. */
  candidates(told: unknown, into: Normalizer): readonly Candidate[] {
    const all = this.#named(told).flatMap((chosen) => {
      const entity = into.resolve(own(this.#mapping, chosen));
      return entity instanceof EntitySchema
        ? entity.candidates(told, into).map((candidate) => ({ ...candidate, chosen }))
        : [];
    });
    const there = all.filter(({ row }) => row !== undefined);
    return there.length > 0 ? there : all;
  }

  /** Of several that are there, the one that is chosen; none where nothing tells. What is not there is mistaken for nothing. */
  choose(told: readonly Candidate[], input: unknown, parent: unknown, key: string): readonly Candidate[] {
    if (told[0]?.row === undefined || new Set(told.map(({ table }) => table)).size === 1) return told;
    // A function is asked of what it knows.
    const chosen = isRecord(input) ? this.keyOf(input, parent, key) : undefined;
    const meant = told.filter((candidate) => candidate.chosen === chosen);
    if (meant.length === 0)
      warnOnce(() => [
        'invalidate',
        `"${String(told[0]?.pk)}" is gone, but a Union has it in more than one of its classes, and nothing tells in which: all stay. Name the attribute of the Union in the parameters.`,
      ]);
    return meant;
  }

  /** The rows of each member; of members that share a table, those that choose this one. */
  rows(from: Reader): readonly unknown[] {
    const entityOf = (chosen: string | undefined): Schema | undefined =>
      chosen === undefined ? undefined : from.resolve(own(this.#mapping, chosen));
    const entities = new Set(Object.keys(this.#mapping).map(entityOf));
    return [...entities].flatMap((entity) => {
      if (!(entity instanceof EntitySchema)) return [];
      const rows = entity.rows(from);
      const isShared = [...entities].some((other) => other !== entity && isOf(other, entity.table));
      return isShared ? rows.filter((row) => entityOf(this.keyOf(row, undefined, '')) === entity) : rows;
    });
  }

  refOf(table: string, pk: string, row: Row, resolve: Resolve): UnionRef | undefined {
    const keys = Object.keys(this.#mapping).filter((key) => isOf(resolve(own(this.#mapping, key)), table));
    // Of classes that share a table, the row tells which it is.
    const chosen = keys.length > 1 ? this.keyOf(row, undefined, '') : keys[0];
    return chosen === undefined ? undefined : { pk, schema: chosen, table };
  }

  chosen(by: unknown, resolve: Resolve): Schema | undefined {
    const chosen = isUnionRef(by) ? by.schema : this.keyOf(by, undefined, '');
    return chosen === undefined ? undefined : resolve(own(this.#mapping, chosen));
  }

  /** The member whose row a write, or some fields, are about; undefined where none is there, or several are. */
  #known(fields: unknown, into: Normalizer): string | undefined {
    const { meant } = into;
    const row = meant && into.kept(meant.table, meant.pk);
    if (meant && isRecord(row)) return this.refOf(meant.table, meant.pk, row, into.resolve)?.schema;
    const known = this.candidates(fields, into).filter(({ row }) => row !== undefined);
    if (new Set(known.map(({ table }) => table)).size !== 1) return undefined;
    // Of classes that share a table, the row itself tells which it is.
    return (known.find(({ chosen, row }) => chosen === this.keyOf(row, undefined, '')) ?? known[0])?.chosen;
  }

  normalize(value: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (value === null || value === undefined) return value;
    if (into.atTop && !isRecord(value)) return into.misfit(`one of ${Object.keys(this.#mapping).join(', ')}`, value);
    let chosen = into.isEdit ? undefined : this.keyOf(value, parent, key);
    if (into.isWritten || into.atTop) chosen ??= this.#known(value, into);
    const schema = chosen === undefined ? undefined : into.resolve(own(this.#mapping, chosen));
    if (chosen !== undefined && schema) return refTo(chosen, schema, schema.normalize(value, parent, key, into));
    // An edit of what nobody has says nothing of it, nor does another write of which nobody can tell what it is.
    if (into.isEdit || (into.isWritten && chosen === undefined)) return undefined;
    warnOnce(() => [
      `union ${Object.keys(this.#mapping).join()} ${String(chosen)}`,
      `${show(value)} chose "${String(chosen)}", for which the mapping has no schema; it is kept as it came.`,
    ]);
    return isRecord(value) && typeof value['schema'] === 'string' ? ({ schema: '', value } satisfies Inline) : value;
  }

  /** What the tables have, in the member that the arguments name, or in each; undefined where several have it. */
  query(args: readonly unknown[], from: Finder): UnionRef | Inline | undefined {
    const found = this.#named(args[0]).flatMap((chosen) => {
      const schema = from.resolve(own(this.#mapping, chosen));
      const ref = schema?.query?.(args, from);
      return schema && ref !== undefined && !this.#isOther(ref, chosen, schema, from) ? [{ chosen, schema, ref }] : [];
    });
    const [first, ...others] = found;
    if (!first || others.some(({ schema }) => schema !== first.schema)) return undefined;
    return refTo(first.chosen, first.schema, first.ref);
  }

  /** Whether a row that members share is one of another member. */
  #isOther(ref: unknown, chosen: string, schema: Schema, from: Finder): boolean {
    const { table } = schema as RowSchema;
    const row = typeof ref === 'string' && isOf(schema, table) ? from.row(table, ref) : undefined;
    return row !== undefined && (this.refOf(table, String(ref), row, from.resolve)?.schema ?? chosen) !== chosen;
  }

  denormalize(ref: unknown, from: Reader, isPart?: boolean): ValueOf<M[keyof M]> | undefined {
    // Which member of the mapping it is, only the data tells.
    return this.#read(ref, from, isPart) as ValueOf<M[keyof M]> | undefined;
  }

  #read(ref: unknown, from: Reader, isPart: boolean | undefined): unknown {
    if (!isRecord(ref)) return ref;
    const { schema: chosen, pk } = ref;
    if (chosen === '' && isInline(ref)) return ref.value;
    const schema = typeof chosen === 'string' ? from.resolve(own(this.#mapping, chosen)) : undefined;
    if (!schema) return ref;
    if (isUnionRef(ref)) return schema.denormalize(pk, from);
    return isInline(ref) ? schema.denormalize(ref.value, from, isPart) : ref;
  }
}

/** What stands for a value of a member. */
function refTo(chosen: string, schema: Schema, ref: unknown): UnionRef | Inline {
  if (typeof ref !== 'string' || !('table' in schema)) return { schema: chosen, value: ref };
  return { pk: ref, schema: chosen, table: (schema as RowSchema).table };
}

/** What describes one of the members of a list or a set: one definition, or a mapping with an attribute to choose by. */
export function memberDefinition(definition: Definition, attribute: SchemaAttribute | undefined): Definition {
  return attribute === undefined ? definition : new UnionSchema(definition as Mapping, attribute);
}

/** Whether a schema makes its values of the rows of a table. */
function isOf(schema: Schema | undefined, table: string): boolean {
  return schema !== undefined && 'table' in schema && schema.table === table;
}

function isInline(ref: Readonly<Record<string, unknown>>): ref is Readonly<Record<string, unknown>> & Inline {
  return Object.keys(ref).length === 2 && 'value' in ref;
}
