import {
  NaiveList,
  overlapped,
  takes,
  type Event,
  type Holder,
  type PagingRule,
  type Spot,
  type Turn,
} from './naiveList.js';
import {
  bodyOf,
  contradicts,
  filterFields,
  filterNames,
  filtersOf,
  isCreate,
  isList,
  isListRead,
  isWrite,
  lists,
  matches,
  names,
  tableOf,
  type Asked,
  type Body,
  type Create,
  type Fields,
  type Filter,
  type Key,
  type ListName,
  type Sent,
  type Table,
  type Target,
  type ToldPage,
  type View,
  type Write,
} from './notes.js';

type Rows = ReadonlyMap<Key, Fields>;
type Values = Readonly<Record<string, unknown>>;

/** A request, from when it is made. */
interface Request {
  readonly number: number;
  readonly asked: number;
  readonly asks: Asked;
  readonly requestId: string;
  /** What an answer to it is known by; only reads are. */
  readonly name: string;
  /** When it was sent; undefined while it waits for what another is to create. What was confirmed then. */
  sent: number | undefined;
  before: Rows;
  /** Who was in which list then. */
  members: ReadonlyMap<ListName, readonly string[]>;
  came?: number;
  /** What a vote was expected to change when it was made, and what it would have changed if a deletion had not hidden the row. */
  readonly guessed: Fields;
  readonly unseen: Fields;
  /** The filter fields that it names and leaves as they were shown when it was made. */
  readonly left: ReadonlySet<string>;
  /** The lists that such a write keeps its row in: they have shown it since the write was made. */
  readonly keptIn: Set<ListName>;
  /** The fields over which its guess shows nothing any more. */
  readonly covered: Set<string>;
  /** Of a create: the rows that may be its item and are not shown beside it, each with the list. */
  readonly doubles: Set<string>;
  /** Of the read of a list: what it does to the pages. */
  readonly turn: Turn | undefined;
  /** What it brings is stale before it comes. */
  isOutdated: boolean;
}

/** What an answer says of one row. */
interface Fact {
  readonly event: Event;
  readonly key: Key;
  readonly fields: Fields;
  /** The fields that the event names, and what it sent for them. */
  readonly names: Fields;
  /** What was confirmed when the event was sent. */
  readonly before: Rows;
  readonly version: number | undefined;
  /** An empty answer has confirmed it before the row was there: its class is not asked. */
  readonly isLate?: true;
  /** What has brought it; a write by hand is no request. */
  readonly request: Request | undefined;
  /** Whether the row is out of a list, and that is news. */
  readonly isNewsIn?: (list: ListName) => boolean;
}

/** A fact that waits for a guess which counts, or, where an empty answer confirms it, for its row. */
interface Waiting extends Fact {
  readonly awaitsRow?: true;
}

/** What a request shows of a row over what is beneath; without fields the row is gone. */
interface Guess {
  readonly request: Request;
  readonly key: Key;
  readonly beneath: Fields | undefined;
  readonly fields: Fields | undefined;
}

/** The newest answer to a read, and whether something has put it in doubt since. */
interface Answered {
  readonly asked: number;
  /** What it shows. */
  readonly of: ListName | Key;
  /** Only pages of it have come. */
  readonly isPartial: boolean;
  readonly isStale: boolean;
}

/** What there is to see: rows, the guesses in them, and lists. */
interface Shown {
  readonly rows: Rows;
  readonly guesses: readonly Guess[];
  readonly lists: ReadonlyMap<ListName, readonly string[]>;
}

/**
 * What a store is to show, without a thought of cost: all that ever settled is remembered, and at every look it is put together anew, by
 * the rules of order alone (naiveList.ts quotes them; a number in a comment is that of its sentence).
 */
export class Naive {
  readonly #rule: PagingRule;
  /** Whether the versions of notes tell which answer is newer. */
  readonly #isVersioned: boolean;
  #clock = 0;
  /** When the last write came. */
  #written = 0;
  #pending: Request[] = [];
  #waiting: Waiting[] = [];
  /** What is confirmed, row by row; who holds each field, and when the last write was sent that has named it. */
  readonly #rows = new Map<Key, Fields>();
  readonly #holders = new Map<string, Holder & Pick<Fact, 'version'>>();
  readonly #lastNamed = new Map<string, number>();
  /** When a row was first told of; when one was deleted for the last time. */
  readonly #told = new Map<Key, number>();
  readonly #deleted = new Map<Key, number>();
  /** When its deletion was sent, until a write may have brought it back. */
  readonly #deletionSent = new Map<Key, number>();
  /** When the last answered of the writes was sent that may bring a deleted row back. */
  readonly #restored = new Map<Key, number>();
  /** When the last `remove` or `move` of a row came. */
  readonly #operated = new Map<Key, number>();
  readonly #lists = new Map<ListName, NaiveList>();
  readonly #answered = new Map<string, Answered>();
  /** The rows, and the lists, that are in doubt by what has just landed. */
  readonly #doubted = new Set<Key | ListName>();
  /** What an answer says of each of these rows that has just landed. */
  readonly #denying = new Map<Key, Fields>();
  /** Rows of which nobody knows what a write has done, while others are under way: what shows them is stale once more when these are over. */
  readonly #unknown = new Set<Key>();
  /** Reads that the server has answered with 404, and never with a row. */
  readonly #unfound = new Set<string>();
  /** What requests create; until the server has told, under a temporary pk. */
  readonly #created = new Map<number, { readonly table: Table; readonly pk: string }>();
  /** Rows that nobody had told of before what lands now. */
  readonly #strangers = new Set<Key>();
  /** Which rows each create hides, by list. */
  readonly #hidden = new Map<ListName, ReadonlyMap<Request['doubles'], readonly Key[]>>();
  /** What creates have turned out to have made, by what it was called before. */
  readonly #made = new Map<Key, Key>();

  constructor(rule: PagingRule, isVersioned = false) {
    this.#rule = rule;
    this.#isVersioned = isVersioned;
    this.reset();
  }

  // What happens

  start(number: number, asks: Asked, requestId: string): void {
    const shown = this.#shown();
    const asked = ++this.#clock;
    const isSent = !this.#pending.some((one) => names(asks, one.number));
    const key = 'target' in asks ? this.keyOf(asks.target) : undefined;
    const isVote = asks.is === 'vote';
    const row = key && shown.rows.get(key);
    const isLeft = (field: string): boolean => (row as Values | undefined)?.[field] === (bodyOf(asks) as Values)[field];
    if (asks.is === 'again') this.#expire(asks.list);
    this.#pending.push({
      ...{ number, asked, asks, requestId },
      name: asks.is === 'get' ? this.keyOf(asks.target) : isListRead(asks) ? asks.list : '',
      sent: isSent ? ++this.#clock : undefined,
      before: new Map(this.#rows),
      members: this.#members(),
      guessed: isVote ? voted(row) : {},
      unseen: isVote && key ? voted(this.#rows.get(key)) : {},
      left: new Set(key && isEdit(asks) ? Object.keys(bodyOf(asks)).filter(isLeft) : []),
      ...{ keptIn: new Set(), covered: new Set(), doubles: new Set(), isOutdated: false },
      turn: this.#turnOf(asks),
    });
    if (isCreate(asks)) this.#created.set(number, { table: tableOf(asks.list), pk: `~${requestId}` });
    this.#keep();
  }

