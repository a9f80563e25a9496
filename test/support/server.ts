import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach } from 'vitest';

/** A request as the server got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  /** The query string as it came, without its question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  /** The body parsed as JSON; its text where it is none, undefined where it is empty. */
  readonly body: unknown;
}

/** What the server says: `json` with its content type, or `text` as it is. */
export interface Reply {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Names a request: `GET /todos`, with any query; `GET /todos?page=2`; or a pattern of `METHOD address body`. */
type Which = string | RegExp;

interface Exchange {
  readonly received: Received;
  readonly response: ServerResponse;
}

interface Waiter {
  readonly which: Which;
  readonly take: (exchange: Exchange) => void;
}

/** A server on loopback, which holds every request that it has no standing answer to. */
export interface TestServer {
  readonly url: string;
  /** Every request since the start or the last `forget`, in the order of arrival. */
  readonly received: readonly Received[];
  /** Gives a standing answer. */
  answer(which: Which, reply: Reply | ((request: Received) => Reply)): void;
  /** Answers the oldest held request of this name; waits for it to arrive. */
  release(which: Which, reply?: Reply): Promise<Received>;
  /** Waits until a request of this name is held. */
  holding(which: Which): Promise<Received>;
  /** Waits until the client has hung up on a held request of this name. */
  hungUp(which: Which): Promise<void>;
  /** Drops what was received and said, and hangs up on what is held. */
  forget(): void;
  close(): Promise<void>;
}

/** The server of a test file: closed at its end, and forgetful after each test. */
export async function serverOfFile(): Promise<TestServer> {
  const server = await startServer();
  afterAll(() => server.close());
  afterEach(() => {
    server.forget();
  });
  return server;
}

export async function startServer(): Promise<TestServer> {
  const received: Received[] = [];
  const answers: { readonly which: Which; readonly reply: (request: Received) => Reply }[] = [];
  const held: Exchange[] = [];
  let waiters: Waiter[] = [];

  const server = createServer((request, response) => {
    void receive(request).then((one) => {
      received.push(one);
      const standing = answers.findLast(({ which }) => isNamed(one, which));
      if (standing) {
        say(response, standing.reply(one));
        return;
      }
      const exchange = { received: one, response };
      held.push(exchange);
      for (const { which, take } of [...waiters]) if (isNamed(one, which) && held.includes(exchange)) take(exchange);
    });
  });
  // On a busy machine a connection may be idle for long: it is not closed just as the next request comes.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const find = (which: Which): Promise<Exchange> => {
    const there = held.find(({ received: one }) => isNamed(one, which));
    if (there) return Promise.resolve(there);

    return new Promise((resolve) => {
      const waiter: Waiter = {
        which,
        take: (exchange) => {
          waiters = waiters.filter((other) => other !== waiter);
          resolve(exchange);
        },
      };
      waiters.push(waiter);
    });
  };
  const letGo = (exchange: Exchange): void => {
    held.splice(held.indexOf(exchange), 1);
  };

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer(which, reply) {
      answers.push({ which, reply: typeof reply === 'function' ? reply : () => reply });
    },
    async release(which, reply = {}) {
      const exchange = await find(which);
      letGo(exchange);
      say(exchange.response, reply);

      return exchange.received;
    },
    async holding(which) {
      return (await find(which)).received;
    },
    async hungUp(which) {
      const exchange = await find(which);
      if (!exchange.response.destroyed) await new Promise((resolve) => exchange.response.once('close', resolve));
      letGo(exchange);
    },
    forget() {
      for (const { response } of held) response.destroy();
      held.length = received.length = answers.length = 0;
      waiters = [];
    },
    close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();

      return closed;
    },
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const { method = '', url = '', headers } = request;
  const [path = '', query = ''] = url.split('?', 2);
  let rawBody = '';
  for await (const chunk of request.setEncoding('utf8')) rawBody += String(chunk);

  return { method, path, query, headers, rawBody, body: parsed(rawBody) };
}

function parsed(rawBody: string): unknown {
  if (rawBody === '') return undefined;
  try {
    return JSON.parse(rawBody);
  } catch {
    return rawBody;
  }
}

function isNamed({ method, path, query, rawBody }: Received, which: Which): boolean {
  const line = `${method} ${path}`;
  const full = query === '' ? line : `${line}?${query}`;

  return typeof which === 'string' ? which === line || which === full : which.test(`${full} ${rawBody}`);
}

function say(response: ServerResponse, { status = 200, json, text, headers = {} }: Reply): void {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(body);
}
