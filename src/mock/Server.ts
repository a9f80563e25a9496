import type { EntityClass } from '../schema/Entity.js';
import { own, setOwn, type Row } from '../schema/Schema.js';
import { bodyOf, breakable, isFormIn, responseOf } from './bodies.js';
import { Keys } from './keys.js';
import { plainParams } from './lists.js';
import type { AnswerContext, Call, MockOptions, MockServer, RowChange } from './options.js';
import { asked, Fault, Problem } from './problem.js';
import { meaningOf, nearRoutes, Rules, type Asked, type Match, type Undo } from './rules.js';
import { namesIn, routesOf, routeTo, type Route, type Served } from './routes.js';
import { assertKnown, plant, plantAgain, Random, snapshotOf, type Kept } from './seed.js';
import { Service, type Work } from './Service.js';
import { absence, shown, Tables } from './tables.js';
import { copyOf } from './Table.js';
import { Broken, refusal, Traffic, type Fate, type Held } from './traffic.js';
import { defaultsOf, versionOf } from './writes.js';

/** 2025-01-01, in ms since the epoch. */
const BEGINNING = Date.UTC(2025, 0, 1);

/** A request on its way through the server. */
interface Arrived extends Work, Asked {
  readonly signal: AbortSignal | undefined;
}

/** What a snapshot holds beside the tables. */
interface Moment {
  readonly time: number;
  readonly random: number;
  /** The idempotency keys that were answered by then. */
  readonly keys: readonly string[];
}

/** A server with its rows, what it was told, and what is under way. */
export class Server implements MockServer {
  readonly calls: Call[] = [];
  readonly #options: MockOptions;
  readonly #routes: readonly Route[];
  readonly #tables: Tables;
  readonly #service: Service;
  readonly #random: Random;
  readonly #traffic = new Traffic();
  readonly #keys = new Keys();
  readonly #listeners = new Set<(change: RowChange) => void>();
  readonly #uses = new Rules<(context: AnswerContext) => unknown>();
  readonly #holds = new Rules<{ readonly at?: 'arrival' | 'answer' }>();
  readonly #fates = new Rules<Fate>();
  readonly #delays = new Rules<number>();
  readonly #faults = new WeakMap<Response, Fault>();
  /** The bodies that are being read. */
  #reading: Promise<unknown> | undefined;
  /** What asked the network when the server was made. */
  readonly #network = globalThis.fetch;
  /** What the network is asked for just now. */
  readonly #bypassed = new Set<string>();
  #time = BEGINNING;
  readonly #beginning: string;

