import type { ReadOptions } from './asked.js';

type Pick<Value, Selected> = (data: Value, options: ReadOptions<Value, Selected>) => Selected;

/** What `select` has made of data. */
interface Picked<Value, Selected> {
  readonly data: Value;
  readonly select: unknown;
  readonly value: Selected;
}

/** What was picked last in one component, whatever its arguments were. */
export interface PickMemory {
  picked?: unknown;
}

/** Makes what gives what `select` makes of data: all of it without; the same as before, where that is equal. */
export function makePick<Value, Selected>(memory: PickMemory = {}): Pick<Value, Selected> {
  let last: Picked<Value, Selected> | undefined;
  return (data, { select, isEqual = Object.is }) => {
    // Without `select`, the data is what is selected.
    if (!select) return data as unknown as Selected;
    // One hook gives values of one type.
    last ??= memory.picked as Picked<Value, Selected> | undefined;
    if (last?.data === data && last.select === select) return last.value;
    const next = select(data);
    const value = last && isEqual(last.value, next) ? last.value : next;
    memory.picked = last = { data, select, value };
    return value;
  };
}
