import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Part extends Entity {
  id = 0;
  text = '';
  static override key = 'Part';
}
class Issue extends Entity {
  id = 0;
  title = '';
  owner = new User();
  parts: Part[] = [];
  static override key = 'Issue';
  static override schema = { owner: User, parts: [Part] };
}
const server = await serverOfFile();
const Issues = createResource({ urlPrefix: server.url, path: '/issues/:id', schema: Issue });
const me = { id: 1, name: 'me' };
const take = Issues.partialUpdate.extend({
  optimistic: (issue) => {
    issue.owner = me;
    issue.parts.push({ id: 9, text: 'new' });
  },
});

describe('rows that a recipe has made, and its row refers to', () => {
  it.each([
    ['mentions neither', { json: { id: 5, title: 'two' } }, 'new'],
    ['is empty', { status: 204 }, 'new'],
    ['tells one of them', { json: { id: 5, parts: [{ id: 9, text: 'told' }] } }, 'told'],
  ])('stay when the answer %s', async (_, answer, text) => {
    const { store, read } = setup();
    server.answer('GET /issues', { json: [{ id: 5, title: 'one', owner: { id: 2, name: 'two' }, parts: [] }] });
    server.answer('PATCH /issues/5', answer);
    await store.dispatch(Issues.getList());

    await store.dispatch(take({ id: 5 }, { title: 'two' }));

    const shown = read(Issues.getList.select())?.map(({ owner, parts }) => [
      owner.name,
      parts.map((part) => part.text),
    ]);
    expect(shown).toEqual([['me', [text]]]);
  });
});
