import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

interface Search {
  readonly page?: number;
  readonly by?: string;
}
const searchParams: Search = {};
const options = {
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams,
  paginationField: 'page',
} as const;
const created = { status: 201, json: { id: 9, text: 'new' } };

describe.each([
  ['optimistic', true],
  ['not optimistic', false],
])('an item that is pushed while the first page of its list is under way, %s', (_, optimistic) => {
  const Notes = createResource({ ...options, optimistic });
  function setupNotes() {
    const tools = setup();
    const ids = () => tools.read(Notes.getList.select({ by: 'me' }))?.map(({ id }) => id);
    const page = tools.store.dispatch(Notes.getList.getPage({ by: 'me', page: 1 }));

    return { ...tools, ids, page };
  }

  it('joins it, where the create settles first', async () => {
    const { store, ids, page } = setupNotes();
    await server.holding('GET /notes');
    const create = store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));
    await server.release('POST /notes', created);
    await create;
    await server.release('GET /notes', { json: [{ id: 1, text: 'one' }] });
    await page;

    expect(ids()).toEqual([1, 9]);
  });

  it('joins it, where the page lands first', async () => {
    const { store, ids, page } = setupNotes();
    await server.holding('GET /notes');
    const create = store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));
    await server.holding('POST /notes');
    await server.release('GET /notes', { json: [{ id: 1, text: 'one' }] });
    await page;
    await server.release('POST /notes', created);
    await create;

    expect(ids()).toEqual([1, 9]);
  });

  it('stands in it once, where the page has it already', async () => {
    const { store, ids, page } = setupNotes();
    await server.holding('GET /notes');
    const create = store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));
    await server.release('POST /notes', created);
    await create;
    await server.release('GET /notes', {
      json: [
        { id: 9, text: 'new' },
        { id: 1, text: 'one' },
      ],
    });
    await page;

    expect(ids()).toEqual([9, 1]);
  });
});
