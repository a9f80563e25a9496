import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Post extends Entity {
  id: number | string = 0;
  title = '';
  author?: User;
  static override key = 'Post';
  static override schema = { author: User };
}

const server = await serverOfFile();

const searchParams: { author?: number } = {};
const Posts = createResource({
  urlPrefix: server.url,
  path: '/posts/:id',
  schema: Post,
  searchParams,
  optimistic: true,
});

const [ada, bob] = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
];
const post = (id: number, author: object) => ({ id, title: `${id}`, author });

/** Two lists that are filtered by their authors are there. */
async function load() {
  const tools = setup();
  const { store, read } = tools;
  for (const author of [ada, bob]) {
    const loading = store.dispatch(Posts.getList({ author: author.id }));
    await server.release('GET /posts', { json: [post(10 * author.id, author)] });
    await loading;
  }
  return {
    ...tools,
    shown: () =>
      [ada, bob].map((author) => read(Posts.getList.select({ author: author.id }))?.map(({ title }) => title)),
  };
}

it('a message with a new item, whose relation stands in place, puts it into the list of that relation', async () => {
  const { store, resources, shown } = await load();
  const row = post(11, ada);
  store.dispatch(resources.setResponse(Posts.getList.push, {}, row, row));
  expect(shown()).toEqual([['10', '11'], ['20']]);
});

it('a create whose body has its relation in place does so at once, and when it is answered', async () => {
  const { store, shown } = await load();
  const creating = store.dispatch(Posts.getList.push({}, { title: '11', author: ada }));
  expect(shown()).toEqual([['10', '11'], ['20']]);

  await server.release('POST /posts', { json: post(11, ada) });
  await creating;
  expect(shown()).toEqual([['10', '11'], ['20']]);
});

it('a create that is answered with a relation in place of which it has said nothing joins the list of that', async () => {
  const { store, shown } = await load();
  const creating = store.dispatch(Posts.getList.push({}, { title: '21' }));
  await server.release('POST /posts', { json: post(21, bob) });
  await creating;
  expect(shown()).toEqual([['10'], ['20', '21']]);
});

it('an edit whose answer names a user by id whom nobody has brought has the list asked for again that showed users', async () => {
  const { store, read } = setup();
  server.answer('GET /posts', { json: [post(10, ada)] });
  await store.dispatch(Posts.getList());
  const edit = store.dispatch(Posts.partialUpdate({ id: 10 }, { author: 9 }));

  await server.release('PATCH /posts/10', { json: { id: 10, title: '10', author: 9 } });
  await edit;

  expect(read(Posts.getList.selectRequest())).toMatchObject({ isStale: true });
});

describe('an edit of a relation by the name of its id, or the other way round, that is answered with nothing', () => {
  class Task extends Entity {
    id = 0;
    ownerId = 0;
    owner?: User;
    static override key = 'Task';
    static override schema = { owner: User };
  }
  const filters: { owner?: number; ownerId?: number } = {};
  const Tasks = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task, searchParams: filters });

  it.each([
    ['owner', 'ownerId'],
    ['ownerId', 'owner'],
  ] as const)('has the lists by ?%s asked for again when %s is sent', async (name, field) => {
    const { store, read } = setup();
    const lists = [ada, bob].map(({ id }) => ({ [name]: id }));
    for (const [i, owner] of [ada, bob].entries()) {
      server.answer('GET /tasks', { json: [{ id: 10 * owner.id, ownerId: owner.id, owner }] });
      await store.dispatch(Tasks.getList(lists[i]));
    }

    const edit = store.dispatch(Tasks.partialUpdate({ id: 10 }, field === 'owner' ? { owner: 2 } : { ownerId: 2 }));
    await server.release('PATCH /tasks/10', { status: 204 });
    await edit;

    expect(lists.map((list) => read(Tasks.getList.selectRequest(list)).isStale)).toEqual([true, true]);
  });
});
