import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** Servers name a filter as a field of its items, and do not always compare it with the field as text. */
class Task extends Entity {
  id = 0;
  done: number | boolean = 0;
  state = '';
  labels: readonly number[] = [];
  userId = 0;
  static override key = 'Task';
}

interface Search {
  readonly done?: boolean;
  readonly state?: string;
  readonly labels?: number;
  readonly userId?: number;
}

const searchParams: Search = {};

const server = await serverOfFile();
const Tasks = createResource({
  urlPrefix: server.url,
  path: '/tasks/:id',
  schema: Task,
  searchParams,
  optimistic: true,
});
const close = Tasks.partialUpdate.extend({
  path: '/tasks/:id/close',
  method: 'POST',
  body: undefined,
  optimistic: false,
});
const task = (id: number, rest: object = {}) => ({ id, done: 0, state: 'open', labels: [1], userId: 1, ...rest });

/** Lists are fetched, one task is edited, and the answer confirms it. */
async function edited(lists: readonly [Search, readonly object[]][], edit: Partial<Task>) {
  const { store, read } = setup();
  for (const [search, rows] of lists) {
    server.answer('GET /tasks', { json: rows });
    await store.dispatch(Tasks.getList(search));
  }
  server.answer('PATCH /tasks/1', { json: task(1, edit) });
  await store.dispatch(Tasks.partialUpdate({ id: 1 }, edit)).unwrap();
  return lists.map(([search]) => read(Tasks.getList.selectRequest(search)).isStale);
}

describe('a list whose rows deny that its filter is their field as text is stale after an edit of that field', () => {
  it.each([
    ['a number for a boolean', { done: false }, { done: 1 }],
    ['one of the items of an array', { labels: 1 }, { labels: [2] }],
    ['several values between commas', { state: 'open,review' }, { state: 'done' }],
    ['a word of the server', { state: 'active' }, { state: 'done' }],
  ])('%s', async (_, search: Search, edit: Partial<Task>) => {
    expect(await edited([[search, [task(1), task(2)]]], edit)).toEqual([true]);
  });

  it('also where the row is not in it, for it may join', async () => {
    const done = task(3, { done: 1, labels: [2] });
    expect(
      await edited(
        [
          [{ done: true }, [done]],
          [{ labels: 2 }, [done]],
          [{}, [task(1)]],
        ],
        { done: 1, labels: [1, 2] },
      ),
    ).toEqual([true, true, false]);
  });

  it('after an action of the server, too', async () => {
    const { store, read } = setup();
    server.answer('GET /tasks', { json: [task(1)] });
    server.answer('POST /tasks/1/close', { json: task(1, { done: 1, state: 'done' }) });
    await store.dispatch(Tasks.getList({ state: 'active' }));

    await store.dispatch(close({ id: 1 })).unwrap();

    expect(read(Tasks.getList.selectRequest({ state: 'active' })).isStale).toBe(true);
  });
});

describe('a list stays fresh', () => {
  it('where another filter says that the row is not in it', async () => {
    const other = task(4, { userId: 2 });
    expect(
      await edited(
        [
          [{ userId: 2, state: 'active' }, [other]],
          [{ userId: 1 }, [task(1)]],
        ],
        { state: 'done' },
      ),
    ).toEqual([false, false]);
  });

  it('where its filter is the field as text, though the row is in none of two lists', async () => {
    const review = task(5, { state: 'review' });
    expect(
      await edited(
        [
          [{ state: 'review' }, [review]],
          [{ state: 'closed' }, []],
          [{}, [task(1)]],
        ],
        { state: 'done' },
      ),
    ).toEqual([false, false, false]);
  });

  it('where another field is edited', async () => {
    expect(await edited([[{ state: 'active' }, [task(1)]]], { userId: 3 })).toEqual([false]);
  });

  it('where its own next answer brings another value', async () => {
    const { store, read } = setup();
    server.answer('GET /tasks', { json: [task(1)] });
    await store.dispatch(Tasks.getList({ state: 'active' }));
    server.answer('GET /tasks', { json: [task(1, { state: 'review' })] });

    await store.dispatch(Tasks.getList({ state: 'active' }));

    expect(read(Tasks.getList.selectRequest({ state: 'active' })).isStale).toBe(false);
  });
});
