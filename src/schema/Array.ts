import { freezeInDevelopment } from '../errors.js';
import type { ValueOf } from './infer.js';
import { isRecord, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';
import type { OneMember } from './sound.js';
import { UnionSchema, type Mapping, type SchemaAttribute } from './Union.js';

/** The value of one member: of the one schema, or of whichever of a mapping. */
export type MemberOf<D, A> = A extends undefined ? ValueOf<D> : ValueOf<D[keyof D]>;

/** What describes the members of a list: one definition, or a mapping with an attribute to choose by. */
export function memberDefinition(definition: Definition, attribute: SchemaAttribute | undefined): Definition {
  return attribute === undefined ? definition : new UnionSchema(definition as Mapping, attribute);
}

/**
 * A list whose members have one schema, or each the one that an attribute of it chooses. `[S]` for short.
 *
 * @example
 * const getTop = new RestEndpoint({ path: '/top', schema: new schema.Array(Todo) });
 */
export class ArraySchema<
  const D extends Definition = Definition,
  A extends SchemaAttribute | undefined = undefined,
> implements Schema<MemberOf<D, A>[]> {
  #member: Definition;

  constructor(definition: D & OneMember<D>, schemaAttribute?: A) {
    this.#member = memberDefinition(definition, schemaAttribute);
  }

  /** Adds to the mapping, or sets the one schema; how a schema comes to contain itself. */
  define(definition: Definition): this {
    if (this.#member instanceof UnionSchema) this.#member.define(definition as Mapping);
    else this.#member = definition;
    return this;
  }

  /** What describes the members. */
  get member(): Definition {
    return this.#member;
  }

  children(): readonly Definition[] {
    return [this.#member];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    if (!isRecord(input) && !Array.isArray(input)) return into.misfit('a list', input);
    const members: readonly unknown[] = Array.isArray(input) ? input : Object.values(input);
    const schema = into.resolve(this.#member);
    if (!schema) return [...members];
    // `{ message: 'oops' }` is no list: where an object stands for one, its values are the items themselves.
    if (into.atTop && !Array.isArray(input) && members.some((member) => typeof member !== 'object'))
      return into.misfit('a list', input);
    const refs = new Array<unknown>(members.length);
    for (let i = 0; i < members.length; i++) refs[i] = into.visit(schema, members[i], parent, key);
    return refs;
  }

  denormalize(refs: unknown, from: Reader): MemberOf<D, A>[] | undefined {
    if (!Array.isArray(refs)) return refs as undefined;
    const values: unknown[] = [];
    this.fill(values, refs, from);
    // What a definition gives is a matter of its type alone.
    return freezeInDevelopment(values) as MemberOf<D, A>[];
  }

  /** Reads the members into a list that is there already; what is gone leaves no hole. */
  fill(values: unknown[], refs: readonly unknown[], from: Reader): void {
    const schema = from.resolve(this.#member);
    for (const ref of refs) {
      const value = schema && ref !== null ? schema.denormalize(ref, from, true) : ref;
      if (value !== undefined) values.push(value);
    }
  }
}
