import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}
class TeamEndpoint extends RestEndpoint {
  team = 'blue';
  override getHeaders(headers: Record<string, string>): HeadersInit {
    return { ...headers, 'X-Team': this.team };
  }
  greet(): string {
    return `Hello, ${this.team}`;
  }
}
type Greeting = Pick<TeamEndpoint, 'greet'>;

const server = await serverOfFile();
const options = { urlPrefix: server.url, path: '/notes/:id', schema: Note, Endpoint: TeamEndpoint } as const;

it.each([
  ['as the class has them', {}, 'blue'],
  ['as createResource was given them', { team: 'red' }, 'red'],
])('the options of a class of your own hold for every member: %s', async (_, given: { team?: string }, team) => {
  const { store } = setup();
  const Notes = createResource({ ...options, ...given });
  server.answer(/./, { json: {} });
  server.answer('GET /notes', { json: [] });
  server.answer('POST /notes', { status: 201, json: { id: 1 } });

  await store.dispatch(Notes.getList());
  await store.dispatch(Notes.getList.push({}, { text: 'new' }));
  await store.dispatch(Notes.delete({ id: 1 }));

  expect(server.received.map(({ headers }) => headers['x-team'])).toEqual([team, team, team]);
});

it('what is made of a member has the class, and takes its options', async () => {
  const { store } = setup();
  server.answer(/./, { json: [] });
  const Notes = createResource({ ...options, paginationField: 'page', team: 'red' })
    .extend('mine', { path: '/notes/mine', team: 'green' })
    .extend({ get: { team: 'white' } });
  const { push, unshift, assign, remove, move, getPage, getNextPage, paginated } = Notes.getList;
  // Named, so that the types of unlike endpoints are not compared: that takes the compiler seconds.
  const made: readonly Greeting[] = [push, unshift, assign, remove, move, getPage, getNextPage];
  const pages: readonly Greeting[] = [
    paginated({ next: () => undefined }),
    paginated(({ at: _, ...rest }: { at: string }) => rest),
  ];

  await store.dispatch(Notes.mine({}));
  await store.dispatch(Notes.get({ id: 1 }));
  await store.dispatch(Notes.getList.extend({ team: 'black' })());

  expect([...made, ...pages].map((endpoint) => endpoint.greet())).toEqual(Array(9).fill('Hello, red'));
  expect(push.extend({ team: 'gold' }).extend({ timeout: 1_000 }).greet()).toBe('Hello, gold');
  expect(server.received.map(({ headers }) => headers['x-team'])).toEqual(['green', 'white', 'black']);
});

it('a resource without a body sends the parameters of its creates in the address', async () => {
  const searchParams: { readonly folder?: number } = {};
  const Plain = createResource({
    urlPrefix: server.url,
    path: '/notes/:id',
    schema: Note,
    searchParams,
    body: undefined,
  });
  const { store } = setup();
  server.answer('POST /notes', { json: { id: 1, text: 'new' } });

  await store.dispatch(Plain.getList.push({ folder: 2 }));

  expect(server.received.map(({ query, body }) => [query, body])).toEqual([['folder=2', undefined]]);
});
