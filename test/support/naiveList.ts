/*
 * Numbers in comments are those of the sentences that the rules of order are told in:
 *  1 Every request has a place: when it was sent and when it came.  2 Two overlapped when neither was sent after the other had come.
 *  3 An answer speaks of cells: fields of rows, and who is in a list.  4 Each cell has a holder, the answer taken last.
 *  5 Of two that did not overlap, the later holds.  6 Of two that did, the one sent later holds, but for cells that a write names.
 *  7 A write names the fields of its body and those that its recipe changes; with neither, those that its `getOptimisticResponse`
 *    changes.
 *  8 It names that what it creates is in a list (also one that its own path and search parameters name and nobody has seen yet), that
 *    what it deletes is in none, by a field that lists are filtered by and that it changes from what was shown, which lists the row is
 *    in, and by one that it leaves as it was, that the row stays where it is shown.
 *  9 A named cell goes to the answer that names it, in whatever order they come; a write that has lost a cell to a write sent later has
 *    lost it for good.
 * 10 Except where the other came first, was sent later and has shown news: a value that is neither what the write sent nor what was there
 *    before, and that no guess hid; of a member: an answer had told it, and a later one lacks it, after which there is no next page.
 * 11 A whole answer says who is in and who is not; a page only who is in, also one read again by itself: whom it lacks stays, behind its
 *    members.
 * 12 A list is its newest whole answer without those who are out, then pages, then what came in by itself and has no place yet from an
 *    answer, in the order of requests.
 * 13 A row that came in as matching, whoever put it there, and whose held field says another list since, is out.
 * 14 What was sent before a deletion came brings nothing of the row, and a deletion ends whatever says that the row is in a list.
 * 15 Guesses lie over what is confirmed, in order, and are computed again whenever that changes.
 * 16 A guess shows nothing over fields that a later write named and landed.  17 A guess moves its row as its fields say.
 * 18 A guess that counts may be in the answer to a request that was sent after it: there, just its fields wait until the guess settles.
 * 19 The row that may be what is being created (new since, made by no other create, more like what was sent than unlike it, the most alike) is not shown
 *    beside it.
 * 20 Nothing waits longer than `holdTimeout`.  21 A write whose answer waits shows its guess until that lands.
 * 22 A create is not shown in a list first answered after it was sent.
 * 23 Where a read and a write overlapped and differ, what shows the row is fetched again, once.
 */
import { cursorBefore, cursorBehind, type Paging, type ToldPage } from './notes.js';

/** A request, or a write by hand: when it was made, sent, and answered, on one clock that ticks at each of these. */
export interface Event {
  readonly kind: 'read' | 'write';
  readonly asked: number;
  readonly sent: number;
  readonly came: number;
}

/** Who holds a cell: the answer that was taken last, and whether that named the cell. */
export interface Holder {
  readonly by: Event;
  readonly names: boolean;
}

/** 2: neither was sent after the other had come. */
export function overlapped(one: Event, other: Event): boolean {
  return one.sent < other.came && other.sent < one.came;
}

/** 5, 6, 9, 10: whether an answer takes a cell. `lastNamed`: when the last write was sent that has named the cell. */
export function takes(
  event: Event,
  names: boolean,
  holder: Holder | undefined,
  lastNamed = 0,
  hasShownNews = (): boolean => false,
): boolean {
  if (names && lastNamed > event.sent) return false;
  if (!holder || holder.by === event) return true;
  if (names === holder.names || !overlapped(event, holder.by)) return event.sent > holder.by.sent;
  if (holder.names) return false;
  return event.sent > holder.by.sent || !hasShownNews();
}

/** A page of a list; a list that is read as a whole has one. */
interface Page {
  readonly args: string;
  /** Pages stand in the order of these: where, and of those at one place, in which order they were asked for. */
  readonly place: number;
  readonly asked: number;
  readonly by: Event;
  /** All that the answer has told, but for what was deleted since. */
  readonly told: readonly string[];
  /** All of it. */
  readonly all: readonly string[];
  /** Those of the list who stand here; each stands on one page. */
  readonly pks: readonly string[];
  /** What its answer leads back to. */
  readonly before: string | undefined;
}

