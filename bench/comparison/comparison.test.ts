import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServer, type Reply } from '../../test/support/server.js';
import { idOf, row, rows, turn, type App, type Fields, type Filter, type Todo } from './App.js';
import { openResource } from './resource.js';
import { openRtkQuery } from './rtkQuery.js';

const subjects = ['rtk-resource', 'RTK Query, by hand', 'RTK Query, by tags'] as const;
type Subject = (typeof subjects)[number];

interface Scenario<Outcome> {
  /** What happens, whatever the library is. */
  readonly story: (app: App) => Promise<Outcome>;
  /** Whether changes show before the server has answered; they do, unless this says no. */
  readonly optimistic?: boolean;
  /** What comes of it, in words and as a value. */
  readonly comesTo: Readonly<Record<Subject, readonly [words: string, outcome: Outcome]>>;
}

const server = await startServer();
afterAll(() => server.close());
afterEach(() => {
  server.forget();
});

/** The scenarios as the table in the docs has them. */
const table: (readonly string[])[] = [];

function compare<Outcome>(title: string, { story, optimistic = true, comesTo }: Scenario<Outcome>): void {
  table.push([title, ...subjects.map((subject) => comesTo[subject][0])]);
  describe(title, () => {
    it.each(subjects.map((subject) => [subject, ...comesTo[subject]] as const))(
      '%s: %s',
      async (subject, _, outcome) => {
        expect(await story(open(subject, optimistic))).toEqual(outcome);
      },
    );
  });
}

function open(subject: Subject, optimistic: boolean): App {
  switch (subject) {
    case 'rtk-resource':
      return openResource(server, { optimistic });
    case 'RTK Query, by hand':
      return openRtkQuery(server, 'by hand', { optimistic });
    case 'RTK Query, by tags':
      return openRtkQuery(server, 'by tags', { optimistic });
  }
}

const refusal: Reply = { status: 500, json: { message: 'No' } };
const says = (json: unknown): Reply => ({ json });
const one = (title: string, fields?: Fields): Reply => says(row(title, fields));
const all = (titles: string): Reply => says(rows(titles));

/** Shows the list of all todos. */
async function load(app: App, titles: string): Promise<void> {
  const loading = app.load();
  await server.release('GET /todos', all(titles));
  await loading;
}

/** What the server says from now on to those who fetch the list; who has asked already still waits. */
function from(titles: string): void {
  server.answer('GET /todos', all(titles));
}

const fetches = (): number => server.received.filter(({ method }) => method === 'GET').length;

/** Whether a todo is in the list that this query asks for. */
function isFound(query: string): (todo: Todo) => boolean {
  const wanted = [...new URLSearchParams(query)];
  return (todo) => wanted.every(([name, value]) => String(todo[name as keyof Filter]) === value);
}

