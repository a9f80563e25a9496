import { none, isUnionRef, type List, type Ref } from '../../schema/Schema.js';
import { withoutGaps } from '../../schema/withoutGaps.js';
import { isTemporary, originOf } from '../../schema/temporary.js';
import { tablesOfLists } from '../../schema/listKey.js';
import {
  type ListChange,
  among,
  applyToList,
  hasMember,
  identity,
  isDone,
  onlyThose,
  refsIn,
} from '../../tables/members.js';
import { Places, type Place } from '../../tables/Places.js';
import { listFrom } from '../../tables/tables.js';
import type { Beside } from './beside.js';
import { overlapped, type Event, type Incoming } from './event.js';
import { inPlaceOfRows, listRecordOf, type ListRecord, type Member } from './journal.js';
import type { Rows } from './rows.js';
import { besideOf, comingBy, withMembers, withPlace, type Incomer } from './standing.js';
import { holderOf, isByHand, noNews, takes, type Holder } from './takes.js';

const noRecord: ListRecord = { members: none, came: 0 };

/** Whether a row comes with an answer. */
type Comes = ReturnType<typeof among>;

/** How rows are put into a list, or taken out. */
interface How {
  /** The event names their membership; writes do, unless this says no. */
  readonly names?: boolean;
  /** Nothing is held against it. */
  readonly isForced?: boolean;
  /** Their class has told that they are newer. */
  readonly isOrdered?: boolean;
  /** A write has created them. */
  readonly isMade?: boolean;
}

/** Who holds the membership of a row, and what is remembered of its list. */
interface Held {
  readonly record: ListRecord;
  readonly holder: Holder | undefined;
}

/** What becomes of lists when events land: for each row, whether the event takes its membership from the holder. */
export class Lists {
  readonly changes: ListChange[] = [];
  readonly #beside: Beside;
  readonly #rows: Rows;
  /** What the changes make of lists, as far as somebody has asked. */
  readonly #lists = new Places<{ list: List | undefined; readonly changes: ListChange[] }>();
  readonly #records = new Places<ListRecord>();

  constructor(beside: Beside, rows: Rows) {
    this.#beside = beside;
    this.#rows = rows;
  }

  record(table: string, pk: string): ListRecord | undefined {
    return this.#records.get(table, pk) ?? listRecordOf(this.#beside.journal, table, pk);
  }

