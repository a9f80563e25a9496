/** When something started, and when it settled, in positions among all requests of the store. */
export interface Span {
  readonly seq: number;
  readonly settledSeq: number;
}

/** Some rows of one table. */
export interface Rows {
  readonly table: string;
  readonly pks: readonly string[];
  /** They lie inside others, so that the body of a write named none of their fields. */
  readonly isNested?: true;
}

/** One settled request or write. */
export interface JournalEntry extends Span {
  readonly kind: 'read' | 'write';
  /** The rows it answered, changed or not. */
  readonly rows: readonly Rows[];
  readonly removed: readonly Rows[];
  /** Position at which it was asked for, where it was sent later. */
  readonly askedSeq?: number;
  /** The fields that its body named; absent where it speaks for all. */
  readonly fields?: readonly string[];
}

/** What of an answer's row is taken: all (undefined), nothing, or some fields. */
export type Admission = 'none' | ((field: string) => boolean) | undefined;

/** A request that settles, as far as the order matters. */
export interface Settling extends Span {
  readonly kind: 'read' | 'write';
  /** Position at which it was asked for, where it was sent later. */
  readonly askedSeq?: number;
  /** The fields that its body names; absent where it speaks for all. */
  readonly fields?: readonly string[] | undefined;
}

/** Tells what of an answer's rows still counts, after what has settled while it was under way. */
export function admissionOf(
  entries: readonly JournalEntry[],
  settling: Settling,
): ((table: string, pk: string, isOutermost: boolean) => Admission) | undefined {
  const overlapping = entries.filter(({ settledSeq }) => settledSeq >= settling.seq);
  if (overlapping.length === 0) return undefined;
  return (table, pk, isOutermost) => {
    let admits: ((field: string) => boolean) | undefined;
    for (const entry of overlapping) {
      if (has(entry.removed, table, pk)) return 'none';
      if (!has(entry.rows, table, pk)) continue;
      const next =
        settling.kind === 'read'
          ? afterRead(entry, settling)
          : afterWrite(entry, settling, isOutermost, namedBy(entry, table, pk));
      if (next === 'none') return 'none';
      if (next) admits = admits ? both(admits, next) : next;
    }
    return admits;
  };
}

/** A read gives way to every write that settled after it started, and to every later read. */
function afterRead({ kind, seq }: JournalEntry, settling: Settling): Admission {
  return kind === 'write' || seq > settling.seq ? 'none' : undefined;
}

/** Of two overlapping writes, each decides the fields that it alone names, and the later start decides the rest. */
function afterWrite(
  entry: JournalEntry,
  settling: Settling,
  isOutermost: boolean,
  theirs: readonly string[] | undefined,
): Admission {
  if (entry.kind === 'read') return undefined;
  const mine = isOutermost ? settling.fields : [];
  const named = (fields: readonly string[] | undefined, field: string): boolean => !fields || fields.includes(field);
  if (entry.seq > settling.seq) return (field) => named(mine, field) && !named(theirs, field);
  return (field) => named(mine, field) || !theirs?.includes(field);
}

/** The fields of a row that the body of a write named; undefined for all. */
export function namedBy({ rows, fields }: JournalEntry, table: string, pk: string): readonly string[] | undefined {
  const outermost = rows.filter(({ isNested }) => !isNested);
  return has(outermost, table, pk) ? fields : [];
}

function both(one: (field: string) => boolean, other: (field: string) => boolean): (field: string) => boolean {
  return (field) => one(field) && other(field);
}

const sets = new WeakMap<Rows, ReadonlySet<string>>();

/** So few are looked through as they are: a Set of one costs more than it saves. */
const FEW = 8;

/** Whether a row is among these. */
export function has(all: readonly Rows[], table: string, pk: string): boolean {
  return all.some((rows) => {
    if (rows.table !== table) return false;
    if (rows.pks.length < FEW) return rows.pks.includes(pk);
    let pks = sets.get(rows);
    if (!pks) sets.set(rows, (pks = new Set(rows.pks)));
    return pks.has(pk);
  });
}
