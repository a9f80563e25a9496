import { warnOnce } from '../errors.js';
import { EntitySchema } from './EntitySchema.js';
import { isRecord, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';
import { candidateOf, UnionSchema, type Candidate, type Mapping, type SchemaAttribute } from './Union.js';

/**
 * An answer after which an entity is gone.
 *
 * @example
 * const remove = new RestEndpoint({ path: '/todos/:id', method: 'DELETE', schema: new schema.Invalidate(Todo) });
 */
export class InvalidateSchema implements Schema<undefined> {
  readonly #target: Definition;

  constructor(definition: Definition, schemaAttribute?: SchemaAttribute) {
    this.#target = schemaAttribute === undefined ? definition : new UnionSchema(definition as Mapping, schemaAttribute);
  }

  children(): readonly Definition[] {
    return [this.#target];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (!into.atTop && (input === null || input === undefined)) return input;
    const schema = into.resolve(this.#target);
    const told = toldOf(schema, input, into);
    const target = told.length === 0 || !isThere(told) ? targetOf(schema, into) : undefined;
    if (target) {
      into.remove(target.table, target.pk);
      return target.pk;
    }
    const [first] = told;
    if (!first && schema instanceof EntitySchema) {
      into.pkMissing(schema.table, input);
      return undefined;
    }
    if (!first) return into.misfit('what tells which entity is gone', input);
    // A function is asked of what it knows.
    const isAsked = told.length > 1 && isThere(told) && isRecord(input);
    const chosen = isAsked && schema instanceof UnionSchema ? schema.keyOf(input, parent, key) : undefined;
    for (const { entity, pk } of meantOf(told, chosen)) into.remove(entity.table, pk);
    return first.pk;
  }

  /** What was deleted has no value. */
  denormalize(_pk: unknown, _from: Reader): undefined {
    return undefined;
  }
}

/** The row that a write is about, where neither its parameters nor its answer name one that is there. */
function targetOf(
  schema: Schema | undefined,
  into: Normalizer,
): { readonly table: string; readonly pk: string } | undefined {
  if (!(schema instanceof EntitySchema) || !into.atTop) return undefined;
  const pk = into.target(schema, {}, undefined);
  return pk === undefined ? undefined : { table: schema.table, pk };
}

/** What may be gone, by the parameters, or else by the answer. */
function toldOf(schema: Schema | undefined, input: unknown, into: Normalizer): readonly Candidate[] {
  const by = (told: unknown): readonly Candidate[] =>
    schema instanceof UnionSchema ? schema.candidates(told, into) : candidateOf(schema, '', told, into);
  const [params] = into.atTop ? into.args : [];
  const named = isRecord(params) ? by(params) : [];
  // `1` or "OK" may be said of anything; fields are believed where the parameters name nothing that is there.
  const isNamed = named.length > 0 && (!isRecord(input) || isThere(named));
  const said = isNamed ? [] : by(input);
  return isThere(said) || named.length === 0 ? said : named;
}

/** Of several that are there, the one that is chosen; none where nothing tells. What is not there is mistaken for nothing. */
function meantOf(told: readonly Candidate[], chosen: string | undefined): readonly Candidate[] {
  if (!isThere(told) || new Set(told.map(({ entity }) => entity.table)).size === 1) return told;
  const meant = told.filter((candidate) => candidate.chosen === chosen);
  if (meant.length === 0)
    warnOnce(() => [
      'invalidate',
      `"${String(told[0]?.pk)}" is gone, but a Union has it in more than one of its classes, and nothing tells in which: all stay. Name the attribute of the Union in the parameters.`,
    ]);
  return meant;
}

function isThere([first]: readonly Candidate[]): boolean {
  return first?.row !== undefined;
}
