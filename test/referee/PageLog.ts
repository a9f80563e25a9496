import type { Reply } from './answers.js';
import { isCreate, isShowing, rowBefore, valueIn } from './Ledger.js';
import type { Op } from './Match.js';
import type { Flight } from './Network.js';
import type { Server } from './Server.js';
import type { Field, List } from './worlds.js';

/** What a read does to a list with pages: it begins the list anew, reads all its pages once more, or adds one. */
export type How = 'begin' | 'refetch' | 'page' | 'next' | 'previous';

/** An answer with a page; `sent` and `came` are places on the network's clock. */
export interface Part {
  readonly how: How;
  readonly label: string | undefined;
  readonly sent: number;
  readonly came: number;
  readonly at: number;
  /** When its page was asked for first: there it stands, read again or not. */
  readonly first: number;
  /** Its number, where pages have numbers. */
  readonly page: number | undefined;
  /** Whether it was asked for by its number. */
  readonly isNumbered: boolean;
  /** The place that it was asked from, where pages have cursors; undefined where the list begins. */
  readonly cursor: string | undefined;
  /** The places from which those beside it are to be asked for. */
  readonly leads: readonly unknown[];
  /** The rows that it has brought, by who made them. */
  readonly rows: readonly string[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  /** Whether nothing else was under way while it was. */
  readonly isAlone: boolean;
  /** The list has begun anew while it was asked for, with the page beside which it was to stand: it may have joined, or be asked for again. */
  readonly mayHaveJoined?: true;
}

/** What is known of a list with pages. */
interface Known {
  /** The rows that were shown, and that nothing may have taken away since but what the server's log and pending writes explain. */
  readonly owed: ReadonlySet<string>;
  /** The rows whose place among others an answer has told, and that were shown ever since. */
  readonly placed: ReadonlySet<string>;
  /** The answers that the list is made of. */
  readonly parts: readonly Part[];
  /** Pages beside its beginning that went when it began anew. */
  readonly gone: readonly Part[];
  /** When the first of its answers came. */
  readonly since: number;
  /** When the newest answer with the whole list was asked for. */
  readonly whole: number;
  /** When the list was asked for that began it. */
  readonly begun: number;
  /** Whether pages at the front, or at the back, may have been dropped since, for there were too many. */
  readonly isCutInFront: boolean;
  readonly isCutBehind: boolean;
  /** Whether it had none of the rows of its pages at some time: where what was made here stands beside pages that come later, nobody knows. */
  readonly isBare: boolean;
}

/** An answer with the whole list: its pages, those of before that stay, and whether the list begins with it. */
interface Settling {
  readonly parts: readonly Part[];
  readonly kept: readonly Part[];
  readonly isBeginning: boolean;
}

const nothing: Known = {
  owed: new Set(),
  placed: new Set(),
  parts: [],
  gone: [],
  since: Infinity,
  whole: -1,
  begun: -1,
  isCutInFront: false,
  isCutBehind: false,
  isBare: false,
};

/** What answers have told of lists that are read page by page, and what may be missing in them. */
export class PageLog {
  readonly #server: Server;
  readonly #ops: readonly Op[];
  /** As of when a row was last shown in a list. */
  readonly #seenAt: (origin: string, list: string) => number;
  readonly #lists = new Map<string, Known>();
  /** The pages of a list that is read once more, as they come, by the request that asks for them. */
  readonly #coming = new Map<string, readonly Part[]>();
  readonly #brought = new Set<string>();

  constructor(server: Server, ops: readonly Op[], seenAt: (origin: string, list: string) => number) {
    this.#server = server;
    this.#ops = ops;
    this.#seenAt = seenAt;
  }

  of({ name }: List): Known {
    return this.#lists.get(name) ?? nothing;
  }

