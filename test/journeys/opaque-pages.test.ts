import { Collection, createResource, Entity } from 'rtk-resource';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Task extends Entity {
  id = 0;
  state = '';
  static override key = 'Task';
}

const server = await serverOfFile();

interface Search {
  readonly state?: string;
  readonly pageToken?: string;
}
const searchParams: Search = {};
const tasks = new Collection([Task]);
const Tasks = createResource({
  urlPrefix: server.url,
  path: '/tasks/:id',
  schema: Task,
  searchParams,
}).extend({ getList: { schema: { tasks, totalSize: tasks.total, nextPageToken: '' } } });
const getNext = ({ nextPageToken }: { readonly nextPageToken: string }, params?: Search) =>
  nextPageToken ? { ...params, pageToken: nextPageToken } : undefined;
const getList = Tasks.getList.paginated({ next: getNext });

describe('a list by tokens that tell nothing, with a total', () => {
  let rows: readonly { readonly id: number; readonly state: string }[] = [];
  /** Rows that are counted, and shown to nobody. */
  let hidden = 0;
  /** What a token stands for: how many rows are in front of its page, or the last of them. */
  let by: 'number' | 'row' = 'number';

  beforeEach(() => {
    rows = [1, 2, 3, 4, 5].map((id) => ({ id, state: 'open' }));
    hidden = 0;
    by = 'number';
    server.answer(/^GET /, ({ query }) => {
      const asked = new URLSearchParams(query);
      const all = rows.filter(({ state }) => state === (asked.get('state') ?? state));
      const token = Number(atob(asked.get('pageToken') ?? btoa('0')));
      const from = by === 'number' ? token : all.filter(({ id }) => id <= token).length;
      const page = all.slice(from, from + 2);
      const end = by === 'number' ? from + 2 : (page.at(-1)?.id ?? 0);
      const nextPageToken = from + 2 < all.length ? btoa(String(end)) : '';

      return { json: { tasks: page, totalSize: all.length + hidden, nextPageToken } };
    });
    server.answer(/^DELETE /, ({ path }) => {
      rows = rows.filter(({ id }) => path !== `/tasks/${String(id)}`);

      return { status: 204 };
    });
    server.answer(/^PATCH /, ({ path }) => {
      const changed = { id: Number(path.slice('/tasks/'.length)), state: 'done' };
      rows = rows.map((row) => (row.id === changed.id ? changed : row));

      return { json: changed };
    });
  });

  function setupList(args: Search = {}) {
    const tools = setup();
    const { store, read } = tools;
    const state = () => {
      const { data, isStale } = read(getList.selectRequest(args));

      return { ids: data?.tasks.map(({ id }) => id), total: data?.totalSize, isStale };
    };
    const readOn = async () => {
      while (read(getList.selectRequest(args)).hasNextPage) await store.dispatch(getList.getNextPage(args));
    };

    return { ...tools, state, readOn };
  }

  it.each([
    ['was deleted', undefined, () => Tasks.delete({ id: 1 })],
    ['has left it', 'open', () => Tasks.partialUpdate({ id: 1 }, { state: 'done' })],
  ] as const)('is stale at its end where a row %s and another is missing', async (_, of, write) => {
    const args: Search = of ? { state: of } : {};
    const { store, state, readOn } = setupList(args);
    await store.dispatch(getList(args));
    await store.dispatch(write());

    await readOn();
    const shifted = state();
    await store.dispatch(getList.ifStale(args));

    expect(shifted).toEqual({ ids: [2, 4, 5], total: 4, isStale: true });
    expect(state()).toEqual({ ids: [2, 3, 4, 5], total: 4, isStale: false });
  });

  it('is fetched again once where its total counts what nobody is shown', async () => {
    hidden = 7;
    const { store, state, readOn } = setupList();
    const { unsubscribe } = store.dispatch(getList.subscribe());
    await vi.waitFor(() => {
      expect(state().ids).toEqual([1, 2]);
    });
    await store.dispatch(Tasks.delete({ id: 1 }));

    await readOn();
    await vi.waitFor(() => {
      expect(state()).toEqual({ ids: [2, 3, 4, 5], total: 11, isStale: false });
    });
    unsubscribe();

    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET', 'GET', 'GET']);
  });

  it('stays fresh where it is cut at its start', async () => {
    by = 'row';
    const { store, read } = setup();
    const ofTwo = Tasks.getList.paginated({ next: getNext, maxPages: 2 });
    const state = () => read(ofTwo.selectRequest());
    await store.dispatch(ofTwo());
    await store.dispatch(ofTwo.getNextPage());
    await store.dispatch(Tasks.delete({ id: 3 }));

    await store.dispatch(ofTwo.getNextPage());

    expect(state()).toMatchObject({ hasNextPage: false, hasPreviousPage: true, isStale: false });
    expect(state().data?.tasks.map(({ id }) => id)).toEqual([4, 5]);
  });

  it.each(['number', 'row'] as const)('by the %s stays fresh where nothing has gone that it lacks', async (tokens) => {
    by = tokens;
    hidden = tokens === 'number' ? 7 : 0;
    const { store, state, readOn } = setupList();
    await store.dispatch(getList());
    if (tokens === 'row') await store.dispatch(Tasks.delete({ id: 1 }));

    await readOn();

    expect(state()).toMatchObject({ isStale: false });
    expect(state().ids).toHaveLength(tokens === 'row' ? 4 : 5);
  });
});
