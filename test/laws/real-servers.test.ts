import { configureStore } from '@reduxjs/toolkit';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import {
  Collection,
  configureResources,
  createResource,
  Entity,
  type Request,
  type ResourcesState,
} from 'rtk-resource';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { search } from '../support/search.js';

/*
 * A server as many are: items are known by a name that follows from their title, lists tell how many there are in all, come in windows, and one of them
 * is a search of which the server alone knows the rule. It serves in the order of sending; answers come in any order, and some get lost.
 */

class Note extends Entity {
  slug = '';
  title = '';
  folder = '';
  starred = false;
  override pk() {
    return this.slug;
  }
  static override key = 'Note';
}

interface Search {
  readonly folder?: string;
  readonly starred?: boolean;
  readonly q?: string;
  readonly offset?: number;
}
type Row = Pick<Note, 'slug' | 'title' | 'folder' | 'starred'>;
type Fate = 'fine' | 'brief' | 'silent' | 'refused' | 'lost' | 'answer lost';

const notes = new Collection([Note], {
  // What is searched for, only the server knows; whether an item has a star, it says itself.
  belongs: ({ folder, starred }, params) => {
    const filters = [
      [folder, params['folder']],
      [starred, params['starred']],
    ] as const;
    const differs = filters.some(([is, wanted]) => is !== undefined && wanted !== undefined && String(is) !== wanted);
    const isOpen =
      params['q'] !== undefined || filters.some(([is, wanted]) => is === undefined && wanted !== undefined);
    return differs ? false : isOpen ? undefined : true;
  },
});
const searchParams: Search = {};
const NoteResource = createResource({
  path: '/notes/:slug',
  schema: Note,
  searchParams,
  optimistic: true,
}).extend({ getList: { schema: { results: notes, total: notes.total } } });
const { getList, get, partialUpdate, delete: remove } = NoteResource;
const star = partialUpdate.extend({ path: '/notes/:slug/star', method: 'POST', body: undefined, name: 'Note/star' });

const SIZE = 2;
const lists: readonly Search[] = [
  {},
  { folder: 'a' },
  { folder: 'b' },
  { starred: true },
  { q: 'x' },
  { offset: 0 },
  { offset: 2 },
];
const fates: readonly Fate[] = ['fine', 'fine', 'fine', 'brief', 'silent', 'refused', 'lost', 'answer lost'];

/** Does one request after the other. */
class Server {
  rows: readonly Row[] = [];
  #made = 0;

  constructor(seeds: number) {
    for (let i = 0; i < seeds; i++) this.#make(i % 2 ? 'b' : 'a');
  }

  /** Answers a request; what is applied is so when this returns. */
  answer(method: string, url: URL, body: Partial<Row>, fate: Fate): Promise<Response> {
    const reply = fate === 'lost' ? undefined : this.#serve(method, url, body, fate);
    return reply && fate !== 'answer lost' ? Promise.resolve(reply) : Promise.reject(new TypeError('Failed to fetch'));
  }

  /** A title that nobody has had. */
  title(): string {
    this.#made += 1;
    return `${this.#made % 3 ? 'y' : 'x'}${String(this.#made)}`;
  }

  /** The rows that a list is about, of which a window shows some. */
  meant({ folder, starred, q = '' }: Search): readonly Row[] {
    return this.rows.filter(
      (row) =>
        row.folder === (folder ?? row.folder) && row.starred === (starred ?? row.starred) && row.title.includes(q),
    );
  }

  shown(list: Search): readonly Row[] {
    const all = this.meant(list);
    return list.offset === undefined ? all : all.slice(list.offset, list.offset + SIZE);
  }