  /** Whether a row need not be shown, for no page that the list is made of has brought it. */
  mayLack(list: List, origin: string): boolean {
    const { owed, parts } = this.of(list);
    if (list.pages === undefined || !owed.has(origin)) return list.pages !== undefined;
    // A write that has failed kept it there, when an answer came that begins the list without it.
    const moves = this.#ops.filter((op) => op.origin === origin && isOf(op, list));
    return !moves.every(isValid) && !parts.some(({ rows }) => rows.includes(origin));
  }

  /** Whether any page of a list has ever brought a row. */
  wasBrought(list: List, origin: string): boolean {
    return this.#brought.has(`${list.name} ${origin}`);
  }

  /**
   * A page is about to be delivered; gives what undoes it, for a list that is read once more by cursors lands with its last page,
   * and which is the last one shows only when no other is asked for.
   */
  bring(list: List, how: How, flight: Flight, reply: Reply): () => void {
    const was = this.of(list);
    const part = partOf(list, how, flight, reply);
    for (const row of part.rows) this.#brought.add(`${list.name} ${row}`);
    if (how === 'refetch') {
      const key = `${list.name} ${part.label ?? ''}`;
      const parts = inPlaces([...(this.#coming.get(key) ?? []), part]);
      this.#coming.set(key, parts);
      this.#settle(list, parts);
    } else if (how === 'begin') this.#settle(list, [part]);
    else this.#add(list, part);
    return () => this.#lists.set(list.name, was);
  }

  /** The pages that one request has brought so far. */
  partsOf(list: List, label: string | undefined): readonly Part[] {
    return (
      this.#coming.get(`${list.name} ${label ?? ''}`) ?? this.of(list).parts.filter((part) => part.label === label)
    );
  }

  /** The whole list has come, in place of all that was asked for before it began anew, or of all that had come before it was read once more. */
  #settle(list: List, parts: readonly Part[]): void {
    const was = this.of(list);
    const [first] = inOrder(parts);
    // An answer that was asked for later is there.
    if (!first || first.sent < was.whole) return;
    const rows = parts.flatMap((part) => part.rows);
    // Where nothing was there to be read once more, the list begins.
    const isBeginning = first.how === 'begin' || was.since > first.sent;
    // What came meanwhile has joined, but for what was read once more.
    const isReadAgain = (part: Part): boolean =>
      part.page === undefined ? isWhole(part) : parts.some(({ page }) => page === part.page);
    const isCovered = (part: Part): boolean =>
      isBeginning || isReadAgain(part) ? part.sent < first.sent : part.came < first.sent;
    const isOver = (part: Part): boolean => !parts.includes(part) && isCovered(part);
    const stale = new Set(was.parts.filter(isOver).flatMap((part) => part.rows));
    const kept = was.parts.filter((part) => !isOver(part) && !parts.includes(part));
    const firstOf = ({ page, first: stands }: Part): number =>
      (first.how === 'refetch' && was.parts.find((part) => page !== undefined && part.page === page)?.first) || stands;
    const isCut = list.maxPages !== undefined && kept.length > 0;
    // All that a refetch reads is one answer, however late its last page was sent.
    const placed = parts.map((part) => ({ ...part, sent: first.sent, first: firstOf(part) }));
    for (const row of kept.flatMap((part) => part.rows)) stale.delete(row);
    this.#lists.set(list.name, {
      owed: new Set(
        [...was.owed].filter((one) => rows.includes(one) || !this.#mayGo(list, one, { parts, kept, isBeginning })),
      ),
      placed: new Set([...[...was.placed].filter((one) => !stale.has(one)), ...rows]),
      parts: [...kept, ...placed],
      gone: first.how === 'begin' ? was.parts.filter((part) => isOver(part) && part.cursor !== undefined) : was.gone,
      since: Math.min(was.since, ...parts.map((part) => part.came)),
      whole: first.sent,
      begun: first.how === 'begin' ? first.sent : was.begun,
      isCutInFront: isCut,
      isCutBehind: isCut,
      isBare: first.how === 'refetch' && was.isBare,
    });
  }

  /** Whether a row may go that an answer with the whole list has not. */
  #mayGo(list: List, origin: string, { parts, kept, isBeginning }: Settling): boolean {
    if (kept.some(({ rows }) => rows.includes(origin))) return false;
    const at = Math.min(...parts.map((part) => part.at));
    if (this.#seenAt(origin, list.name) > at) return false;
    const isPlacing = (op: Op): boolean => isOf(op, list) && isValid(op) && (isCreate(op) || puts(op, list));
    const mine = this.#ops.filter((op) => op.origin === origin && isPlacing(op));
    // What was asked here and is newer than the answer is not taken back by it, once it is shown or answered.
    const isKnown = (op: Op): boolean => op.state === 'done' || isShowing(op);
    if (mine.some((op) => isKnown(op) && (op.handledAt ?? Infinity) > at)) return false;
    const isMade = mine.some((op) => isCreate(op) && !op.isAtStart) && !this.wasBrought(list, origin);
    return !(isMade && !isBeginning && hasMore(parts));
  }

  /** A page has come. */
  #add(list: List, part: Part): void {
    const was = this.of(list);
    // The list has begun anew since this was asked for: it may have no place there.
    if (part.sent < was.begun) return;
    // The first page may be asked for with its number or without: that it is one its rows tell.
    const isSame = ({ page, isNumbered, rows }: Part): boolean =>
      page === part.page && (isNumbered === part.isNumbered || rows.some((row) => part.rows.includes(row)));
    const same = was.parts.find((one) => one.page !== undefined && isSame(one));
    // What is there is read again, whatever stands beside it.
    if (same ? same.sent > part.sent : this.#isLoose(was, part)) return;
    const left = new Set(same?.rows.filter((row) => !part.rows.includes(row)));
    const isBegunBeside = ({ how, page = 0, came }: Part): boolean =>
      how === 'begin' && came > part.sent && Math.abs(page - (part.page ?? 0)) === 1;
    const mayHaveJoined = part.how !== 'page' && was.parts.some(isBegunBeside);
    const placed = {
      ...part,
      ...(same && { how: same.how, first: same.first }),
      ...(mayHaveJoined && { mayHaveJoined }),
    };
    this.#lists.set(list.name, {
      ...was,
      placed: new Set([...[...was.placed].filter((one) => !left.has(one)), ...part.rows]),
      parts: [...was.parts.filter((one) => one !== same), placed],
      since: Math.min(was.since, part.came),
      isCutInFront: was.isCutInFront || (list.maxPages !== undefined && part.how === 'next'),
      isCutBehind: was.isCutBehind || (list.maxPages !== undefined && part.how === 'previous'),
    });
  }

