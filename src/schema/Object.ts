import { freezeInDevelopment } from './freezing.js';
import { readField, type Deserializer } from './deserialize.js';
import { isEntityClass } from './Entity.js';
import type { ValueOf } from './infer.js';
import { EntitySchema } from './EntitySchema.js';
import {
  isRecord,
  isUnionRef,
  own,
  setOwn,
  type Definition,
  type Finder,
  type Normalizer,
  type Reader,
  type Schema,
} from './Schema.js';

/**
 * A shape with known fields: schemas, deserializers, or default values for what a response leaves out. `{ … }` for short.
 *
 * @example
 * const getToday = new RestEndpoint({ path: '/today', schema: new schema.Object({ todo: Todo, total: 0 }) });
 */
export class ObjectSchema<
  const D extends Readonly<Record<string, Definition>> = Readonly<Record<string, Definition>>,
> implements Schema<{ -readonly [Field in keyof D]: ValueOf<D[Field]> }> {
  #definition: Readonly<Record<string, Definition>>;
  /** Whether it is looked for, and found inside itself. */
  #isSought = false;

  constructor(definition: D) {
    this.#definition = definition;
  }

  /** Adds fields; how a schema comes to contain itself. */
  define(definition: Readonly<Record<string, Definition>>): this {
    this.#definition = { ...this.#definition, ...definition };
    return this;
  }

  /** What describes each field. */
  get fields(): Readonly<Record<string, Definition>> {
    return this.#definition;
  }

  map(replace: (definition: Definition) => Definition): Schema {
    return new ObjectSchema(mapFields(this.#definition, replace));
  }

  children(): readonly Definition[] {
    return Object.values(this.#definition);
  }

  normalize(input: unknown, _parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    if (!isRecord(input)) return into.misfit(`an object with ${Object.keys(this.#definition).join(', ')}`, input);
    const result: Record<string, unknown> = { ...input };
    for (const field of Object.keys(this.#definition)) {
      const schema = into.resolve(this.#definition[field]);
      const value = own(input, field);
      if (schema && value !== undefined) setOwn(result, field, into.visit(schema, value, input, field));
    }
    return result;
  }

  /** What the tables have: all its entities and lists, of which there is at least one. */
  query(args: readonly unknown[], from: Finder): Record<string, unknown> | undefined {
    const known: unknown[] = [];
    const found = this.#find(args, from, known);
    // Parameters name one thing. Where two entities have the same pk, they are hardly both meant.
    return known.length > 0 && new Set(known).size === known.length ? found : undefined;
  }

  #find(args: readonly unknown[], from: Finder, known: unknown[]): Record<string, unknown> | undefined {
    if (this.#isSought) return undefined;
    this.#isSought = true;
    try {
      const found: Record<string, unknown> = {};
      for (const field of Object.keys(this.#definition)) {
        const schema = from.resolve(this.#definition[field]);
        if (!schema) continue;
        const isShape = schema instanceof ObjectSchema;
        const ref = isShape ? schema.#find(args, from, known) : schema.query?.(args, from);
        if (ref === undefined) return undefined;
        if (!isShape) known.push(isUnionRef(ref) ? ref.pk : schema instanceof EntitySchema ? ref : {});
        setOwn(found, field, ref);
      }
      return found;
    } finally {
      this.#isSought = false;
    }
  }

  denormalize(
    result: unknown,
    from: Reader,
    isPart = false,
  ): { -readonly [Field in keyof D]: ValueOf<D[Field]> } | undefined {
    if (!isRecord(result)) return result as undefined;
    const parts = { there: 0, gone: 0 };
    const value = this.#read(result, from, isPart, parts);
    // A whole answer still shows what else is in it.
    if (parts.gone > 0 && (isPart || parts.there === 0)) return undefined;
    // The fields of the definition are what has been set.
    return value as { -readonly [Field in keyof D]: ValueOf<D[Field]> };
  }

  /** Reads the fields, and counts the entities and lists among them. */
  #read(
    result: Record<string, unknown>,
    from: Reader,
    isPart: boolean,
    parts: { there: number; gone: number },
  ): unknown {
    const value: Record<string, unknown> = { ...result };
    for (const field of Object.keys(this.#definition)) {
      const definition = this.#definition[field];
      const schema = from.resolve(definition);
      const raw = own(result, field);
      if (schema instanceof ObjectSchema && isRecord(raw)) setOwn(value, field, schema.#read(raw, from, isPart, parts));
      else if (schema) {
        const inner = raw === undefined ? undefined : schema.denormalize(raw, from, isPart);
        setOwn(value, field, inner);
        if (raw === undefined || raw === null || schema.holdsNothing) continue;
        if (inner === undefined) parts.gone++;
        else parts.there++;
      } else if (raw === undefined) setOwn(value, field, typeof definition === 'function' ? undefined : definition);
      else if (isDeserializer(definition) && raw !== null && !from.isTracing)
        setOwn(value, field, readField(definition, raw, 'the response', field));
    }
    return freezeInDevelopment(value);
  }
}

/** The same fields, each with what replaces its definition. */
export function mapFields(
  fields: Readonly<Record<string, Definition>>,
  replace: (definition: Definition) => Definition,
): Record<string, Definition> {
  return Object.fromEntries(Object.entries(fields).map(([field, definition]) => [field, replace(definition)]));
}

function isDeserializer(definition: Definition): definition is Deserializer {
  return typeof definition === 'function' && !isEntityClass(definition);
}