  /** The server has answered; undefined for no content, pages for the read of a list. Gives the numbers of the requests that fail with it. */
  answer(number: number, response: Sent | readonly ToldPage[] | undefined): readonly number[] {
    const request = this.#find(number);
    const { asks } = request;
    const shown = this.#shown();
    this.#leave(request);
    if (isCreate(asks) && response === undefined) {
      this.#written = ++this.#clock;
      this.#doubtAll(number, asks);
      this.#doubt();
      return this.#failed(number);
    }
    const event: Event = {
      kind: isWrite(asks) ? 'write' : 'read',
      asked: request.asked,
      sent: request.sent ?? request.asked,
      came: (request.came = ++this.#clock),
    };
    if (event.kind === 'write') this.#written = event.came;
    if (isOperation(asks)) this.#operated.set(this.keyOf(asks.target), event.came);
    if (isListRead(asks)) this.#landList(event, request, asks.list, response as readonly ToldPage[]);
    else if (asks.is === 'get') this.#landGet(event, request, asks.target, response as Sent);
    else if (isCreate(asks)) this.#landCreate(event, request, asks, response as Sent);
    else if (asks.is === 'delete') this.#landDeletion(event, this.keyOf(asks.target));
    else this.#landEdit(event, request, shown, response as Sent | undefined);
    this.#settle();
    return [];
  }

  /**
   * A request has failed or was cancelled; so have those that waited for what it was to create. Whether the server has
   * done it nobody knows, where it was sent and never answered. Where the server has no such row (404), what else shows it is stale.
   */
  fail(number: number, isUnknown = false, isGone = false): readonly number[] {
    const request = this.#find(number);
    const { asks, name } = request;
    if (isGone && asks.is === 'get' && !this.#answered.has(name)) this.#unfound.add(name);
    if (isGone && 'target' in asks) this.#expireOthers(name, this.keyOf(asks.target), isWrite(asks));
    this.#leave(request);
    ++this.#clock;
    if (isUnknown && isWrite(asks)) {
      this.#doubtAll(number, asks);
      // Of an action that was expected to do nothing to its row, nobody knows which lists it has put that into.
      if (asks.is === 'vote' && { ...request.guessed, ...request.unseen }.votes === undefined)
        for (const { of } of this.#answered.values()) if (isList(of) && tableOf(of) === 'notes') this.#expire(of);
      if (!isCreate(asks) && this.#isWrittenTo(this.keyOf(asks.target))) this.#unknown.add(this.keyOf(asks.target));
    }
    this.#doubt();
    return [number, ...this.#failed(number)];
  }

  /** A write by hand: "events with asked = sent = came", which wait for nothing. */
  set(target: Target, body: Body): void {
    const at = (this.#written = ++this.#clock);
    const key = this.keyOf(target);
    const fields = this.#fieldsOf(body);
    const shown = this.#shown();
    // "It does not name a field that a pending guess which counts changes."
    const named = pick(fields, (field) => !this.#countingOver(key, field).length);
    const event: Event = { kind: 'write', asked: at, sent: at, came: at };
    const fact: Fact = {
      event,
      key,
      fields,
      names: named,
      before: new Map(this.#rows),
      version: undefined,
      request: undefined,
    };
    this.#landFact(fact, shown.guesses);
    const row = shown.rows.get(key);
    const left = Object.keys(named).filter(
      (field) => (row as Values | undefined)?.[field] === (named as Values)[field],
    );
    this.#restate(event, key, Object.keys(named), { left: new Set(left), showing: this.#having(shown, key) });
    this.#settle();
  }

  /** 20: "Nothing waits longer than holdTimeout": what waits lands, in the order of sending. */
  expire(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const part of waiting.sort(bySent))
      if (!part.awaitsRow || this.#rows.has(part.key)) this.#write({ ...this.#standing(part), before: new Map() });
    this.#settle();
  }

  reset(): void {
    this.#pending = [];
    this.#waiting = [];
    for (const all of [this.#rows, this.#told, this.#deleted, this.#operated, this.#holders, this.#lastNamed])
      all.clear();
    this.#answered.clear();
    for (const all of [this.#doubted, this.#unknown, this.#made, this.#deletionSent, this.#restored]) all.clear();
    for (const all of [this.#strangers, this.#hidden, this.#unfound]) all.clear();
    for (const list of lists) this.#lists.set(list, new NaiveList(this.#rule));
  }

  // What is asked of it

  pkOf(target: Target): string {
    return 'id' in target ? String(target.id) : (this.#created.get(target.created)?.pk ?? '');
  }

  tableOf(target: Target): Table {
    return 'id' in target ? target.table : (this.#created.get(target.created)?.table ?? 'notes');
  }

  keyOf(target: Target): Key {
    return `${this.tableOf(target)} ${this.pkOf(target)}`;
  }

  /**
   * What the rules do not tell, and what nothing would be asked for. Left out of the histories:
   * - the first page of a list that nobody has begun, where something was put into that list before;
   * - a page beside others, while the list is begun anew, where it has two pages at most: whether these leave a hole; and the
   *   page before the first: whether that is what is begun;
   * - all pages of a list, while it is begun anew: whether those that the beginning drops come back;
   * - a filter field that is named for a row which is not shown with it: whether it is left as it was, or changed;
   * - the next page or the one before, while one that was named is under way: which of them stands first;
   * - a page by number of a list that nobody has asked for, while a read is under way that was sent before a `remove` or `move` came: whether that
   *   read puts back into it what had been taken out;
   * - two writes of one row, where one is `remove` or `move`: whether its guess shows anything over what the other has landed; and one after a
   *   `remove` or `move`, while a read is under way that was sent before that came.
   */
  isOpen(asks: Asked): boolean {
    if (isListRead(asks)) {
      const isUnderWay = (...kinds: readonly Asked['is'][]): boolean =>
        this.#pending.some((one) => kinds.includes(one.asks.is) && one.name === asks.list);
      const list = this.#list(asks.list);
      const isUnplaced = list.isLoose;
      if (asks.is === 'list') return false;
      if (asks.is === 'page') {
        const mayBePutBack = list.spots() === undefined && this.#isOvertaken();
        return this.#rule.paging !== 'number' || mayBePutBack || isUnplaced || isUnderWay('next', 'previous');
      }
      if (isUnplaced || (asks.is === 'again' ? isUnderWay('list') : isUnderWay('page'))) return true;
      if (isUnderWay('list') && (asks.is === 'previous' || this.#rule.paging === 'two by cursor')) return true;
      return this.#turnOf(asks) === undefined;
    }
    if (!('target' in asks)) return false;
    const key = this.keyOf(asks.target);
    const others = this.#pending.filter((one) => this.#about(one) === key);
    if (isWrite(asks) && others.some((one) => isOperation(asks) || isOperation(one.asks))) return true;
    return this.isUnseen(asks.target, bodyOf(asks));
  }

  /** Whether a read is under way that was sent before a `remove` or `move` came. */
  #isOvertaken(): boolean {
    const last = Math.max(0, ...this.#operated.values());
    return this.#pending.some(({ asks, sent = Infinity }) => !isWrite(asks) && sent < last);
  }

  /** Whether a request that is under way has reached the server, and waits for no id. */
  isSent(number: number): boolean {
    return this.#pending.some((one) => one.number === number && one.sent !== undefined);
  }

  /** Whether a body names a filter field that its row is not shown with, or only guessed to have, without being known; or one of a row that is being moved or removed. */
  isUnseen(target: Target, body: Body): boolean {
    const key = this.keyOf(target);
    const named = filterFields.filter((field) => this.tableOf(target) === 'notes' && body[field] !== undefined);
    if (named.length === 0) return false;
    const operated = this.#operated.get(key) ?? 0;
    const isOperated = (one: Request): boolean =>
      isWrite(one.asks) ? isOperation(one.asks) && this.#about(one) === key : (one.sent ?? Infinity) < operated;
    if (this.#pending.some(isOperated)) return true;
    const row = this.#shown().rows.get(key);
    const isKnown = this.#rows.has(key) || this.pkOf(target).startsWith('~');
    return !isKnown || named.some((field) => row?.[field] === undefined);
  }

  /**
   * Whether the answer to a read is in doubt: of a list, or of one row by its key; undefined where only pages have come, and of lists by
   * cursor, where a page that is read again may lead elsewhere.
   */
  isStale(name: string): boolean | undefined {
    if (isList(name) && this.#rule.paging !== 'number') return undefined;
    // A temporary id stands for the real one.
    const answered = this.#answered.get(name) ?? this.#answered.get(this.#made.get(name as Key) ?? '');
    return answered?.isPartial ? undefined : (answered?.isStale ?? false);
  }

  view(): View {
    const shown = this.#shown();
    return { rows: Object.fromEntries(shown.rows), lists: Object.fromEntries(shown.lists) };
  }

  /** Whether the rules do not tell all of what a list shows. */
  isUnsure(list: ListName): boolean {
    return this.#list(list).isUnsure;
  }

  /** The rows there are to show when nothing is pending. */
  confirmed(): View['rows'] {
    return Object.fromEntries(this.#rows);
  }

  /** The requests that change a row, or make it, and are not confirmed: under way, or answered with what waits. */
  pendingOf(key: Key): readonly string[] {
    const { guesses } = this.#shown();
    const shows = (request: Request): boolean => guesses.some((one) => one.request === request && one.key === key);
    const isShown = ({ key: one, fields }: Guess): boolean => one === key && Object.keys(fields ?? {}).length > 0;
    const waiting = guesses.filter((guess) => isShown(guess) && guess.request.came !== undefined);
    const pending = this.#guessing().filter((one) => {
      // Who expects nothing changes nothing.
      if (one.asks.is === 'vote' && !shows(one)) return false;
      // Of what is deleted no edit is pending any more.
      const isOver = one.asks.is !== 'delete' && this.#isDeleted(key, one.asked);
      return this.#about(one) === key && !isOver;
    });
    return [...waiting.map(({ request }) => request), ...pending].sort(byAsked).map(({ requestId }) => requestId);
  }

  // Requests

  #find(number: number): Request {
    const found = this.#pending.find((pending) => pending.number === number);
    if (!found) throw new RangeError(`Request ${number} is not pending.`);
    return found;
  }

  #leave(request: Request): void {
    this.#pending = this.#pending.filter((one) => one !== request);
  }

  #failed(number: number): readonly number[] {
    const orphans = this.#pending.filter(({ asks }) => names(asks, number));
    this.#settle();
    return orphans.flatMap((orphan) =>
      this.#pending.some((one) => one.number === orphan.number) ? this.fail(orphan.number) : [],
    );
  }

  /** What need not wait for an id any more is sent. */
  #send(): void {
    for (const one of this.#pending) {
      if (one.sent !== undefined || this.#pending.some(({ number }) => names(one.asks, number))) continue;
      one.sent = ++this.#clock;
      one.before = new Map(this.#rows);
      one.members = this.#members();
    }
  }

  /** Something has settled: what waits is looked at again, and what is shown may keep rows in more lists. */
  #settle(): void {
    this.#release();
    this.#chooseDoubles();
    this.#doubt();
    this.#keep();
  }

  /** The row that a write is about. */
  #about({ number, asks }: Request): Key | undefined {
    if (!isWrite(asks)) return undefined;
    return this.keyOf(isCreate(asks) ? { created: number } : asks.target);
  }

  #turnOf(asks: Asked): Turn | undefined {
    if (!isListRead(asks)) return undefined;
    const list = this.#list(asks.list);
    if (asks.is === 'list') return list.turn('begin');
    return asks.is === 'page' ? list.turn('add', `page=${asks.page}`) : list.turn(asks.is);
  }

  #list(list: ListName): NaiveList {
    const found = this.#lists.get(list);
    if (!found) throw new RangeError(`There is no list ${list}.`);
    return found;
  }

  #members(): ReadonlyMap<ListName, readonly string[]> {
    return new Map(lists.map((list) => [list, (this.#list(list).spots() ?? []).map(({ pk }) => pk)]));
  }

  // What answers say

  #landList(event: Event, request: Request, list: ListName, pages: readonly ToldPage[]): void {
    const { turn } = request;
    const table = tableOf(list);
    // A page is part of an answer, and makes none newer.
    const isWhole = turn?.how === 'begin' || turn?.how === 'again';
    this.#noteAnswer(request, list, !isWhole);
    this.#list(list).await();
    // Where pages contradict each other, the one that stands later in the list tells.
    const told = turn ? this.#list(list).inOrder(turn, pages).told : pages;
    for (const [key, fields] of rowsOf(
      table,
      told.flatMap(({ items }) => items),
    ))
      this.#landFact({ ...this.#read(event, key, fields), before: request.before });
    // 13 and 14: what was deleted since is not brought, nor what is held as a row that another list has.
    const belongs = (pk: string): boolean => {
      const key: Key = `${table} ${pk}`;
      return !this.#isDeleted(key, event.sent) && !contradicts(list, this.#rows.get(key) ?? {});
    };
    if (turn) this.#list(list).answer(event, turn, pages, belongs);
    const answered = this.#answered.get(list);
    if (answered && this.#list(list).isShifted) this.#answered.set(list, { ...answered, isStale: true });
  }

  #landGet(event: Event, request: Request, target: Target, item: Sent): void {
    this.#noteAnswer(request, this.keyOf(target), false);
    for (const [key, fields] of rowsOf(this.tableOf(target), [item]))
      this.#landFact({ ...this.#read(event, key, fields), before: request.before });
  }

  /** BEHAVIOUR, Real servers: "What a PUT makes is read where a read of its address has failed"; what is under way for it was perhaps served before. */
  #findAgain(key: Key): void {
    if (!this.#rows.has(key) && this.#unfound.has(key)) this.#expire(key);
  }

  #noteAnswer(request: Request, of: ListName | Key, isPartial: boolean): void {
    this.#unfound.delete(request.name);
    const known = this.#answered.get(request.name);
    const isNews = !known || (!isPartial && known.asked <= request.asked);
    if (isNews) this.#answered.set(request.name, { asked: request.asked, of, isPartial, isStale: request.isOutdated });
  }

  #read(event: Event, key: Key, fields: Fields): Fact {
    return { event, key, fields, names: {}, before: new Map(), version: fields.version, request: undefined };
  }

  /** 8: "It names that what it creates is in a list", in all that its parameters and its body fit. */
  #landCreate(event: Event, request: Request, asks: Create, item: Sent): void {
    const table = tableOf(asks.list);
    const key: Key = `${table} ${item.id}`;
    const told = this.#told.get(key);
    // Nobody has seen the temporary id of what is made in silence.
    this.#made.set('quiet' in asks ? key : `${table} ~${request.requestId}`, key);
    const sent = this.#fieldsOf(asks.body);
    const came = rowsOf(table, [item]);
    for (const list of lists) if (this.#mayFit(list, table, came.get(key) ?? {})) this.#expire(list);
    for (const [one, fields] of came) {
      const isOwn = one === key;
      this.#landFact({
        ...this.#read(event, one, fields),
        names: isOwn ? sent : {},
        before: request.before,
        request: isOwn ? request : undefined,
      });
    }
    if (!this.#isDeleted(key, event.sent)) {
      for (const list of lists) {
        if (!fits(asks, list) || contradicts(list, this.#rows.get(key) ?? {})) continue;
        const hasShownNews = (): boolean =>
          told !== undefined && told > event.sent && this.#list(list).lacks(String(item.id), told);
        this.#list(list).tell(event, true, String(item.id), true, { isFirst: asks.is === 'unshift', hasShownNews });
      }
    }
    this.#created.set(request.number, { table, pk: String(item.id) });
    this.#send();
  }

  /**
   * BEHAVIOUR, Real servers: a create is judged `undefined`, which makes the list stale, where the list differs from it only by arguments of
   * which its rows, or where it has none all rows of its class, do not say that they are what the field of that name is.
   */
  #mayFit(list: ListName, table: Table, fields: Fields): boolean {
    if (!this.#list(list).spots() || tableOf(list) !== table) return false;
    const differing = filterNames(list).filter((field) => (fields as Values)[field] !== filtersOf(list)[field]);
    return differing.length > 0 && differing.every((field) => this.#isForeign(list, field));
  }

  /** Whether the rows of a list, or where it has none all rows of its class, do not say that an argument is what the field of that name is. */
  #isForeign(list: ListName, field: Filter): boolean {
    const table = tableOf(list);
    const held = (this.#list(list).spots() ?? []).map(({ pk }): Fields => this.#rows.get(`${table} ${pk}`) ?? {});
    const all = [...this.#rows].flatMap(([key, row]) => (key.startsWith(`${table} `) ? [row] : []));
    const isSame = (row: Fields): boolean => row[field] === filtersOf(list)[field];
    return held.length > 0 ? held.some((row) => row[field] !== undefined && !isSame(row)) : !all.some(isSame);
  }

  /** 14: "A deletion is a fact of the row." */
  #landDeletion({ came, sent }: Event, key: Key): void {
    this.#findAgain(key);
    this.#deleted.set(key, came);
    this.#deletionSent.set(key, sent);
    // "An undo may be answered before the deletion that it undoes."
    if ((this.#restored.get(key) ?? 0) > sent) this.#expireAll(key);
    this.#rows.delete(key);
    this.#told.delete(key);
    for (const name of [...this.#holders.keys()]) if (name.startsWith(`${key} `)) this.#holders.delete(name);
    for (const list of lists) if (key.startsWith(tableOf(list))) this.#list(list).drop(pkIn(key));
  }

  #landEdit(event: Event, request: Request, shown: Shown, item: Sent | undefined): void {
    const { asks, before, left } = request;
    if (!isEdit(asks)) return;
    const key = this.keyOf(asks.target);
    this.#findAgain(key);
    if (asks.is === 'vote' || asks.is === 'replace')
      this.#restored.set(key, Math.max(event.sent, this.#restored.get(key) ?? 0));
    const sent = this.#sentBy(request);
    // "What a write without a body would have changed, where a pending deletion hid the row" is named, too.
    const named = Object.keys(sent).length > 0 ? sent : request.unseen;
    // "An empty answer confirms what was sent": of a row that only an older answer can bring, when it is there.
    const was = this.#rows.get(key);
    const isUnknown = !item && asks.is !== 'replace' && !was;
    const hadPerson = this.#rows.has(`people ${String(was?.by)}`);
    const facts: Rows = item ? rowsOf(this.tableOf(asks.target), [item]) : new Map(isUnknown ? [] : [[key, sent]]);
    const guess = shown.guesses.find((one) => one.request === request && one.key === key);
    const isShownIn = new Set(guess ? lists.filter((list) => this.#isGuessedIn(list, guess)) : []);
    const isNewsIn = (list: ListName): boolean => {
      const hasLeft = request.members.get(list)?.includes(pkIn(key)) && !this.#members().get(list)?.includes(pkIn(key));
      const isNews = hasLeft === true && !isShownIn.has(list);
      // 23, of who is in a list.
      if (isNews) this.#doubted.add(list);
      return isNews;
    };
    for (const [one, fields] of facts) {
      const own = one === key ? { names: named, request, isNewsIn } : {};
      this.#landFact({ ...this.#read(event, one, fields), before, ...own }, shown.guesses);
    }
    if (isUnknown) this.#awaitRow({ ...this.#read(event, key, sent), names: named, before, request: undefined });
    if (this.#isDeleted(key, event.sent)) {
      if (asks.is === 'vote' || asks.is === 'replace') this.#mayBeBack(event, key);
      return;
    }
    this.#restate(event, key, Object.keys(sent), { left, showing: this.#having(shown, key), isNewsIn });
    const held = this.#rows.get(key) ?? {};
    // BEHAVIOUR, Real servers: what nobody knows is asked for, such as a person of whom only the pk was sent; or who is gone, where there was one before.
    if ((!item || hadPerson) && was && 'by' in named && !this.#rows.has(`people ${String(held.by)}`))
      this.#doubtAll(request.number, asks, was);
    for (const list of lists) {
      if (tableOf(list) !== this.tableOf(asks.target)) continue;
      // An operation on lists says of some that the row is in or out; not of one that the held row says otherwise of.
      const isIn = operationOn(list, asks, { ...item, ...bodyOf(asks) });
      const isContradicted = isIn ? contradicts(list, held) : asks.is === 'move' && matches(list, held);
      const hasShownNews = (): boolean => isIn === true && isNewsIn(list);
      if (isIn !== undefined && !isContradicted) this.#list(list).tell(event, true, pkIn(key), isIn, { hasShownNews });
      // BEHAVIOUR, Real servers: what nobody knows is asked for. A row that nobody has yet is to be shown in the list.
      if (isIn && isUnknown && this.#list(list).spots()) this.#expire(list);
    }
  }

  /** The lists that have a row: that show it, or do so beneath what is pending. */
  #having({ lists: shown }: Shown, key: Key): ReadonlySet<ListName> {
    const pk = pkIn(key);
    const isIn = (list: ListName): boolean =>
      shown.get(list)?.includes(pk) === true ||
      this.#list(list)
        .spots()
        ?.some((spot) => spot.pk === pk) === true;
    return new Set(listsOf(key).filter(isIn));
  }

  /** BEHAVIOUR, Real servers: an action that was sent after the deletion of its row may have brought it back; each read of its class may have it. */
  #mayBeBack({ sent }: Event, key: Key): void {
    if ((this.#deletionSent.get(key) ?? Infinity) > sent) return;
    this.#deletionSent.delete(key);
    const row = this.#rows.get(key);
    if (!row) {
      this.#expireAll(key);
      return;
    }
    // Something else has told of it since: only lists that lack it may have it.
    const hasIt = (list: ListName): boolean =>
      this.#list(list)
        .spots()
        ?.some(({ pk }) => pk === pkIn(key)) === true;
    for (const list of lists.filter((one) => key.startsWith(`${tableOf(one)} `) && !hasIt(one)))
      if (!contradicts(list, row) || this.#mayFit(list, tableOf(list), row)) this.#expire(list);
  }

  /** Any read that can have rows of its class may have it. */
  #expireAll(key: Key): void {
    const table = key.slice(0, key.indexOf(' '));
    for (const [name, { of }] of this.#answered) if (mayHave(of, table)) this.#expire(name);
    for (const { name, asks } of this.#pending) if (!isWrite(asks) && mayHave(name, table)) this.#expire(name);
  }

  /** Of a row that is not there an empty answer confirms what no later one does. */
  #awaitRow(fact: Fact): void {
    const { event, key, fields } = fact;
    // 16 is about what has landed: over a row that is not there, a guess shows all that it says.
    for (const field of Object.keys(fields)) this.#noteNamed(event, `${key} ${field}`);
    this.#waiting.push({ ...fact, names: fact.fields, awaitsRow: true });
  }

  /** What stands of that once the row is there. */
  #standing(part: Waiting): Waiting {
    const isNamedLater = (field: string): boolean =>
      (this.#lastNamed.get(`${part.key} ${field}`) ?? 0) > part.event.sent;
    const fields = pick(part.fields, (field) => part.awaitsRow === undefined || !isNamedLater(field));
    return part.awaitsRow ? { ...part, fields, names: fields } : part;
  }

  /**
   * 8: who names a field that lists are filtered by says who the row is with: where the field was changed from what was shown, in all
   * lists filtered by it; where it was left, that the row stays in those that show it.
   */
  #restate(
    event: Event,
    key: Key,
    named: readonly string[],
    {
      left,
      showing,
      isNewsIn = () => false,
    }: Pick<Fact, 'isNewsIn'> & { readonly left: ReadonlySet<string>; readonly showing: ReadonlySet<ListName> },
  ): void {
    const held = this.#rows.get(key);
    if (!held) return;
    // What it has lost to a write that was sent later it says nothing of.
    const isHeld = (field: string): boolean => this.#holders.get(`${key} ${field}`)?.by === event;
    for (const list of listsOf(key)) {
      const filters = filterNames(list).filter((field) => named.includes(field) && isHeld(field));
      const changed = filters.filter((field) => !left.has(field));
      // A list that the row does not match by other fields is none that the write says something of.
      const isOut = changed.some((field) => held[field] !== filtersOf(list)[field]);
      const isIn = filters.length > 0 && matches(list, held) && (changed.length > 0 || showing.has(list));
      const hasShownNews = (): boolean => isIn && isNewsIn(list);
      if (isIn ? !this.#isDenied(list, key) : isOut)
        this.#list(list).tell(event, true, pkIn(key), isIn, { hasShownNews });
    }
  }

  // Facts about rows

  /** Lets land what of a fact need not wait. `guesses`: what was shown before its request settled. */
  #landFact({ awaitsRow, ...fact }: Waiting, guesses: readonly Guess[] = []): void {
    const { event, key } = fact;
    // What its class says is older brings nothing, and so waits for nothing; what it names is named.
    const waits = (field: string): boolean =>
      (awaitsRow === true || !this.#isOlder(fact, field)) &&
      event.came > event.asked &&
      this.#countingOver(key, field).some((request) => mayCount(event, request));
    const rest = pick(fact.fields, waits);
    if (Object.keys(rest).length > 0) this.#waiting.push({ ...fact, fields: rest, names: pick(fact.names, waits) });
    const own = guesses.find((guess) => guess.request === fact.request && guess.key === key)?.fields ?? {};
    const free = {
      fields: pick(fact.fields, (field) => !waits(field)),
      names: pick(fact.names, (field) => !waits(field)),
    };
    if (Object.keys(free.fields).length > 0)
      this.#write({ ...fact, ...free, ...(awaitsRow && { isLate: true }) }, (field) => !awaitsRow && !(field in own));
  }

  /** The pending guesses that count and change a field of a row. */
  #countingOver(key: Key, field: string): readonly Request[] {
    const votes = this.#pending.filter((one) => one.asks.is === 'vote' && this.#about(one) === key);
    if (votes.length === 0 || field !== 'votes') return [];
    const { guesses } = this.#shown();
    return votes.filter((one) => guesses.some(({ request, fields }) => request === one && fields && field in fields));
  }

  /** 18: "All that waits is looked at again, in the order of sending", until nothing more lands. */
  #release(): void {
    const isFree = (part: Waiting): boolean =>
      part.awaitsRow
        ? this.#rows.has(part.key)
        : !Object.keys(part.fields).some((field) =>
            this.#countingOver(part.key, field).some((one) => mayCount(part.event, one)),
          );
    for (;;) {
      // What an empty answer confirms of a row that nobody can bring any more as it was before is forgotten.
      const isHopeless = ({ awaitsRow, key, event }: Waiting): boolean =>
        awaitsRow !== undefined &&
        !this.#rows.has(key) &&
        !this.#pending.some(({ sent = Infinity }) => sent < event.came);
      this.#waiting = this.#waiting.filter((part) => !isHopeless(part)).sort(bySent);
      const free = this.#waiting.find(isFree);
      if (!free) return;
      this.#waiting = this.#waiting.filter((part) => part !== free);
      if (free.awaitsRow) this.#landFact(this.#standing(free));
      else this.#write({ ...free, before: new Map() });
    }
  }

  /**
   * Writes what of a fact is taken, field by field, and moves the row between lists by what it changes. What has waited has shown no
   * news: `mayBeNews` says of which fields there may be some.
   */
  #write(fact: Fact, mayBeNews: (field: string) => boolean = () => false): void {
    const { event, key, fields, names: named } = fact;
    // 14: "What was sent before a deletion came brings nothing of the row."
    if (this.#isDeleted(key, event.sent)) return;
    const before = this.#rows.get(key);
    const taken = pick(fields, (field) => this.#takes(fact, field, before, mayBeNews(field)));
    // What its class calls newer than the row is newer than what waits of it.
    if (this.#isOrdered(fact)) this.#forgetWaiting(key, taken);
    for (const field of Object.keys(named)) this.#name(event, `${key} ${field}`, key, field);
    for (const field of Object.keys(taken))
      this.#holders.set(`${key} ${field}`, { by: event, names: field in named, version: fact.version });
    const after = { ...before, ...taken };
    this.#rows.set(key, after);
    // What has waited for the row comes with it.
    if (before === undefined || this.#told.get(key) === this.#clock) this.#strangers.add(key);
    if (before === undefined) this.#told.set(key, event.came);
    else this.#move(fact, before, after);
  }

  /** What a write has named, no one sent before it takes any more, and no guess made before it shows anything over it. */
  #name(event: Event, name: string, key: Key, field: string): void {
    this.#noteNamed(event, name);
    for (const { request } of this.#allGuessing())
      if (request.asked < event.asked && this.#about(request) === key) request.covered.add(field);
  }

  #noteNamed(event: Event, name: string): void {
    this.#lastNamed.set(name, Math.max(event.sent, this.#lastNamed.get(name) ?? 0));
  }

  /**
   * Whether the class of a row says that an answer is older than the row, and so brings nothing of a field. Where a newer answer waits with the field,
   * the class says nothing of that (guarantees.md, "Counts in a class with `shouldReorder`").
   */
  #isOlder({ key, version }: Pick<Fact, 'key' | 'version'>, field: string): boolean {
    const waits = this.#waiting.some((part) => part.key === key && field in part.fields);
    return this.#tellsVersions(key) && !waits && (this.#rows.get(key)?.version ?? NaN) > (version ?? NaN);
  }

  #tellsVersions(key: Key): boolean {
    return this.#isVersioned && key.startsWith('notes');
  }

  /** Whether the class of a row says that an answer is no older than the row. */
  #isOrdered({ key, version, isLate }: Fact): boolean {
    const { version: held } = this.#rows.get(key) ?? {};
    return this.#tellsVersions(key) && !isLate && !((held ?? NaN) > (version ?? NaN));
  }

  #forgetWaiting(key: Key, fields: Fields): void {
    this.#waiting = this.#waiting.flatMap((part) => {
      if (part.key !== key || part.awaitsRow) return [part];
      const rest = pick(part.fields, (field) => !(field in fields));
      return Object.keys(rest).length > 0 ? [{ ...part, fields: rest }] : [];
    });
  }

  #takes(fact: Fact, field: string, row: Fields | undefined, mayBeNews: boolean): boolean {
    const { event, key, fields, names: named, before: atSending, isLate } = fact;
    const name = `${key} ${field}`;
    const held = (row as Values | undefined)?.[field];
    if (held === undefined || !row) return true;
    // "A class with shouldReorder answers the question which of two answers is newer."
    if (this.#isOrdered(fact)) return true;
    if (!isLate && this.#isOlder(fact, field)) return false;
    const holder = this.#holders.get(name);
    const value = (fields as Values)[field];
    // 23: "Where a read and a write overlapped and differ", or two writes of which one names the field, but for what was served before: the one that
    // does not name it says what was confirmed when the event was sent.
    const isNamedByOne = field in named !== (holder?.names ?? false);
    const isAside = event.kind === 'read' || holder?.names;
    const told = isAside ? value : held;
    // What was written by hand is news to all that were sent before; beside a write that names the field, nobody knows which of the two the server has. A write that does not
    // name the field, and was sent later, may have set it back; a read that was sent after a write which does not name it may have been served before.
    const isByHand = holder?.by.sent === holder?.by.came;
    const isLater = isAside ? event.sent > (holder?.by.sent ?? 0) : (holder?.by.sent ?? 0) > event.sent;
    const isUnnamed = !(field in named) && !holder?.names;
    const mayHaveSet = isByHand || (((isAside ? event : holder?.by)?.kind === 'write' || isUnnamed) && isLater);
    const isRepeated = !mayHaveSet && told === (atSending.get(key) as Values | undefined)?.[field];
    // A write that sends nothing, and expects nothing, may have set any field.
    const isAction = fact.request?.asks.is === 'vote' && fact.request.guessed.votes === undefined;
    const isDue = isByHand ? field in named || isAction : holder?.by.kind !== event.kind || isNamedByOne;
    const mayDiffer = holder && isDue && overlapped(event, holder.by);
    if (mayDiffer && held !== value && !isRepeated) this.#doubtRow(key, row, fields);
    const hasShownNews = (): boolean =>
      mayBeNews &&
      held !== value &&
      held !== (named as Values)[field] &&
      held !== (atSending.get(key) as Values | undefined)?.[field];
    return takes(event, field in named, holder, this.#lastNamed.get(name), hasShownNews);
  }

  /** "An answer that changes a held field by which lists are filtered moves the row"; one that was not held before moves nothing. */
  #move({ event, key, names: named, isNewsIn }: Fact, before: Fields, after: Fields): void {
    for (const list of listsOf(key)) {
      const changed = changedFilters(list, before, after);
      const isNamed = changed.some((field) => field in named);
      const hasShownNews = (): boolean => isNewsIn?.(list) ?? false;
      if (changed.some((field) => before[field] === filtersOf(list)[field])) {
        this.#list(list).tell(event, isNamed, pkIn(key), false, { isSure: true });
      } else if (changed.length > 0 && matches(list, after) && !this.#isDenied(list, key))
        this.#list(list).tell(event, isNamed, pkIn(key), true, { hasShownNews });
    }
  }

  /**
   * 19: which rows are not shown beside pending creates, list by list: of those that are new, or that were hidden for a create, each create hides the one
   * that is most alike and that no other hides, and of several the one that came first; and all that tell nothing of what was sent.
   */
  #chooseDoubles(): void {
    const strangers = [...this.#strangers];
    this.#strangers.clear();
    const made = new Set(this.#made.values());
    const creates = this.#guessing().flatMap(({ asks, ...one }) => (isCreate(asks) ? [{ asks, ...one }] : []));
    for (const list of lists) {
      const before = this.#hidden.get(list) ?? new Map<Request['doubles'], readonly Key[]>();
      const hidden = new Map<Request['doubles'], readonly Key[]>();
      const still = new Set(creates.map(({ doubles }) => doubles));
      const left = [...before].flatMap(([doubles, keys]) => (still.has(doubles) ? [] : keys));
      const taken = new Set<Key>();
      for (const { asks, doubles, ...one } of creates) {
        const own = before.get(doubles) ?? [];
        for (const key of own) doubles.delete(doubleName(list, key));
        if (!fits(asks, list) || this.#isTooLate(one, list)) continue;
        const like = (key: Key): number => this.#likeness(asks, list, this.#rows.get(key) ?? {});
        const isOf = (key: Key): boolean =>
          key.startsWith(`${tableOf(list)} `) && this.#rows.has(key) && !made.has(key);
        const alike = [...new Set([...own, ...left, ...strangers])].filter((key) => isOf(key) && like(key) > 0);
        // Of a row that tells nothing of what was sent, nobody knows whose it is.
        const open = alike.filter((key) => like(key) === Infinity);
        const [best] = alike.filter((key) => !open.includes(key) && !taken.has(key)).sort((a, b) => like(b) - like(a));
        const all = best ? [...open, best] : open;
        if (best) taken.add(best);
        hidden.set(doubles, all);
        for (const key of all) doubles.add(doubleName(list, key));
      }
      this.#hidden.set(list, hidden);
    }
  }

  /** "It agrees with more of the fields that the create sent, beside what the list is filtered by, than it differs in, or has none of them": by how many. */
  #likeness(asks: Create, list: ListName, row: Fields): number {
    const sent = Object.entries({ ...filtersOf(asks.list), ...this.#fieldsOf(asks.body) }).filter(
      ([field]) => !(field in filtersOf(list)),
    );
    if (sent.length === 0) return 0;
    const there = sent.filter(([field]) => (row as Values)[field] !== undefined);
    const same = there.filter(([field, value]) => (row as Values)[field] === value);
    return there.length === 0 ? Infinity : 2 * same.length - there.length;
  }

  #isDeleted(key: Key, at: number): boolean {
    return (this.#deleted.get(key) ?? 0) > at;
  }

  // Doubt

  /** The row is in doubt, and each list that it would leave or join by what an answer says. */
  #doubtRow(key: Key, row: Fields, said: Fields): void {
    this.#doubted.add(key);
    this.#denying.set(key, said);
    for (const list of movedLists(key, row, { ...row, ...said })) this.#doubted.add(list);
  }

  /** Whether an answer that leaves a row in doubt says itself that the row does not fit a list: nobody has said then that it does, and the list is in doubt. */
  #isDenied(list: ListName, key: Key): boolean {
    const said = this.#denying.get(key);
    const held = this.#rows.get(key) ?? {};
    const isDenied = said !== undefined && !matches(list, { ...held, ...said });
    if (isDenied) this.#doubted.add(list);
    return isDenied;
  }

  /** 23: "Every answer that shows the row becomes stale", once no write to the row is under way; what was sent before the last write came cannot tell. */
  #doubt(): void {
    this.#denying.clear();
    const waiting = [...this.#doubted].filter((one) => this.#isWrittenTo(one));
    const due = [...this.#doubted].filter((one) => !this.#isWrittenTo(one));
    for (const [name, { of }] of this.#answered)
      if (due.some((one) => (isList(one) ? one === of : this.#isShownBy(of, one)))) this.#expire(name, this.#written);
    for (const { name, asks } of this.#pending) {
      if (isWrite(asks) || this.#answered.has(name)) continue;
      const of = 'target' in asks ? this.keyOf(asks.target) : name;
      const isTouched = due.some((one) => !isList(one) && mayHave(of, one.slice(0, one.indexOf(' ')), one));
      if (isTouched) this.#expire(name, this.#written);
    }
    this.#doubted.clear();
    for (const one of waiting) this.#doubted.add(one);
    for (const key of [...this.#unknown].filter((one) => !this.#isWrittenTo(one))) {
      this.#unknown.delete(key);
      for (const [name, { of }] of this.#answered) if (this.#isShownBy(of, key)) this.#expire(name);
    }
  }

  #isWrittenTo(one: Key | ListName): boolean {
    return this.#pending.some(({ asks }) => isWrite(asks) && 'target' in asks && this.keyOf(asks.target) === one);
  }

  /** Whatever shows what a write was about is in doubt, and what is under way for it. */
  #doubtAll(number: number, asks: Write, was?: Fields): void {
    const target = isCreate(asks) ? { created: number } : asks.target;
    const key = this.keyOf(target);
    const row = was ?? this.#rows.get(key);
    const moved = row && isEdit(asks) ? movedLists(key, row, { ...row, ...this.#fieldsOf(bodyOf(asks)) }) : [];
    for (const [name, { of }] of this.#answered) {
      const isChanged =
        isList(of) &&
        tableOf(of) === this.tableOf(target) &&
        (moved.includes(of) || isOperatedOn(of, asks) || this.#isOpenTo(of, asks));
      if (isChanged || this.#isShownBy(of, key)) this.#expire(name);
    }
    // DECISIONS, Order 6: "and those under way for the first time".
    const table = this.tableOf(target);
    for (const { name, asks: read } of this.#pending) {
      // What is asked for by a temporary id is the row that was created.
      const of = 'target' in read ? this.keyOf(read.target) : name;
      if (!isWrite(read) && !this.#answered.has(name) && mayHave(of, table, key)) this.#expire(name);
    }
  }

  /** Whether what a create sends leaves it open that the row is in a list. */
  #isOpenTo(list: ListName, asks: Write): boolean {
    if (!isCreate(asks)) return false;
    const sent: Fields = { ...filtersOf(asks.list), ...this.#fieldsOf(asks.body) };
    const isOpen = (field: Filter): boolean =>
      [undefined, filtersOf(list)[field]].includes(sent[field as never]) || this.#isForeign(list, field);
    return filterNames(list).every(isOpen);
  }

  /** What else shows a row that is gone is stale; what is under way was sent before a write has told so. */
  #expireOthers(own: string, key: Key, isTold: boolean): void {
    for (const [name, answered] of this.#answered) {
      if (name === own || answered.isStale || !this.#isShownBy(answered.of, key)) continue;
      if (isTold) this.#expire(name);
      else this.#answered.set(name, { ...answered, isStale: true });
    }
  }

  /** What was answered is stale, and what is under way for it, and was sent before something, brings nothing fresh. */
  #expire(name: string, since = Infinity): void {
    const answered = this.#answered.get(name);
    if (answered) this.#answered.set(name, { ...answered, isStale: true });
    for (const one of this.#pending)
      if (one.name === name && (since === Infinity || (one.sent ?? Infinity) < since)) one.isOutdated = true;
  }

  /** Whether an answer shows a row, or a row that it is in. */
  #isShownBy(of: ListName | Key, key: Key): boolean {
    const isShown = (one: Key): boolean =>
      this.#rows.has(key) && (one === key || `people ${this.#rows.get(one)?.by}` === key);
    return isList(of) ? (this.#list(of).spots() ?? []).some(({ pk }) => isShown(`${tableOf(of)} ${pk}`)) : isShown(of);
  }

  // What is shown

  /** "What a write without a body sent is its guess at its start." */
  #sentBy({ asks, guessed }: Request): Fields {
    return asks.is === 'vote' ? guessed : this.#fieldsOf(bodyOf(asks));
  }

  #fieldsOf({ by, ...fields }: Body): Fields {
    return by ? { ...fields, by: this.pkOf(by) } : fields;
  }

  /** The requests that are pending and show something before they are answered, in order. */
  #guessing(): readonly Request[] {
    return this.#pending.filter(({ asks }) => isWrite(asks) && !('quiet' in asks)).sort(byAsked);
  }

  /** These, and 21: the writes of whose answers something waits, each with what. */
  #allGuessing(): readonly { readonly request: Request; readonly only?: Waiting }[] {
    const waiting = this.#waiting.flatMap((only) =>
      only.request && !isCreate(only.request.asks) && !('quiet' in only.request.asks)
        ? [{ request: only.request, only }]
        : [],
    );
    return [...this.#guessing().map((request) => ({ request })), ...waiting].sort((one, other) =>
      byAsked(one.request, other.request),
    );
  }

  #shown(): Shown {
    const rows = new Map(this.#rows);
    const guesses: Guess[] = [];
    /** Rows that are being deleted, as they are beneath. */
    const deleting = new Map<Key, Fields | undefined>();
    for (const { request, only } of this.#allGuessing()) {
      const key = this.#about(request);
      if (!key) continue;
      // An edit of a row that is being deleted is a guess, which that hides.
      const beneath = rows.get(key) ?? (request.asks.is === 'vote' ? undefined : deleting.get(key));
      const guess = this.#guessOf(request, key, beneath);
      if (!guess) continue;
      const fields = guess.fields && pick(guess.fields, (field) => !only || field in only.fields);
      guesses.push({ request, key, beneath, fields });
      if (deleting.has(key)) continue;
      if (!fields) deleting.set(key, beneath);
      if (fields) rows.set(key, { ...beneath, ...fields });
      else rows.delete(key);
    }
    const shown = lists.flatMap((list) => {
      const pks = this.#shownList(list, rows, guesses);
      return pks ? [[list, pks] as const] : [];
    });
    return { rows, guesses, lists: new Map(shown) };
  }

  /** What a request shows over what is beneath it; undefined where that is nothing, without fields where the row is gone. */
  #guessOf(
    { asks, asked, guessed, covered }: Request,
    key: Key,
    beneath: Fields | undefined,
  ): Pick<Guess, 'fields'> | undefined {
    if (isCreate(asks)) return { fields: { ...filtersOf(asks.list), ...this.#fieldsOf(asks.body) } };
    if (asks.is === 'delete') return { fields: undefined };
    // Nothing is shown over a row whose deletion was confirmed since.
    if (this.#isDeleted(key, asked) || (!beneath && asks.is !== 'replace')) return undefined;
    // Who expected nothing when it was made expects nothing later.
    if (asks.is === 'vote' && guessed.votes === undefined) return undefined;
    const fields = asks.is === 'vote' ? voted(beneath) : this.#fieldsOf(bodyOf(asks));
    return { fields: pick(fields, (field) => !covered.has(field)) };
  }

  /** 12, with the guesses over it: a list as it is shown; undefined where it was never answered. */
  #shownList(list: ListName, rows: Rows, guesses: readonly Guess[]): readonly string[] | undefined {
    const confirmed = this.#list(list).spots();
    if (!confirmed) return undefined;
    const table = tableOf(list);
    const spots = new Map(confirmed.map((spot) => [spot.pk, spot]));
    for (const guess of guesses) {
      const pk = pkIn(guess.key);
      const { asks, asked } = guess.request;
      const isIn = guess.key.startsWith(table) ? this.#isGuessedIn(list, guess) : undefined;
      if (isIn === false) spots.delete(pk);
      if (isIn && !spots.has(pk))
        spots.set(pk, { pk, asked, came: Infinity, end: asks.is === 'unshift' ? 'front' : 'back' });
    }
    const standing = inOrder([...spots.values()]).filter((pk) => rows.has(`${table} ${pk}`));
    // 19: doubles are not shown beside what is being created, nor where that is deleted or moved away before it is.
    const creates = guesses.flatMap((guess) =>
      isCreate(guess.request.asks) && guess.key.startsWith(table) && this.#isGuessedIn(list, guess)
        ? [guess.request]
        : [],
    );
    // What a later request puts into the list is meant by the user.
    const isPut = (key: Key, { asked }: Request): boolean =>
      guesses.some((guess) => guess.key === key && guess.request.asked > asked && this.#isGuessedIn(list, guess));
    const isHidden = (key: Key): boolean =>
      creates.some((one) => one.doubles.has(doubleName(list, key)) && !isPut(key, one));
    return standing.filter((pk) => !isHidden(`${table} ${pk}`));
  }

  /** 22: "A create is not shown in a list first answered after it was sent." */
  #isTooLate({ sent }: Pick<Request, 'sent'>, list: ListName): boolean {
    return sent !== undefined && (this.#list(list).firstCame ?? 0) > sent;
  }

  /** Whether a guess puts its row into a list, or takes it out; undefined where it leaves that as it is. */
  #isGuessedIn(list: ListName, { request, beneath, fields }: Guess): boolean | undefined {
    const { asks, left, keptIn } = request;
    if (!fields) return undefined;
    if (isCreate(asks)) {
      return fits(asks, list) && !this.#isTooLate(request, list) ? true : undefined;
    }
    const isOperated = isEdit(asks) ? operationOn(list, asks, bodyOf(asks)) : undefined;
    if (isOperated !== undefined) return isOperated;
    const named = filterNames(list).filter((field) => field in fields);
    // A row that was not known before moves nowhere.
    if (named.length === 0 || !beneath) return undefined;
    const after = { ...beneath, ...fields };
    if (named.some((field) => after[field] !== filtersOf(list)[field])) return false;
    const isChanged = named.some((field) => !left.has(field)) || changedFilters(list, beneath, after).length > 0;
    return matches(list, after) && (isChanged || keptIn.has(list)) ? true : undefined;
  }

  /** 17: a write that leaves a field as it was keeps its row in the lists that show it; these are noted as they do. */
  #keep(): void {
    const keeping = this.#guessing().filter(({ left }) => left.size > 0);
    if (keeping.length === 0) return;
    const { lists: shown } = this.#shown();
    for (const request of keeping) {
      const key = this.#about(request);
      for (const [list, pks] of shown) {
        const isFiltered = filterNames(list).some((field) => request.left.has(field));
        if (key && isFiltered && listsOf(key).includes(list) && pks.includes(pkIn(key))) request.keptIn.add(list);
      }
    }
  }
}

/** Whether an answer may have rows of a table, or where one row is meant, that one; notes have people in them. */
function mayHave(of: string, table: string, key?: Key): boolean {
  if (isList(of)) return table === 'people' || tableOf(of) === table;
  const isOfTable = of.startsWith(`${table} `);
  return key && isOfTable ? of === key : isOfTable || table === 'people';
}

function isOperation(asks: Asked): asks is Extract<Asked, { is: 'move' | 'remove' }> {
  return asks.is === 'remove' || asks.is === 'move';
}

function isEdit(asks: Asked): asks is Extract<Asked, { is: 'patch' | 'replace' | 'move' | 'remove' | 'vote' }> {
  return isWrite(asks) && !isCreate(asks) && asks.is !== 'delete';
}

/** 18: whether a guess that counts may be in an answer: it was made before the read was sent, and sent before the answer came. */
function mayCount(event: Event, { asked, sent = Infinity }: Request): boolean {
  return asked < event.sent && sent < event.came;
}

function byAsked(one: { readonly asked: number }, other: { readonly asked: number }): number {
  return one.asked - other.asked;
}

function bySent(one: Fact, other: Fact): number {
  return one.event.sent - other.event.sent;
}

function pkIn(key: Key): string {
  return key.slice(key.indexOf(' ') + 1);
}

function doubleName(list: ListName, key: Key): string {
  return `${list} ${key}`;
}

/** The lists of a row's table that are filtered by something. */
function listsOf(key: Key): readonly ListName[] {
  return lists.filter((list) => key.startsWith(tableOf(list)) && filterNames(list).length > 0);
}

/** The filters of a list that a row has become another by, of which it was known what it had before. */
function changedFilters(list: ListName, before: Fields, after: Fields): readonly Filter[] {
  return filterNames(list).filter((field) => before[field] !== undefined && before[field] !== after[field]);
}

/** The lists that a row leaves or joins as it becomes another. */
function movedLists(key: Key, before: Fields, after: Fields): readonly ListName[] {
  return listsOf(key).filter((list) => {
    const changed = changedFilters(list, before, after);
    return (
      changed.some((field) => before[field] === filtersOf(list)[field]) || (changed.length > 0 && matches(list, after))
    );
  });
}

/** Whether what a create makes belongs to a list: each filter is one of its parameters or in its body. */
function fits(asks: Create, list: ListName): boolean {
  return tableOf(list) === tableOf(asks.list) && matches(list, { ...asks.body, ...filtersOf(asks.list) });
}

/** What an operation says of a list: the row is in, or out; undefined where it says nothing. `told`: the item, as far as it was told. */
function operationOn(list: ListName, asks: Asked, told: Body<unknown>): boolean | undefined {
  // Nothing but the fields that lists are filtered by counts.
  const fields = told as Fields;
  if (asks.is === 'remove')
    return tableOf(asks.list) === tableOf(list) && matches(list, filtersOf(asks.list)) ? false : undefined;
  if (asks.is !== 'move') return undefined;
  if (contradicts(list, fields)) return false;
  return matches(list, fields) ? true : undefined;
}

function isOperatedOn(list: ListName, asks: Write): boolean {
  return isCreate(asks) ? fits(asks, list) : operationOn(list, asks, bodyOf(asks)) !== undefined;
}

/** First what was put in front, the last first; then pages; then what was put behind them, as it was asked for. */
function inOrder(spots: readonly Spot[]): readonly string[] {
  const front = spots.filter(({ end }) => end === 'front').sort((one, other) => other.asked - one.asked);
  const back = spots.filter(({ end }) => end === 'back').sort(byAsked);
  return [...front, ...spots.filter(({ end }) => end === undefined), ...back].map(({ pk }) => pk);
}

/** Some of the fields of a row. */
function pick(fields: Fields, isWanted: (field: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => isWanted(field)));
}

/** What a vote is expected to make of a note. */
function voted(beneath: Fields | undefined): Fields {
  return beneath ? { votes: (beneath.votes ?? 0) + 1 } : {};
}

/** The rows in an answer, and those inside them. */
function rowsOf(table: Table, items: readonly Sent[]): Rows {
  const rows = new Map<Key, Fields>();
  for (const { id, by, ...fields } of items) {
    if (by) for (const [key, told] of rowsOf('people', [by])) rows.set(key, told);
    rows.set(`${table} ${id}`, by === undefined ? fields : { ...fields, by: by && String(by.id) });
  }
  return rows;
}
