import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  static override key = 'Todo';
}

const server = await serverOfFile();

const at = { urlPrefix: server.url } as const;
const rows = [{ id: 1, title: 'a', done: false }];

describe('a schema that is not what it should be', () => {
  it('is told of where it is the list in place of the item, and where an item is refused, that is named', async () => {
    expectWarning(/createResource\({ path: "\/todos\/:id" }\) was given a list as its schema/);
    server.answer('GET /todos', { json: rows });
    const { store } = setup();
    const { getList } = createResource({ ...at, path: '/todos/:id', schema: [Todo] });

    const { error } = await store.dispatch(getList());

    expect(error?.message).toContain('expected a list, but got {"id":1,"title":"a","done":false}.');
  });

  it('is told of where it is undefined', () => {
    expectWarning(/createResource\({ path: "\/drafts\/:id" }\) has no schema.* imported in a circle/);

    createResource({ ...at, path: '/drafts/:id', schema: undefined });
  });

  it('is told of where it is undefined for a field', async () => {
    class Post extends Entity {
      id = 0;
      author?: Todo;
      static override key = 'Post';
      static override schema = { author: undefined };
    }
    expectWarning(/static schema of Post has undefined for "author".* imported in a circle/);
    server.answer('GET /posts/1', { json: { id: 1, author: rows[0] } });
    const { store } = setup();

    const post = await store
      .dispatch(createResource({ ...at, path: '/posts/:id', schema: Post }).get({ id: 1 }))
      .unwrap();

    expect(post).toMatchObject({ id: 1 });
  });

  it('is told of where the answer has the data under another name', async () => {
    expectWarning(/The answer to Todo\/getList has no "results".* it has "data"/);
    server.answer('GET /todos', { json: { data: rows, total: 1 } });
    const { store } = setup();
    const Todos = createResource({ ...at, path: '/todos/:id', schema: Todo }).extend({
      getList: { schema: { results: new Collection([Todo]), total: 0 } },
    });

    const { error } = await store.dispatch(Todos.getList());

    expect(error).toBeUndefined();
  });

  it('is not told of where the answer has some of the data, or none at all', async () => {
    const { store } = setup();
    const getPage = new RestEndpoint({ ...at, path: '/page', schema: { user: Todo, todos: new Collection([Todo]) } });

    for (const json of [{ user: rows[0], data: rows }, { isLoggedIn: false }, { user: null, links: {} }]) {
      server.answer('GET /page', { json });
      expect((await store.dispatch(getPage())).error).toBeUndefined();
    }
  });
});
