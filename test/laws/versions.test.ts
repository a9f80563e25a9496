import { configureStore } from '@reduxjs/toolkit';
import fc from 'fast-check';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { search } from '../support/search.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 36_000_000 });

class Issue extends Entity {
  id = 0;
  title = '';
  text = '';
  votes = 0;
  version = 0;
  static override key = 'Issue';
  static override version = 'version';
}
const resource = (etag: boolean) =>
  createResource({ path: '/issues/:id', schema: Issue, optimistic: true, etag }).extend('vote', {
    path: '/issues/:id/vote',
    method: 'POST',
    body: undefined,
    schema: Issue,
    optimistic: (issue) => {
      issue.votes += 1;
    },
  });
const Voted = resource(false);
const Edited = resource(true);

interface Call {
  readonly client: number;
  readonly method: string;
  readonly url: string;
  readonly body: { readonly title?: string; readonly text?: string };
  readonly match: string | undefined;
  readonly answer: (response: Response) => void;
  /** What the server says, once it has served it. */
  said?: Response;
}

/** A server that serves what it is asked in any order, and whose answers come in any order. */
class Server {
  issue = { id: 1, title: 'start', text: 'start', votes: 0, version: 1 };
  calls: Call[] = [];
  /** Told before an edit is written down. */
  onEdit: (call: Call) => void = () => undefined;

  fetchFn(client: number): (input: string, init: RequestInit) => Promise<Response> {
    return (url, { method = 'GET', body, headers }) =>
      new Promise((answer) => {
        const match = new Headers(headers).get('if-match') ?? undefined;
        const parsed = typeof body === 'string' ? (JSON.parse(body) as Call['body']) : {};
        this.calls.push({ client, url, method, body: parsed, match, answer });
      });
  }

  async move({ does, which }: Extract<Move, { which: number }>): Promise<void> {
    if (does === 'serve') this.serve(which);
    else await this.deliver(which);
  }

  serve(which: number): void {
    const open = this.calls.filter(({ said }) => !said);
    const call = open[which % Math.max(1, open.length)];
    if (call) call.said = this.#said(call);
  }

  async deliver(which: number): Promise<void> {
    const served = this.calls.filter(({ said }) => said);
    const call = served[which % Math.max(1, served.length)];
    if (!call?.said) return;
    this.calls = this.calls.filter((other) => other !== call);
    call.answer(call.said);
    await settle();
  }

  #said(call: Call): Response {
    const { method, url, body, match } = call;
    if (match !== undefined && match !== this.#tag()) return new Response('{}', { status: 412 });
    if (method === 'POST') this.#write({ votes: this.issue.votes + 1 });
    else if (method === 'PATCH') {
      this.onEdit(call);
      this.#write(body);
    }
    const said = url === '/issues' ? [this.issue] : this.issue;

    return new Response(JSON.stringify(said), { headers: { 'content-type': 'application/json', etag: this.#tag() } });
  }

  #write(fields: object): void {
    this.issue = { ...this.issue, ...fields, version: this.issue.version + 1 };
  }

  #tag(): string {
    return `"${String(this.issue.version)}"`;
  }
}

/** Lets all go on that waits for nothing but promises. */
async function settle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A browser beside the server. */
function client(server: Server, number: number) {
  const resources = configureResources({ fetchFn: server.fetchFn(number), holdTimeout: Infinity });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
  });
  const shown = () => resources.selectEntity(Issue, 1)(store.getState());

  return { store, resources, shown };
}

async function start(server: Server, number: number) {
  const made = client(server, number);
  const first = made.store.dispatch(Edited.get({ id: 1 }));
  await settle();
  server.serve(0);
  await server.deliver(0);
  await first;

  return made;
}

type Move =
  | { readonly does: 'act'; readonly what: number; readonly who: number }
  | { readonly does: 'serve' | 'deliver'; readonly which: number };

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof<fc.WeightedArbitrary<Move>[]>(
    { weight: 3, arbitrary: fc.record({ does: fc.constant('act' as const), what: fc.nat(3), who: fc.nat(1) }) },
    {
      weight: 4,
      arbitrary: fc.record({ does: fc.constantFrom('serve' as const, 'deliver' as const), which: fc.nat(9) }),
    },
  ),
  { maxLength: 30 },
);

describe('versions', () => {
  it('count no vote twice and lose none, whatever order a server serves and answers in', async () => {
    const holds = fc.asyncProperty(moves, async (history) => {
      const server = new Server();
      const { store, shown } = await start(server, 0);
      let made = 0;
      let newest = 1;
      for (const move of history) {
        if ('which' in move) await server.move(move);
        else {
          if (move.what === 0) void store.dispatch(Voted.get({ id: 1 }));
          else if (move.what === 1) void store.dispatch(Voted.getList());
          else if (move.what === 2) void store.dispatch(Voted.partialUpdate({ id: 1 }, { text: String(made) }));
          else {
            void store.dispatch(Voted.vote({ id: 1 }));
            made++;
          }
          await settle();
        }
        const { votes = -1, version = -1 } = shown() ?? {};
        expect(votes).toBe(made);
        expect(version).toBeGreaterThanOrEqual(newest);
        newest = version;
      }
      while (server.calls.length > 0) {
        server.serve(0);
        await server.deliver(0);
      }

      expect(JSON.parse(JSON.stringify(shown()))).toEqual(server.issue);
    });

    await fc.assert(holds, search);
  });

  it('lose no edit of another client, with etag: true', async () => {
    const holds = fc.asyncProperty(moves, async (history) => {
      const server = new Server();
      const clients = [await start(server, 0), await start(server, 1)];
      /** What a client saw of a field when its user wrote a text. */
      const seen = new Map<string, string>();
      server.onEdit = ({ client: who, body }) => {
        for (const field of ['title', 'text'] as const) {
          const [mine, theirs] = [body[field], server.issue[field]];
          if (mine === undefined || theirs.startsWith(`${String(who)} `)) continue;
          expect([theirs]).toContain(seen.get(mine));
        }
      };
      let count = 0;
      for (const move of history) {
        if ('which' in move) await server.move(move);
        else {
          const one = clients[move.who];
          const text = `${String(move.who)} ${String(count++)}`;
          const field = move.what % 2 === 0 ? 'title' : 'text';
          if (move.what === 3) void one?.store.dispatch(Edited.get({ id: 1 }));
          else {
            seen.set(text, one?.shown()?.[field] ?? '');
            void one?.store.dispatch(Edited.partialUpdate({ id: 1 }, { [field]: text }));
          }
          await settle();
        }
      }
      while (server.calls.length > 0) {
        server.serve(0);
        await server.deliver(0);
      }
    });

    await fc.assert(holds, search);
  });
});
