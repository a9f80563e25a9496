import type { ValueOf } from './infer.js';
import type { Definition, Finder, Normalizer, Reader, Schema } from './Schema.js';

/**
 * A definition that is asked for on use, because it is not there yet where it is named.
 *
 * @example
 * class Person extends Entity {
 *   id = 0;
 *   friends: Person[] = [];
 *   static key = 'Person';
 *   static schema = { friends: new schema.Lazy((): [typeof Person] => [Person]) };
 * }
 */
export class LazySchema<D extends Definition = Definition> implements Schema<ValueOf<D>> {
  readonly isLazy = true;
  readonly #definition: () => D;

  constructor(definition: () => D) {
    this.#definition = definition;
  }

  children(): readonly Definition[] {
    return [this.#definition()];
  }

  map(replace: (definition: Definition) => Definition): Schema {
    return new LazySchema(() => replace(this.#definition()));
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    const schema = into.resolve(this.#definition());
    return schema ? schema.normalize(input, parent, key, into) : input;
  }

  query(args: readonly unknown[], from: Finder): unknown {
    return from.resolve(this.#definition())?.query?.(args, from);
  }

  denormalize(ref: unknown, from: Reader, isPart?: boolean): ValueOf<D> | undefined {
    const schema = from.resolve(this.#definition());
    // What a definition gives is a matter of its type alone.
    return (schema ? schema.denormalize(ref, from, isPart) : ref) as ValueOf<D> | undefined;
  }
}
