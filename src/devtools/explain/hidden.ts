import { own } from '../../schema/Schema.js';
import type { Case } from './Case.js';
import type { Reason } from './question.js';
import { quoted, reason } from './sentences.js';

/** What keeps a row from being shown that is in the store. */
export function hidden(the: Case, { table, pk }: { readonly table: string; readonly pk: string }): readonly Reason[] {
  const row = the.row(the.shown, table, pk);
  const field = row && the.lackOf(table, row);
  if (row === undefined || field === undefined) return [];
  const ref = quoted(the.redact(own(row, field), `${table}/${pk}/${field}`));
  const text = `Not shown, in no list either: its field "${field}" is required, and what it refers to (${ref}) is not in the store.`;
  return [reason('partial', text)];
}
