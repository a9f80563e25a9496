import type { Row, Server } from './Server.js';
import { listAt, type List } from './worlds.js';

/** What the server says, and as of when; `rows` are those it speaks of. */
export interface Reply {
  readonly status: number;
  readonly at: number;
  readonly json?: unknown;
  readonly rows: readonly Partial<Row>[];
  /** The list that was read, and whether there is more of it behind this page and before it. */
  readonly list?: List;
  readonly hasNext?: boolean;
  readonly hasPrevious?: boolean;
}

/** Where a list by cursors begins, unless it is told: there is something before it. */
const BEGINNING = 4;

/** What the server answers to a read. */
export function answerTo(server: Server, url: URL): Reply {
  const at = server.now;
  const list = listAt(server.world, url);
  if (list) return { status: 200, at, list, ...answerWith(server, list, url) };
  const row = server.row(idIn(url.pathname) ?? NaN);
  return row ? { status: 200, at, json: row, rows: [row] } : { status: 404, at, json: {}, rows: [] };
}

type Part = Pick<Reply, 'json' | 'rows' | 'hasNext' | 'hasPrevious'>;

function answerWith(server: Server, list: List, { searchParams }: URL): Part {
  const rows = server.list(list);
  if (list.isNested) return { json: { id: list.filter.folder, title: list.name, notes: rows }, rows };
  if (list.pages === 'by number') return numbered(rows, list, Number(searchParams.get('page') ?? 1));
  if (list.pages === 'by cursor') return byCursor(server, rows, list, searchParams.get('cursor'));
  return { json: rows, rows };
}

function numbered(rows: readonly Row[], { size = 1 }: List, page: number): Part {
  const part = rows.slice((page - 1) * size, page * size);
  return { json: part, rows: part, hasNext: part.length > 0, hasPrevious: page > 1 };
}

/** A page that begins behind a place, or ends before one; a cursor names the place, so that rows that come and go move nothing. */
function byCursor(server: Server, all: readonly Row[], { size = 1 }: List, cursor: string | null): Part {
  const [side, place = ''] = (cursor ?? `after:${BEGINNING - 0.5}`).split(':');
  const from = Number(place);
  const rankOf = ({ origin }: Row): number => server.rankOf(origin) ?? 0;
  const rows =
    side === 'after'
      ? all.filter((row) => rankOf(row) > from).slice(0, size)
      : all.filter((row) => rankOf(row) < from).slice(-size);
  const [first, last] = [rows[0], rows.at(-1)];
  // What stands beside a page without rows begins with the row that it was asked from.
  const start = first ? rankOf(first) : side === 'after' ? from + 0.5 : from;
  const end = last ? rankOf(last) : side === 'after' ? from : from - 0.5;
  const hasPrevious = all.some((row) => rankOf(row) < start);
  const hasNext = all.some((row) => rankOf(row) > end);
  const json = { items: rows, next: hasNext ? `after:${end}` : '', previous: hasPrevious ? `before:${start}` : '' };
  return { json, rows, hasNext, hasPrevious };
}

/** The row that an address is about; NaN for one that cannot be, undefined for a list. */
export function idIn(pathname: string): number | undefined {
  const [, kind, id] = pathname.split('/');
  return id === undefined || kind !== 'notes' ? undefined : Number(id);
}
