import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/garbage.js';
import { expectIdle } from '../support/store.js';

/** How often each is done; `SOAK=100000` for a long run. */
const COUNT = Number(process.env['SOAK'] ?? 200);
const inTime = { timeout: Math.max(120_000, COUNT * 50) };
const minute = 60_000;

class Note extends Entity {
  id = 0;
  text = '';
  votes = 0;
  folder = '';
  static override key = 'Note';
}

/** An item that the server says is deleted. */
class Marked extends Entity {
  id = 0;
  isDeleted = false;
  static override key = 'Marked';
  static override process(input: Record<string, unknown>) {
    return input['isDeleted'] === true ? undefined : input;
  }
}

const Notes = createResource({
  path: '/notes/:id',
  schema: Note,
  searchParams: {} as { folder: string } | undefined,
  optimistic: true,
});
const vote = new RestEndpoint({
  path: '/notes/:id/vote',
  method: 'POST',
  body: undefined,
  name: 'vote',
  schema: Note,
  getOptimisticResponse: (snapshot, { id }) => {
    const note = snapshot.get(Note, { id: Number(id) });

    return note && { id: note.id, votes: note.votes + 1 };
  },
});
const removeMarked = new RestEndpoint({
  path: '/marked/:id',
  method: 'DELETE',
  name: 'Marked/delete',
  schema: new schema.Invalidate(Marked),
});
const hang = new RestEndpoint({ path: '/hang', name: 'hang', schema: [Note] });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a server says that has a note for each number; what is sent to /refused is refused, and /hang never answers. */
function respond(input: string, { method = 'GET', body }: RequestInit): Promise<Response> {
  if (input === '/hang') return new Promise(() => undefined);
  if (input.includes('refused')) return Promise.resolve(Response.json({}, { status: 422 }));
  if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }));
  const sent = typeof body === 'string' ? (JSON.parse(body) as object) : {};
  const id = Number(/\d+/.exec(input)?.[0] ?? ++created);
  const row = { id, text: 'note', votes: 0, folder: 'a', ...sent };

  return Promise.resolve(Response.json(/notes(\?|$)/.test(input) && method === 'GET' ? [row] : row));
}
let created = 0;

function open() {
  created = 1_000_000;
  const resources = configureResources({ fetchFn: respond });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
    devTools: false,
  });
  const slice = () => store.getState().resources;
  // Some of what was there once: all of a state, and the rows that it had last.
  const held: WeakRef<object>[] = [];

  return {
    store,
    resources,
    slice,
    /** Does something again and again, and notes what was there meanwhile. */
    repeat: async (act: (i: number) => unknown) => {
      for (let i = 1; i <= COUNT; i++) {
        await act(i);
        if (i % Math.ceil(COUNT / 100) === 0) held.push(new WeakRef(slice().tables));
        vi.advanceTimersByTime(1_000);
      }
      for (let i = 0; i < 5; i++) await vi.advanceTimersByTimeAsync(minute);
    },
    /** How much of what was there once is in memory still. */
    left: async () => {
      for (let i = 0; i < 3; i++) await collectGarbage();

      return new Set(held.map((ref) => ref.deref() ?? slice().tables)).size - 1;
    },
    /** How many requests, rows and lists the slice has. */
    kept: () =>
      [slice().requests, ...Object.values(slice().tables)].flatMap(({ pks }) => pks.flat()).filter((pk) => pk !== '')
        .length,
  };
}
type Opened = ReturnType<typeof open>;

/** What is done again and again; and how much is kept of it in the end, by how often it was done. */
const deeds: readonly (readonly [name: string, act: (opened: Opened, i: number) => unknown, kept: number])[] = [
  [
    'creates of items that are deleted again',
    async ({ store }, i) => {
      const { id } = await store.dispatch(Notes.getList.push({ text: String(i), folder: 'a' })).unwrap();
      await store.dispatch(Notes.delete({ id }));
    },
    0,
  ],
  ['votes', ({ store }, i) => store.dispatch(vote({ id: 1 + (i % 3) })), 0],
  ['edits', ({ store }, i) => store.dispatch(Notes.partialUpdate({ id: 1 + (i % 3) }, { text: String(i) })), 0],
  [
    'edits that are refused',
    ({ store }, i) => store.dispatch(Notes.partialUpdate({ id: `refused-${String(i)}` }, { text: 'x' })),
    0,
  ],
  [
    'deletions by a socket, as answers',
    ({ store, resources }, id) => {
      store.dispatch(resources.set(Marked, { id }));
      store.dispatch(resources.setResponse(removeMarked, { id }, null));
    },
    0,
  ],
  [
    'deletions by a socket, as rows',
    ({ store, resources }, id) => {
      store.dispatch(resources.set(Marked, { id }));
      store.dispatch(resources.set(Marked, { id, isDeleted: true }));
    },
    0,
  ],
  [
    'details that are left',
    async ({ store }, id) => {
      const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 10 + id }));
      await store.dispatch(Notes.get.ifStale({ id: 10 + id }));
      unsubscribe();
    },
    0,
  ],
  ['details that are prefetched', ({ store }, id) => store.dispatch(Notes.get.prefetch({ id: 10 + id })), 0],
  [
    'details that are left before they are there',
    ({ store }, id) => {
      store.dispatch(Notes.get.subscribe({ id: 10 + id })).unsubscribe();
    },
    0,
  ],
];

describe.each([
  ['alone', false],
  ['beside a request that hangs', true],
])('what is over leaves nothing, %s:', (_, hangs) => {
  it.each(deeds)('%s', inTime, async (__, act) => {
    const opened = open();
    const { store, repeat, left, kept, slice } = opened;
    if (hangs) void store.dispatch(hang());
    const { unsubscribe } = store.dispatch(Notes.getList.subscribe({ folder: 'a' }));
    for (const id of [1, 2, 3]) await store.dispatch(Notes.get({ id }));
    const before = kept();

    await repeat((i) => act(opened, i));

    // The state of now may be among them.
    expect(await left()).toBeLessThanOrEqual(3);
    expect(kept() - before).toBeLessThanOrEqual(1);
    if (!hangs) expectIdle(slice());
    unsubscribe();
  });
});

describe('the records of writes, where nobody ever subscribes', () => {
  it.each(deeds.slice(0, 6))('go in time: %s', inTime, async (_, act) => {
    const opened = open();
    const { store, repeat, kept } = opened;
    for (const id of [1, 2, 3]) await store.dispatch(Notes.get({ id }));
    const before = kept();

    await repeat((i) => act(opened, i));

    // The last of them go with the next write.
    await store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'last' }));

    expect(kept()).toBeLessThanOrEqual(before + 1);
  });
});
