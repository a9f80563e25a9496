/**
 * Where a version of a table may differ from the one it was made of, so that whoever has read that one looks at these
 * places alone: to compare the 256 rows of a page takes 4 µs when they have not been touched for a while. Kept outside of
 * the state, and by numbers, so that no version keeps another one alive.
 */
interface Version {
  readonly number: number;
  /** The version it was made of; undefined where nobody knows. */
  readonly from: number | undefined;
  readonly slots: readonly number[];
}

const versions = new WeakMap<object, Version>();
let count = 0;

/** More places than these are found by comparing pages; whoever notes them may stop at one more. */
export const MOST = 32;

const none: readonly number[] = [];

/** Notes the places that were written to make one version of another. */
export function noteChange(before: object, after: object, slots: readonly number[]): void {
  if (slots.length > MOST) return;
  let from = versions.get(before);
  if (!from) versions.set(before, (from = { number: ++count, from: undefined, slots: none }));
  versions.set(after, { number: ++count, from: from.number, slots });
}

/** The places in which one version may differ from another; undefined where nobody knows. */
export function changedSlots(before: object, after: object): readonly number[] | undefined {
  if (before === after) return none;
  const version = versions.get(after);
  const from = version?.from;
  return from !== undefined && from === versions.get(before)?.number ? version?.slots : undefined;
}