/** That a row is in a list or out of it, as something else has said than an answer with the list. */
interface Exception extends Holder {
  readonly isIn: boolean;
  readonly isFirst: boolean;
  /** When the request was made that put it in first, whoever has said so again since. */
  readonly since: number;
  /** Where it stands, where it is in and no answer has given it a place. */
  readonly spot: Spot | undefined;
}

/** What a read is to do with the pages of a list, as of when it was made. */
export interface Turn {
  readonly how: 'begin' | 'again' | 'add' | 'next' | 'previous';
  /** Of one page: what it is asked for with, and where it is to stand. */
  readonly args: string;
  readonly place: number;
  /** The pages that the list was made of. */
  readonly known: readonly Page[];
}

/** Where rows stand in a list as it is shown. */
export interface Spot {
  readonly pk: string;
  /** Undefined for those on pages. */
  readonly end?: 'front' | 'back';
  readonly asked: number;
  /** When the answer came that put it there. */
  readonly came: number;
}

/** How pages follow each other, and how many items a full one has. */
export interface PagingRule {
  readonly paging: Paging;
  readonly pageSize: number;
}

/** One list as it is confirmed: pages, and exceptions by row. */
export class NaiveList {
  readonly #rule: PagingRule;
  #pages: readonly Page[] = [];
  /** The newest answer with the whole list, and all that it has told. */
  #newest: Event | undefined;
  #newestTold: readonly string[] = [];
  /** Whether all pages were read again with it, and there was a next page: that one may have what it lacks. */
  #isNewestOpen = false;
  /** The newest of these that began the list anew with one page. */
  #begun: Event | undefined;
  /** When its first answer came, a whole one or a page. */
  firstCame: number | undefined;
  readonly #exceptions = new Map<string, Exception>();
  /** What the last write, by when it was sent, has named: whether a row is in. */
  readonly #lastNamed = new Map<string, { readonly sent: number; readonly isIn: boolean }>();
  #next: string | undefined;
  #before: string | undefined;
  /**
   * Whether a page has landed while a row was in that had left a page and come back, or where no page had any of the rows in it, or an answer without a
   * row that two writes have put in: guarantees.md, "may stand where the page had it, or go with a refetch of all pages", "if all rows of the loaded pages
   * have left the list", and "by the time of either write".
   */
  isUnsure = false;
  /**
   * Whether the page that has landed last stands behind one that has lost rows: by number, as many are missing between them. Or whether, by number, a page
   * has joined while the answer that has landed last was on its way, was read before another, and that has other rows by now.
   */
  isShifted = false;
  /** Who was in it before the answer that lands. */
  #members: ReadonlySet<string> = new Set();

  constructor(rule: PagingRule) {
    this.#rule = rule;
  }

