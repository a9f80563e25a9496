import type { Shown } from './Client.js';
import { isCreate, valueIn, type Ledger } from './Ledger.js';
import type { How } from './PageLog.js';
import type { Field, List } from './worlds.js';

/**
 * Compares a list with pages with an answer that nothing overlapped, while no write is open: what a list begun anew, or all its
 * pages read once more, have brought is the list; what one page has brought stands in it.
 */
export function judgeAnswered(ledger: Ledger, list: List, how: How, label: string | undefined, shown: Shown): void {
  const { name } = list;
  const origins = (shown.lists[name] ?? []).map(({ origin }) => origin);
  const parts = ledger.pages.partsOf(list, label);
  if (!parts.every(({ isAlone }) => isAlone)) return;
  const told = [...new Set(parts.flatMap(({ rows }) => rows))];
  const isWhole = how === 'begin' || how === 'refetch';
  // What was put there here, or moved there as an answer with the row has told, stays while there may be a page that brings it.
  const isOwn = (origin: string): boolean =>
    how === 'refetch' &&
    !told.includes(origin) &&
    (isPut(ledger, list, origin) || ledger.server.log(origin, name).some(({ value }) => value));
  const compared = isWhole ? origins.filter((origin) => !isOwn(origin)) : origins.filter((one) => told.includes(one));
  const isSame = isWhole ? compared.join() === told.join() : compared.length === told.length;
  if (!isSame)
    ledger.find('not as answered', `${name} is ${origins.join()} after ${how}: ${told.join()}`, { what: name });
}

/** Whether a write from here has put a row into a list. */
function isPut(ledger: Ledger, { filter }: List, origin: string): boolean {
  const fields = Object.keys(filter) as Field[];
  return ledger.opsOn(origin).some((op) => isCreate(op) || fields.some((field) => valueIn(op, field) !== undefined));
}
