import { pick, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { isTemporary } from '../../schema/temporary.js';
import type { AnyEndpoint } from '../../store/endpoint.js';
import { rowFrom } from '../../tables/tables.js';
import type { Case } from '../explain/Case.js';
import { redactDeep, redactRow } from '../record/redact.js';

/** A row in wire form, with its relations as rows; undefined where it is not shown, and where no server has it yet. */
export function rowInFull(the: Case, table: string, pk: string): Row | undefined {
  return told(the, table, pk, () =>
    the.wireRow(table, pk, the.shown, (other, otherPk) => relationInFull(the, other, otherPk)),
  );
}

/** A related row without relations; its pk, where the store has only that. */
function relationInFull(the: Case, table: string, pk: string): unknown {
  const isRelation = (field: string): boolean => the.nestedIn(table, field) !== undefined;
  const isThere = [the.shown, the.slice.tables].some((tables) => rowFrom(tables, table, pk));
  const row = told(the, table, pk, (all) => pick(all, (field) => !isRelation(field)));
  return row ?? (isThere || isTemporary(pk) ? undefined : pk);
}

/** An answer in wire form, with its rows in full. */
export function answerInFull(the: Case, { name, schema }: AnyEndpoint, result: unknown): unknown {
  const wire = the.wire(schemaOf(schema), result, (table, pk) => rowInFull(the, table, pk));
  return redactDeep(wire, `${name}/answer`, the.redact);
}

/** What is made of a row that is shown, as it is told; what is being created, no server has yet. */
function told(the: Case, table: string, pk: string, make: (row: Row) => Row | undefined): Row | undefined {
  const row = !isTemporary(pk) && the.isShown(table, pk) ? rowFrom(the.shown, table, pk) : undefined;
  const made = row && make(row);
  return made && (redactRow(made, `${table}/${pk}`, the.redact) ?? undefined);
}
