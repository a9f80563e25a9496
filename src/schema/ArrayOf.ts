import { freezeInDevelopment } from './freezing.js';
import { readerOfMembers } from './deserialize.js';
import type { MembersSchema } from './ListsSchema.js';
import { isRecord, resolved, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';

/** Describes many values of one kind. */
export abstract class Many {
  #member: Definition;

  constructor(definition: Definition) {
    this.#member = definition;
  }

  /** Adds to the mapping, or sets the one schema; how a schema comes to contain itself. */
  define(definition: Definition): this {
    const inner = this.#member;
    // A bundle without unions has no class of theirs.
    if (isRecord(inner) && 'mapping' in inner && 'define' in inner) (inner as unknown as this).define(definition);
    else this.#member = definition;
    return this;
  }

  /** What describes the members. */
  get member(): Definition {
    return resolved(this.#member);
  }

  children(): readonly [Definition] {
    return [this.#member];
  }
}

/** A list whose members have one schema: all of a list that a bundle without unions needs. */
export class ArrayOf<Member = unknown> extends Many implements Schema<Member[]>, MembersSchema {
  readonly isByName: boolean = false;

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    if (!isRecord(input) && !Array.isArray(input)) return into.misfit('a list', input);
    const members: readonly unknown[] = Array.isArray(input) ? input : Object.values(input);
    const schema = into.resolve(this.children()[0]);
    if (!schema) return [...members];
    // `{ message: 'oops' }` and `{ data: […] }` are no lists: where an object stands for one, its values are the items themselves, or inside of others their pks.
    const isNoItem = (member: unknown): boolean =>
      typeof member === 'boolean' ||
      (into.atTop && (typeof member !== 'object' || ('table' in schema && Array.isArray(member))));
    if (!Array.isArray(input) && members.some(isNoItem)) return into.misfit('a list', input);
    const refs = new Array<unknown>(members.length);
    for (let i = 0; i < members.length; i++) refs[i] = into.visit(schema, members[i], parent, key);
    return refs;
  }

  denormalize(refs: unknown, from: Reader): Member[] | undefined {
    if (!Array.isArray(refs)) return refs as undefined;
    const values: unknown[] = [];
    this.fill(values, refs, from);
    // What a definition gives is a matter of its type alone.
    return freezeInDevelopment(values) as Member[];
  }

  /** Reads the members into a list that is there already; what is gone leaves no hole. */
  fill(values: unknown[], refs: readonly unknown[], from: Reader): void {
    const [member] = this.children();
    const schema = from.resolve(member);
    const read = schema ? undefined : readerOfMembers(member, from);
    for (const ref of refs) {
      const value = read ? read(ref) : schema && ref !== null ? schema.denormalize(ref, from, true) : ref;
      if (value !== undefined) values.push(value);
    }
  }
}
