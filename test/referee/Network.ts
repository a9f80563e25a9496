import { idIn, type Reply } from './answers.js';
import type { Body } from './Client.js';
import type { Fate } from './history.js';

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
  reply: Reply | Promise<Reply> | undefined;
}

/** What does what is asked, and says what it answers; what is applied is so when it returns. */
export type Backend = (flight: Flight, sender: Sender | undefined) => Reply | Promise<Reply>;

const ORIGIN = 'http://notes.test';

/** Between clients and the server: requests wait to be handled, answers to be delivered. */
export class Network {
  readonly #backend: Backend;
  readonly #senderOf: (label: string) => Sender | undefined;
  readonly #isPromptly: boolean;
  #flights: readonly Flight[] = [];
  #count = 0;
  #now = 0;

  constructor(backend: Backend, senderOf: (label: string) => Sender | undefined, isPromptly: boolean) {
    this.#backend = backend;
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
        void this.#handle(flight);
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
      if (isPrompt) void this.#handle(flight);
    }
  }

  senderOf({ label }: Flight): Sender | undefined {
    return label === undefined ? undefined : this.#senderOf(label);
  }

  /** One of those that are still to be handled. */
  handleOne(which: number): Flight | undefined {
    const waiting = this.flying.filter(({ reply }) => !reply);
    const flight = waiting[which % waiting.length];
    if (flight) void this.#handle(flight);
    return flight;
  }

  /** Lets somebody know; `isLost` says that the answer never comes. */
  async deliver(flight: Flight): Promise<Reply> {
    const reply = await this.#handle(flight);
    flight.isOver = true;
    flight.came = this.#now += 1;
    if (this.isLost(flight)) flight.fail(new TypeError('fetch failed'));
    else flight.respond(reply.response ?? responseTo(reply));
    return reply;
  }

  isLost(flight: Flight): boolean {
    const fate = this.senderOf(flight)?.fate;
    return fate === 'lost on the way' || fate === 'answer lost';
  }

  #handle(flight: Flight): Reply | Promise<Reply> {
    flight.reply ??= this.#backend(flight, this.senderOf(flight));
    return flight.reply;
  }
}

function responseTo({ status, json }: Reply): Response {
  return status === 204 ? new Response(null, { status }) : Response.json(json, { status });
}
