/** Whose writes these are. */
import type { KeeperParts } from '../store/running/keeping.js';
import { guarded, type OutboxOptions } from './options.js';

/** Whose entries are that have no owner. */
export const NOBODY = '';

/** Who is there now; undefined where nobody is. */
export function askOwner(desk: { readonly options: OutboxOptions; readonly parts: KeeperParts }): string | undefined {
  const { owner } = desk.options;
  const { getState } = desk.parts.store.api;
  // Where it throws, as before a login, nobody is there.
  return owner ? guarded('owner', () => owner(getState() as never)) || undefined : NOBODY;
}
