import type { Shown, ShownRow } from './Client.js';
import { isCreate, valueIn, type Ledger } from './Ledger.js';
import type { Op } from './Match.js';
import type { How, Part } from './PageLog.js';
import type { Field, List } from './worlds.js';

/** Judges where the rows of a list with pages stand, and how many there are. */
export function judgePages(ledger: Ledger, list: List, rows: readonly ShownRow[]): void {
  const { name, size = 1, maxPages = Infinity } = list;
  const origins = rows.map(({ origin }) => origin);
  const placed = placedIn(ledger, list, origins);
  const { parts } = ledger.pages.of(list);
  const ranks = placed.map((origin) => ledger.server.rankOf(origin) ?? 0);
  const told = asTold(parts);
  const isTold = (place: number): boolean => told.indexOf(placed[place - 1] ?? '') < told.indexOf(placed[place] ?? '');
  const isWrong = ranks.some((rank, i) => rank < (ranks[i - 1] ?? -Infinity) && !isTold(i));
  if (isInOrder(parts) && isWrong) ledger.find('order', `${name} is ${origins.join()}`, { what: name });
  const isKept = (origin: string): boolean => ledger.opsOn(origin).some((op) => named(op, list));
  if (placed.filter((origin) => !isKept(origin)).length > maxPages * size)
    ledger.find('too many pages', `${name} is ${origins.join()}`, { what: name });
  const places = placed.map((origin) => origins.indexOf(origin));
  for (const [place, origin] of origins.entries()) {
    const side = sideOf(ledger, list, origin);
    const isBeside = side === 'behind' ? place > Math.max(...places) : place < Math.min(...places);
    if (side && places.length > 0 && !isBeside) {
      ledger.find('order', `${origin} was made, and stands among pages: ${name} is ${origins.join()}`, { origin });
    }
  }
}

/** The rows of pages with numbers as they stand one page behind the other: those of a page shift where rows were made, or deleted, before it was read. */
function asTold(parts: readonly Part[]): readonly string[] {
  const numbered = parts.filter(({ page }) => page !== undefined);
  return [...new Set(numbered.sort((one, other) => (one.page ?? 0) - (other.page ?? 0)).flatMap(({ rows }) => rows))];
}

/** The rows whose place the server has told, and in which they still stand there. */
function placedIn(ledger: Ledger, list: List, origins: readonly string[]): readonly string[] {
  const { placed, isCutInFront, isCutBehind } = ledger.pages.of(list);
  // What a write keeps there, though its page has been dropped, stands behind all others.
  const isHeld = (op: Op): boolean => (isCutInFront || isCutBehind) && named(op, list);
  return origins.filter(
    (origin) =>
      placed.has(origin) &&
      ledger.server.log(origin, list.name).at(-1)?.value === true &&
      !ledger.opsOn(origin).some((op) => (isCreate(op) && op.state !== 'done') || isHeld(op)),
  );
}

/** Whether a write says in which list its row is. */
function named(op: Op, { filter }: List): boolean {
  return Object.keys(filter).some((field) => valueIn(op, field as Field) !== undefined);
}

/** On which side of all pages something stands that was made here and that no page has brought; undefined for all else. */
function sideOf(ledger: Ledger, list: List, origin: string): 'in front' | 'behind' | undefined {
  const ops = ledger.opsOn(origin);
  const made = ops.find(isCreate);
  const isMoved = ops.some((op) => !isCreate(op) && named(op, list));
  // Where another has moved it, it has come in at the end.
  const isMovedByOthers = Object.keys(list.filter).some((field) => ledger.server.log(origin, field).length > 1);
  const isUnplaced = isMoved || isMovedByOthers || ledger.pages.of(list).isBare;
  if (!made || isUnplaced || ledger.pages.wasBrought(list, origin)) return undefined;
  if (made.state !== 'pending' && made.state !== 'done') return undefined;
  return made.isAtStart ? 'in front' : 'behind';
}

