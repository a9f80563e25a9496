import { ResourceError, type Row } from 'rtk-resource';
import { denormalize, Memory, normalize, type Definition, type Tables } from 'rtk-resource/normalize';
import { expect } from 'vitest';
import { applyChanges } from '../../src/tables/changes.js';
import { rowOf, tableOf } from '../../src/tables/tables.js';

/** Tables that responses are taken into and values are read from, as in a store, but without one. */
export function makeEngine() {
  const memory = new Memory();
  let tables: Tables = {};
  const take = (definition: Definition, input: unknown, ...args: readonly unknown[]): unknown => {
    const { result, changes } = normalize(definition, input, { args, tables, name: 'Test/get' });
    tables = applyChanges(tables, [changes]);

    return result;
  };
  const read = <const D>(definition: D, result: unknown) => denormalize(definition, result, tables, memory);

  return {
    /** Takes a response in; gives what stands for its value. */
    take,
    /** Reads what stands for a value. */
    read,
    /** Takes a response in and reads it. */
    give: <const D>(definition: D, input: unknown, ...args: readonly unknown[]) =>
      read(definition, take(definition, input, ...args)),
    tables: () => tables,
    /** What a table keeps under a pk. */
    row: (table: string, pk: string) => rowOf(tableOf(tables, table), pk) as Row | undefined,
  };
}

/** What is thrown. */
export function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

/** That this is refused with this code, in words that tell all of this. */
export function expectRefusal(act: () => unknown, code: string, ...words: readonly string[]): void {
  const error = thrown(act);
  expect(error).toBeInstanceOf(ResourceError);
  expect(error).toMatchObject({ code });
  for (const word of words) expect(String(error)).toContain(word);
}
