import type { FetchFn } from 'rtk-resource';

/** A request as a handler gets it. */
export interface Asked {
  /** The address as it was asked for. */
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** What the path names. */
  param(name: string): string;
  /** What was sent: parsed JSON, or the fields of a form; the handler knows what its clients send. */
  readonly body: never;
}

/** What a handler says; nothing of `json` is an empty body. */
export interface Said {
  readonly status?: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Handler = (asked: Asked) => Said;

/** What a handler throws where it does nothing. */
export class Refusal extends Error {
  constructor(readonly said: Said) {
    super('The server refuses.');
  }
}

/** A server without a network, which tests tell by name how to behave: `PATCH /labels/bug`. */
export interface Api {
  /** Sends a request as `fetch` does. */
  readonly fetchFn: FetchFn;
  /** What the server says to a request that no client has sent: nothing of it is remembered, held or lost. */
  readonly tell: FetchFn;
  /** What clients have asked for, in order: `GET /issues?state=open`. */
  readonly asked: readonly string[];
  /** Holds the next request of this name until it is released; then it is done and answered. */
  hold(name: string): { release(): void };
  /** Does what the next request of this name asks for, and loses the answer. */
  lose(name: string): void;
  /** Answers the next request of this name so, and does nothing. */
  refuse(name: string, said: Said): void;
  /** Sends, from now on, the tag of the newest answer with each read of this address, as a browser's cache does by itself. */
  remember(path: string): void;
}

interface Order {
  readonly name: string;
  readonly wait?: Promise<void>;
  readonly isLost?: boolean;
  readonly said?: Said;
}

/** Makes a server of its routes: `GET /issues/:number` and what to do. Answers have an ETag where `hasTags` says so. */
export function apiOf(
  routes: Readonly<Record<string, Handler>>,
  { prefix = '', hasTags = false }: { readonly prefix?: string; readonly hasTags?: boolean } = {},
): Api {
  const compiled = Object.entries(routes).map(([route, handler]) => ({ matches: matcherOf(route, prefix), handler }));
  const asked: string[] = [];
  const orders: Order[] = [];
  const tags = new Map<string, string>();
  const remembered = new Set<string>();

  const answer = (input: string, init: RequestInit): Response => {
    const url = new URL(input);
    const method = init.method ?? 'GET';
    for (const { matches, handler } of compiled) {
      const params = matches(`${method} ${url.pathname}`);
      if (params) return respond(handle(handler, askedOf(url, init, params)), init, hasTags && method === 'GET');
    }
    throw new Error(`The server of this test has no route for ${method} ${url.pathname}.`);
  };

  const fetchFn: FetchFn = async (input, init) => {
    const url = new URL(input);
    const name = `${init.method ?? 'GET'} ${url.pathname.slice(prefix.length)}`;
    asked.push(name + decodeURIComponent(url.search));
    const isRemembered = init.method === 'GET' && remembered.has(url.pathname.slice(prefix.length));
    const tag = isRemembered ? tags.get(input) : undefined;
    const sent = tag === undefined ? init : { ...init, headers: { ...headersOf(init), 'If-None-Match': tag } };
    const index = orders.findIndex((order) => order.name === name);
    const [order] = index < 0 ? [] : orders.splice(index, 1);
    await order?.wait;
    if (init.signal?.aborted) throw init.signal.reason;
    if (order?.said) return respond(order.said, sent, false);
    const response = answer(input, sent);
    tags.set(input, response.headers.get('etag') ?? '');
    if (order?.isLost) throw new TypeError('fetch failed');
    return response;
  };

  return {
    fetchFn,
    tell: (input, init) => Promise.resolve(answer(input, init)),
    asked,
    hold(name) {
      let release = (): void => undefined;
      const wait = new Promise<void>((resolve) => (release = resolve));
      orders.push({ name, wait });
      return { release };
    },
    lose(name) {
      orders.push({ name, isLost: true });
    },
    refuse(name, said) {
      orders.push({ name, said });
    },
    remember(path) {
      remembered.add(path);
    },
  };
}

/** What one says, or why one refuses. */
function handle(handler: Handler, asked: Asked): Said {
  try {
    return handler(asked);
  } catch (error) {
    if (error instanceof Refusal) return error.said;
    throw error;
  }
}

function respond({ status = 200, json, headers = {} }: Said, init: RequestInit, isTagged: boolean): Response {
  const text = json === undefined ? null : JSON.stringify(json);
  const tag = isTagged ? tagOf(text ?? '') : undefined;
  if (tag !== undefined && headersOf(init)['If-None-Match'] === tag)
    return new Response(null, { status: 304, headers: { etag: tag } });
  return new Response(text, {
    status,
    headers: {
      ...(text !== null && { 'content-type': 'application/json; charset=utf-8' }),
      ...(tag !== undefined && { etag: tag }),
      ...headers,
    },
  });
}

/** A weak tag, as most servers have it: of the text that is sent. */
function tagOf(text: string): string {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + char.charCodeAt(0)) % 0xffffff;
  return `W/"${text.length.toString(16)}-${sum.toString(16)}"`;
}

/** The headers that a client sends: a plain object always. */
function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}) as readonly (readonly [string, string])[]);
}

function askedOf(url: URL, init: RequestInit, params: Readonly<Record<string, string>>): Asked {
  const { body } = init;
  const sent: unknown =
    body instanceof URLSearchParams
      ? Object.fromEntries(body)
      : typeof body === 'string' && body !== ''
        ? JSON.parse(body)
        : {};
  return {
    url,
    query: url.searchParams,
    headers: new Headers(headersOf(init)),
    param(name) {
      const value = params[name];
      if (value === undefined) throw new Error(`The route has no parameter called ${name}.`);
      return value;
    },
    // Declared as what can be given to anything.
    body: sent as never,
  };
}

/** Finds the parameters of a route in a request. */
function matcherOf(route: string, prefix: string): (line: string) => Readonly<Record<string, string>> | undefined {
  const [method = '', path = ''] = route.split(' ');
  const names: string[] = [];
  const pattern = (prefix + path).replace(/[.()]/g, '\\$&').replace(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return "([^/()']+)";
  });
  const regexp = new RegExp(`^${method} ${pattern}$`);
  return (line) => {
    const found = regexp.exec(line);
    if (!found) return undefined;
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]));
  };
}

/** The one row that has these values; refuses with 404 where there is none. */
export function findIn<Row extends object>(rows: readonly Row[], where: Partial<Row>, missing: unknown): Row {
  const found = rows.find((row) =>
    Object.entries(where).every(([name, value]) => String(row[name as keyof Row]) === String(value)),
  );
  if (!found) throw new Refusal({ status: 404, json: missing });
  return found;
}

/** Takes a row out of a table. */
export function removeFrom<Row>(rows: Row[], row: Row): void {
  rows.splice(rows.indexOf(row), 1);
}
