import type { ValueOf } from '../schema/infer.js';
import type { Definition } from '../schema/Schema.js';
import { Memory } from './Memory.js';
import type { Tables } from './tables.js';

/**
 * Puts together what `normalize` took apart; undefined when it is not there. Pass a Memory to get the same objects for the same data.
 *
 * @example
 * const todo = denormalize(Todo, '5', store.getState().resources.tables);
 */
export function denormalize<const D extends Definition>(
  definition: D,
  result: unknown,
  tables: Tables,
  memory: Memory = new Memory(tables),
): ValueOf<D> | undefined {
  memory.sync(tables);
  // What a definition gives is a matter of its type alone.
  return memory.answer('', definition, result) as ValueOf<D> | undefined;
}
