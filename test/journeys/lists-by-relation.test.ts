import { createResource, Entity } from 'rtk-resource';
import { expect, it } from 'vitest';
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