describe('optimistic edits', () => {
  compare('The first of two edits fails after the second has succeeded', {
    async story(app) {
      await load(app, 'a b');
      const first = app.edit('a', { title: 'a1' });
      await turn();
      const second = app.edit('a', { title: 'a2' });
      await server.release(/PATCH .*a2/, one('a2'));
      await second;
      from('a2 b');
      await server.release(/PATCH .*a1/, refusal);
      await first;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['shows the second', ['a b', 'a1 b', 'a2 b']],
      'RTK Query, by hand': ['shows the value before both', ['a b', 'a1 b', 'a2 b', 'a b']],
      'RTK Query, by tags': ['shows the second', ['a b', 'a1 b', 'a2 b']],
    },
  });

  compare('A poll is answered while an edit is pending', {
    async story(app) {
      await load(app, 'a b');
      const edit = app.edit('a', { title: 'a1' });
      await app.poll();
      await server.release('GET /todos', all('a b c'));
      await app.fetched();
      from('a1 b c');
      await server.release('PATCH /todos/1', one('a1'));
      await edit;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['keeps the edit, shows the rest of the poll', ['a b', 'a1 b', 'a1 b c']],
      'RTK Query, by hand': ['loses the edit', ['a b', 'a1 b', 'a b c']],
      'RTK Query, by tags': ['loses the edit until it is fetched', ['a b', 'a1 b', 'a b c', 'a1 b c']],
    },
  });

  compare('A poll that was sent before an edit is answered after it', {
    async story(app) {
      await load(app, 'a b');
      await app.poll();
      const edit = app.edit('a', { title: 'a1' });
      await server.release('PATCH /todos/1', one('a1'));
      await edit;
      from('a1 b c');
      await server.release('GET /todos', all('a b c'));
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['keeps the edit, shows the rest of the poll', ['a b', 'a1 b', 'a1 b c']],
      'RTK Query, by hand': ['loses the edit', ['a b', 'a1 b', 'a b c']],
      'RTK Query, by tags': ['loses the edit until it is fetched', ['a b', 'a1 b', 'a b c', 'a1 b c']],
    },
  });

  compare('An edit fails after a poll has moved its item', {
    async story(app) {
      await load(app, 'a b');
      const edit = app.edit('a', { title: 'a1' });
      await app.poll();
      await server.release('GET /todos', all('z a b'));
      await app.fetched();
      from('z a b');
      await server.release('PATCH /todos/1', refusal);
      await edit;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['takes the edit back', ['a b', 'a1 b', 'z a1 b', 'z a b']],
      'RTK Query, by hand': ['writes the title into another item', ['a b', 'a1 b', 'z a b', 'a a b']],
      'RTK Query, by tags': ['shows what the poll has brought', ['a b', 'a1 b', 'z a b']],
    },
  });

  compare('The connection is lost after the server has done an edit', {
    async story(app) {
      await load(app, 'a b');
      const edit = app.edit('a', { title: 'a1' });
      await server.holding('PATCH /todos/1');
      server.forget();
      from('a1 b');
      await edit;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['takes the edit back until it is fetched', ['a b', 'a1 b', 'a b', 'a1 b']],
      'RTK Query, by hand': ['shows the old value', ['a b', 'a1 b', 'a b']],
      'RTK Query, by tags': ['keeps the edit, for it is fetched', ['a b', 'a1 b']],
    },
  });
});

describe('optimistic deletions', () => {
  compare('Two deletions fail', {
    async story(app) {
      await load(app, 'a b c');
      const first = app.remove('a');
      await turn();
      const second = app.remove('b');
      await server.release('DELETE /todos/1', refusal);
      await first;
      from('a b c');
      await server.release('DELETE /todos/2', refusal);
      await second;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['each puts its item back', ['a b c', 'b c', 'c', 'a c', 'a b c']],
      'RTK Query, by hand': ['two items stand twice, one is gone', ['a b c', 'b c', 'c', 'a b c', 'b c b c']],
      'RTK Query, by tags': ['both are back once they are fetched', ['a b c', 'b c', 'c', 'a b c']],
    },
  });

  compare('A poll that was sent before a deletion is answered after it', {
    async story(app) {
      await load(app, 'a b');
      await app.poll();
      const deletion = app.remove('a');
      await server.release('DELETE /todos/1', { status: 204 });
      await deletion;
      from('b c');
      await server.release('GET /todos', all('a b c'));
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['the item stays away', ['a b', 'b', 'b c']],
      'RTK Query, by hand': ['the item is back', ['a b', 'b', 'a b c']],
      'RTK Query, by tags': ['the item is back until the list is fetched', ['a b', 'b', 'a b c', 'b c']],
    },
  });

  compare('A deletion fails after a poll has moved its item', {
    async story(app) {
      await load(app, 'a b c');
      const deletion = app.remove('b');
      await app.poll();
      await server.release('GET /todos', all('z a b c'));
      await app.fetched();
      from('z a b c');
      await server.release('DELETE /todos/2', refusal);
      await deletion;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['puts the item back in its place', ['a b c', 'a c', 'z a c', 'z a b c']],
      'RTK Query, by hand': ['two items stand twice, one is gone', ['a b c', 'a c', 'z a b c', 'z b c b c']],
      'RTK Query, by tags': ['the item is back from the poll on', ['a b c', 'a c', 'z a b c']],
    },
  });
});