  constructor(served: readonly Served[], options: MockOptions) {
    const { seed = {}, make = {}, write, shape, columns, pages, randomSeed = 1 } = options;
    this.#options = options;
    const routes = (this.#routes = Array.isArray(served) ? routesOf(served) : []);
    if (routes.length === 0) throw new TypeError('A mock server needs endpoints: mockServer([TodoResource])');
    const random = (this.#random = new Random(randomSeed));
    const definitions = routes.map(({ definition }) => definition);
    const tables = (this.#tables = new Tables(definitions, random.next));
    for (const { content } of routes) tables.shareIds(content?.definition);
    for (const [what, names] of Object.entries({ seed, make, write }))
      assertKnown(what, names, tables.all.keys(), `: ${absence}`);
    const known = new Set(routes.flatMap(namesIn));
    for (const [what, names] of Object.entries({ shape, columns, pages })) assertKnown(what, names, known);
    plant(tables, seed, make, random.next);
    this.#beginning = this.snapshot();
    tables.onChange = ({ entity, rows }, pk) => {
      const entry = rows.get(pk);
      const change = { entity, pk, row: entry ? (shown(entry) as Row) : null };
      for (const listener of this.#listeners) listener(change);
    };
    this.#service = new Service({ tables, routes, options, random: random.next, tick: () => this.#tick() });
  }

  readonly fetch: MockServer['fetch'] = async (input, init = {}) => {
    const { signal, ...rest } = init;
    const isRequest = input instanceof Request;
    const isWhole = isRequest && Object.keys(rest).length === 0;
    // What the server has no route for goes on unread.
    const request = isWhole ? input : new Request(isRequest ? input.clone() : absolute(String(input)), rest);
    const answer = await this.#receive(request, signal ?? (isRequest ? input.signal : undefined), init.body);
    if (answer) return answer;
    const { onUnhandledRequest = 'error' } = this.#options;
    if (onUnhandledRequest === 'bypass') return this.#bypass(input, init, request);
    if (typeof onUnhandledRequest === 'function')
      return onUnhandledRequest(signal ? new Request(request, { signal }) : request);
    const asked = `${request.method} ${new URL(request.url).pathname}`;
    throw new TypeError(`The mock server has no route ${asked}. ${nearRoutes(asked, this.#routes)}`);
  };

  readonly handle: MockServer['handle'] = (request) =>
    this.#receive(request, request.signal, undefined).then(
      (answer) => {
        // msw, too, makes of what is thrown an answer with 500, and prints it.
        const fault = answer && this.#faults.get(answer);
        if (fault) throw fault.cause;
        return answer;
      },
      (error: unknown) => {
        // What an answer says of a broken network, and of an aborted request; a handler that throws would be taken for a server with a fault.
        if (error instanceof Broken || error === request.signal.reason) return Response.error();
        throw error;
      },
    );

  use: MockServer['use'] = (endpoint, answer, { times } = {}) =>
    // The endpoint that is meant says what its answers are told.
    this.#uses.add(this.#meaning(endpoint), answer, times);

  readonly rows: MockServer['rows'] = (entity) =>
    // Rows are what the class has in wire form, as far as the seed and writes are.
    [...this.#tables.of(entity).rows.values()].map((entry) => shown(entry)) as never;

  set(entity: EntityClass, rows: object): void {
    const table = this.#tables.of(entity);
    const now = this.#tick();
    for (const given of Array.isArray(rows) ? (rows as readonly Row[]) : [rows as Row]) {
      const row = copyOf(given) as Row;
      const old = table.rows.get(table.pkOf(row) ?? '');
      const before = old && (shown(old) as Row);
      const whole = { ...(before ?? defaultsOf(table)), ...versionOf(table, before, now), ...row };
      this.#tables.keep(table, table.withPk(whole, this.#random.next), old);
    }
  }

  remove(entity: EntityClass, pk: string | number): void {
    const entry = this.#tables.of(entity).rows.get(String(pk));
    this.#tick();
    if (entry) this.#tables.remove(entry);
  }

  hold(match?: Match, options: { readonly at?: 'arrival' | 'answer' } = {}): Undo {
    return this.#holds.add(this.#meaning(match), options);
  }

  get held(): readonly Held[] {
    return [...this.#traffic.held];
  }

  release(): void {
    for (const { answer } of this.held) answer();
  }

  fail(match: Match, status: number | Response, { body, times }: { body?: unknown; times?: number } = {}): Undo {
    const refuse = (): Response => (typeof status === 'number' ? refusal(status, body) : status.clone());
    return this.#fates.add(this.#meaning(match), refuse, times);
  }

  lose(match: Match, { times }: { times?: number } = {}): Undo {
    return this.#fates.add(this.#meaning(match), 'lost', times);
  }

  drop(match: Match, { times }: { times?: number } = {}): Undo {
    return this.#fates.add(this.#meaning(match), 'dropped', times);
  }

  delay(ms: number, match?: Match): Undo {
    return this.#delays.add(this.#meaning(match), ms);
  }

  offline(): Undo {
    return this.drop(() => true);
  }

  subscribe(listener: (change: RowChange) => void): Undo {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  snapshot(): string {
    return snapshotOf(this.#tables, { time: this.#time, random: this.#random.state, keys: this.#keys.answered });
  }

  restore(snapshot: string): void {
    const kept = JSON.parse(snapshot) as Kept & Moment;
    plantAgain(this.#tables, kept);
    this.#time = kept.time;
    this.#random.state = kept.random;
    this.#keys.retain(kept.keys);
  }

  reset(): void {
    for (const rules of [this.#uses, this.#holds, this.#fates, this.#delays]) rules.clear();
    this.#traffic.clear();
    this.#keys.clear();
    for (const { forms } of this.#tables.all.values()) forms.clear();
    this.#reading = undefined;
    this.calls.length = 0;
    this.restore(this.#beginning);
  }

  #tick(): number {
    this.#time += 1_000;
    return this.#options.now?.() ?? this.#time;
  }

  #meaning(match: Match | undefined): (asked: Asked) => boolean {
    return match === undefined ? () => true : meaningOf(match, this.#routes);
  }

  /** Answers a request in its time; undefined where no endpoint is for it. */
  async #receive(
    request: Request,
    signal: AbortSignal | null | undefined,
    given: unknown,
  ): Promise<Response | undefined> {
    const url = new URL(request.url);
    const target = routeTo(this.#routes, request.method, url);
    if (!target) return undefined;
    if ('allowed' in target) {
      const allow = target.allowed.join(', ');
      return new Problem(405, `${url.pathname} takes ${allow}`, { allow }).response;
    }
    const { route, path } = target;
    const search: Record<string, string[]> = {};
    for (const [name, text] of url.searchParams) setOwn(search, name, [...(own(search, name) ?? []), text]);
    const read = bodyOf(request, given);
    let body: unknown = read;
    if (read instanceof Promise || this.#reading) {
      // Requests are served in the order of arrival: this one when the bodies are read of all that came before it.
      const turn = Promise.allSettled([read, this.#reading]);
      this.#reading = turn;
      const [settled] = await turn;
      if (this.#reading === turn) this.#reading = undefined;
      if (settled.status === 'rejected') throw settled.reason;
      body = settled.value;
    }
    const params = plainParams({ ...search, ...path });
    const isForm = isFormIn(request, given);
    return this.#answer({ route, path, search, params, body, isForm, request, url, signal: signal ?? undefined });
  }

  /** Asks the network; where this server stands in the place of the global `fetch`, also behind others, and so is asked again meanwhile, that which was there before. */
  async #bypass(input: Parameters<typeof fetch>[0], init: RequestInit, { method, url }: Request): Promise<Response> {
    const asked = `${method} ${url}`;
    const isAgain = this.#bypassed.has(asked);
    const network = isAgain ? this.#network : globalThis.fetch;
    if (isAgain) return network(input, init);
    this.#bypassed.add(asked);
    try {
      return await network(input, init);
    } finally {
      this.#bypassed.delete(asked);
    }
  }

  #answer(arrived: Arrived): Promise<Response> {
    const { request, url, params, body, signal } = arrived;
    const { method } = request;
    const fate = this.#fates.take(arrived);
    if (fate === 'dropped') return Promise.reject(new Broken());
    const idempotencyKey = request.headers.get('idempotency-key') ?? undefined;
    const call: Call = { method, path: url.pathname, params, body, status: undefined, idempotencyKey };
    this.calls.push(call);
    const isRead = method === 'GET' || method === 'HEAD';
    const key = isRead ? undefined : idempotencyKey;
    const print = `${method} ${url.href} ${JSON.stringify(body)}`;
    const replayed = key === undefined ? undefined : this.#keys.begin(key, print);
    const hold = this.#holds.take(arrived);
    // A write that is held waits on its way to the server; one that takes its time is done in the order of arrival.
    const at = hold?.at ?? (typeof fate !== 'function' && (isRead || !hold) ? 'answer' : 'arrival');
    return this.#traffic.send({
      request,
      signal,
      isEarly: at === 'answer',
      isHeld: hold !== undefined,
      wait: this.#delayOf(arrived),
      fate,
      respond: () => (replayed ? breakable(replayed, signal) : this.#respond(arrived, key)),
      onEnd: (response) => {
        Object.assign(call, { status: response?.status });
        if (key !== undefined && !replayed) this.#keys.end(key);
      },
    });
  }

  #delayOf(arrived: Arrived): number {
    const { delay = 0 } = this.#options;
    const ms = this.#delays.take(arrived) ?? delay;
    if (typeof ms === 'function') return ms(arrived.request);
    if (typeof ms === 'number') return ms;
    const [min, max] = ms;
    return min + Math.floor(this.#random.next() * (max - min + 1));
  }

  /** Does what is asked, and answers. */
  #respond(arrived: Arrived, key: string | undefined): Response | Promise<Response> {
    const { request } = arrived;
    const use = this.#uses.take(arrived);
    const keep = (response: Response): Response => {
      if (key !== undefined) this.#keys.keep(key, response);
      return response;
    };
    const finish = (response: Response): Response =>
      request.method === 'HEAD' ? new Response(null, response) : response;
    const refuse = (error: unknown): Response => {
      if (!(error instanceof Problem)) throw error;
      const response = finish(keep(error.response));
      if (error instanceof Fault) this.#faults.set(response, error);
      return response;
    };
    try {
      if (!use) return finish(keep(this.#service.respond(arrived)));
      const { params, body, route } = arrived;
      const option = `use of ${route.endpoints[0]?.name ?? ''}`;
      const answer = asked(option, () => use({ params, body, request, rows: this.rows } as AnswerContext));
      const send = (told: unknown): Response => finish(responseOf(told, {}, keep, arrived.signal));
      if (!(answer instanceof Promise)) return send(answer);
      const late = answer.catch((error: unknown) => Promise.reject(new Fault(option, error)));
      return late.then(send).catch(refuse);
    } catch (error) {
      return refuse(error);
    }
  }
}

/** An address as it is where the code runs; in Node, which has none, on a host of no meaning. */
function absolute(address: string): string {
  const { location } = globalThis as { readonly location?: Location };
  return new URL(address, location?.href.startsWith('http') ? location.href : 'http://localhost').href;
}