/** Whether pages by number were asked for in their order: they stand as they were asked for. */
function isInOrder(parts: readonly Part[]): boolean {
  const numbers = numbersOf(parts);
  // The first page, asked for with its number and without, counts as two where the answers have no row in common.
  if (numbers.length < parts.filter(({ page }) => page !== undefined).length) return false;
  return numbers.every((number, i) => number > (numbers[i - 1] ?? 0));
}

/** The numbers of the pages that a list is made of, as it should have them one after the other. */
function numbersOf(parts: readonly Part[]): readonly number[] {
  const numbers: number[] = [];
  for (const { how, page } of [...parts].sort((one, other) => one.first - other.first)) {
    if (page === undefined || numbers.includes(page)) continue;
    if (how === 'previous') numbers.unshift(page);
    else numbers.push(page);
  }
  return numbers;
}

/** Judges whether lists with pages say rightly that there is a page behind them, or before them. */
export function judgeBeside(ledger: Ledger, { lists, beside = {} }: Shown, resting: readonly List[]): void {
  for (const list of resting) {
    const { name } = list;
    const said = beside[name];
    const rows = lists[name];
    if (!said || !rows) continue;
    const origins = rows.map(({ origin }) => origin);
    const expected = expectedBeside(ledger, list, origins);
    for (const side of ['hasNextPage', 'hasPreviousPage'] as const) {
      if (expected[side] === undefined || expected[side] === said[side]) continue;
      ledger.find('next page', `${side} of ${name}, ${origins.join()}, is ${String(said[side])}`, { what: name });
    }
  }
}

/** What a list is to say of the pages beside it; undefined where its answers do not tell. */
function expectedBeside(ledger: Ledger, list: List, origins: readonly string[]) {
  const { parts } = ledger.pages.of(list);
  return list.pages === 'by number' ? besideNumbers(parts) : besideCursors(ledger, list, origins, parts);
}

type Expected = Readonly<Partial<Record<'hasNextPage' | 'hasPreviousPage', boolean | undefined>>>;

/** Pages with numbers go on until one brings nothing new. */
function besideNumbers(parts: readonly Part[]): Expected {
  const numbers = numbersOf(parts);
  if (numbers.length === 0 || !isInOrder(parts) || parts.some(({ mayHaveJoined }) => mayHaveJoined)) return {};
  const last = parts.find(({ page }) => page === numbers.at(-1));
  const others = parts.filter((part) => part !== last).flatMap(({ rows }) => rows);
  const isNews = last?.rows.some((row) => !others.includes(row));
  return {
    hasNextPage: isNews ? true : last?.rows.length === 0 ? false : undefined,
    hasPreviousPage: (numbers[0] ?? 1) > 1,
  };
}

/** What the newest answers with the first row, and with the last, have said; nothing where an answer has left no row to go by. */
function besideCursors(ledger: Ledger, list: List, origins: readonly string[], parts: readonly Part[]): Expected {
  const { isCutInFront, isCutBehind } = ledger.pages.of(list);
  const placed = placedIn(ledger, list, origins);
  if (parts.some(({ rows }) => !rows.some((row) => placed.includes(row)))) return {};
  // A page that was asked for behind another says what is before the list only where no other has brought the row.
  const newest = (origin: string | undefined, beside: How, by: 'sent' | 'at'): Part | undefined => {
    const all = parts.filter(({ rows }) => origin !== undefined && rows.includes(origin));
    const others = all.filter(({ how, cursor }) => how !== beside || cursor === undefined);
    return (others.length > 0 ? others : all).sort((one, other) => one[by] - other[by]).at(-1);
  };
  // A refetch is sent when it is asked for, and its later pages are served later: where what was sent last and what was served last disagree, either will do.
  const said = (origin: string | undefined, beside: How, side: 'hasNext' | 'hasPrevious'): boolean | undefined => {
    const [last, latest] = [newest(origin, beside, 'sent')?.[side], newest(origin, beside, 'at')?.[side]];
    return last === latest ? last : undefined;
  };
  return {
    hasNextPage: isCutBehind ? undefined : said(placed.at(-1), 'previous', 'hasNext'),
    hasPreviousPage: isCutInFront ? undefined : said(placed[0], 'next', 'hasPrevious'),
  };
}
