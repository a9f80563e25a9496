import { answerTo, idIn, type Reply } from './answers.js';
import type { Body } from './Client.js';
import type { Fate } from './history.js';
import { valuesOf, type NewRow, type Server } from './Server.js';

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
  /** Places on the network's clock, which ticks whenever something is sent or delivered. */
  readonly sent: number;
  came: number;
  /** Whether nothing else was under way while it was, but for what the same request has sent. */
  isAlone: boolean;
  isOver: boolean;
  reply: Reply | undefined;
}

const ORIGIN = 'http://notes.test';

/** Between clients and the server: requests wait to be handled, answers to be delivered. */
export class Network {
  readonly #server: Server;
  readonly #senderOf: (label: string) => Sender | undefined;
  readonly #isPromptly: boolean;
  #flights: readonly Flight[] = [];
  #count = 0;
  #now = 0;

  constructor(server: Server, senderOf: (label: string) => Sender | undefined, isPromptly: boolean) {
    this.#server = server;
    this.#senderOf = senderOf;
    this.#isPromptly = isPromptly;
  }

  /** What clients fetch with. */
  readonly fetch = (url: string, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((respond, fail) => {
      const label = new Headers(headers).get('x-op') ?? undefined;
      const others = this.flying.filter((flight) => label === undefined || flight.label !== label);
      for (const flight of others) flight.isAlone = false;
      const isAlone = others.length === 0;
      const sent = typeof body === 'string' ? (JSON.parse(body) as Body) : {};
      const flight: Flight = {
        ...{ number: (this.#count += 1), method, url: new URL(url, ORIGIN), body: sent, label },
        ...{ sent: (this.#now += 1), came: Infinity },
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
    flight.came = this.#now += 1;
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
    const reply = sender ? this.#write(flight, sender) : answerTo(this.#server, flight.url);
    if (sender) sender.handledAt = reply.at;
    return reply;
  }

  #write({ method, url, body }: Flight, { number, fate, isAtStart }: Sender): Reply {
    const server = this.#server;
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
    const { origin, version, type } = row;
    const isOf = type === undefined ? {} : { type };
    if (isVote || fate === 'fine') return { status: 200, at, json: row, rows: [row] };
    if (fate === 'silent') return { status: 204, at, rows: [{ id, origin, ...body }] };
    const told = { id, origin, version, ...isOf, ...body };
    return { status: 200, at, json: told, rows: [told] };
  }
}