  /** A list as it is confirmed by now. */
  list(table: string, pk: string): List | undefined {
    const known = this.#lists.get(table, pk);
    if (!known) return listFrom(this.#beside.tables, table, pk);
    for (const change of known.changes.splice(0)) known.list = applyToList(known.list, change);
    return known.list;
  }

  /** Whether a list has a row. */
  readonly has = ({ table, pk }: Place, ref: Ref): boolean => hasMember(this.list(table, pk), ref);

  land(event: Incoming, change: ListChange): void {
    const { operation } = change;
    if (operation === 'set') this.#landWhole(event, change);
    else if (operation === 'append') this.#landWhole(event, this.#asPage(event, change));
    else if (operation === 'merge' || (operation === 'assign' && this.#begins(event, change)))
      this.#landMerged(event, change);
    else {
      const isMade = isCreate(change);
      // What is created under the id of a row whose deletion overlapped is taken for what was deleted.
      if (isMade && this.withoutGone(event, change) !== change.list) this.#rows.doubts.add([change]);
      this.put(event, change, this.#incomersOf(event, change), { isMade });
    }
  }

  /** A list that is known by another name from now on: it begins with what it had. */
  follow(place: Place, list: List): void {
    if (this.list(place.table, place.pk) === undefined) this.#write({ ...place, operation: 'set', list });
  }

  #incomersOf(event: Event, change: ListChange): readonly Incomer[] {
    const { operation, list } = change;
    if (operation === 'assign')
      return Object.entries(list).map(([name, ref]) => ({ ref: ref as Ref, isIn: true, name }));
    const isIn = operation !== 'remove';
    const isFirst = operation === 'unshift' && { isFirst: true as const };
    const refs = refsIn(isIn ? this.withoutGone(event, change) : list) as readonly Ref[];
    return refs.map((ref) => ({ ref, isIn, ...isFirst }));
  }

  /** A page that nobody has placed: it stands at the end. */
  #asPage(event: Incoming, change: ListChange): ListChange {
    const refs = (refsIn(change.list) as readonly Ref[]).filter((ref) => this.admits(event, change, ref));
    const list = applyToList(this.list(change.table, change.pk), { operation: 'append', list: refs }) ?? refs;
    const { members } = this.record(change.table, change.pk) ?? noRecord;
    const isLoose = among(members.filter(({ since }) => since !== undefined).map(({ ref }) => ref));
    const comes = among(refs);
    const told = refsIn(list).filter((ref) => comes(ref) || !isLoose(ref)) as readonly Ref[];
    return { told, isPage: true, ...change, operation: 'set', list };
  }

  /** The whole list, or all of it as far as its pages are known; rows that another event holds in it, or out of it, stay there. */
  #landWhole(event: Incoming, change: ListChange): void {
    const { table, pk, isPage } = change;
    const record = this.record(table, pk) ?? noRecord;
    const now = this.list(table, pk);
    const names = namesList(event, change);
    if (now !== undefined && !isPage && !takes(event, names, record.by, noNews)) return;
    const comes = among(change.told ?? refsIn(change.list));
    const { by, isOpen, isOver } = isPage
      ? { ...record, isOver: overByPage(event, now, comes) }
      : { by: holderOf(event, names), isOpen: change.isOpen, isOver: overByAll(event, names, change) };
    const members = record.members
      .filter((member) => !this.#isDeleted(table, member) && !isOver(member))
      .map((member) => withPlace(member, comes(member.ref)));
    const first = now === undefined ? event.came : record.first;
    const next = { ...withoutGaps({ by, isOpen, first }), members, came: record.came };
    this.#remember(change, event, next);
    // Who adds a page has left out what is out.
    const added = isPage && now !== undefined ? none : members;
    this.#write({ table, pk, operation: 'set', list: withMembers(this.withoutGone(event, change), next, added) });
  }

  /** A deletion ends whatever says that a row is in a list, and was sent before. */
  #isDeleted(
    table: string,
    { ref, by }: { readonly ref: Ref | null | undefined; readonly by: Pick<Event, 'sent'> },
  ): boolean {
    return rowsOf(table, ref).some(([name, row]) => this.#rows.isGone(name, row, by.sent));
  }

  /** A list as a rule of the user's own has made it of what is there and what came: each row that comes in by it, or goes, is said to do so. */
  #landMerged(event: Incoming, change: ListChange): void {
    const now = this.list(change.table, change.pk);
    const [wasIn, isIn] = [among(refsIn(now ?? none)), among(refsIn(change.list))];
    const start = refsIn(change.list).findIndex(wasIn);
    const isNamed = !Array.isArray(change.list);
    const come = Object.entries(change.list).flatMap(([name, ref]: readonly [string, unknown], at) =>
      wasIn(ref as Ref) ? [] : [{ ref, isIn: true, ...(isNamed ? { name } : at < start && { isFirst: true }) }],
    );
    const go = refsIn(now ?? none).filter((ref) => !isIn(ref));
    const all = [...come, ...go.map((ref) => ({ ref, isIn: false }))];
    this.#hold(event, change, all as readonly Incomer[], { isForced: change.operation === 'merge' });
    if (now !== undefined) this.#write({ ...change, operation: 'set', list: this.withoutGone(event, change) });
    else if (this.#begins(event, change)) {
      const list = onlyThose(change.list, (ref) => this.admits(event, change, ref as Ref));
      this.#landWhole(event, { ...change, operation: 'set', isPage: true, list });
    }
  }

  /** Whether what comes makes a list: a page does that is the first of it; what is created makes none that is on its way. */
  #begins({ kind }: Event, { table, pk }: Place): boolean {
    const isOnItsWay = this.#beside.expected.some((list) => list.table === table && list.pk === pk);
    return this.list(table, pk) === undefined && (kind === 'read' || !isOnItsWay);
  }

  /** Whether a page may put a row into a list: nothing that the page does not take holds it out. */
  admits(event: Event, place: Place, ref: Ref): boolean {
    const member = this.#memberOf(place, ref);
    return !member || member.isIn || takes(event, false, member.by, noNews);
  }

