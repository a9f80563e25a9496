import { none, type Definition } from '../../schema/Schema.js';
import { refsIn } from '../../tables/members.js';
import type { NormalizeOptions, Normalized } from '../../tables/NormalizeOptions.js';
import { Places, type Place } from '../../tables/Places.js';
import { partsOf } from '../../tables/Reach.js';
import type * as Actions from '../actions.js';
import type { AnyEndpoint } from '../endpoint.js';
import { rowsOf } from '../order/lists.js';

/** A write without a request. */
export interface Write {
  readonly payload: unknown;
  /** The fields that it names, of each row. */
  readonly fields: (table: string, pk: string, isOutermost: boolean) => readonly string[];
  readonly normalize: (options: NormalizeOptions) => Normalized;
  /** The request whose answer it sets. */
  readonly about?: { readonly endpoint: AnyEndpoint; readonly key: string; readonly args: readonly unknown[] };
}

/** What an action writes, and what of it the middleware alone has to know. */
export interface Written extends Actions.Written {
  /** Those of the requests that become stale of which also answers on their way are too old. */
  readonly outdated: readonly string[];
}

/** The same, while it is put together. */
export type Writing = { -readonly [Name in keyof Written]: Written[Name] };

/** With requests that are stale from now on, and whose answers on their way are too old. */
export function withOutdated(written: Written, names: readonly string[]): Written {
  if (names.length === 0) return written;
  return { ...withExpired(written, names), outdated: [...names, ...written.outdated] };
}

/** With requests that are stale from now on. */
export function withExpired(written: Written, names: readonly string[]): Written {
  return names.length === 0 ? written : { ...written, expires: [...names, ...(written.expires ?? none)] };
}

/** What an answer is made of itself, with the items of its lists, and without what is inside of them. */
export function rowsTold(
  definition: Definition,
  { result, changes: { lists } }: Pick<Written, 'result' | 'changes'>,
): readonly Place[] {
  const told = new Places();
  told.add(partsOf(definition, result));
  for (const { table, pk, list } of lists)
    if (told.has(table, pk))
      for (const ref of refsIn(list)) for (const item of rowsOf(table, ref)) told.set(...item, true);
  return told.all();
}
