import { identify } from './identify.js';
import type { ValueOf } from './infer.js';
import { isRecord, type Definition, type Finder, type Normalizer, type Reader, type Schema } from './Schema.js';

/**
 * What is computed of another schema's value; computed anew only when that value is another.
 *
 * @example
 * const count = new schema.Query(new schema.All(Todo), (todos) => todos.length);
 * resources.select(count)(store.getState());
 */
export class QuerySchema<
  const D extends Definition = Definition,
  Args extends readonly unknown[] = readonly unknown[],
  Value = unknown,
> implements Schema<Value> {
  readonly holdsNothing = true;
  readonly #definition: D;
  readonly #compute: (value: ValueOf<D>, ...args: Args) => Value;

  constructor(definition: D, compute: (value: ValueOf<D>, ...args: Args) => Value) {
    this.#definition = definition;
    this.#compute = compute;
  }

  children(): readonly Definition[] {
    return [this.#definition];
  }

  map(replace: (definition: Definition) => Definition): Schema {
    // What the computation gets is of the same type, whichever schema reads it.
    return new QuerySchema(
      replace(this.#definition),
      this.#compute as (value: unknown, ...args: readonly unknown[]) => unknown,
    );
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    const schema = into.resolve(this.#definition);
    return { args: into.args, ref: schema ? schema.normalize(input, parent, key, into) : input };
  }

  query(args: readonly unknown[], from: Finder): unknown {
    const ref = from.resolve(this.#definition)?.query?.(args, from);
    return ref === undefined ? undefined : { args, ref };
  }

  denormalize(question: unknown, from: Reader): Value | undefined {
    if (!isRecord(question)) return undefined;
    const { args, ref } = question;
    const value = from.resolve(this.#definition)?.denormalize(ref, from);
    if (value === undefined) return undefined;
    // The arguments are those of the endpoint or the selector that was typed with this query.
    const compute = (): Value => this.#compute(value as ValueOf<D>, ...(args as Args));
    return from.computed(this, value, [identify(args)], compute) as Value;
  }
}