describe('optimistic creates', () => {
  compare('A poll that has the created item is answered before the create', {
    async story(app) {
      await load(app, 'a b');
      const create = app.create({ title: 'n', userId: 1 });
      await app.poll();
      await server.release('GET /todos', all('a b n'));
      await app.fetched();
      from('a b n');
      await server.release('POST /todos', one('n'));
      await create;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['shows it once', ['a b', 'a b n']],
      'RTK Query, by hand': ['shows it once', ['a b', 'a b n']],
      'RTK Query, by tags': ['shows it once', ['a b', 'a b n']],
    },
  });

  compare('A poll that does not have the created item yet is answered before the create', {
    async story(app) {
      await load(app, 'a b');
      const create = app.create({ title: 'n', userId: 1 });
      await app.poll();
      await server.release('GET /todos', all('a b'));
      await app.fetched();
      from('a b n');
      await server.release('POST /todos', one('n'));
      await create;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['shows it all the time', ['a b', 'a b n']],
      'RTK Query, by hand': ['loses it', ['a b', 'a b n', 'a b']],
      'RTK Query, by tags': ['loses it until it is fetched', ['a b', 'a b n', 'a b', 'a b n']],
    },
  });

  compare("A create fails after a poll has brought another's item", {
    async story(app) {
      await load(app, 'a b');
      const create = app.create({ title: 'n', userId: 1 });
      await app.poll();
      await server.release('GET /todos', all('a b c'));
      await app.fetched();
      const during = app.titles();
      from('a b c');
      await server.release('POST /todos', refusal);
      await create;
      await app.fetched();

      return { during, seen: app.seen };
    },
    comesTo: {
      'rtk-resource': ['shows the other at once', { during: 'a b c n', seen: ['a b', 'a b n', 'a b c n', 'a b c'] }],
      'RTK Query, by hand': ['cuts the other off', { during: 'a b c', seen: ['a b', 'a b n', 'a b c', 'a b'] }],
      'RTK Query, by tags': [
        'shows the other at once, loses the pending one',
        { during: 'a b c', seen: ['a b', 'a b n', 'a b c'] },
      ],
    },
  });

  compare('An item is edited while it is being created', {
    async story(app) {
      await load(app, 'a');
      const create = app.create({ title: 'n', userId: 1 });
      await turn();
      const edit = app.edit('n', { title: 'n1' });
      await server.release('POST /todos', one('n'));
      await create;
      const { path } = await server.holding(/^PATCH/);
      const isKnown = path === `/todos/${idOf('n')}`;
      from(isKnown ? 'a n1' : 'a n');
      await server.release(/^PATCH/, isKnown ? one('n1') : { status: 404, json: {} });
      await edit;
      await app.fetched();

      return { seen: app.seen, path };
    },
    comesTo: {
      'rtk-resource': ['sends the edit with the real id', { seen: ['a', 'a n', 'a n1'], path: '/todos/14' }],
      'RTK Query, by hand': [
        'sends a temporary id, loses the edit',
        { seen: ['a', 'a n', 'a n1', 'a n'], path: '/todos/-1' },
      ],
      'RTK Query, by tags': [
        'sends a temporary id, loses the edit',
        { seen: ['a', 'a n', 'a n1', 'a n'], path: '/todos/-1' },
      ],
    },
  });

  compare('An item is deleted while it is being created', {
    async story(app) {
      await load(app, 'a');
      const create = app.create({ title: 'n', userId: 1 });
      await turn();
      const deletion = app.remove('n');
      await server.release('POST /todos', one('n'));
      await create;
      const { path } = await server.holding(/^DELETE/);
      const isKnown = path === `/todos/${idOf('n')}`;
      from(isKnown ? 'a' : 'a n');
      await server.release(/^DELETE/, isKnown ? { status: 204 } : { status: 404, json: {} });
      await deletion;
      await app.fetched();

      return { seen: app.seen, path, id: app.item('n')?.id };
    },
    comesTo: {
      'rtk-resource': [
        'sends the deletion with the real id',
        { seen: ['a', 'a n', 'a'], path: '/todos/14', id: undefined },
      ],
      'RTK Query, by hand': [
        'sends a temporary id, shows it under that id',
        { seen: ['a', 'a n', 'a', 'a n'], path: '/todos/-1', id: -1 },
      ],
      'RTK Query, by tags': [
        'sends a temporary id, the item is back',
        { seen: ['a', 'a n', 'a', 'a n'], path: '/todos/-1', id: 14 },
      ],
    },
  });
});

