import { none } from '../../schema/Schema.js';
import type { NormalizeOptions, Normalized } from '../../tables/NormalizeOptions.js';
import type * as Actions from '../actions.js';
import type { AnyEndpoint } from '../endpoint.js';

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
