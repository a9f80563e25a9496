import { ArrayOf } from './ArrayOf.js';
import type { ValueOf } from './infer.js';
import type { Definition } from './Schema.js';
import type { OneMember } from './sound.js';
import { memberDefinition, type Choose, type SchemaAttribute } from './Union.js';

/** The value of one member: of the one schema, or of whichever of a mapping. */
export type MemberOf<D, A> = A extends undefined ? ValueOf<D> : ValueOf<D[keyof D]>;

/**
 * A list whose members have one schema, or each the one that an attribute of it chooses. `[S]` for short.
 *
 * @example
 * const getTop = new RestEndpoint({ path: '/top', schema: new schema.Array(Todo) });
 */
export class ArraySchema<
  const D extends Definition = Definition,
  A extends SchemaAttribute | undefined = undefined,
> extends ArrayOf<MemberOf<D, A>> {
  constructor(definition: D & OneMember<D>, schemaAttribute?: A | Choose) {
    super(memberDefinition(definition, schemaAttribute));
  }
}
