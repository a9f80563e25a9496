import { Collection, createResource, Entity } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';
import { expect, it } from 'vitest';
import { newName, until } from '../support/outbox.js';
import { setup } from '../support/store.js';

/** Lists that come with a number, which the outbox keeps nothing of. */

class Entry extends Entity {
  id = 0;
  text = '';
  static override key = 'Entry';
}
const entries = new Collection([Entry]);
const { getList } = createResource({ path: '/entries/:id', schema: Entry, optimistic: true }).extend({
  getList: { schema: { results: entries, count: entries.total } },
});

/** A server, and lives of a tab on it. */
function open() {
  const name = newName();
  const rows: { id: number; text: string }[] = [];
  const book = (text: string) => rows[rows.push({ id: rows.length + 1, text }) - 1];
  const refusals: Response[] = [];
  const posts: string[] = [];
  const fetchFn = (_: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    if (method === 'GET') return Promise.resolve(Response.json({ results: rows, count: rows.length }));
    const { text } = JSON.parse(body as string) as { text: string };
    posts.push(text);
    return Promise.resolve(refusals.shift() ?? Response.json(book(text)));
  };
  const live = async () => {
    const queue = outbox({ name, resources: [getList.push], idempotencyKey: true });
    let setOnline: (isOnline: boolean) => void = () => undefined;
    const { store, read } = setup({
      outbox: queue,
      fetchFn,
      setupListeners: ({ online }) => {
        setOnline = online;
        online(true);
        return () => undefined;
      },
    });
    await queue.ready;
    const state = () => queue.select(store.getState());
    const push = (text: string) => void store.dispatch(getList.push({ text }));
    const untilSize = (size: number) =>
      until(() => state().size === size && state().entries.every(({ isDurable }) => isDurable));
    return {
      queue,
      store,
      read,
      state,
      push,
      untilSize,
      setOnline: (isOnline: boolean) => {
        setOnline(isOnline);
      },
    };
  };
  return { rows, book, refusals, posts, live };
}

it('the number beside a list is the one of this life of the tab, however often an earlier one has read it', async () => {
  const { book, live } = open();
  const one = await live();
  for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
    book(text);
    await one.store.dispatch(getList());
  }
  one.setOnline(false);
  one.push('mine');
  await one.untilSize(1);
  await one.queue.close();
  for (const text of ['theirs', 'theirs, too']) book(text);

  const two = await live();
  await two.untilSize(0);
  await two.store.dispatch(getList());
  const shown = two.read(getList.select());

  expect([shown?.results.length, shown?.count]).toEqual([8, 8]);
});

it('a create waits for no other of its list, though both are counted', async () => {
  const { book, live, refusals, posts } = open();
  book('first');
  const { store, push, untilSize, read, queue } = await live();
  await store.dispatch(getList());
  refusals.push(new Response(null, { status: 503, headers: { 'retry-after': '3600' } }));

  push('refused for now');
  await untilSize(1);
  await until(() => posts.length === 1);
  push('done');
  await until(() => posts.length === 2);
  await until(() => queue.select(store.getState()).size === 1);

  expect(posts).toEqual(['refused for now', 'done']);
  expect(read(getList.select())?.count).toBe(3);
  await queue.close();
});
