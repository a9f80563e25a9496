import type { Backend, Flight, Sender } from './Network.js';
import { valuesOf, type NewRow, type Row, type Server } from './Server.js';
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
  /** What is delivered, where it is not made of the rest. */
  readonly response?: Response;
}

/** Where a list by cursors begins, unless it is told: there is something before it. */
const BEGINNING = 4;

/** The server as clients reach it. */
export function backendOf(server: Server): Backend {
  return (flight, sender) => {
    if (!sender) return answerTo(server, flight.url);
    const reply = writeTo(server, flight, sender);
    sender.handledAt = reply.at;
    return reply;
  };
}

function writeTo(server: Server, { method, url, body }: Flight, { number, fate, isAtStart }: Sender): Reply {
  const no = (status: number): Reply => ({ status, at: (server.now += 1), json: {}, rows: [] });
  if (fate === 'refused' || fate === 'lost on the way') return no(422);
  const id = idIn(url.pathname);
  if (id === undefined) {
    const { origin = '' } = body;
    const made = { ...valuesOf(server.world.fields, body, `${origin}!`), ...body, votes: '' };
    const row = server.make({ id: 1000 + number, ...made } as NewRow, isAtStart ? 'start' : 'end');
    return { status: 201, at: server.now, json: row, rows: [row] };
  }
  if (method === 'DELETE') {
    return server.write(id, { is: 'delete' }) ? { status: 200, at: server.now, json: { id }, rows: [] } : no(404);
  }
  const isVote = url.pathname.endsWith('/votes');
  const row = isVote
    ? server.write(id, { is: 'vote', by: String(number) })
    : server.write(id, { is: 'patch', fields: body });
  if (!row) return no(404);
  const at = server.now;
  if (isVote || fate === 'fine') return { status: 200, at, json: row, rows: [row] };
  if (fate === 'silent') return { status: 204, at, rows: [{ id, origin: row.origin, ...body }] };
  const told = briefly(row, body);
  return { status: 200, at, json: told, rows: [told] };
}

/** What is told of a row where an answer says no more than what was sent. */
export function briefly({ id, origin, version, type }: Row, body: Flight['body']): Partial<Row> {
  return { id, origin, version, ...(type !== undefined && { type }), ...body };
}

/** What the server answers to a read. */
function answerTo(server: Server, url: URL): Reply {
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
