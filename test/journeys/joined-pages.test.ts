import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  static override key = 'Note';
}

const server = await serverOfFile();
const options = { urlPrefix: server.url, path: '/notes/:id', schema: Note } as const;
const Thread = createResource(options)
  .extend({ getList: { schema: { notes: new Collection([Note], { name: 'Thread' }), next: 0 } } })
  .extend((base) => ({
    getList: base.getList.paginated({ next: ({ next }) => (next > 0 ? { after: next } : undefined) }),
  }));
const Feed = createResource({ ...options, paginationField: 'page' });

const notes = (...ids: readonly number[]) => ids.map((id) => ({ id }));

describe('a last page that joins while all pages are fetched again, and was read before a note was created', () => {
  const page = (ids: readonly number[], next: number) => ({ json: { notes: notes(...ids), next } });

  it.each(['its answer', 'a message'])('leaves the note in that %s tells, until its end is told anew', async (by) => {
    const { store, resources, read } = setup();
    const { getList } = Thread;
    const ids = () => read(getList.select())?.notes.map(({ id }) => id);
    const refetch = () => {
      store.dispatch(resources.expire(getList));
      return store.dispatch(getList.ifStale());
    };
    const first = store.dispatch(getList());
    await server.release(/GET \/notes $/, page([1, 2], 2));
    await first;

    const joining = store.dispatch(getList.getNextPage());
    await server.holding(/after=2/);
    if (by === 'its answer') {
      server.answer('POST /notes', { status: 201, json: { id: 4 } });
      await store.dispatch(getList.push({}));
    } else store.dispatch(resources.setResponse(getList.push, {}, { id: 4 }));
    const all = refetch();
    await server.holding(/GET \/notes $/);
    await server.release(/after=2/, page([3], 0));
    await joining;
    await server.release(/GET \/notes $/, page([1, 2], 2));
    await all;
    const after = ids();
    const again = refetch();
    await server.release(/GET \/notes $/, page([1, 2], 2));
    await server.release(/after=2/, page([3], 0));
    await again;

    expect(after).toEqual([1, 2, 3, 4]);
    expect(ids()).toEqual([1, 2, 3]);
  });
});

describe('a numbered page that was read before the pages in front of it were fetched again', () => {
  const shown = [
    { at: 'an empty one', pages: [[7, 6, 5], [4, 3, 2], []] },
    { at: 'one behind a hole', pages: [[8, 7, 6], [5, 4, 3], [1]] },
  ];

  /** Two pages are fetched again while the third is on its way, which comes before them or after them. */
  async function join(when: string, again: readonly (readonly number[])[], third: readonly number[]) {
    const { store, resources, read } = setup();
    const { getList } = Feed;
    const first = store.dispatch(getList());
    await server.release(/GET \/notes $/, { json: notes(5, 4, 3) });
    await first;
    const second = store.dispatch(getList.getNextPage());
    await server.release(/page=2/, { json: notes(2, 1) });
    await second;

    const joining = store.dispatch(getList.getNextPage());
    await server.holding(/page=3/);
    const come = async () => {
      await server.release(/page=3/, { json: notes(...third) });
      await joining;
    };
    store.dispatch(resources.expire(getList));
    const all = store.dispatch(getList.ifStale());
    await server.holding(/GET \/notes $/);
    if (when === 'before') await come();
    await server.release(/GET \/notes $/, { json: notes(...(again[0] ?? [])) });
    await server.release(/page=2/, { json: notes(...(again[1] ?? [])) });
    await all;
    if (when === 'after') await come();
    return read(getList.selectRequest());
  }

  it.each(shown.flatMap((one) => ['before', 'after'].map((when) => ({ ...one, when }))))(
    'leaves the list stale where those have other rows by now: $at that comes $when them',
    async ({ when, pages: [one = [], two = [], three = []] }) => {
      expect((await join(when, [one, two], three)).isStale).toBe(true);
    },
  );

  it.each(['before', 'after'])(
    'leaves the list fresh where those are as they were: one that comes %s them',
    async (when) => {
      const { data, isStale, hasNextPage } = await join(
        when,
        [
          [5, 4, 3],
          [2, 1],
        ],
        [],
      );

      expect(data?.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
      expect({ isStale, hasNextPage }).toEqual({ isStale: false, hasNextPage: false });
    },
  );

  it.each(['getPage', 'a member of its own'])(
    'leaves the list fresh where it is asked for by a row: %s',
    async (by) => {
      const Older = createResource({ ...options, name: 'Older', paginationField: 'before' }).extend((base) => ({
        getOlder: base.getList.paginated(({ before: _, ...rest }: { before: number }) => rest),
      }));
      const { store, resources, read } = setup();
      const { getList, getOlder } = Older;
      const first = store.dispatch(getList());
      await server.release(/GET \/notes $/, { json: notes(9, 8, 7) });
      await first;
      const request = by === 'getPage' ? getList.getPage({ before: 7 }) : getOlder({ before: 7 });
      const older: Promise<unknown> = store.dispatch(request as ReturnType<typeof getOlder>);
      await server.holding(/before=7/);
      store.dispatch(resources.expire(getList));
      const again = store.dispatch(getList.ifStale());
      await server.release(/GET \/notes $/, { json: notes(10, 9, 8) });
      await again;
      await server.release(/before=7/, { json: notes(6, 5, 4) });
      await older;

      expect(read(getList.selectRequest()).isStale).toBe(false);
    },
  );

  it('is fetched again with them for who looks, also where another joins during that', async () => {
    const { store, resources, read } = setup();
    const { getList } = Feed;
    let newest = 100;
    const page = (number: number) => ({ json: notes(...[0, 1, 2].map((i) => newest - (number - 1) * 3 - i)) });
    const { unsubscribe } = store.dispatch(getList.subscribe());
    await server.release(/GET \/notes $/, page(1));
    await vi.waitFor(() => {
      expect(read(getList.select())).toHaveLength(3);
    });
    const second = store.dispatch(getList.getNextPage());
    await server.holding(/page=2/);
    store.dispatch(resources.expireAll(getList));
    await server.holding(/GET \/notes $/);
    await server.release(/page=2/, page(2));
    await second;
    const third = store.dispatch(getList.getNextPage());
    await server.holding(/page=3/);
    const early = page(3);
    newest = 102;
    await server.release(/GET \/notes $/, page(1));
    await server.holding(/GET \/notes $/);
    await server.release(/page=3/, early);
    await third;
    newest = 105;
    server.answer(/^GET /, ({ query }) => page(Number(new URLSearchParams(query).get('page') ?? 1)));

    await server.release(/GET \/notes $/, page(1));

    await vi.waitFor(() => {
      const { data = [], isStale } = read(getList.selectRequest());
      expect([data.map(({ id }) => id), isStale]).toEqual([[105, 104, 103, 102, 101, 100, 99, 98, 97], false]);
    });
    unsubscribe();
  });
});
