import { own, setOwn, type Row } from '../../schema/Schema.js';
import type { Answer, Holder, Named, RowClock } from './journal.js';

/** The latest of the settled writes that named a field. */
export function namedIn({ named }: RowClock, field: string): Named | undefined {
  return named && own(named, field);
}

/** The answer that holds a field, of those that are remembered. */
export function holderOf({ fields, all }: RowClock, field: string): Holder | undefined {
  return (fields && own(fields, field)) ?? all;
}

/**
 * Whether an answer takes a field, of which it speaks, from the answer that holds it. The later start holds, with one
 * exception: a field that a write names is not taken back by an answer that overlapped the write and does not name it (a
 * quick read may well be served before a slow write), unless that answer came before the write's and has shown news.
 *
 * W1 and W2 name `a`, W2 settles, R starts and comes, W1 settles: W1 has lost `a` to W2 for good, so R holds it.
 */
export function takes(
  answer: Answer,
  isNamed: boolean,
  clock: RowClock,
  field: string,
  hasSeenNews: (hasChanged: boolean) => boolean,
): boolean {
  const holder = holderOf(clock, field);
  if (!holder || answer.seq > holder.settledSeq) return true;
  // It has waited, and something that was sent after it had come has landed meanwhile.
  if (holder.seq > answer.settledSeq) return false;
  if (!isNamed) return !holder.names && answer.seq > holder.seq;
  if ((namedIn(clock, field)?.seq ?? 0) > answer.seq) return false;
  return (
    holder.names === true ||
    holder.seq < answer.seq ||
    !hasSeenNews(((clock.changed && own(clock.changed, field)) ?? 0) > answer.seq)
  );
}

/** Whether an answer takes all fields of a row, as is known without looking at them: it was sent after the holder came, or is of the same kind and was sent later. */
export function takesAll({ kind, seq }: Answer, clock: RowClock | undefined): boolean {
  if (!clock) return true;
  const { all, fields, named } = clock;
  if (fields || named) return false;
  return !all || seq > all.settledSeq || (kind === all.kind && seq > all.seq);
}

/** Whether something later has said otherwise of a row that a read says is gone. */
export function isContradicted({ seq }: Answer, { all, fields = {} }: RowClock = {}): boolean {
  const isLater = (holder: Holder | undefined): boolean =>
    holder !== undefined && holder.settledSeq >= seq && (holder.kind === 'write' || holder.seq > seq);
  return [all, ...Object.values(fields)].some(isLater);
}

/** What an answer has said of a row: the fields that it took, whether these are all of the row, and what it named, taken or not. */
export interface Said {
  readonly taken: readonly string[];
  readonly isAll: boolean;
  readonly names: readonly string[];
  /** When the row was first told of. */
  readonly knownSeq: number | undefined;
}

/** The clock of a row after an answer has taken some fields, and named some, taken or not. */
export function clockAfter(
  clock: RowClock | undefined,
  answer: Answer & { readonly askedSeq: number },
  { taken, isAll, names, knownSeq }: Said,
): RowClock {
  const { kind, seq, settledSeq, askedSeq } = answer;
  const plain: Holder = { kind, seq, settledSeq };
  const naming: Holder = { ...plain, names: true };
  const at: Named = { seq, askedSeq };
  const fields: Record<string, Holder> = isAll ? {} : { ...clock?.fields };
  for (const field of taken) {
    if (names.includes(field)) setOwn(fields, field, naming);
    else if (!isAll) setOwn(fields, field, plain);
  }
  const named: Record<string, Named> = { ...clock?.named };
  for (const field of names) setOwn(named, field, laterOf(at, own(named, field)));
  const all = isAll ? plain : clock?.all;
  return {
    ...(all && { all }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(Object.keys(named).length > 0 && { named }),
    ...(clock?.changed && { changed: clock.changed }),
    ...(knownSeq !== undefined && { knownSeq }),
    ...(clock?.goneSeq !== undefined && { goneSeq: clock.goneSeq }),
  };
}

/** The greatest positions of both. */
function laterOf(one: Named, other: Named | undefined): Named {
  if (!other) return one;
  return { seq: Math.max(one.seq, other.seq), askedSeq: Math.max(one.askedSeq, other.askedSeq) };
}

/** Whether a row has no other fields than another one. */
export function hasNoOthers(row: Row, than: Row): boolean {
  for (const field in row) if (!Object.hasOwn(than, field)) return false;
  return true;
}
