import { none, own, setOwn, type Row } from '../../schema/Schema.js';
import { withoutGaps } from '../../schema/withoutGaps.js';
import { hasAny } from '../../tables/same.js';
import type { Cell, RowRecord } from './journal.js';
import type { Holder } from './takes.js';

/** Nobody holds a row of which nothing is remembered. */
export const noRecord: RowRecord = { came: 0 };

/** What an event has taken of a row. */
interface Taking {
  readonly taken: Row;
  /** The fields that it names, taken or not. */
  readonly names: readonly string[];
  /** Who holds the rest of the row from now on. */
  readonly all: Holder | undefined;
  /** The event, as it holds what it does not name. */
  readonly holder: Holder;
  /** The event, as it holds what it names. */
  readonly naming: Holder;
  readonly known: number | undefined;
}

/** The event that holds a field. */
export function holderIn({ fields, all }: RowRecord, field: string): Holder | undefined {
  return own(fields, field)?.by ?? all;
}

/** When the last of the writes was sent that have named a field. */
export function sentByNamer({ fields }: RowRecord, field: string): number {
  return own(fields, field)?.named?.sent ?? 0;
}

/** Whether a write has named a field that was made after something: no guess made before it shows anything over it. */
export function isNamedAfter({ fields }: RowRecord, field: string, seq: number): boolean {
  return (own(fields, field)?.named?.asked ?? 0) > seq;
}

/** Who holds a row after an event has taken some of it. */
export function recordAfter(record: RowRecord, taking: Taking): RowRecord {
  const { taken, names, all, holder, known } = taking;
  const fields: Record<string, Cell> = {};
  const changed = all === holder ? none : Object.keys(taken);
  for (const field of new Set([...Object.keys(record.fields ?? {}), ...changed, ...names])) {
    const cell = cellAfter(record, taking, field);
    if (cell) setOwn(fields, field, cell);
  }
  const came = Math.max(holder.came, record.came);
  return withoutGaps({ all, fields: hasAny(fields) ? fields : undefined, known, gone: record.gone, came });
}

/** Who holds a field, where that is another than holds the rest, and which write has named it last. */
function cellAfter(record: RowRecord, taking: Taking, field: string): Cell | undefined {
  const { by: heldBy, named: lastNamed } = own(record.fields, field) ?? {};
  const isNamed = taking.names.includes(field);
  const by = Object.hasOwn(taking.taken, field) ? takerOf(holderIn(record, field), taking, isNamed) : heldBy;
  const isLast = isNamed && !(lastNamed && lastNamed.sent > taking.naming.sent);
  const named = isLast ? taking.naming : lastNamed;
  return named || by !== taking.all ? withoutGaps({ by, named }) : undefined;
}

/** The holder of a field that an event has taken; what is computed of what a later event has told is as late as that. */
function takerOf(was: Holder | undefined, { holder, naming }: Taking, isNamed: boolean): Holder {
  if (!isNamed) return holder;
  return was && was.sent > naming.sent && naming.sent < holder.sent ? was : naming;
}