  /** Whether a row was put in front of all others, and no answer has told its place yet. */
  isFirst(place: Place, ref: Ref): boolean | undefined {
    const { isFirst, since } = this.#memberOf(place, ref) ?? {};
    return isFirst && since !== undefined;
  }

  #memberOf({ table, pk }: Place, ref: Ref): Member | undefined {
    return this.record(table, pk)?.members.find((one) => identity(one.ref) === identity(ref));
  }

  /** Puts rows into a list or takes them out, as far as the event takes their membership. */
  put(event: Incoming, { table, pk }: Place, incomers: readonly Incomer[], how: How = {}): void {
    const place = { table, pk };
    const taken = this.#beside.isAlone ? incomers : this.#hold(event, place, incomers, how);
    const [first] = taken;
    if (!first || this.list(table, pk) === undefined) return;
    const beside = besideOf(this.record(table, pk), event.asked, first.isFirst);
    const isPlaced = first.isIn && first.name === undefined && beside !== undefined;
    this.#write({ table, pk, ...comingBy(taken), ...(isPlaced && { beside }) });
  }

  /** Remembers who is in and who is out by an event; gives those whose membership it takes. */
  #hold(event: Incoming, place: Place, incomers: readonly Incomer[], how: How): readonly Incomer[] {
    const { names = event.kind === 'write' } = how;
    const record = this.record(place.table, place.pk) ?? noRecord;
    const members = new Map(record.members.map((member) => [identity(member.ref), member]));
    const by = holderOf(event, names);
    const taken = incomers.filter((incomer) => {
      const { ref, isIn } = incomer;
      const known = members.get(identity(ref));
      // The operation of a write says more than what follows from its row.
      if (known?.by.sent === event.sent && known.isIn === isIn && known.by.names) return false;
      const holder = known?.by ?? record.by;
      if (!this.#takes(event, place, incomer, { ...how, names, record, holder })) return false;
      // Who is in already stays where it stands, whoever says so again.
      const standing = isIn && known?.isIn ? known : { ...incomer, since: this.#cameIn(event, place, incomer) };
      const { since, isFirst } = standing;
      // Who comes stands behind all who are remembered.
      members.delete(identity(ref));
      members.set(identity(ref), withoutGaps({ ...incomer, isFirst, by, since }));
      return true;
    });
    if (taken.length > 0) this.#remember(place, event, { ...record, members: [...members.values()] });
    return taken;
  }

  /** Whether an event takes the membership of a row; what is kept out by news alone, and what comes in by its version alone, is in doubt. */
  #takes(
    event: Incoming,
    place: Place,
    incomer: Incomer,
    { names = false, isForced = false, isOrdered = false, isMade, record, holder }: How & Held,
  ): boolean {
    const { ref, isIn } = incomer;
    const hasShownNews = (): boolean =>
      isIn && (isMade ? this.#hasLeft(place, ref, event, record) : this.#isNews(event, place, ref));
    if (takes(event, names, holder, hasShownNews)) return true;
    if (
      this.#isDoubtful(event, place, incomer, { isOrdered, holder }) ||
      (!isForced && !isMade && takes(event, names, holder, noNews))
    )
      this.#rows.doubts.add([place]);
    return isForced || isOrdered || this.#isOut(event, place, incomer);
  }

  /** Whether a row that comes in by its version alone, or beside a message that lacks it and overlapped it, is in doubt: nobody knows which of the two the server has done last. */
  #isDoubtful(
    event: Event,
    place: Place,
    { ref, isIn }: Incomer,
    { isOrdered, holder }: Pick<How & Held, 'isOrdered' | 'holder'>,
  ): boolean {
    if (!isIn || isOrdered || !holder) return isIn && isOrdered === true;
    return isByHand(holder) && overlapped(event, holder) && !this.has(place, ref);
  }

  /** When the request was made by which a row comes in, where no answer has told its place; what nobody had told of before has none. */
  #cameIn({ asked }: Event, place: Place, { ref, isIn }: Incomer): number | undefined {
    const isFresh = rowsOf(place.table, ref).some(([table, pk]) => this.#rows.fresh.has(table, pk));
    return isIn && (isFresh || !this.has(place, ref)) ? asked : undefined;
  }

  /** Whether a row is to go because it is deleted, and is not there again. */
  #isOut(by: Event, { table }: Place, { ref, isIn }: Incomer): boolean {
    const isThere = rowsOf(table, ref).some(([name, pk]) => this.#rows.row(name, pk));
    return !isIn && !isThere && this.#isDeleted(table, { ref, by });
  }

  /** Whether what is created had been told of before its own answer, and a newer answer with the list lacks it, behind which there is no page. */
  #hasLeft(place: Place, ref: Ref, { sent }: Event, { by, isOpen }: ListRecord): boolean {
    const known = rowsOf(place.table, ref).map(([name, pk]) => this.#rows.record(name, pk).known ?? 0);
    return by !== undefined && !isOpen && !this.has(place, ref) && known.some((came) => came > sent && came < by.sent);
  }

  /** Whether a newer answer lacks a row that was in the list when an event was sent, and no guess has hidden that. */
  #isNews(event: Incoming, place: Place, ref: Ref): boolean {
    return event.hadMember(place, ref) && !event.hasShown(place, ref) && !this.has(place, ref);
  }

  #remember({ table, pk }: Place, { came }: Event, record: ListRecord): void {
    if (!this.#beside.isAlone) this.#records.set(table, pk, { ...record, came: Math.max(came, record.came) });
  }

  #write(change: ListChange): void {
    const { table, pk } = change;
    const known = this.#lists.get(table, pk) ?? { list: this.list(table, pk), changes: [] };
    if (change.operation === 'set' && isDone(known.list, change)) return;
    this.#lists.set(table, pk, known);
    known.changes.push(change);
    this.changes.push(change);
  }

  /** A list without rows whose deletion came after something was sent. */
  withoutGone(by: Pick<Event, 'sent'>, { table, list }: Pick<ListChange, 'table' | 'list'>): List {
    const { sent } = by;
    if (this.#rows.gone < sent) return list;
    return onlyThose(list, (ref) => !this.#isDeleted(table, { ref, by }));
  }

  records(): ReturnType<typeof inPlaceOfRows> {
    return inPlaceOfRows(this.#records);
  }
}

/** Tells which members an answer with the whole list takes. What no page has brought stays in a list of pages, and keeps its order. */
function overByAll(event: Event, names: boolean, { list, told }: ListChange): (member: Member) => boolean {
  const stays = among(told ? refsIn(list) : none);
  return ({ ref, by, since }) => takes(event, names, by, noNews) && !(since !== undefined && stays(ref));
}

/** Whether an event names who is in a list: a write does, but of a list in a field that it has not sent, its answer just tells. */
function namesList(event: Incoming, { within }: ListChange): boolean {
  if (event.kind !== 'write' || !within) return event.kind === 'write';
  return event.names(within.table, within.pk, within.isOutermost).includes(within.field);
}

/** Tells which members a page takes. Who is out for a page that does not have it stays out. */
function overByPage({ sent }: Event, now: List | undefined, comes: Comes): (member: Member) => boolean {
  return ({ ref, by, isIn }) => (isIn ? now === undefined && by.came < sent : comes(ref));
}

/** The request that is to create an item of a list; undefined where the server has named them all. */
export function creatorOf(list: List): string | undefined {
  const temporary = refsIn(list).map(pkOf).find(isTemporary);
  return temporary === undefined ? undefined : originOf(temporary).requestId;
}

function pkOf(ref: Ref | null | undefined): string | undefined {
  return isUnionRef(ref) ? ref.pk : (ref ?? undefined);
}

/** The rows that a member of a list may stand for. */
export function rowsOf(table: string, ref: Ref | null | undefined): readonly (readonly [table: string, pk: string])[] {
  if (isUnionRef(ref)) return [[ref.table, ref.pk]];
  return typeof ref === 'string' ? tablesOfLists(table).map((name) => [name, ref] as const) : [];
}

/** Whether a change adds what a write has created. */
export function isCreate({ operation, moves }: ListChange): boolean {
  return !moves && (operation === 'push' || operation === 'unshift' || operation === 'assign');
}
