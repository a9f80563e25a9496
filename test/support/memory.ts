import { Memory, normalize, type Changes, type Definition, type Tables } from 'rtk-resource/normalize';
import { applyChanges } from '../../src/tables/changes.js';

/** Tables that responses are taken into, and a memory to read them by, as a store has them. */
export class Shelf {
  tables: Tables = {};
  readonly memory = new Memory();

  /** Takes one response in; gives what stands for it, and what was written. */
  take(definition: Definition, input: unknown, ...args: readonly unknown[]): { result: unknown; changes: Changes } {
    const { result, changes } = normalize(definition, input, { tables: this.tables, args });
    this.tables = applyChanges(this.tables, [changes]);

    return { result, changes };
  }

  /** Reads what a result stands for; a name keeps it apart from other answers with the same definition. */
  read(definition: Definition, result: unknown, name = ''): unknown {
    this.memory.sync(this.tables);

    return this.memory.answer(name, definition, result);
  }
}
