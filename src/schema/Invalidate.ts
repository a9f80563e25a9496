import { Deletion } from './Deletion.js';
import type { Definition } from './Schema.js';
import { memberDefinition, type SchemaAttribute } from './Union.js';

/**
 * An answer after which an entity is gone.
 *
 * @example
 * const remove = new RestEndpoint({ path: '/todos/:id', method: 'DELETE', schema: new schema.Invalidate(Todo) });
 */
export class InvalidateSchema extends Deletion {
  constructor(definition: Definition, schemaAttribute?: SchemaAttribute) {
    super(memberDefinition(definition, schemaAttribute));
  }

  /** What a resource deletes by is one, too, though a bundle without unions has none of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Deletion;
  }
}