  #make(folder: string, title = this.title()): Row {
    const row = { slug: `s-${title}`, title, folder, starred: false };
    this.rows = [...this.rows, row];
    return row;
  }

  #serve(method: string, url: URL, body: Partial<Row>, fate: Fate): Response {
    const [, , slug, action] = url.pathname.split('/');
    if (method === 'GET' && slug === undefined) return this.#list(url.searchParams);
    if (fate === 'refused') return Response.json({ message: 'No.' }, { status: 422 });
    if (slug === undefined)
      return answer(this.#make(body.folder ?? '', body.title), fate === 'silent' ? 'brief' : fate);
    const row = this.rows.find((one) => one.slug === slug);
    if (!row) return Response.json({}, { status: 404 });
    if (method === 'GET') return Response.json(row);
    if (method === 'DELETE') {
      this.rows = this.rows.filter((one) => one !== row);
      return new Response(null, { status: 204 });
    }
    // Without an answer nobody could know the new name.
    const named = body.title !== undefined && fate !== 'silent' ? { slug: `s-${body.title}` } : {};
    const next = { ...row, ...body, ...named, ...(action === 'star' && { starred: !row.starred }) };
    this.rows = this.rows.map((one) => (one === row ? next : one));
    return answer(next, action === 'star' ? 'fine' : fate);
  }

  #list(params: URLSearchParams): Response {
    const list =
      lists.find(
        (one) =>
          new URLSearchParams(Object.entries(one).map(([name, value]) => [name, String(value)])).toString() ===
          params.toString(),
      ) ?? {};
    return Response.json({ results: this.shown(list), total: this.meant(list).length });
  }
}

/** The same, made of the resources; its options say what they do not: names, stars, and which answers are brief. */
class MockedServer extends Server {
  readonly #mock: MockServer;
  #fate: Fate = 'fine';

  constructor(seeds: number) {
    super(seeds);
    const shorten = (row: unknown): unknown => {
      const fate = this.#fate;
      return fate === 'silent' ? undefined : fate === 'brief' ? { slug: (row as Row).slug } : row;
    };
    this.#mock = mockServer([NoteResource, star], {
      seed: { Note: [...this.rows] },
      pageSize: SIZE,
      write: { Note: (row) => (this.#fate === 'silent' ? row : { ...row, slug: `s-${String(row['title'])}` }) },
      shape: { 'Note/partialUpdate': shorten, 'Note/getList/push': shorten },
    });
    this.#mock.use(star, ({ params: { slug } }) => {
      const row = this.rows.find((one) => one.slug === slug);
      if (!row) return Response.json({}, { status: 404 });
      this.#mock.set(Note, { slug, starred: !row.starred });
      return { ...row, starred: !row.starred };
    });
    Object.defineProperty(this, 'rows', { get: () => this.#mock.rows(Note) });
  }

  override answer(method: string, url: URL, body: Partial<Row>, fate: Fate): Promise<Response> {
    this.#fate = fate === 'silent' && method === 'POST' ? 'brief' : fate;
    const times = { times: 1 };
    if (fate === 'refused') this.#mock.fail(() => true, 422, times);
    if (fate === 'lost') this.#mock.drop(() => true, times);
    if (fate === 'answer lost') this.#mock.lose(() => true, times);
    return this.#mock.fetch(url, { method, ...(Object.keys(body).length > 0 && { body: JSON.stringify(body) }) });
  }
}

function answer(row: Row, fate: Fate): Response {
  if (fate === 'silent') return new Response(null, { status: 204 });
  return Response.json(fate === 'brief' ? { slug: row.slug } : row);
}

type Step =
  | {
      readonly does: 'create' | 'delete' | 'title' | 'folder' | 'star' | 'get';
      readonly row: number;
      readonly fate: Fate;
    }
  | { readonly does: 'read'; readonly list: number }
  | { readonly does: 'deliver'; readonly which: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constantFrom(
          'create' as const,
          'delete' as const,
          'title' as const,
          'folder' as const,
          'star' as const,
          'get' as const,
        ),
        row: fc.nat(4),
        fate: fc.constantFrom(...fates),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('read' as const), list: fc.nat(lists.length - 1) }) },
    { weight: 4, arbitrary: fc.record({ does: fc.constant('deliver' as const), which: fc.nat(5) }) },
  ),
  { maxLength: 20, size: 'max' },
);

interface Held {
  readonly tell: () => void;
}

/** An action of one's own tells what it has done; of a row that was renamed without an answer, nobody could know (docs/guarantees.md). */
function fateOf({ does, fate }: Extract<Step, { readonly fate: Fate }>): Fate {
  if (does === 'star') return fate === 'refused' ? fate : 'fine';
  return fate;
}