  /** Whether something is remembered to be in that no answer to the list has told yet. */
  get hasLoose(): boolean {
    return [...this.#exceptions.values()].some(({ spot }) => spot);
  }

  /** Whether no page has brought any of the rows in it: then nothing in the list tells on which side of the pages these stand. */
  get isLoose(): boolean {
    return this.hasLoose && this.#pages.every(({ pks }) => pks.length === 0);
  }

  /** What a read does that is made now; undefined where there is nothing to ask for. */
  turn(how: Turn['how'], page = ''): Turn | undefined {
    const places = this.#pages.map(({ place }) => place);
    const known = this.#pages;
    switch (how) {
      case 'begin':
        return { how, args: '', place: 0, known };
      case 'again':
        return known.length > 0 ? { how, args: '', place: 0, known } : undefined;
      case 'add': {
        // It stands behind the beginning, also where that is not there yet, and before pages of greater numbers.
        const at = known.findIndex((one) => one.place > 0 && numberOf(one.args) > numberOf(page));
        const behind = known[at];
        const place = behind ? ((known[at - 1]?.place ?? 0) + behind.place) / 2 : Math.max(0, ...places) + 1;
        return { how, args: page, place, known };
      }
      case 'next':
        return this.#next === undefined ? undefined : { how, args: this.#next, place: Math.max(...places) + 1, known };
      case 'previous': {
        const args = this.#before;
        return args === undefined ? undefined : { how, args, place: Math.min(...places) - 1, known };
      }
    }
  }

  /** An answer is about to land. */
  await(): void {
    this.isShifted = false;
    this.#members = new Set(this.spots()?.map(({ pk }) => pk));
  }

  /** Who is in it; undefined where it was never answered. */
  spots(): readonly Spot[] | undefined {
    if (this.firstCame === undefined) return undefined;
    const standing = this.#pages.flatMap(({ pks }) => pks.map((pk) => ({ pk, asked: 0, came: 0 })));
    return [...standing, ...[...this.#exceptions.values()].flatMap(({ spot }) => spot ?? [])];
  }

  /**
   * 10: of a member that is told to be in, news is that "an answer had told it, and a later one lacks it, after which there is no next page"; `told` is
   * when another answer than that of the create first told of the row.
   */
  lacks(pk: string, told: number): boolean {
    return (
      !this.#isNewestOpen && this.#newest !== undefined && this.#newest.sent > told && !this.#newestTold.includes(pk)
    );
  }

  /** A fact about a row: it is in or out. It is taken as fields are; `isSure`: whoever holds the cell. */
  tell(
    by: Event,
    names: boolean,
    pk: string,
    isIn: boolean,
    { isFirst = false, isSure = false, hasShownNews = (): boolean => false } = {},
  ): void {
    const known = this.#exceptions.get(pk);
    const holder = known ?? (this.#newest && { by: this.#newest, names: false });
    const last = this.#lastNamed.get(pk);
    // Of a list with two filters, one write may have named one, and another the other: they say the same.
    const lastNamed = last && last.isIn !== isIn ? last.sent : 0;
    const isTaken = isSure || takes(by, names, holder, lastNamed, hasShownNews);
    if (names && by.sent > (last?.sent ?? 0)) this.#lastNamed.set(pk, { sent: by.sent, isIn });
    if (!isTaken) return;
    if (!isIn) {
      this.#takeOut(pk);
      this.#exceptions.set(pk, { by, names, isIn, isFirst, since: by.asked, spot: undefined });
      return;
    }
    // What is there stays where it is.
    const spot = this.#stands(pk) ? undefined : (known?.spot ?? spotOf(pk, { by, isFirst }));
    const since = known?.isIn ? known.since : by.asked;
    // Of several that come in with one answer, each stands behind those that it brings before, also where it was out.
    if (!known?.isIn) this.#exceptions.delete(pk);
    this.#exceptions.set(pk, { by, names, isIn, isFirst, since, spot });
  }

  /** 14: a deletion ends whatever says that the row is in the list. */
  drop(pk: string): void {
    this.#takeOut(pk);
    this.#exceptions.delete(pk);
    this.#pages = this.#pages.map((page) => ({ ...page, told: page.told.filter((one) => one !== pk) }));
  }

  /** An answer with the list, or a page of it; `belongs`: whether a row that it brings may be in the list. */
  answer(by: Event, turn: Turn, pages: readonly ToldPage[], belongs: (pk: string) => boolean): void {
    const { how } = turn;
    this.firstCame ??= by.came;
    this.isUnsure ||= this.#pages.some(({ told, pks }) =>
      told.some((pk) => !pks.includes(pk) && this.#exceptions.get(pk)?.spot !== undefined),
    );
    if (how === 'begin' || how === 'again') this.#landWhole(by, turn, pages, belongs);
    else if (pages[0]) this.#landPage(by, turn, pages[0], belongs);
  }

  /** A list that is begun anew, or of which all pages were read again. */
  #landWhole(by: Event, turn: Turn, came: readonly ToldPage[], belongs: (pk: string) => boolean): void {
    const { how, known } = turn;
    // "An older whole answer than the newest (by `sent`) changes nothing in the list."
    if (this.#newest && this.#newest.sent > by.sent) return;
    const there = this.#pages;
    const { told, lost } = this.inOrder(turn, came);
    const fresh = told.map(({ args, items }, i): Page => {
      const { place, asked } = (how === 'again' ? known[i + lost] : undefined) ?? { place: 0, asked: by.asked };
      const before = this.#previousOf(args, items);
      return { args, place, asked, by, told: pksOf(items), all: pksOf(items), pks: [], before };
    });
    // A page that was cut meanwhile does not come back; one that an older answer did not have does.
    const cuts = how === 'again' && this.#rule.paging === 'two by cursor';
    const isCut = (one: Page): boolean =>
      cuts && !there.some((page) => page.args === one.args || isSamePlace(page, one));
    // "The later sent wins", also of a page that was read again by itself.
    const isNew = (page: Page): boolean =>
      !known.some((one) => isSamePlace(one, page)) && !fresh.some(({ args }) => args === page.args);
    const isLater = (page: Page): boolean => isNew(page) || page.by.sent > by.sent;
    const kept = there.filter((page) => (how === 'again' ? isLater(page) : isAfter(page, by, there)));
    const landing = fresh.filter((page) => !isCut(page) && !kept.some((one) => isSamePlace(one, page)));
    this.#newest = by;
    this.#newestTold = fresh.flatMap((page) => page.told);
    if (how === 'begin') this.#begun = by;
    if (how === 'begin' && kept.length === 0) this.isUnsure = this.#hasOneByTwo();
    this.#arrange([...kept, ...landing], landing, belongs, [], by.sent);
    this.#turnTo(how, landing, told, this.#cut(how));
    this.isShifted ||= this.#isOvertaken(turn);
    // "They stay when all pages are read again, while there is a next page; an answer after which there is none decides." What a page has told that joined
    // meanwhile, and was read before, is no such answer.
    const isEndOld = (this.#pages.at(-1)?.by.sent ?? 0) < by.sent;
    const staysBehind = how === 'again' && (isEndOld || this.#next !== undefined);
    this.#isNewestOpen = staysBehind;
    // What a page has brought before is no row that "no page has brought yet", though it has left and come back.
    const wasTold = new Set(there.flatMap((page) => page.told));
    for (const [pk, exception] of this.#exceptions) {
      const isTaken = takes(by, false, exception);
      const stays = staysBehind && !this.#stands(pk) && !wasTold.has(pk) && exception.spot !== undefined;
      if (!isTaken && !exception.isIn) this.#takeOut(pk);
      else if (isTaken && !stays) this.#exceptions.delete(pk);
      else {
        // 12: it came in with the request that put it there first; of one that stood on a page, or that this answer knows of, nothing tells with which.
        const isKnown = exception.spot !== undefined && (stays || exception.spot.came > by.sent);
        if (!isKnown && !this.#stands(pk) && exception.since !== exception.by.asked) this.isUnsure = true;
        const spot = isKnown ? exception.spot : spotOf(pk, exception);
        this.#exceptions.set(pk, { ...exception, spot: this.#stands(pk) ? undefined : spot });
      }
    }
  }

  /**
   * By cursor, "the first page that was asked for is fetched first. The pages behind it follow with the cursor of the answer before each, and the pages in
   * front of it with that of the answer behind each" (collections-and-pagination.md); `lost` pages at the start are none any more.
   */
  inOrder({ how, known }: Turn, came: readonly ToldPage[]): { told: readonly ToldPage[]; lost: number } {
    const [first, ...others] = came;
    if (how !== 'again' || this.#rule.paging === 'number' || !first) return { told: came, lost: 0 };
    const start = Math.max(0, known.filter(({ place }) => place <= 0).length - 1);
    const before = others.filter(({ args }) => args.startsWith('before'));
    const behind = others.filter((page) => !before.includes(page));
    return { told: [...before.reverse(), first, ...behind], lost: start - before.length };
  }

  /** Whether a row is in that two writes have put in, and no answer has given a place. */
  #hasOneByTwo(): boolean {
    return [...this.#exceptions.values()].some(({ spot, since, by }) => spot !== undefined && since !== by.asked);
  }

  #isOvertaken({ known }: Pick<Turn, 'known'>): boolean {
    const was = (page: Page): Page | undefined => known.find((one) => isSamePlace(one, page));
    const isOther = (page: Page): boolean => (was(page) ?? page).all.join() !== page.all.join();
    const isOld = ({ by }: Page): boolean => this.#pages.some((one) => one.by.sent > by.sent && isOther(one));
    return this.#rule.paging === 'number' && this.#pages.some((page) => page.args !== '' && !was(page) && isOld(page));
  }

  /** A page by itself: it joins the others at its place. */
  #landPage(by: Event, turn: Turn, { items }: ToldPage, belongs: (pk: string) => boolean): void {
    const { how, args, place } = turn;
    if (this.#begun && this.#begun.sent > by.sent) return;
    const there = this.#pages.find((page) => page.args === args);
    // "A page with the arguments of one that is there replaces it in place; the later sent wins."
    if (there && there.by.sent > by.sent) return;
    if (!there && how !== 'add' && !this.#follows({ by, how, args, place }, items)) return;
    this.isUnsure ||= this.#hasOneByTwo() || this.isLoose;
    const told = pksOf(items);
    const page: Page = {
      args,
      place: there?.place ?? place,
      asked: there?.asked ?? by.asked,
      by,
      told,
      // Whom it lacks that was read again stays, behind its members.
      all: [...told, ...(there?.all.filter((pk) => !told.includes(pk)) ?? [])],
      pks: [],
      before: this.#previousOf(args, items),
    };
    const isLost = (pk: string): boolean => !this.#members.has(pk);
    this.isShifted =
      this.#rule.paging === 'number' && this.#pages.some((one) => one.place < page.place && one.all.some(isLost));
    const brings = (pk: string): boolean => {
      const exception = this.#exceptions.get(pk);
      return belongs(pk) && (!exception || exception.isIn || takes(by, false, exception));
    };
    const pages = [...this.#pages.filter((other) => other !== there), page];
    // 11: whom a page lacks that was read again stays, behind its members, or stands on another that has told of it.
    const isElsewhere = (pk: string): boolean => pages.some((other) => other !== page && other.told.includes(pk));
    this.#arrange(pages, [page], brings, there?.pks.filter((pk) => !isElsewhere(pk)) ?? []);
    for (const pk of told.filter((one) => this.#stands(one))) {
      const exception = this.#exceptions.get(pk);
      if (exception?.isIn) this.#exceptions.set(pk, { ...exception, spot: undefined });
      else this.#exceptions.delete(pk);
    }
    this.#turnTo(how, [page], [{ args, items }], this.#cut(how));
    this.isShifted ||= this.#isOvertaken(turn);
  }

  /** "A page stands beside that which leads to it; where that leads elsewhere by now, a newer page that shares a row with it has no hole before it." */
  #follows({ by, how, args, place }: Omit<Turn, 'known'> & { readonly by: Event }, items: ToldPage['items']): boolean {
    const isNext = how === 'next';
    const neighbour = this.#pages.find((page) => page.place === (isNext ? place - 1 : place + 1));
    if (!neighbour || this.#rule.paging === 'number') return neighbour !== undefined;
    const leads = isNext ? this.#next : this.#before;
    return leads === args || (by.sent > neighbour.by.sent && pksOf(items).some((pk) => neighbour.told.includes(pk)));
  }

  /**
   * Gives the rows of pages their places: who stands on a page that is kept stays there, unless all pages were read again, sent at `anew`, and that page
   * was read before.
   */
  #arrange(
    pages: readonly Page[],
    fresh: readonly Page[],
    belongs: (pk: string) => boolean,
    staying: readonly string[],
    anew = 0,
  ): void {
    const was = this.#pages;
    const brought = fresh.flatMap(({ told }) => told).filter(belongs);
    const isHomeless = (pk: string): boolean =>
      was.some((page) => page.pks.includes(pk) && !pages.includes(page) && fresh.some((one) => isSamePlace(one, page)));
    const sorted = pages
      .map((page): Page => {
        // One that a page lacked when it was read again stands on the page that brings it.
        const stays = (pk: string): boolean => (page.told.includes(pk) && page.by.sent > anew) || !brought.includes(pk);
        if (fresh.includes(page)) return page;
        // Who stood on a page that was read again stands on another that has told of it.
        const isHere = (pk: string): boolean => page.pks.includes(pk) || isHomeless(pk);
        const pks = [...page.told.filter(isHere), ...page.pks.filter((pk) => !page.told.includes(pk))];
        return { ...page, pks: pks.filter(stays) };
      })
      .sort((one, other) => one.place - other.place || one.asked - other.asked);
    const taken = new Set(sorted.filter((page) => !fresh.includes(page)).flatMap(({ pks }) => pks));
    const take = (pks: readonly string[]): readonly string[] => pks.filter((pk) => !taken.has(pk) && taken.add(pk));
    this.#pages = sorted.map((page) => {
      if (!fresh.includes(page)) return page;
      const own = take(page.told.filter(belongs));
      return { ...page, pks: [...own, ...take(staying)] };
    });
    this.#rehome(was.flatMap(({ pks }) => pks).filter((pk) => !taken.has(pk)));
  }

  /** Rows whose page is gone stand on another one that has told of them. */
  #rehome(pks: readonly string[]): void {
    for (const pk of pks) {
      const home = this.#pages.find(({ told }) => told.includes(pk));
      if (!home) continue;
      const isHere = (one: string): boolean => one === pk || home.pks.includes(one);
      const moved = [...home.told.filter(isHere), ...home.pks.filter((one) => !home.told.includes(one))];
      this.#pages = this.#pages.map((page) => (page === home ? { ...page, pks: moved } : page));
    }
  }

  /** With too many pages, those at the other end go; one without rows does not count. */
  #cut(how: Turn['how']): readonly Page[] {
    const full = this.#pages.filter(({ all }) => all.length > 0);
    const tooMany = this.#rule.paging === 'two by cursor' ? full.length - 2 : 0;
    if (tooMany <= 0) return [];
    const at = this.#pages.findIndex((page) => page === full.at(how === 'previous' ? -tooMany : tooMany));
    const cut = how === 'previous' ? this.#pages.slice(at) : this.#pages.slice(0, at);
    this.#pages = this.#pages.filter((page) => !cut.includes(page));
    this.#rehome(cut.flatMap(({ pks }) => pks));
    return cut;
  }

  /** What the pages before and behind are asked for with, from now on. */
  #turnTo(how: Turn['how'], fresh: readonly Page[], told: readonly ToldPage[], cut: readonly Page[]): void {
    const isFresh = (page: Page | undefined): page is Page =>
      page !== undefined && fresh.some((one) => isSamePlace(one, page));
    const itemsOf = (page: Page): ToldPage['items'] => told.find(({ args }) => args === page.args)?.items ?? [];
    const [last, first] = [this.#pages.at(-1), this.#pages[0]];
    const was = this.#next;
    // By number, the pages themselves tell whether there is a next one; by cursor, the answer of the last.
    if (last && (isFresh(last) || this.#rule.paging === 'number')) this.#next = this.#nextOf(last, itemsOf(last));
    else if (how === 'previous' && cut[0]) this.#next = cut[0].args;
    // Behind a page before the first one stands another, though it was cut.
    if (last && last.place < 0) this.#next ??= was;
    this.#before = first?.before;
  }

  #nextOf({ args, told }: Page, items: ToldPage['items']): string | undefined {
    if (this.#rule.paging !== 'number') return cursorBehind(items, this.#rule.pageSize);
    const others = this.#pages.slice(0, -1).flatMap((page) => page.told);
    return told.some((pk) => !others.includes(pk)) ? `page=${numberOf(args) + 1}` : undefined;
  }

  #previousOf(args: string, items: ToldPage['items']): string | undefined {
    if (this.#rule.paging !== 'number') return cursorBefore(items);
    return numberOf(args) > 1 ? `page=${numberOf(args) - 1}` : undefined;
  }

  #stands(pk: string): boolean {
    return this.#pages.some(({ pks }) => pks.includes(pk));
  }

  #takeOut(pk: string): void {
    this.#pages = this.#pages.map((page) => ({ ...page, pks: page.pks.filter((one) => one !== pk) }));
  }
}

/** What comes in by itself stands behind all, or in front, in the order of requests. */
function spotOf(pk: string, { by, isFirst }: Pick<Exception, 'by' | 'isFirst'>): Spot {
  return { pk, asked: by.asked, came: by.came, end: isFirst ? 'front' : 'back' };
}

/** A page is known by who joined it first. */
function isSamePlace(one: Pick<Page, 'place' | 'asked'>, other: Pick<Page, 'place' | 'asked'>): boolean {
  return one.place === other.place && one.asked === other.asked;
}

/** "A begin drops all pages but those asked for after it was asked, first or again, and those between place 0 and them." */
function isAfter(page: Page, begin: Event, pages: readonly Page[]): boolean {
  const { place } = page;
  const isLater = ({ asked, by }: Page): boolean => asked > begin.asked || by.sent > begin.sent;
  const isBetween = (other: Page): boolean => (place > 0 ? other.place >= place : other.place <= place);
  return isLater(page) || (place !== 0 && pages.some((other) => isLater(other) && isBetween(other)));
}

function numberOf(args: string): number {
  return args === '' ? 1 : Number(args.slice('page='.length));
}

function pksOf(items: ToldPage['items']): readonly string[] {
  return items.map(({ id }) => String(id));
}