  /** Whether the page beside which one was asked for has gone meanwhile: the list has begun anew without it, or it was one too many. */
  #isLoose({ parts, gone, placed, isCutInFront, isCutBehind }: Known, { cursor, page, how }: Part): boolean {
    const neighbour = (page ?? 0) + (how === 'next' ? -1 : 1);
    // Before the first page there is none: it is what is next of a list that nobody has read yet.
    if (page !== undefined)
      return how !== 'page' && neighbour > 0 && parts.length > 0 && !parts.some((one) => one.page === neighbour);
    const leadsThere = ({ leads }: Part): boolean => leads.includes(cursor);
    const isCut = ({ rows }: Part): boolean =>
      (isCutInFront || isCutBehind) && rows.length > 0 && !rows.some((row) => placed.has(row));
    // What was cut is asked for by its own address.
    if (parts.some((one) => one.cursor === cursor)) return false;
    const leading = parts.filter(leadsThere);
    return leading.length > 0 ? leading.every(isCut) : gone.some(leadsThere);
  }

  /** A list is about to be judged: rows of pages that may have been dropped are owed no longer. */
  cut(list: List, shown: readonly string[]): void {
    const was = this.of(list);
    if (!was.isCutInFront && !was.isCutBehind) return;
    const ranks = shown.filter((one) => was.placed.has(one)).map((one) => this.#rankOf(one));
    const [from, to] = [Math.min(...ranks), Math.max(...ranks)];
    const isCut = (one: string): boolean =>
      !shown.includes(one) &&
      ((was.isCutInFront && this.#rankOf(one) < from) || (was.isCutBehind && this.#rankOf(one) > to));
    this.#lists.set(list.name, { ...was, owed: new Set([...was.owed].filter((one) => !isCut(one))) });
  }

  /** A list has been judged: from now on its rows are owed. */
  keep(list: List, shown: readonly string[]): void {
    const was = this.of(list);
    // What a pending write hides comes back to its place where that fails.
    const isHiding = (op: Op): boolean =>
      op.asked.is === 'delete' ? op.state !== 'done' : isShowing(op) && isOf(op, list);
    const isHeld = (one: string): boolean =>
      shown.includes(one) || this.#ops.some((op) => op.origin === one && isHiding(op));
    this.#lists.set(list.name, {
      ...was,
      owed: new Set([...was.owed, ...shown]),
      isBare: was.isBare || !was.parts.some(({ rows }) => rows.some((row) => shown.includes(row))),
      placed: new Set([...was.placed].filter(isHeld)),
    });
  }

  #rankOf(origin: string): number {
    return this.#server.rankOf(origin) ?? Infinity;
  }
}

