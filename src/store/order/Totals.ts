import type { ListsSchema } from '../../schema/ListsSchema.js';
import { none, own, type Row } from '../../schema/Schema.js';
import { isTotal, listsOfTotal, movesIn, totalTable, type Moved, type TotalRow } from '../../schema/Total.js';
import type { Normalized } from '../../tables/NormalizeOptions.js';
import type { Place, Places } from '../../tables/Places.js';
import type { ListChange } from '../../tables/members.js';
import { sameValue } from '../../tables/same.js';
import { listFrom } from '../../tables/tables.js';
import type { FindRow } from '../../tables/wireRow.js';
import type { Beside } from './beside.js';
import { countingCreated, countingOf, listsByTotal, moveBy, summed, type Counting } from './counting.js';
import { overlapped, type Event } from './event.js';
import type { Lists } from './lists.js';
import type { Rows } from './rows.js';

/** What becomes of totals when events land: what each has counted is a matter of when it was asked for. */
export class Totals {
  readonly #beside: Beside;
  readonly #rows: Rows;
  /** Lists that are to be asked for once more. */
  readonly #outdated: Places;
  readonly #findAfter: FindRow;
  readonly #lists: Lists;
  /** Lists whose totals are told for the first time. */
  readonly #first: ListChange[] = [];

  /** `findAfter` finds rows as they are after the event. */
  constructor(beside: Beside, rows: Rows, lists: Lists, outdated: Places, findAfter: FindRow) {
    this.#beside = beside;
    this.#rows = rows;
    this.#lists = lists;
    this.#outdated = outdated;
    this.#findAfter = findAfter;
  }

  /** Lets the totals of an answer land, and gives what else there is in it. */
  land<Told extends Pick<Normalized, 'changes'>>(event: Event, normalized: Told): Told {
    const { rows, lists } = normalized.changes;
    const totals = rows.filter(({ table }) => isTotal(table));
    if (totals.length === 0) return normalized;
    for (const { table, pks, rows: told } of totals)
      pks.forEach((pk, i) => {
        if (!this.#beside.isAlone && !this.#totalOf({ table, pk }))
          this.#first.push(...lists.filter((list) => list.table === listsOfTotal(table)));
        this.#tell(event, { table, pk }, Number(told[i]?.['count']));
      });
    return { ...normalized, changes: { rows: rows.filter(({ table }) => !isTotal(table)), lists } };
  }

  /** Counts a row that is edited or deleted. */
  count(event: Event, { table, pk }: Place, before: Row | undefined, after: Row | undefined): void {
    const { followed, tables } = this.#beside;
    if (!before || !followed.counts(table)) return;
    for (const counting of countingOf(followed, tables, { table, pk, before, after }, this.#findAfter)) {
      if (this.#isDoubtful(event, counting)) this.#outdate(counting.total);
      // Of an edit that moves it nowhere, the next total tells.
      if (event.kind === 'write' && !(counting.isOpen && after)) this.#move(event, counting);
    }
  }

  /** When a row has moved of which a read tells, nobody knows: the total may have counted it. */
  #isDoubtful({ kind, sent }: Event, { total, name, isOpen, isUnseen = false }: Counting): boolean {
    const kept = this.#totalOf(total);
    if (!kept || kept.at >= sent) return false;
    return kind === 'write' ? isUnseen && !own(kept, name) : !isOpen;
  }

  /** Whether the total of a list is known. */
  isTold(lists: ListsSchema, list: string): boolean {
    return this.#totalOf({ table: totalTable(lists.table), pk: lists.totalOf(list) }) !== undefined;
  }

  /** Counts what was created, when all else of an answer has landed. */
  create(event: Event, created: Normalized['created']): void {
    // A number that is told for the first time has not counted who has joined its list, or left it, since that was asked for.
    const isAsTold = ({ table, pk, list }: ListChange): boolean =>
      this.#rows.gone <= event.sent &&
      !this.#lists.record(table, pk)?.members.some(({ isIn, by }) => !isIn && by.came > event.sent) &&
      sameValue(this.#lists.list(table, pk), list);
    this.#rows.doubts.add(this.#first.splice(0).filter((change) => change.operation === 'set' && !isAsTold(change)));
    for (const counting of countingCreated(created)) this.#move(event, counting, true);
  }

  /** A number that an answer tells: it has counted what was sent before its request was, and nothing else. */
  #tell(event: Event, total: Place, count: number): void {
    const { sent: at, came: until } = event;
    const kept = this.#totalOf(total);
    if (kept && kept.at > at) return;
    const moves = kept ? movesIn(kept) : none;
    // A read alone that brings the same leaves it untouched.
    if (kept?.count === count && moves.length === 0 && this.#beside.isLast && event.kind === 'read') return;
    const left = moves.filter(([, [, , sent]]) => sent > at);
    this.#rows.writeWhole(total, { ...Object.fromEntries(left), count, at, until });
    if (moves.some(([, [, , sent, came]]) => overlapped(event, { sent, came }))) this.#outdate(total);
  }

  /** A row joins a total by a write, or leaves it; `isCreated`: it is created by that. */
  #move(event: Event, counting: Counting, isCreated = false): void {
    const { total, name, is } = counting;
    const kept = this.#totalOf(total);
    // What the answer itself tells has counted what it tells of.
    if (!kept || kept.at === event.sent) return;
    const known = own(kept, name) as Moved | undefined;
    // The total has counted it, or more has been said of what was created. An edit counts for what is held after it, whatever was said since it was sent.
    if (event.sent > kept.at && !(isCreated && known && known[2] > event.sent)) {
      const row = { ...kept, [name]: moveBy(counting, kept, event) };
      this.#rows.writeWhole(total, summed(row, Math.min(event.sent, this.#beside.oldest)));
    }
    if (overlapped(event, { sent: kept.at, came: kept.until })) this.#outdate(total);
    // There is no list beside it where an answer has null for that.
    if (is && !this.#isBesideList(total)) this.#outdated.add([total]);
  }

  #totalOf({ table, pk }: Place): TotalRow | undefined {
    // A table of this name holds totals.
    return this.#rows.row(table, pk) as TotalRow | undefined;
  }

  /** Whether a list is there beside a total: mostly one of the same name. To look through all for each create costs as much as there are lists. */
  #isBesideList(total: Place): boolean {
    const isNamed = listFrom(this.#beside.tables, listsOfTotal(total.table), total.pk) !== undefined;
    return isNamed || this.#listsBeside(total).length > 0;
  }

  /** A total is to be asked for once more, with the lists beside it. */
  #outdate(total: Place): void {
    this.#outdated.add(this.#listsBeside(total));
  }

  /** The lists, and parts of lists, that a total counts. */
  #listsBeside({ table, pk }: Place): readonly Place[] {
    const lists = listsOfTotal(table);
    const collection = this.#beside.followed.all().find((one) => one.table === lists);
    const beside = collection && listsByTotal(this.#beside, collection).get(pk);
    return (beside ?? none).map((list) => ({ table: lists, pk: list }));
  }
}
