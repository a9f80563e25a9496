import type { ReadOptions } from './asked.js';

type Pick<Value, Selected> = (data: Value, options: ReadOptions<Value, Selected>) => Selected;

/** Makes what gives what `select` makes of data: all of it without; the same as before, where that is equal. */
export function makePick<Value, Selected>(): Pick<Value, Selected> {
  let last: { readonly data: Value; readonly select: unknown; readonly value: Selected } | undefined;
  return (data, { select, isEqual = Object.is }) => {
    // Without `select`, the data is what is selected.
    if (!select) return data as unknown as Selected;
    if (last?.data === data && last.select === select) return last.value;
    const next = select(data);
    const value = last && isEqual(last.value, next) ? last.value : next;
    last = { data, select, value };
    return value;
  };
}