function isWhole({ how }: Part): boolean {
  return how === 'begin' || how === 'refetch';
}

/** Whether a write says whether its row is in a list. */
function isOf(op: Op, { filter }: List): boolean {
  return isCreate(op) || Object.keys(filter).some((field) => valueIn(op, field as Field) !== undefined);
}

/** Whether an edit moves its row into a list, or keeps it where it is shown: one that changes nothing puts it nowhere. */
function puts(op: Op, { name, filter }: List): boolean {
  const before = rowBefore(op);
  const isMove = (Object.entries(filter) as [Field, string][]).some(([field, value]) => before?.[field] !== value);
  return before !== undefined && (isMove || op.before.lists[name]?.some(({ origin }) => origin === op.origin) === true);
}

function isValid({ state, outcome }: Op): boolean {
  return state === 'pending' || state === 'done' || (state === 'answering' && outcome === 'done');
}

/** Whether there is a page behind these; after one that has brought nothing new there is none. */
function hasMore(parts: readonly Part[]): boolean {
  const last = parts.at(-1);
  if (last?.page === undefined) return last?.hasNext === true;
  const others = parts.slice(0, -1).flatMap(({ rows }) => rows);
  return last.rows.some((row) => !others.includes(row));
}

function inOrder(parts: readonly Part[]): readonly Part[] {
  return [...parts].sort((one, other) => one.sent - other.sent);
}

/** The pages of a list that is read once more: by cursor the page that it begins with is asked for first, then those before it, then those behind. */
function inPlaces(parts: readonly Part[]): readonly Part[] {
  const [first, ...others] = inOrder(parts);
  if (!first) return [];
  const before = others.filter(({ cursor }) => cursor?.startsWith('before'));
  const placed = [...before.reverse(), first, ...others.filter((part) => !before.includes(part))];
  const sent = inOrder(parts).map((part) => part.sent);
  return placed.map((part, i) => ({ ...part, first: sent[i] ?? part.sent }));
}

function partOf({ pages }: List, how: How, { label, sent, came, url, isAlone }: Flight, reply: Reply): Part {
  const { at, rows, hasNext = false, hasPrevious = false } = reply;
  const page = pages === 'by number' ? Number(url.searchParams.get('page') ?? 1) : undefined;
  const cursor = url.searchParams.get('cursor') ?? undefined;
  const { next, previous } = (reply.json ?? {}) as { readonly next?: string; readonly previous?: string };
  const leads = [next, previous];
  const isNumbered = url.searchParams.has('page');
  const origins = rows.map(({ origin = '' }) => origin);
  return {
    how,
    label,
    sent,
    came,
    at,
    first: sent,
    page,
    isNumbered,
    cursor,
    leads,
    rows: origins,
    hasNext,
    hasPrevious,
    isAlone,
  };
}
