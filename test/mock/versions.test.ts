import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { ask, json, seed, serve, Todo } from '../support/mocked.js';
import { setup } from '../support/store.js';

class Tagged extends RestEndpoint {
  etag = true;
}
const TaggedResource = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Tagged });
const server = () => mockServer([TaggedResource], { seed: { Todo: seed.Todo } });

describe('the tags of answers', () => {
  it('save an answer that is known already', async () => {
    const todos = server();
    const tag = (await ask(todos, '/todos/1')).headers.get('etag') ?? '';
    const listTag = (await ask(todos, '/todos')).headers.get('etag') ?? '';

    const known = await ask(todos, '/todos/1', { headers: { 'if-none-match': tag } });
    const knownList = await ask(todos, '/todos', { headers: { 'if-none-match': `"other", W/${listTag}` } });
    todos.set(Todo, { id: 1, title: 'Changed' });
    const changed = await ask(todos, '/todos/1', { headers: { 'if-none-match': tag } });

    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, undefined, tag]);
    expect(knownList.status).toBe(304);
    expect(changed).toMatchObject({ status: 200, body: { title: 'Changed' } });
  });

  it('keep a write from a row that has changed since', async () => {
    const todos = server();
    const tag = (await ask(todos, '/todos/1')).headers.get('etag') ?? '';
    const edit = (title: string) => ask(todos, 'PATCH /todos/1', json({ title }, { 'if-match': tag }));

    const first = await edit('First');
    const second = await edit('Second');
    const gone = await ask(todos, 'DELETE /todos/1', { headers: { 'if-match': first.headers.get('etag') ?? '' } });

    expect([first.status, second.status, gone.status]).toEqual([200, 412, 204]);
  });
});

describe('the version of a row', () => {
  it('rises with every write', async () => {
    class Note extends Entity {
      id = 0;
      version = 0;
      static override key = 'Note';
    }
    Object.assign(Note, { version: 'version' });
    class Page extends Entity {
      id = 0;
      updatedAt = '';
      static override key = 'Page';
    }
    Object.assign(Page, { version: 'updatedAt' });
    const notes = mockServer([
      createResource({ path: '/notes/:id', schema: Note }),
      createResource({ path: '/pages/:id', schema: Page }),
    ]);

    await ask(notes, 'POST /notes', json({}));
    await ask(notes, 'PATCH /notes/1', json({ version: 7 }));
    notes.set(Note, { id: 1 });
    await ask(notes, 'POST /pages', json({}));

    expect(notes.rows(Note)).toEqual([{ id: 1, version: 3 }]);
    expect(notes.rows(Page)).toEqual([{ id: 1, updatedAt: '2025-01-01T00:00:04.000Z' }]);
  });

  it.each([
    ['a time later than that of the server', '2026-01-05T00:00:00Z'],
    ['a number in digits', '9'],
  ])('rises also where it is %s, so that an edit shows and the next is taken', async (_, version) => {
    class Page extends Entity {
      id = 0;
      title = '';
      version = '';
      static override key = 'Page';
      static override version = 'version';
    }
    const Pages = createResource({ path: '/pages/:id', schema: Page, etag: true });
    const pages = mockServer([Pages], { seed: { Page: [{ id: 1, title: 'Seeded', version }] } });
    const { store, read } = setup({ fetchFn: pages.fetch });
    await store.dispatch(Pages.get({ id: 1 }));

    await store.dispatch(Pages.partialUpdate({ id: 1 }, { title: 'First' })).unwrap();
    await store.dispatch(Pages.get({ id: 1 }));
    const first = read(Pages.get.select({ id: 1 }))?.title;
    await store.dispatch(Pages.partialUpdate({ id: 1 }, { title: 'Second' })).unwrap();

    expect([first, pages.rows(Page)[0]?.title]).toEqual(['First', 'Second']);
  });

  it('rises with every write of one moment', async () => {
    class Page extends Entity {
      id = 0;
      updatedAt = '';
      static override key = 'Page';
      static override version = 'updatedAt';
    }
    const pages = mockServer([createResource({ path: '/pages/:id', schema: Page })], {
      seed: { Page: [{ id: 1 }] },
      now: () => Date.UTC(2026, 5, 1),
    });

    const first = await ask(pages, 'PATCH /pages/1', json({}));
    const second = await ask(pages, 'PATCH /pages/1', json({}));

    expect([first.body, second.body]).toEqual([
      { id: 1, updatedAt: '2026-06-01T00:00:00.000Z' },
      { id: 1, updatedAt: '2026-06-01T00:00:01.000Z' },
    ]);
  });
});

describe('an Idempotency-Key', () => {
  const create = (todos: ReturnType<typeof server>, title: string, key = 'a') =>
    ask(todos, 'POST /todos', json({ title }, { 'idempotency-key': key }));

  it('gets the first answer again, also where that was lost', async () => {
    const { server: todos } = serve([]);
    todos.lose('POST', { times: 1 });

    await expect(create(todos, 'One')).rejects.toThrow(TypeError);
    const answers = [await create(todos, 'One'), await create(todos, 'One')];

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [201, { id: 4, title: 'One', userId: 0, completed: false }],
      [201, { id: 4, title: 'One', userId: 0, completed: false }],
    ]);
    expect(todos.rows(Todo)).toHaveLength(4);
    expect(todos.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['a', 'a', 'a']);
  });

  it('is refused for another body, and while the first is under way', async () => {
    const { server: todos } = serve([]);
    todos.hold('POST');

    const first = create(todos, 'One');
    const undone = create(todos, 'One');
    const other = create(todos, 'Two');
    todos.release();

    expect((await Promise.all([first, undone, other])).map(({ status }) => status)).toEqual([201, 409, 422]);
    expect(todos.rows(Todo)).toHaveLength(4);
  });

  it('is known after a restore where it was when the snapshot was taken, and else asks anew', async () => {
    const { server: todos } = serve([]);
    await create(todos, 'One');
    const kept = todos.snapshot();
    await create(todos, 'Two', 'b');

    todos.restore(kept);
    await create(todos, 'One');
    await create(todos, 'Two', 'b');

    expect(todos.rows(Todo).map(({ id, title }) => [id, title])).toEqual([
      [1, 'Read'],
      [2, 'Write'],
      [3, 'Count'],
      [4, 'One'],
      [5, 'Two'],
    ]);
  });

  it('asks anew for what was refused, dropped or taken, and not for what the server will never take', async () => {
    const isEmpty = { title: 'Empty' };
    let isStrict = true;
    const refuse = () => Response.json(isEmpty, { status: 422 });
    const { server: todos } = serve([], {
      seed,
      write: { Todo: (row) => (row['title'] === '' && isStrict ? refuse() : row) },
    });
    todos.fail('POST', 503, { times: 1 });
    const taken = () => ask(todos, 'POST /todos', json({ id: 1, title: 'Taken' }, { 'idempotency-key': 'c' }));

    const refused = [await create(todos, 'One'), await create(todos, 'One')];
    const invalid = [await create(todos, '', 'b')];
    isStrict = false;
    invalid.push(await create(todos, '', 'b'));
    const before = await taken();
    todos.remove(Todo, 1);
    const after = await taken();

    expect(refused.map(({ status }) => status)).toEqual([503, 201]);
    expect(invalid.map(({ status, body }) => [status, body])).toEqual([
      [422, isEmpty],
      [422, isEmpty],
    ]);
    expect([before.status, after.status]).toEqual([409, 201]);
  });
});
