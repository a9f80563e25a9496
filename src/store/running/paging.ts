import { freezeInDevelopment } from '../../errors.js';
import { findCollection } from '../../schema/Collection.js';
import { countItems } from '../../schema/joinAnswers.js';
import type { List, Ref } from '../../schema/Schema.js';
import { among, sameValue, type ListChange } from '../../tables/changes.js';
import { rowOf, tableOf } from '../../tables/tables.js';
import { type Page, type Pages, type ResourcesState } from '../state.js';
import { toWireArgs } from './plain.js';
import type { Turn } from './turns.js';

const none: readonly never[] = [];

/** What becomes of the pages of a list when an answer lands: where its items go, and what is remembered of them. */
export class PageLanding {
  readonly #turn: Turn;
  readonly #slice: ResourcesState;
  readonly #seq: number;
  readonly #args: readonly unknown[];
  readonly #known: Pages | undefined;
  /** The pages from now on; undefined where they stay as they are. */
  #pages: readonly Page[] | undefined;
  /** Those of them that came with this answer. */
  #fetched: readonly Page[] = none;
  /** Those that are no part of the list any more, for there would be too many. */
  #dropped: readonly Page[] = none;
  #isPlaced = false;

  constructor(turn: Turn, slice: ResourcesState, seq: number, args: readonly unknown[]) {
    this.#turn = turn;
    this.#slice = slice;
    this.#seq = seq;
    this.#args = args;
    this.#known = rowOf(slice.requests, turn.of)?.pages;
  }

