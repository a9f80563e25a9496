import { EntitySchema } from './EntitySchema.js';
import { isRecord, type Candidate, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';

/** An answer after which an entity is gone: all of it that a bundle without unions needs. */
export class Deletion implements Schema<undefined> {
  readonly #target: Definition;

  constructor(definition: Definition) {
    this.#target = definition;
  }

  get holdsNothing(): boolean {
    return true;
  }

  children(): readonly Definition[] {
    return [this.#target];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (!into.atTop && (input === null || input === undefined)) return input;
    const schema = into.resolve(this.#target);
    const told = toldOf(schema, input, into);
    if (schema instanceof EntitySchema && into.atTop && !isThere(told)) {
      // Neither its parameters nor its answer name a row that is there: it is the one that the write is about.
      const pk = into.target(schema, {}, undefined);
      if (pk !== undefined) {
        into.remove(schema.table, pk);
        return pk;
      }
    }
    const [first] = told;
    if (!first && schema instanceof EntitySchema) {
      into.pkMissing(schema.table, input);
      return undefined;
    }
    if (!first) return into.misfit('what tells which entity is gone', input);
    for (const { table, pk } of schema?.choose?.(told, input, parent, key) ?? told) into.remove(table, pk);
    return first.pk;
  }

  /** What was deleted has no value. */
  denormalize(_pk: unknown, _from: Reader): undefined {
    return undefined;
  }
}

/** What may be gone, by the parameters, or else by the answer. */
function toldOf(schema: Schema | undefined, input: unknown, into: Normalizer): readonly Candidate[] {
  const by = (told: unknown): readonly Candidate[] => schema?.candidates?.(told, into) ?? [];
  const params = into.atTop ? into.params : undefined;
  const named = isRecord(params) ? by(params) : [];
  // `1` or "OK" may be said of anything; fields are believed where the parameters name nothing that is there.
  const isNamed = named.length > 0 && (!isRecord(input) || isThere(named));
  const said = isNamed ? [] : by(input);
  return isThere(said) || named.length === 0 ? said : named;
}

function isThere([first]: readonly Candidate[]): boolean {
  return first?.row !== undefined;
}
