import { freezeInDevelopment } from './freezing.js';
import { ArrayOf } from './ArrayOf.js';
import type { EntityClass } from './Entity.js';
import type { ValueOf } from './infer.js';
import type { Definition, Normalizer, Reader, Schema } from './Schema.js';
import type { UnionSchema } from './Union.js';

/** What has a table: a class, or several in a Union. */
type Members = EntityClass | (Schema & Pick<UnionSchema, 'mapping'>);

/**
 * All entities of a class, or of the classes of a Union, that the store holds, from whichever answer.
 *
 * @example
 * resources.select(new schema.All(Todo))(store.getState());
 */
export class AllSchema<const D extends Members = Members> implements Schema<ValueOf<D>[]> {
  readonly showsAll = true;
  readonly #entity: Definition;

  constructor(entity: D) {
    this.#entity = entity;
  }

  children(): readonly Definition[] {
    return [this.#entity];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    new ArrayOf(this.#entity).normalize(input, parent, key, into);
    return null;
  }

  query(): null {
    return null;
  }

  denormalize(_ref: unknown, from: Reader): ValueOf<D>[] | undefined {
    // The rows of a class, or of the members of a Union, are its values.
    return freezeInDevelopment(from.resolve(this.#entity)?.rows?.(from)) as ValueOf<D>[] | undefined;
  }
}
