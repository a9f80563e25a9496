import { mockServer, type MockServer, type RowChange, type Served, type WriteContext } from 'rtk-resource/mock';
import { briefly, idIn, type Reply } from './answers.js';
import { boardsOf, classesOf, classOf, rowsOf, voteOf } from './clients/endpoints.js';
import type { Flight, Sender } from './Network.js';
import { Server, valuesOf, type NewRow, type Row, type Write } from './Server.js';
import { isIn, listAt, type World } from './worlds.js';

type Fields = Readonly<Record<string, unknown>>;

const unused = (): never => {
  throw new Error('A definition alone asks for nothing.');
};

/**
 * A `mockServer` has the rows, and answers; it is made of the definitions of the client, and what it tells by `subscribe` is the log. Its
 * options say what the definitions do not: what a new row has that nobody sent, where it stands, and which answers are brief.
 */
export class MockedServer extends Server {
  readonly #mock: MockServer;
  readonly #senderOf: (label: string) => Sender | undefined;

  constructor(world: World, senderOf: (label: string) => Sender | undefined) {
    super(world);
    this.#senderOf = senderOf;
    const Row = classOf(world, false);
    const { loud } = rowsOf(unused, Row, false);
    const vote = voteOf(unused, Row, false);
    const boards = boardsOf(unused, Row);
    const isNested = world.lists.some((list) => list.isNested);
    const complete = (row: Fields, context: WriteContext): Fields => this.#complete(row as unknown as Row, context);
    const tables = Object.entries(classesOf(world)).map(([type, { key }]) => [key, type] as const);
    const served: readonly unknown[] = [loud, vote, ...(isNested ? [boards.notes, boards.detail] : [])];
    this.#mock = mockServer(served as readonly Served[], {
      seed: {
        ...Object.fromEntries(tables.map(([key, type]) => [key, this.#seedOf(type)])),
        ...(isNested && { Board: this.#boards() }),
      },
      write: Object.fromEntries(tables.map(([key]) => [key, complete])),
      shape: {
        [loud.partialUpdate.name]: (row, { request }) => this.#shorten(row as Row, request),
        ...(isNested && { 'Board/get': inOrder }),
      },
    });
    this.#mock.use(vote, ({ params: { id, by } }) => this.#vote(Number(id), by));
    this.#mock.subscribe((change) => {
      this.#hear(change);
    });
  }

  /** Asks the mock server, with a fate that it is told of; what is applied is so when this returns. */
  answer(flight: Flight, sender: Sender | undefined): Promise<Reply> {
    const { method, label = '', body } = flight;
    if (sender) this.#tell(sender, label);
    const before = this.now;
    const answer = this.#mock.fetch(addressOf(flight), {
      method,
      headers: { 'x-op': label },
      ...(Object.keys(body).length > 0 && { body: JSON.stringify(body) }),
    });
    if (sender) {
      // What came to nothing took its time, too.
      this.now = Math.max(this.now, before + 1);
      sender.handledAt = this.now;
    }
    return this.#replyOf(flight, this.now, answer);
  }

  override make(row: NewRow, place: 'start' | 'end'): Row {
    this.#mock.set(this.#classOf(row), { ...row, rank: this.rankAt(place) } as object);
    return this.#there(row.id);
  }

  override write(id: number, write: Write): Row | undefined {
    const row = this.row(id);
    if (!row) return undefined;
    if (write.is === 'delete') this.#mock.remove(this.#classOf(row), id);
    else if (write.is === 'vote') this.#vote(id, write.by);
    else this.#mock.set(this.#classOf(row), { id, ...write.fields });
    return row;
  }

  #classOf({ type = '' }: { readonly type?: string }) {
    const Class = classesOf(this.world)[type];
    if (!Class) throw new Error(`There are no rows of type ${type}.`);
    return Class;
  }

  #there(id: number): Row {
    const row = this.row(id);
    if (!row) throw new Error(`The mock server did not tell of row ${id}.`);
    return row;
  }

  #seedOf(type: string): readonly Fields[] {
    const rows = this.rows.filter((row) => (row.type ?? '') === type);
    return rows.map((row) => ({ ...row, rank: this.rankOf(row.origin) }));
  }

  #boards(): readonly Fields[] {
    const nested = this.world.lists.filter(({ isNested }) => isNested);
    return nested.map((list) => ({
      id: list.filter.folder,
      title: list.name,
      notes: this.rows.filter((row) => isIn(list, row)).map(({ id }) => ({ id })),
    }));
  }

  /** A new row, with what nobody sent and with its place. */
  #complete(row: Row, { before, request }: WriteContext): Fields {
    if (before) return { ...row };
    const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
    const isAtStart = this.#senderOf(request.headers.get('x-op') ?? '')?.isAtStart ?? false;
    return {
      ...{ ...valuesOf(this.world.fields, row, `${row.origin}!`), ...said, votes: '' },
      rank: this.rankAt(isAtStart ? 'start' : 'end'),
    };
  }

  /** What an answer to an edit tells of its row. */
  #shorten(row: Row, request: Request): unknown {
    const label = request.headers.get('x-op') ?? '';
    const { fate = 'fine' } = this.#senderOf(label) ?? {};
    if (fate === 'silent') return undefined;
    return fate === 'brief' ? briefly(row, this.#mock.calls.at(-1)?.body as Flight['body']) : row;
  }

  #vote(id: number, by: string): Row | Response {
    const row = this.row(id);
    if (!row) return Response.json({}, { status: 404 });
    this.#mock.set(this.#classOf(row), { id, votes: `${row.votes}+${by}` });
    return this.#there(id);
  }

  #hear({ entity, pk, row: told }: RowChange): void {
    if (entity.key === 'Board') return;
    this.now += 1;
    const row = this.row(Number(pk));
    if (!told) {
      if (row) this.drop(row);
    } else if (row) this.change(row, told);
    else this.add(told as unknown as NewRow, Number(told['rank']) < 0 ? 'start' : 'end');
  }

  #tell({ fate }: Sender, label: string): void {
    const isMeant = ({ headers }: Request): boolean => headers.get('x-op') === label;
    if (fate === 'refused') this.#mock.fail(isMeant, 422, { times: 1 });
    if (fate === 'answer lost') this.#mock.lose(isMeant, { times: 1 });
    if (fate === 'lost on the way') this.#mock.drop(isMeant, { times: 1 });
  }

  async #replyOf({ url, method, body }: Flight, at: number, answer: Promise<Response>): Promise<Reply> {
    const response = await answer.catch(() => undefined);
    if (!response?.ok) return { status: response?.status ?? 0, at, rows: [], ...(response && { response }) };
    const { status } = response;
    const list = method === 'GET' ? listAt(this.world, url) : undefined;
    const id = idIn(url.pathname) ?? NaN;
    const silent = method === 'DELETE' ? [] : [{ id, origin: this.originOf(id) ?? '', ...body }];
    if (status === 204) return { status, at, rows: silent, response };
    const json: unknown = await response.clone().json();
    const told = list?.isNested ? (json as { readonly notes: readonly Row[] }).notes : json;
    const rows = (Array.isArray(told) ? told : [told]) as readonly Row[];
    return { status, at, rows, response, ...(list && { list }) };
  }
}

/** The list in a board, in the order of the places of its rows. */
function inOrder(board: unknown): unknown {
  const { notes, ...others } = board as { readonly notes: readonly { readonly rank: number }[] };
  return { ...others, notes: [...notes].sort((one, other) => one.rank - other.rank) };
}

/** Lists are asked for in the order of the places of their rows. */
function addressOf({ method, url }: Flight): string {
  const address = new URL(url);
  if (method === 'GET') address.searchParams.set('sort', 'rank');
  return address.href;
}
