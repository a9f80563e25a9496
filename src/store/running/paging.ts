import { freezeInDevelopment } from '../../schema/freezing.js';
import { findLists } from '../../schema/ListsSchema.js';
import { countItems } from '../../schema/joinAnswers.js';
import { none, type Ref } from '../../schema/Schema.js';
import { totalIn, totalTable, type TotalRow } from '../../schema/Total.js';
import { withoutGaps } from '../../schema/withoutGaps.js';
import { type ListChange, among, once, refsIn } from '../../tables/members.js';
import { sameValue } from '../../tables/same.js';
import type { AnsweredPage } from '../endpoint.js';
import type { Event } from '../order/event.js';
import type { Landing } from '../order/Landing.js';
import type { Lists } from '../order/lists.js';
import type { Page, Pages } from '../state.js';
import { inPlaces, isNews, isSame, standingOn, withoutLeft } from './pages.js';
import { toWireArgs } from './plain.js';
import { hasLost, isNumbered, isOnePage, type PageRequest } from './pageRequests.js';

/** What becomes of the pages of a list when an answer with one or all of them lands. A list is a row of pages, each known by its place and by when it was first asked for. */
export class PageLanding {
  readonly #pageRequest: PageRequest;
  readonly #event: Event;
  readonly #args: readonly unknown[];
  readonly #lists: Lists;
  readonly #rows: Landing['rows'];
  /** The pages that the list is made of. */
  readonly #pages: Pages | undefined;
  readonly #was: readonly Page[];
  /** The pages from now on; undefined where they stay as they are. */
  #row: readonly Page[] | undefined;
  /** Those of them whose rows this answer has brought: a later answer may have others. */
  #fetched: readonly Page[] = none;
  /** Rows of a page that was read again by itself, and lacks them. */
  #left: readonly Ref[] = none;
  /** Pages at its start that the list is not made of any more, because there would be too many. */
  #cut: readonly Page[] = none;
  /** The first of those at its end, likewise: it is the next one, also where the page before says that there is none. */
  #dropped: Page | undefined;
  /** The list as it is with this answer. */
  #made: ListChange | undefined;
  /** Tells of a row whether the list has it. */
  #has: (ref: Ref) => boolean = () => false;

  constructor(
    pageRequest: PageRequest,
    event: Event,
    args: readonly unknown[],
    { lists, rows }: Pick<Landing, 'lists' | 'rows'>,
    pages: Pages | undefined,
  ) {
    this.#pageRequest = pageRequest;
    this.#event = event;
    this.#args = args;
    this.#lists = lists;
    this.#rows = rows;
    this.#pages = pages;
    this.#was = pages?.all ?? none;
  }

