import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import { NoteResource, Todo, TodoResource, Upload, upload } from './resources.js';

/** What becomes of a request, beside being done and answered. */
export type Trouble = 'lost' | 'dropped' | 'conflict' | 401 | 422 | 429 | 500 | 502 | 503;

/** The server of one history: what it does to each write, the history says. */
export interface Shop {
  readonly rows: MockServer['rows'];
  readonly calls: MockServer['calls'];
  /** Todos that somebody else has changed. */
  readonly outside: Set<number>;
}

/** A server for the histories, one after the other: what comes late of an earlier one is not heard. */
export class Shops {
  readonly #script: string;
  readonly #http = createServer((request, response) => {
    // A browser sends once more by itself what it has sent over a connection that it used before, and that breaks.
    response.setHeader('connection', 'close');
    void this.#answer(request, response);
  });
  #number = 0;
  #isKeyed = true;
  #trouble: () => Trouble | undefined = () => undefined;
  #server = makeServer();
  #outside = new Set<number>();

  constructor(script: string) {
    this.#script = script;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#http.close();
  }

  /** The address of the tabs of the current history. */
  get address(): string {
    const { port } = this.#http.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${this.#number}${this.#isKeyed ? '' : '?keyless'}`;
  }

  /** Begins a history. */
  begin(isKeyed: boolean, trouble: () => Trouble | undefined): Shop {
    this.#number++;
    this.#isKeyed = isKeyed;
    this.#trouble = trouble;
    this.#outside = new Set();
    this.#server = makeServer();
    const { rows, calls } = this.#server;
    return { rows, calls, outside: this.#outside };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '/' } = request;
    if (!/^\/(?:todos|uploads)/.test(url)) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<script>${this.#script}</script>`);
      return;
    }
    const isLate = new URL(request.headers.referer ?? this.address).pathname !== `/${this.#number}`;
    const trouble = isLate ? 'dropped' : this.#troubleFor(request);
    if (trouble === 'dropped') response.destroy();
    else if (typeof trouble === 'number') response.writeHead(trouble).end();
    else {
      if (trouble === 'conflict') this.#changeOutside(url);
      const answer = await this.#do(request, Buffer.concat(chunks));
      if (trouble === 'lost') response.destroy();
      else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    }
  }

  /** Reads have none, and a server that knows a key refuses nothing that it has done. */
  #troubleFor({ method, headers }: IncomingMessage): Trouble | undefined {
    if (method === 'GET' || method === 'HEAD') return undefined;
    const trouble = this.#trouble();
    const key = this.#isKeyed ? headers['idempotency-key'] : undefined;
    const isDone = key !== undefined && this.#server.calls.some((call) => call.idempotencyKey === key && call.status);
    return isDone && typeof trouble === 'number' ? undefined : trouble;
  }

  /** Somebody else changes the row that is written to. */
  #changeOutside(url: string): void {
    const id = Number(/^\/todos\/(\d+)$/.exec(url)?.[1]);
    const row = this.#server.rows(Todo).find((one) => one.id === id);
    if (!row) return;
    this.#outside.add(id);
    this.#server.set(Todo, { id, outside: row.outside + 1 });
  }

  #do({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<Response> {
    const given = new Headers();
    for (const name of ['content-type', 'if-match', 'if-none-match', 'idempotency-key']) {
      const value = headers[name];
      if (typeof value === 'string' && (this.#isKeyed || name !== 'idempotency-key')) given.set(name, value);
    }
    return this.#server.fetch(url, { method, headers: given, ...(body.length > 0 && { body: Uint8Array.from(body) }) });
  }
}

function makeServer(): MockServer {
  const server = mockServer([TodoResource, NoteResource, upload], {
    seed: { Todo: [{ id: 1, title: 'Seed', outside: 0, f0: '', f1: '', f2: '', f3: '', f4: '', f5: '' }] },
  });
  server.use(upload, async ({ request }) => {
    const file = (await request.clone().formData()).get('file');
    if (!(file instanceof File)) return new Response(null, { status: 400 });
    const row = { id: server.rows(Upload).length + 1, name: file.name, text: await file.text() };
    server.set(Upload, row);
    return row;
  });
  return server;
}
