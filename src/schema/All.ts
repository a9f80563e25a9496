import { freezeInDevelopment } from '../errors.js';
import { EntitySchema } from './EntitySchema.js';
import { ArraySchema } from './Array.js';
import type { ValueOf } from './infer.js';
import type { Definition, Normalizer, Reader, Schema } from './Schema.js';

/** All entities of a class that the store holds, from whichever answer. */
export class All<const D extends Definition = Definition> implements Schema<ValueOf<D>[]> {
  readonly #entity: Definition;

  constructor(entity: D) {
    this.#entity = entity;
  }

  children(): readonly Definition[] {
    return [this.#entity];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    new ArraySchema(this.#entity).normalize(input, parent, key, into);
    return null;
  }

  query(): null {
    return null;
  }

  denormalize(_ref: unknown, from: Reader): ValueOf<D>[] | undefined {
    const schema = from.resolve(this.#entity);
    // The rows of the class's table are its values.
    return schema instanceof EntitySchema ? (freezeInDevelopment(from.rows(schema)) as ValueOf<D>[]) : undefined;
  }
}