describe('changes that show when they are answered', () => {
  compare('Not optimistic: a poll that has the created item is answered before the create', {
    optimistic: false,
    async story(app) {
      await load(app, 'a b');
      const create = app.create({ title: 'n', userId: 1 });
      await app.poll();
      await server.release('GET /todos', all('a b n'));
      await app.fetched();
      from('a b n');
      await server.release('POST /todos', one('n'));
      await create;
      await app.fetched();

      return app.seen;
    },
    comesTo: {
      'rtk-resource': ['shows it once', ['a b', 'a b n']],
      'RTK Query, by hand': ['shows it twice', ['a b', 'a b n', 'a b n n']],
      'RTK Query, by tags': ['shows it once', ['a b', 'a b n']],
    },
  });

  compare('Not optimistic: two edits of one item are answered in the other order', {
    optimistic: false,
    async story(app) {
      await load(app, 'a');
      const titling = app.edit('a', { title: 'a1' });
      const completing = app.edit('a', { done: true });
      server.answer('GET /todos', says([row('a1', { done: true })]));
      await server.release(/PATCH .*done/, one('a1', { done: true }));
      await completing;
      await server.release(/PATCH .*title/, one('a1', { done: false }));
      await titling;
      await app.fetched();

      const { title, done } = app.item('a') ?? {};

      return { title, done };
    },
    comesTo: {
      'rtk-resource': ['shows both', { title: 'a1', done: true }],
      'RTK Query, by hand': ['loses the later', { title: 'a1', done: false }],
      'RTK Query, by tags': ['shows both', { title: 'a1', done: true }],
    },
  });

  compare('Not optimistic: a created item belongs to three of five lists', {
    optimistic: false,
    async story(app) {
      const stored = [row('a'), row('b', { userId: 2 })];
      const filters = [{}, { userId: 1 }, { userId: 2 }, { done: false }, { userId: 1, done: true }];
      server.answer('GET /todos', ({ query }) => says(stored.filter(isFound(query))));
      server.answer('POST /todos', () => {
        stored.push(row('n'));
        return one('n');
      });
      for (const filter of filters) await app.load(filter);

      await app.create({ title: 'n', userId: 1, done: false });
      await app.fetched();

      return { lists: filters.map((filter) => app.titles(filter)), fetches: fetches() - filters.length };
    },
    comesTo: {
      'rtk-resource': ['is in three, no fetch', { lists: ['a b n', 'a n', 'b', 'a b n', ''], fetches: 0 }],
      'RTK Query, by hand': [
        'is in three, no fetch, by a filter of your own',
        { lists: ['a b n', 'a n', 'b', 'a b n', ''], fetches: 0 },
      ],
      'RTK Query, by tags': ['is in three, five fetches', { lists: ['a b n', 'a n', 'b', 'a b n', ''], fetches: 5 }],
    },
  });
});

describe('reads', () => {
  compare('An item is opened that came in a list', {
    async story(app) {
      await load(app, 'a b');
      const before = app.detail('a')?.title;
      server.answer('GET /todos/1', one('a'));
      await app.open('a');

      return { before, after: app.detail('a')?.title, fetches: fetches() - 1 };
    },
    comesTo: {
      'rtk-resource': ['shows it at once, no fetch', { before: 'a', after: 'a', fetches: 0 }],
      'RTK Query, by hand': ['shows it at once, no fetch', { before: 'a', after: 'a', fetches: 0 }],
      'RTK Query, by tags': ['shows it when it is fetched', { before: undefined, after: 'a', fetches: 1 }],
    },
  });

  compare('An item that came in a list is fetched by itself, and has changed', {
    async story(app) {
      await load(app, 'a b');
      server.answer('GET /todos/1', one('a1'));
      await app.reload('a');

      return { list: app.titles(), detail: app.detail('a')?.title };
    },
    comesTo: {
      'rtk-resource': ['both show the change', { list: 'a1 b', detail: 'a1' }],
      'RTK Query, by hand': ['the list shows it as it was', { list: 'a b', detail: 'a1' }],
      'RTK Query, by tags': ['the list shows it as it was', { list: 'a b', detail: 'a1' }],
    },
  });

  compare('A list is answered after a newer answer with one of its items', {
    async story(app) {
      await load(app, 'a b');
      await app.poll();
      server.answer('GET /todos/1', one('a1'));
      await app.reload('a');
      await server.release('GET /todos', all('a b c'));
      await app.fetched();

      return { list: app.titles(), detail: app.detail('a')?.title };
    },
    comesTo: {
      'rtk-resource': ['both show the newer', { list: 'a1 b c', detail: 'a1' }],
      'RTK Query, by hand': ['both show the older', { list: 'a b c', detail: 'a' }],
      'RTK Query, by tags': ['the list shows the older, the item the newer', { list: 'a b c', detail: 'a1' }],
    },
  });
});

it('stands in docs/comparison.md as it is here', () => {
  const page = readFileSync(new URL('../../docs/comparison.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  const [, , ...written] = rows.map((line) => line.split('|').slice(1, -1));

  expect(written.map((cells) => cells.map((cell) => cell.trim()))).toEqual(table);
});
