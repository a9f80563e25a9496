import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  state = '';
  userId = 0;
  static override key = 'Todo';
}

/** What tells one list from another here. */
interface Search {
  readonly state?: string;
  readonly page?: number;
  readonly offset?: number;
}

const searchParams: Search = {};

const server = await serverOfFile();
const at = { urlPrefix: server.url };
const open = { state: 'open' };
const todo = (id: number, rest: object = {}) => ({ id, title: `todo ${id}`, state: 'open', userId: 1, ...rest });
const idsOf = (rows: readonly { readonly id: number }[] | undefined) => rows?.map(({ id }) => id);

describe('after a page was added to a list', () => {
  const todos = new Collection([Todo]);
  const Todos = createResource({
    ...at,
    path: '/todos/:id',
    schema: Todo,
    searchParams,
    paginationField: 'page',
  })
    .extend({ getList: { schema: { results: todos, total: todos.total } } })
    .extend((base) => ({ getMore: base.getList.paginated(({ offset: _, ...list }: Search) => list) }));

  it.each([
    ['getPage', Todos.getList.getPage({ ...open, page: 2 })],
    ['paginated', Todos.getMore({ ...open, offset: 2 })],
  ])('edits and deletions move rows and totals: %s', async (_, more) => {
    const { store, read } = setup();
    const list = () => {
      const { results, total } = read(Todos.getList.select(open)) ?? {};
      return [idsOf(results), total];
    };
    server.answer(/^GET \/todos\?(page|offset)=2/, { json: { results: [todo(3)], total: 3 } });
    server.answer('GET /todos?state=open', { json: { results: [todo(1), todo(2)], total: 3 } });
    server.answer('PATCH /todos/1', { json: todo(1, { state: 'done' }) });
    server.answer('DELETE /todos/3', { status: 204 });
    await store.dispatch(Todos.getList(open));
    await store.dispatch(more);

    await store.dispatch(Todos.partialUpdate({ id: 1 }, { state: 'done' })).unwrap();
    expect(list()).toEqual([[2, 3], 2]);

    await store.dispatch(Todos.delete({ id: 3 })).unwrap();
    expect(list()).toEqual([[2], 1]);
  });

  it('a deletion makes the windows beside it stale', async () => {
    const { store, read } = setup();
    const window = { ...open, offset: 2 };
    server.answer('GET /todos', { json: { results: [todo(1)], total: 2 } });
    server.answer('DELETE /todos/1', { status: 204 });
    await store.dispatch(Todos.getList(window));
    await store.dispatch(Todos.getList.getPage({ ...open, page: 2 }));

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(read(Todos.getList.selectRequest(window)).isStale).toBe(true);
  });
});
