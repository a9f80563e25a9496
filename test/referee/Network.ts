import { valuesOf, type NewRow, type Row, type Server } from './Server.js';
import type { Body } from './Client.js';
import { fields, type Fate, type ListName } from './history.js';

/** What the network knows of whoever asked for a write. */
export interface Sender {
  readonly number: number;
  readonly isAtStart: boolean;
  readonly isPrompt: boolean;
  readonly fate: Fate;
  /** When the server got to it; undefined before. */
  handledAt: number | undefined;
}

/** A request on its way. */
export interface Flight {
  readonly number: number;
  readonly method: string;
  readonly url: URL;
  readonly body: Body;
  readonly label: string | undefined;
  readonly respond: (response: Response) => void;
  readonly fail: (error: Error) => void;
  /** Whether no other was under way while it was. */
  isAlone: boolean;
  isOver: boolean;
  reply: Reply | undefined;
}

/** What the server says, and as of when; `rows` are those it speaks of. */
export interface Reply {
  readonly status: number;
  readonly at: number;
  readonly json?: unknown;
  readonly rows: readonly Partial<Row>[];
}

const ORIGIN = 'http://notes.test';

/** Between clients and the server: requests wait to be handled, answers to be delivered. */
export class Network {
  readonly #server: Server;
  readonly #senderOf: (label: string) => Sender | undefined;
  readonly #isPromptly: boolean;
  #flights: readonly Flight[] = [];
  #count = 0;

  constructor(server: Server, senderOf: (label: string) => Sender | undefined, isPromptly: boolean) {
    this.#server = server;
    this.#senderOf = senderOf;
    this.#isPromptly = isPromptly;
  }

  /** What clients fetch with. */
  readonly fetch = (url: string, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((respond, fail) => {
      const isAlone = this.flying.length === 0;
      for (const flight of this.flying) flight.isAlone = false;
      const label = new Headers(headers).get('x-op') ?? undefined;
      const sent = typeof body === 'string' ? (JSON.parse(body) as Body) : {};
      const flight: Flight = {
        ...{ number: (this.#count += 1), method, url: new URL(url, ORIGIN), body: sent, label },
        ...{ respond, fail, isAlone, isOver: false, reply: undefined },
      };
      this.#flights = [...this.#flights, flight];
      signal?.addEventListener('abort', () => {
        if (flight.isOver) return;
        this.#handle(flight);
        flight.isOver = true;
        fail(new DOMException('aborted', 'AbortError'));
      });
    });

  get flying(): readonly Flight[] {
    return this.#flights.filter(({ isOver }) => !isOver);
  }

  /** What is on its way to a row that cannot be. */
  get astray(): readonly Flight[] {
    return this.flying.filter(({ url }) => Number.isNaN(idIn(url.pathname)));
  }

  /** What has arrived is handled in the order of sending, if at all at once. */
  arrive(): void {
    for (const flight of this.flying) {
      const isPrompt = this.#isPromptly || (this.senderOf(flight)?.isPrompt ?? flight.number % 2 === 0);
      if (isPrompt) this.#handle(flight);
    }
  }

  senderOf({ label }: Flight): Sender | undefined {
    return label === undefined ? undefined : this.#senderOf(label);
  }

  /** One of those that are still to be handled. */
  handleOne(which: number): Flight | undefined {
    const waiting = this.flying.filter(({ reply }) => !reply);
    const flight = waiting[which % waiting.length];
    if (flight) this.#handle(flight);
    return flight;
  }

  /** Lets somebody know; `isLost` says that the answer never comes. */
  deliver(flight: Flight): Reply {
    const reply = this.#handle(flight);
    flight.isOver = true;
    const { status, json } = reply;
    if (this.isLost(flight)) flight.fail(new TypeError('fetch failed'));
    else flight.respond(status === 204 ? new Response(null, { status }) : Response.json(json, { status }));
    return reply;
  }

  isLost(flight: Flight): boolean {
    const fate = this.senderOf(flight)?.fate;
    return fate === 'lost on the way' || fate === 'answer lost';
  }

  #handle(flight: Flight): Reply {
    flight.reply ??= this.#replyTo(flight);
    return flight.reply;
  }

  #replyTo(flight: Flight): Reply {
    const sender = this.senderOf(flight);
    const reply = sender ? this.#write(flight, sender) : this.#read(flight.url);
    if (sender) sender.handledAt = reply.at;
    return reply;
  }

  #read({ pathname, searchParams }: URL): Reply {
    const at = this.#server.now;
    const id = idIn(pathname);
    if (id === undefined) {
      const rows = this.#server.list((searchParams.get('folder') ?? 'all') as ListName);
      return { status: 200, at, json: rows, rows };
    }
    const row = this.#server.row(id);
    return row ? { status: 200, at, json: row, rows: [row] } : { status: 404, at, json: {}, rows: [] };
  }

  #write({ method, url, body }: Flight, { number, fate, isAtStart }: Sender): Reply {
    const server = this.#server;
    const no = (status: number): Reply => ({ status, at: (server.now += 1), json: {}, rows: [] });
    if (fate === 'refused' || fate === 'lost on the way') return no(422);
    const id = idIn(url.pathname);
    if (id === undefined) {
      const { origin = '', folder = 'a' } = body;
      const made = { ...valuesOf(fields, folder, `${origin}!`), ...body, votes: '' };
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
    const { origin, version } = row;
    if (isVote || fate === 'fine') return { status: 200, at, json: row, rows: [row] };
    if (fate === 'silent') return { status: 204, at, rows: [{ id, origin, ...body }] };
    return { status: 200, at, json: { id, origin, version, ...body }, rows: [{ id, origin, version, ...body }] };
  }
}

function idIn(pathname: string): number | undefined {
  const [, , id] = pathname.split('/');
  return id === undefined ? undefined : Number(id);
}
