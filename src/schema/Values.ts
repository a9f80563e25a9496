import { freezeInDevelopment } from './freezing.js';
import type { MemberOf } from './Array.js';
import { Many } from './ArrayOf.js';
import { readerOfMembers } from './deserialize.js';
import type { MembersSchema } from './ListsSchema.js';
import { isRecord, setOwn, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';
import { memberDefinition, type Choose, type SchemaAttribute } from './Union.js';

/**
 * An unbounded set of values by name.
 *
 * @example
 * const getByName = new RestEndpoint({ path: '/by-name', schema: new schema.Values(Todo) });
 */
export class ValuesSchema<const D extends Definition = Definition, A extends SchemaAttribute | undefined = undefined>
  extends Many
  implements Schema<Record<string, MemberOf<D, A>>>, MembersSchema
{
  readonly isByName = true;

  constructor(definition: D, schemaAttribute?: A | Choose) {
    super(memberDefinition(definition, schemaAttribute));
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    if (!isRecord(input)) return into.misfit('an object of values by name', input);
    const schema = into.resolve(this.children()[0]);
    const refs: Record<string, unknown> = {};
    for (const name of Object.keys(input)) {
      const value = input[name];
      const ref: unknown =
        schema && value !== undefined && value !== null ? into.visit(schema, value, input, name) : value;
      // A guess may not know which row it is about.
      if (ref !== undefined && ref !== null) setOwn(refs, name, ref);
    }
    return refs;
  }

  denormalize(refs: unknown, from: Reader): Record<string, MemberOf<D, A>> | undefined {
    if (!isRecord(refs)) return refs as undefined;
    const values: Record<string, unknown> = {};
    this.fill(values, refs, from);
    // What a definition gives is a matter of its type alone.
    return freezeInDevelopment(values) as Record<string, MemberOf<D, A>>;
  }

  /** Reads the members into an object that is there already; what is gone leaves no name. */
  fill(values: object, refs: Readonly<Record<string, unknown>>, from: Reader): void {
    const [member] = this.children();
    const schema = from.resolve(member);
    const read = readerOfMembers(member, from);
    for (const name of Object.keys(refs)) {
      const value = schema ? schema.denormalize(refs[name], from, true) : read(refs[name]);
      if (value === undefined) Reflect.deleteProperty(values, name);
      else setOwn(values, name, value);
    }
  }
}