async function play(server: Server, history: readonly Step[]): Promise<void> {
  const held: Held[] = [];
  const story: string[] = [];
  /** The totals that the server has had of each list. */
  const totals = lists.map(() => new Set<number>());
  let fate: Fate = 'fine';
  const fetchFn: typeof fetch = (input, init) => {
    const url = new URL(input as string, 'http://server');
    const method = init?.method ?? 'GET';
    const own = method === 'GET' ? 'fine' : fate;
    const { body } = init ?? {};
    const reply = server.answer(method, url, typeof body === 'string' ? (JSON.parse(body) as Partial<Row>) : {}, own);
    reply.catch(() => undefined);
    lists.forEach((list, i) => totals[i]?.add(server.meant(list).length));
    const line = `${method} ${url.pathname}${url.search} ${typeof body === 'string' ? body : ''} ${own}`;
    story.push(line);
    return new Promise((resolve) => {
      held.push({
        tell: () => {
          story.push(`delivered: ${line}`);
          resolve(reply);
        },
      });
    });
  };
  const resources = configureResources({ fetchFn });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
  });
  const state = (): { readonly resources: ResourcesState } => store.getState();
  /** Writes that were made, and of which nobody knows yet, or never will, what the server has done. */
  let open = 0;
  const write = (request: Request): void => {
    open += 1;
    void store.dispatch(request).then(({ error }) => {
      if (!error || error.status !== undefined) open -= 1;
    });
  };
  /** A fresh total is one that the server has had, but for what the writes of which nobody knows may have added or taken. */
  let unexplained: string | undefined;
  const look = (): void => {
    lists.forEach((list, i) => {
      // What is stale is being asked for.
      if (getList.selectRequest(list)(state()).isStale) return;
      const { total = NaN } = getList.select(list)(state()) ?? {};
      if ([...(totals[i] ?? [])].some((one) => Math.abs(one - total) <= open)) return;
      unexplained ??= [...story, `${JSON.stringify(list)} has ${String(total)} beside ${String(open)} writes`].join(
        '\n',
      );
    });
  };
  const quiet = async (): Promise<void> => {
    await turn();
    while (held.length > 0) {
      held.shift()?.tell();
      await turn();
    }
  };
  const subscriptions = lists.map((list) => store.dispatch(getList.subscribe(list)));
  await quiet();
  store.subscribe(look);

  for (const step of history) {
    await turn();
    if (step.does === 'deliver') {
      held.splice(step.which % Math.max(1, held.length), 1)[0]?.tell();
      continue;
    }
    if (step.does === 'read') {
      void store.dispatch(getList(lists[step.list]));
      continue;
    }
    fate = fateOf(step);
    const shown = getList.select({})(state())?.results ?? [];
    const slug = shown[step.row % Math.max(1, shown.length)]?.slug;
    if (step.does === 'create') {
      write(getList.push({ title: server.title(), folder: step.row % 2 ? 'b' : 'a' }));
    } else if (slug) {
      if (step.does === 'delete') write(remove({ slug }));
      else if (step.does === 'get') void store.dispatch(get({ slug }));
      else if (step.does === 'star') write(star({ slug }));
      else
        write(
          partialUpdate(
            { slug },
            step.does === 'title' ? { title: server.title() } : { folder: step.row % 2 ? 'b' : 'a' },
          ),
        );
    }
  }
  await quiet();
  story.push('(at rest)');

  const told = (rows: readonly Row[]) =>
    rows.map(({ slug, title, folder, starred }) => `${slug} ${title} ${folder} ${String(starred)}`).sort();
  const shown = lists.map((list) => {
    const { results = [], total } = getList.select(list)(state()) ?? {};
    return { list, rows: told(results), total };
  });
  const expected = lists.map((list) => ({ list, rows: told(server.shown(list)), total: server.meant(list).length }));
  for (const one of subscriptions) one.unsubscribe();
  expect(shown, story.join('\n')).toEqual(expected);
  expect(unexplained).toBe(undefined);
}

describe('a server with names, totals, windows and a search', () => {
  it(
    'has at rest what its lists show, after any story, and had each total that was shown on the way',
    { timeout: 36_000_000 },
    async () => {
      // Each history asks for seven lists and more.
      await fc.assert(
        fc.asyncProperty(steps, (history) => play(new Server(5), history)),
        { ...search, numRuns: Math.ceil(search.numRuns / 2) },
      );
    },
  );

  it('may be a mock server, made of the same resources', { timeout: 36_000_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, (history) => play(new MockedServer(5), history)),
      { ...search, numRuns: Math.ceil(search.numRuns / 20) },
    );
  });
});