  /** The change of the list as the pages make it; undefined for other lists. */
  readonly place = (change: ListChange): ListChange | undefined => {
    const { table, pk, operation, list } = change;
    const collection = findCollection(this.#turn.list.schema);
    if (this.#isPlaced || collection?.table !== table) return undefined;
    const isArray = Array.isArray(list);
    const isWhole = operation === 'set' && pk === collection.pkOfArgs(this.#args);
    if (!isWhole && operation !== (isArray ? 'append' : 'assign')) return undefined;
    this.#isPlaced = true;
    const refs = (isArray ? list : Object.values(list)) as readonly Ref[];
    // A table that is called after lists holds lists.
    const there = rowOf(tableOf(this.#slice.tables, table), pk) as List | undefined;
    const now = Array.isArray(there) ? (there as readonly Ref[]) : none;
    const placed = isWhole ? this.#placeAll(change, refs, now) : this.#placeOne(change, refs, now);
    // Values have names, and no place.
    return isArray ? placed : undefined;
  };

  #placeAll(change: ListChange, refs: readonly Ref[], now: readonly Ref[]): ListChange {
    const { how, fetches, answers, list } = this.#turn;
    const { seq: knownSeq = 0, all = none } = this.#known ?? {};
    // A later answer is there.
    if (knownSeq > this.#seq) return change;
    let at = 0;
    this.#fetched = fetches.map(({ name, args }, i) => {
      const from = at;
      at += fetches.length === 1 ? refs.length : countItems(list.schema, answers[i]);
      return this.#page(name, args, fetches.length === 1 ? refs : refs.slice(from, at));
    });
    // What was asked for later comes again by itself; what it stands behind stays, as does what was added meanwhile.
    const isLater = (page: Page): boolean => page.seq > this.#seq && !isIn(this.#fetched, page);
    const hasLater = all.some(isLater);
    const isKept = (page: Page): boolean => (how === 'again' ? !this.#turn.known.includes(page) : hasLater);
    const added = all.filter((page) => !isLater(page) && !isIn(this.#fetched, page) && isKept(page));
    const start = all.findIndex((page) => this.#turn.known.includes(page));
    const before = added.filter((page) => all.indexOf(page) < start);
    const behind = added.filter((page) => !before.includes(page));
    this.#pages = [...before, ...this.#fetched, ...behind, ...all.filter(isLater)];
    if (added.length === 0) return change;
    const isThere = among(now);
    const refsOf = (pages: readonly Page[]): readonly Ref[] => pages.flatMap((page) => page.refs.filter(isThere));
    return { ...change, list: [...refsOf(before), ...refs, ...refsOf(behind)] };
  }

  #placeOne(change: ListChange, refs: readonly Ref[], now: readonly Ref[]): ListChange {
    const { how, fetches } = this.#turn;
    const { all = none, next, before = none } = this.#known ?? {};
    const [{ name, args } = { name: '', args: none }] = fetches;
    const expected = how === 'previous' ? before.at(-1) : next;
    // The list has begun anew meanwhile, and this page is not beside it.
    if (how !== 'add' && this.#known && !sameValue(expected, args))
      return { ...change, list: none, page: { created: none } };
    const page = this.#page(name, args, refs);
    this.#fetched = [page];
    this.#pages = this.#atMost(this.#with(all, page));
    if (!this.#known) return { ...change, page: { created: none } };
    const isBrought = among(all.flatMap((other) => other.refs));
    const isKept = among(this.#pages.flatMap((other) => other.refs));
    const dropped = this.#dropped.flatMap((other) => other.refs.filter((ref) => !isKept(ref)));
    const created = now.filter((ref) => !isBrought(ref));
    const isFirst = this.#pages[0] === page && this.#pages.length > 1;
    return { ...change, page: { created, ...(dropped.length > 0 && { dropped }), ...(isFirst && { isFirst }) } };
  }

  #page(name: string, args: readonly unknown[], refs: readonly Ref[]): Page {
    return { name, args, refs: freezeInDevelopment(refs), seq: this.#seq };
  }

  /**
   * The pages with one more; one that is there stays where it is. They stand in the order in which they were asked for,
   * behind those that were there then, though these have been read again since.
   */
  #with(pages: readonly Page[], page: Page): readonly Page[] {
    const { how, known } = this.#turn;
    const there = pages.findIndex(({ args }) => sameValue(args, page.args));
    if (there >= 0) return pages.map((other, i) => (i === there ? page : other));
    const isLater = (other: Page | undefined): boolean =>
      other !== undefined && other.seq > page.seq && !isIn(known, other);
    let at = how === 'previous' ? 0 : pages.length;
    while (at > 1 && isLater(pages[at - 1])) at--;
    return [...pages.slice(0, at), page, ...pages.slice(at)];
  }

  /** No more pages than there may be: those at the other end go. */
  #atMost(pages: readonly Page[]): readonly Page[] {
    const { list, how } = this.#turn;
    const tooMany = pages.length - (list.paging.maxPages ?? Infinity);
    if (tooMany <= 0) return pages;
    const cut = how === 'previous' ? pages.length - tooMany : tooMany;
    const [one, other] = [pages.slice(0, cut), pages.slice(cut)];
    this.#dropped = how === 'previous' ? other : one;
    return how === 'previous' ? one : other;
  }

  /** What is remembered; undefined where that stays as it is. */
  pages(): Pages | undefined {
    const all = this.#pages;
    if (!all) return undefined;
    const { how } = this.#turn;
    const isWhole = how === 'begin' || how === 'again';
    const next = this.#next(all);
    const seq = isWhole ? this.#seq : (this.#known?.seq ?? 0);
    const plain = (args: readonly unknown[]): readonly unknown[] => toWireArgs(args, this.#turn.list.name);
    return { all, seq, ...(next && { next: plain(next) }), before: this.#before(all).map(plain) };
  }

  #answerTo(page: Page | undefined): { readonly answer: unknown; readonly args: readonly unknown[] } | undefined {
    const at = page ? this.#fetched.indexOf(page) : -1;
    return page && at >= 0 ? { answer: this.#turn.answers[at], args: page.args } : undefined;
  }

  #next(all: readonly Page[]): readonly unknown[] | undefined {
    const last = this.#answerTo(all.at(-1));
    const { paging } = this.#turn.list;
    if (last) return paging.next?.(last.answer, last.args, isNews(all));
    const [dropped] = this.#turn.how === 'previous' ? this.#dropped : none;
    return dropped?.args ?? this.#known?.next;
  }

  #before(all: readonly Page[]): Pages['before'] {
    const { how, list } = this.#turn;
    const first = this.#answerTo(all[0]);
    const known = (how === 'begin' ? undefined : this.#known?.before) ?? none;
    if (first && list.paging.previous) {
      const args = list.paging.previous(first.answer, first.args);
      return args ? [args] : none;
    }
    if (how === 'previous') return first ? known.slice(0, -1) : known;
    return known.concat(this.#dropped.map(({ args }) => args));
  }
}

/** Whether a page with the same arguments is among some. */
function isIn(pages: readonly Page[], { args }: Page): boolean {
  return pages.some((page) => sameValue(page.args, args));
}

/** Whether the last of these pages has brought what no other had. */
function isNews(pages: readonly Page[]): boolean {
  const last = pages.at(-1)?.refs ?? none;
  if (pages.length === 1) return last.length > 0;
  const isKnown = among(pages.slice(0, -1).flatMap(({ refs }) => refs));
  return last.some((ref) => !isKnown(ref));
}
