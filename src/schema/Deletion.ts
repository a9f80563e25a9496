import { EntitySchema } from './EntitySchema.js';
import { levelsOf, subjectOf } from './subject.js';
import {
  isRecord,
  none,
  type Candidate,
  type Definition,
  type Normalizer,
  type Reader,
  type Schema,
} from './Schema.js';

/** An answer after which an entity is gone: all of it that a bundle without unions needs. */
export class Deletion implements Schema<undefined> {
  readonly holdsNothing = true;
  readonly #target: Definition;

  constructor(definition: Definition) {
    this.#target = definition;
  }

  children(): readonly Definition[] {
    return [this.#target];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (!into.atTop && (input === null || input === undefined)) return input;
    // Of a shape, what is in it is gone.
    const schema = subjectOf(this.#target) ?? into.resolve(this.#target);
    const named = namedBy(schema, into);
    if (schema instanceof EntitySchema && into.atTop && !isThere(named)) {
      // Its parameters name no pk of a row that is there: it is the one that the write is about. Its answer may be the row that it was taken from.
      const pk = into.target(schema, {}, undefined);
      if (pk !== undefined) {
        into.remove(schema.table, pk);
        return pk;
      }
    }
    const told = candidatesOf(schema, input, into, named);
    const [first] = told;
    if (!first) return this.#missing(schema, input, into);
    for (const { table, pk } of schema?.choose?.(told, input, parent, key) ?? told) into.remove(table, pk);
    return first.pk;
  }

  /** Nothing tells which entity is gone: after a write that was done, what may show it is out of date. */
  #missing(schema: Schema | undefined, input: unknown, into: Normalizer): unknown {
    const inside = schema?.chosen && into.isWritten ? (schema.children?.() ?? none) : [schema];
    const entities = inside.flatMap((one) => levelsOf(one).flat()).filter((one) => one instanceof EntitySchema);
    if (entities.length === 0) return into.misfit('what tells which entity is gone', input);
    for (const { table } of entities) into.pkMissing(table, input);
    return undefined;
  }

  /** What was deleted has no value. */
  denormalize(_pk: unknown, _from: Reader): undefined {
    return undefined;
  }
}

/** What may be gone, by the parameters. */
function namedBy(schema: Schema | undefined, into: Normalizer): readonly Candidate[] {
  const params = into.atTop ? into.params : undefined;
  return (isRecord(params) && schema?.candidates?.(params, into)) || none;
}

/** What may be gone, by the parameters, or else by the answer. */
function candidatesOf(
  schema: Schema | undefined,
  input: unknown,
  into: Normalizer,
  named: readonly Candidate[],
): readonly Candidate[] {
  // `1` or "OK" may be said of anything; fields are believed where the parameters name nothing that is there.
  const isNamed = named.length > 0 && (!isRecord(input) || isThere(named));
  const said = isNamed ? none : (schema?.candidates?.(input, into) ?? none);
  // A word that is the pk of no row names none.
  const isWord = into.isWritten && into.atTop && !isRecord(input);
  return isThere(said) || (named.length === 0 && !isWord) ? said : named;
}

function isThere([first]: readonly Candidate[]): boolean {
  return first?.row !== undefined;
}
