import type { ListsSchema } from '../../schema/ListsSchema.js';
import { none, type Row } from '../../schema/Schema.js';
import { isTotal, listsOfTotal, totalTable, type TotalRow } from '../../schema/Total.js';
import type { Normalized } from '../../tables/NormalizeOptions.js';
import { Places, type Place } from '../../tables/Places.js';
import type { ListChange } from '../../tables/members.js';
import { sameValue } from '../../tables/same.js';
import { listFrom, rowFrom } from '../../tables/tables.js';
import type { FindRow } from '../../tables/wireRow.js';
import type { Beside } from './beside.js';
import {
  counted,
  countedAs,
  countingCreated,
  countingOf,
  hasRow,
  listsByTotal,
  recount,
  summed,
  type Counting,
} from './counting.js';
import type { Event } from './event.js';
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
  /** Those that an event has counted anew. */
  readonly #recounted = new Places();

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
        const kept = this.#totalOf({ table, pk });
        if (!kept && !this.#beside.isAlone)
          this.#first.push(...lists.filter((list) => list.table === listsOfTotal(table)));
        this.#write(event, { table, pk }, recount(kept, Number(told[i]?.['count']), event, this.#beside.isLast));
      });
    return { ...normalized, changes: { rows: rows.filter(({ table }) => !isTotal(table)), lists } };
  }

  /** Counts a row that is edited or deleted. */
  count(event: Event, { table, pk }: Place, before: Row | undefined, after: Row | undefined): void {
    const { followed, tables, isLast } = this.#beside;
    if (!before || !followed.counts(table)) return;
    // What has moved before may have been summed up already, and what waited lands after that.
    const findTotal: FindRow = (...total) => this.#rows.row(...total);
    const all = countingOf(followed, tables, { table, pk, before, after }, this.#findAfter, findTotal);
    // Of an edit that moves it nowhere, the next total tells, and of a deletion that nothing overlaps.
    const countings = all.filter(({ isOpen }) => !isOpen || (!after && !isLast));
    const isWrite = event.kind === 'write';
    // When a row has moved of which a read tells, nobody knows: the total may have counted it.
    for (const { total, isOpen, isUnseen } of all)
      if ((isWrite ? isUnseen : !isOpen) && (this.#totalOf(total)?.at ?? Infinity) < event.sent) this.#outdate(total);
    if (isWrite) this.#countAll(event, countings, after === undefined);
  }

  /** Whether the total of a list is known. */
  isTold(lists: ListsSchema, list: string): boolean {
    return this.#totalOf({ table: totalTable(lists.table), pk: lists.totalOf(list) }) !== undefined;
  }

  /** Counts what was created, when all else of an answer has landed; what has moved before is summed up then. */
  create(event: Event, created: Normalized['created']): void {
    // A number that is told for the first time has not counted who has joined its list, or left it, since that was asked for.
    const isAsTold = ({ table, pk, list }: ListChange): boolean =>
      this.#rows.gone <= event.sent &&
      !this.#lists.record(table, pk)?.members.some(({ isIn, by }) => !isIn && by.came > event.sent) &&
      sameValue(this.#lists.list(table, pk), list);
    this.#rows.doubts.add(this.#first.splice(0).filter((change) => change.operation === 'set' && !isAsTold(change)));
    const countings = countingCreated(created);
    this.#countAll(
      event,
      countings.map((counting) => ({ ...counting, was: this.#isListed(counting) })),
    );
    for (const total of this.#beside.isLast ? this.#recounted.all() : none) {
      const row = this.#totalOf(total);
      if (row) this.#rows.writeWhole(total, summed(row, event));
    }
  }

  /** Whether a row that is said to be created stands in a list beside a total already: the number was told with it. */
  #isListed({ total, name }: Counting): boolean {
    const { tables } = this.#beside;
    const place = countedAs(name);
    if (!rowFrom(tables, place.table, place.pk)) return false;
    return this.#listsBeside(total).some((list) => hasRow(listFrom(tables, list.table, list.pk), place));
  }

  #countAll(event: Event, countings: readonly Counting[], isGone = false): void {
    for (const counting of countings) {
      const kept = this.#totalOf(counting.total);
      // What the answer itself tells has counted what it tells of.
      if (!kept || kept.at === event.sent) continue;
      this.#write(event, counting.total, counted(kept, counting, event, isGone));
      // There is no list beside it where an answer has null for that.
      if (counting.is && !this.#isBesideList(counting.total)) this.#outdated.add([counting.total]);
    }
  }

  #totalOf({ table, pk }: Place): TotalRow | undefined {
    // A table of this name holds totals.
    return this.#rows.row(table, pk) as TotalRow | undefined;
  }

  #write(event: Event, total: Place, next: ReturnType<typeof recount>): void {
    if (!next) return;
    this.#rows.writeWhole(total, next.row);
    this.#recounted.add([total]);
    if (next.isDoubtful) this.#outdate(total);
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