  /** The list as its pages make it; undefined for other lists. */
  readonly arrange = (change: ListChange): ListChange | undefined => {
    const what = this.#row ? undefined : this.#bringing(change);
    if (!what) return undefined;
    const isWhole = what === 'all';
    this.#has = among(refsIn(this.#lists.list(change.table, change.pk) ?? none));
    const refs = refsIn(change.list) as readonly Ref[];
    const row = isWhole ? this.#rowOfAll(refs) : this.#rowWithOne(refs);
    const isBrought = among(this.#fetched.flatMap((page) => page.refs));
    if (row)
      this.#row = this.#atMost(row.map((page) => (this.#fetched.includes(page) ? page : withoutLeft(page, isBrought))));
    // Values have names, and no place.
    if (!Array.isArray(change.list)) return undefined;
    // A later answer is there, or there is no place for the page: just its rows land.
    if (!row) return isWhole ? undefined : { ...change, list: none };
    this.#made = { ...change, operation: 'set', ...this.#members(isWhole, change), ...(!isWhole && { isPage: true }) };
    return this.#made;
  };

  /** What a change brings of the list; undefined where it is about another. */
  #bringing({ table, pk, operation }: ListChange): 'all' | 'a page' | undefined {
    const collection = findLists(this.#pageRequest.list.schema);
    if (collection?.table !== table) return undefined;
    if (operation === 'set' && pk === collection.pkOfArgs(this.#args)) return 'all';
    return operation === 'append' || operation === 'assign' ? 'a page' : undefined;
  }

  /** The row of pages after all of it was fetched, or it was begun anew. */
  #rowOfAll(refs: readonly Ref[]): readonly Page[] | undefined {
    const { how, fetches, answers, list, known, begun, lost = 0 } = this.#pageRequest;
    const pages = this.#pages;
    if (pages && pages.seq > this.#event.sent) return undefined;
    // If the list was begun anew meanwhile, this begins it again: what stands there now stays there, all else comes behind it.
    const isBegun = pages?.begun !== begun;
    let at = 0;
    this.#fetched = fetches.map(({ name, args }, i) => {
      const from = at;
      at += fetches.length === 1 ? refs.length : countItems(list.schema, answers[i]?.response);
      const came = fetches.length === 1 ? refs : refs.slice(from, at);
      const was = how === 'again' ? known[i + lost] : undefined;
      const now = isBegun && was ? this.#was.find((one) => this.#isOne(one, { args, refs: came })) : was;
      const { place, asked } = now ?? { place: was?.place ?? 0, asked: this.#event.asked };
      return this.#page({ name, args, place, asked }, came, answers[i]);
    });
    const isOf = (pages: readonly Page[], page: Page): boolean =>
      pages.some((one) => isSame(one, page) || this.#isOne(one, page));
    // What joined meanwhile stays where it stands, unless this brings it anew; what was cut meanwhile does not come back. Without `maxPages`, what is gone an
    // earlier answer did not have.
    if (how === 'again' && pages && !isBegun) {
      const isNew = (page: Page): boolean => !isOf(known, page) && !isOf(this.#fetched, page);
      const there = this.#was.filter((page) => isNew(page) || page.seq > this.#event.sent);
      const isCut = (page: Page): boolean => list.paging.maxPages !== undefined && !isOf(this.#was, page);
      this.#fetched = this.#fetched.filter((page) => !isCut(page) && !isOf(there, page));
      return inPlaces([...this.#fetched, ...there]);
    }
    // What was read later stays as it was read; what was asked for later, or has joined meanwhile, stays where it stood, with what is between, so that there is no hole.
    const others = this.#was.filter((one) => !this.#fetched.some((page) => this.#isOne(one, page)));
    const read = this.#fetched.map((page) => {
      const later = this.#was.find((one) => one.seq > page.seq && this.#isOne(one, page));
      const { args, name, place, asked } = page;
      return later ? { ...later, args, name, place, asked: Math.max(asked, later.asked) } : page;
    });
    this.#fetched = this.#fetched.filter((page) => read.includes(page));
    const { asked, sent } = this.#event;
    const isLater = (page: Page): boolean => page.asked > asked || page.seq > sent;
    const later = others.filter((page) => (how === 'again' ? !isOf(known, page) : isLater(page)));
    const isBetween = ({ place }: Page): boolean =>
      later.some((one) => (place > 0 && place <= one.place) || (place < 0 && place >= one.place));
    return inPlaces([...read, ...others.filter((page) => later.includes(page) || isBetween(page))]);
  }

  /** The row of pages with one more; undefined where there is no place for it. */
  #rowWithOne(refs: readonly Ref[]): readonly Page[] | undefined {
    const [{ name, args } = { name: '', args: none }] = this.#pageRequest.fetches;
    const there = this.#was.find((page) => this.#isOne(page, { args, refs }));
    if (!this.#hasPlace(there, refs)) return undefined;
    // Whom a page lacks that is read again by itself stays, behind its members.
    const comes = among(refs);
    this.#left = there?.refs.filter((ref) => !comes(ref)) ?? none;
    const { place, asked } = there ?? { place: this.#pageRequest.place, asked: this.#event.asked };
    const what = { name, args, place, asked, ...(this.#left.length > 0 && { left: this.#left }) };
    const page = this.#page(what, [...refs, ...this.#left], this.#pageRequest.answers[0]);
    this.#fetched = [page];
    return inPlaces([...this.#was.filter((one) => one !== there), page]);
  }

  /** Whether a page has a place: no newer answer has brought it, or begun the list, and it stands beside a page that is still there. */
  #hasPlace(there: Page | undefined, refs: readonly Ref[]): boolean {
    const { how, known, list } = this.#pageRequest;
    const { sent } = this.#event;
    const pages = this.#pages;
    if (!pages) return true;
    // Where nobody knows how pages follow each other, a page is never too old.
    if (pages.begun > sent && (how !== 'add' || list.paging.next)) return false;
    if (there) return there.seq <= sent;
    return how === 'add' || known.length === 0 || this.#isBeside(pages, refs);
  }

  /** Whether the page before or behind is still there. One that leads elsewhere by now has nothing between itself and a newer page with one of its rows. */
  #isBeside({ all, next, before }: Pages, refs: readonly Ref[]): boolean {
    const { fetches, how, place, list } = this.#pageRequest;
    const isNext = how === 'next';
    const neighbour = all.find((page) => page.place === (isNext ? place - 1 : place + 1));
    if (!neighbour || !list.paging.isByCursor) return neighbour !== undefined;
    if (sameValue(isNext ? next : before.at(-1), fetches[0]?.args)) return true;
    return neighbour.seq < this.#event.sent && refs.some(among(neighbour.refs));
  }

  /** The rows of all pages: what no page has brought stands before or behind them, as it did. `told` are those whose place a page has told. */
  #members(isWhole: boolean, change: ListChange): Pick<ListChange, 'list' | 'told' | 'isOpen'> {
    const row = this.#row ?? none;
    const now = refsIn(this.#lists.list(change.table, change.pk) ?? none) as readonly Ref[];
    const wasTold = among(this.#was.flatMap(({ refs }) => refs));
    const placed = now.filter(wasTold);
    // A row that has left its page and come back stands where it came in.
    const standsOn = standingOn(placed, this.#was);
    const isThere = (ref: Ref): boolean => standsOn(ref) !== undefined;
    const comes = among(this.#fetched.flatMap(({ refs }) => refs));
    const stays = (page: Page): readonly Ref[] =>
      page.refs.filter((ref) => {
        const own = standsOn(ref);
        // Where all pages were read again, a page that has joined meanwhile may have been read before.
        if (isWhole && page.seq < this.#event.sent && comes(ref)) return false;
        // A row whose page was read again stands on another that has brought it.
        return own && (own === page || !row.includes(own));
      });
    const kept = row.flatMap((page): readonly Ref[] => (this.#fetched.includes(page) ? none : stays(page)));
    const isKept = among(kept);
    const isLeft = among(this.#left);
    const isIn = (ref: Ref): boolean =>
      !isKept(ref) && (isLeft(ref) ? isThere(ref) : isWhole || this.#lists.admits(this.#event, change, ref));
    const brought = row.flatMap((page): readonly Ref[] =>
      this.#fetched.includes(page) ? page.refs.filter(isIn) : stays(page),
    );
    const isOpen = !isWhole || this.#isOpenBehind(row);
    const isNew = among(brought);
    const start = now.findIndex(isThere);
    const created = (refs: readonly Ref[]): readonly Ref[] =>
      isOpen ? refs.filter((ref) => !(isWhole ? wasTold : isThere)(ref) && !isNew(ref)) : none;
    // Where no page has brought any of the rows, those in front were put there; of a list without pages, nobody knows which it is made of.
    const isFront = (ref: Ref): boolean | undefined => this.#was.length === 0 || this.#lists.isFirst(change, ref);
    const end = start >= 0 ? start : now.findLastIndex(isFront) + 1;
    const [before, behind] = [now.slice(0, end), now.slice(end)];
    const list = once([...created(before), ...brought, ...created(behind)]) as readonly Ref[];
    return { list, told: brought, ...(isWhole && isOpen && { isOpen }) };
  }

  /**
   * Whether more rows may stand behind all pages. A list that was asked for anew, or has no more pages, says by itself what is in it; but not where its end
   * was told before, by a page that has joined meanwhile.
   */
  #isOpenBehind(row: readonly Page[]): boolean {
    const isEndOld = (row.at(-1)?.seq ?? 0) < this.#event.sent;
    return this.#pageRequest.isRefetch && (isEndOld || this.#next(row) !== undefined);
  }

  /** Whether two answers are to one page: by number, the first may be named or not, and both have brought some of the same rows, or nothing of what there was is left. */
  #isOne(one: Pick<Page, 'args' | 'refs'>, other: Pick<Page, 'args' | 'refs'>): boolean {
    const { isByCursor, next } = this.#pageRequest.list.paging;
    if (sameValue(one.args, other.args)) return true;
    const [after, behind] = isByCursor ? none : [one, other].map(({ args }) => next?.({ args }));
    return (
      after !== undefined && sameValue(after, behind) && (one.refs.some(among(other.refs)) || !one.refs.some(this.#has))
    );
  }

  #page(what: Omit<Page, 'refs' | 'seq'>, refs: readonly Ref[], answer: Omit<AnsweredPage, 'args'> = {}): Page {
    const { name, paging } = this.#pageRequest.list;
    const told = { ...answer, args: what.args };
    const plain = (args?: readonly unknown[]) => args && toWireArgs(args, name);
    const leads = withoutGaps({ next: plain(paging.next?.(told)), previous: plain(paging.previous?.(told)) });
    return { ...what, refs: freezeInDevelopment(refs), seq: this.#event.sent, leads };
  }

  /** No more pages than there may be: those at the other end go. One without rows does not count. */
  #atMost(row: readonly Page[]): readonly Page[] {
    const { list, how } = this.#pageRequest;
    const full = row.filter(({ refs }) => refs.length > 0);
    const tooMany = full.length - (list.paging.maxPages ?? Infinity);
    if (tooMany <= 0) return row;
    const isPrevious = how === 'previous';
    const edge = full.at(isPrevious ? -tooMany : tooMany);
    const at = row.findIndex((page) => page === edge);
    if (isPrevious) this.#dropped = edge;
    else this.#cut = row.slice(0, at);
    return isPrevious ? row.slice(0, at) : row.slice(at);
  }

  /** What is remembered of the list; undefined where that stays as it is. */
  pages(): { readonly of: string; readonly pages: Pages } | undefined {
    const all = this.#row;
    if (!all) return undefined;
    const { how, of } = this.#pageRequest;
    const { seq = 0, begun = 0 } = this.#pages ?? {};
    const isWhole = !isOnePage(this.#pageRequest);
    // Behind a page before the first one stands another, though it was dropped.
    const isBefore = (all.at(-1)?.place ?? 0) < 0;
    const next = this.#next(all) ?? this.#dropped?.args ?? (isBefore ? this.#pages?.next : undefined);
    const pages = {
      all,
      seq: isWhole ? this.#event.sent : seq,
      begun: how === 'begin' ? this.#event.sent : begun,
      ...(next && { next }),
      before: this.#before(all),
    };
    return { of, pages };
  }

  /** The list, where a page leads elsewhere than to the page behind it, or rows may be missing between two. */
  get doubtful(): readonly string[] {
    return this.#isShifted() || this.#isOvertaken() || this.#leadsElsewhere() ? [this.#pageRequest.of] : none;
  }

  /** Whether the list has lost rows of a page in front of one that was counted: as many rows behind them no page has brought. */
  #isShifted(): boolean {
    const [page] = this.#fetched;
    if (!page || !isOnePage(this.#pageRequest)) return false;
    const isCounted = !this.#pageRequest.list.paging.isByCursor || isNumbered(page) || this.#isShort();
    return isCounted && this.#was.some((one) => one.place < page.place && hasLost(one, this.#has));
  }

  /** Whether all pages are there, and have fewer rows than the total says: a cursor may count rows, too. Where a total never fits, pages that were read again have lost nothing. */
  #isShort(): boolean {
    const collection = findLists(this.#pageRequest.list.schema);
    const row = this.#row ?? none;
    if (!this.#made || !collection || this.#next(row) || this.#before(row).length > 0) return false;
    const { table, pk, list } = this.#made;
    // A table of this name holds totals.
    const total = this.#rows.row(totalTable(table), collection.totalOf(pk)) as TotalRow | undefined;
    return total !== undefined && refsIn(list).length < totalIn(total);
  }

  /** Whether a numbered page has joined meanwhile that was read before others, which have other rows by now. */
  #isOvertaken(): boolean {
    const row = this.#row ?? none;
    const was = (page: Page): Page | undefined => this.#pageRequest.known.find((one) => isSame(one, page));
    const isOther = (page: Page): boolean => !sameValue((was(page) ?? page).refs, page.refs);
    // What comes in front of a page that is asked for by a row (`before=7`) shifts none.
    return row.some((page) => isNumbered(page) && !was(page) && row.some((one) => one.seq > page.seq && isOther(one)));
  }

  /** Whether a page was read again by cursor and leads elsewhere than to the page beside it. */
  #leadsElsewhere(): boolean {
    const row = this.#row ?? none;
    const { how, list } = this.#pageRequest;
    const { paging } = list;
    if (!paging.isByCursor) return false;
    const isFetched = (page: Page): boolean => this.#fetched.includes(page);
    return row.filter(isFetched).some((page) => {
      const i = row.indexOf(page);
      const [before, behind] = [row[i - 1], row[i + 1]];
      // By what the page behind it told, a page before the first was asked for.
      const isLed = (one: Page): boolean =>
        one.place >= 0 || isFetched(one) || sameValue(page.leads?.previous, one.args);
      if (how === 'again' && before && !isLed(before)) return true;
      if (!behind || isFetched(behind)) return false;
      // The page before the first leads to that, though the first was asked for without a cursor; also where it is read again, for nothing was newer.
      const isNew = !this.#was.some((one) => isSame(one, page));
      if (paging.previous && how === 'previous' && (isNew || sameValue(behind.leads?.previous, page.args)))
        return false;
      return !sameValue(page.leads?.next, behind.args);
    });
  }

  /** What leads to the next page. Where pages are counted, one that has brought nothing is the last. */
  #next(row: readonly Page[]): readonly unknown[] | undefined {
    return this.#pageRequest.list.paging.isByCursor || isNews(row) ? row.at(-1)?.leads?.next : undefined;
  }

  #before(row: readonly Page[]): Pages['before'] {
    const { how, list } = this.#pageRequest;
    const { before: known = none } = this.#pages ?? {};
    const [first] = row;
    if (first?.leads && list.paging.previous) return first.leads.previous ? [first.leads.previous] : none;
    const isFetched = this.#fetched.some((page) => page === first);
    if (how === 'previous') return isFetched ? known.slice(0, -1) : known;
    return (how === 'begin' && isFetched ? none : known).concat(this.#cut.map(({ args }) => args));
  }
}
