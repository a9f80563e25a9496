import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();

class Mail extends Entity {
  id = 0;
  text = '';
  isUnread = true;
  static override key = 'Mail';
}
const Mails = createResource({ urlPrefix: server.url, path: '/mails/:id', schema: Mail, optimistic: true });
const { open } = Mails.extend('open', {
  path: '/mails/:id/open',
  method: 'POST',
  body: undefined,
  optimistic: false,
});
const mail = { id: 1, text: 'one', isUnread: true };

/** A store with a list that somebody is subscribed to, and how many requests of a name the server has had. */
async function setupMails() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /mails', { json: [mail] });
  await store.dispatch(Mails.getList());
  const { unsubscribe } = store.dispatch(Mails.getList.subscribe());
  server.forget();

  return {
    ...tools,
    unsubscribe,
    count: (which: string) => server.received.filter(({ method, path }) => `${method} ${path}` === which).length,
    text: () => read(Mails.getList.select())?.[0]?.text,
  };
}

describe('a read and a write that overlap', () => {
  it('ask for nothing more where the read says what was confirmed when it was sent', async () => {
    const { store, count, unsubscribe } = await setupMails();

    const detail = store.dispatch(Mails.get({ id: 1 }));
    await server.holding('GET /mails/1');
    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { isUnread: false }));
    await server.release('PATCH /mails/1', { json: { ...mail, isUnread: false } });
    await edit;
    await server.release('GET /mails/1', { json: mail });
    await detail;
    unsubscribe();

    expect(count('GET /mails')).toBe(0);
  });

  it('ask for nothing more either where the read has come first', async () => {
    const { store, count, unsubscribe } = await setupMails();

    const detail = store.dispatch(Mails.get({ id: 1 }));
    await server.holding('GET /mails/1');
    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { isUnread: false }));
    await server.holding('PATCH /mails/1');
    await server.release('GET /mails/1', { json: mail });
    await detail;
    await server.release('PATCH /mails/1', { json: { ...mail, isUnread: false } });
    await edit;
    unsubscribe();

    expect(count('GET /mails')).toBe(0);
  });

  it('wait for a write that was made while the row was being created', async () => {
    const { store, read, count, unsubscribe } = await setupMails();

    const poll = store.dispatch(Mails.getList());
    await server.holding('GET /mails');
    const create = store.dispatch(Mails.getList.push({ text: 'new' }));
    const { id = 0 } = read(Mails.getList.select())?.at(-1) ?? {};
    const edit = store.dispatch(Mails.partialUpdate({ id }, { isUnread: false }));
    await server.release('POST /mails', { json: { id: 2, text: 'new', isUnread: true } });
    await create;
    await server.holding('PATCH /mails/2');
    await server.release('GET /mails', { json: [mail, { id: 2, text: 'of somebody else', isUnread: true }] });
    await poll;
    // What would have been asked for is with the server by then.
    server.answer('GET /mails/9', { json: { ...mail, id: 9 } });
    await store.dispatch(Mails.get({ id: 9 }));
    expect(count('GET /mails')).toBe(1);

    await server.release('PATCH /mails/2', { json: { id: 2, text: 'of somebody else', isUnread: false } });
    await edit;
    await server.holding('GET /mails');
    unsubscribe();

    expect(count('GET /mails')).toBe(2);
  });

  it('ask once, when no write to the row is under way any more, however many there were', async () => {
    const { store, count, text, unsubscribe } = await setupMails();

    const poll = store.dispatch(Mails.getList());
    await server.holding('GET /mails');
    const saves = [];
    for (let i = 1; i <= 20; i++) {
      saves.push(store.dispatch(Mails.partialUpdate({ id: 1 }, { text: `draft ${String(i)}` })));
      await server.holding('PATCH /mails/1');
      if (i === 8) {
        await server.release('GET /mails', { json: [{ ...mail, text: 'draft 3' }] });
        await poll;
      }
      if (i < 20) await server.release('PATCH /mails/1', { json: { ...mail, text: `draft ${String(i)}` } });
    }
    const during = count('GET /mails');
    await server.release('PATCH /mails/1', { json: { ...mail, text: 'draft 20' } });
    await Promise.all(saves);
    await server.release('GET /mails', { json: [{ ...mail, text: 'draft 20' }] });
    await store.dispatch(Mails.getList.ifStale());
    unsubscribe();

    expect(during).toBe(1);
    expect(count('GET /mails')).toBe(2);
    expect(text()).toBe('draft 20');
  });

  it('ask for the row alone, where somebody is subscribed to that', async () => {
    const { store, count, text, unsubscribe } = await setupMails();
    server.answer('GET /mails/1', { json: mail });
    const detail = store.dispatch(Mails.get.subscribe({ id: 1 }));

    const poll = store.dispatch(Mails.getList());
    await server.holding('GET /mails');
    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { text: 'mine' }));
    await server.release('PATCH /mails/1', { json: { ...mail, text: 'mine' } });
    await edit;
    server.answer('GET /mails/1', { json: { ...mail, text: 'theirs' } });
    const asked = count('GET /mails/1');
    await server.release('GET /mails', { json: [{ ...mail, text: 'theirs' }] });
    await poll;
    await store.dispatch(Mails.get({ id: 1 }));
    detail.unsubscribe();
    unsubscribe();

    expect(count('GET /mails')).toBe(1);
    expect(count('GET /mails/1')).toBe(asked + 1);
    expect(text()).toBe('theirs');
  });

  it.each([
    ['an action', () => open({ id: 1 }), 'POST /mails/1/open', { ...mail, isUnread: false }],
    [
      'an edit that changes more than it sends',
      () => Mails.partialUpdate({ id: 1 }, { text: 'mine' }),
      'PATCH /mails/1',
      { ...mail, text: 'mine', isUnread: false },
    ],
  ])('ask again for the row where a read that was sent after %s says what was before it', async (...given) => {
    const [, write, address, saved] = given;
    const { store, read, count, unsubscribe } = await setupMails();

    const writing = store.dispatch(write());
    await server.holding(address);
    const poll = store.dispatch(Mails.getList());
    await server.release('GET /mails', { json: [mail] });
    await poll;
    server.answer('GET /mails', { json: [saved] });
    await server.release(address, { json: saved });
    await writing;
    const { isStale, isFetching } = read(Mails.getList.selectRequest());
    await store.dispatch(Mails.getList.ifStale());
    unsubscribe();

    expect({ isStale, isFetching }).toEqual({ isStale: true, isFetching: true });
    expect(count('GET /mails')).toBe(2);
    expect(read(Mails.getList.selectRequest())).toMatchObject({ data: [saved], isStale: false });
  });
});

describe('what is in doubt', () => {
  const setBack = async ({ store }: Pick<Awaited<ReturnType<typeof setupMails>>, 'store'>) => {
    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { text: 'mine' }));
    await server.holding('PATCH /mails/1');
    const action = store.dispatch(open({ id: 1 }));
    await server.release('POST /mails/1/open', { json: mail });
    await action;
    await server.release('PATCH /mails/1', { json: { ...mail, text: 'mine' } });
    await edit;
  };
  const message = async ({ store, resources }: Awaited<ReturnType<typeof setupMails>>) => {
    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { text: 'mine' }));
    await server.holding('PATCH /mails/1');
    store.dispatch(resources.set(Mail, { ...mail, text: 'theirs' }));
    await server.release('PATCH /mails/1', { json: { ...mail, text: 'mine' } });
    await edit;
  };

  it.each([
    ['an edit and an action that sets it back', setBack, 'one'],
    ['a message and an edit that the server did before', message, 'theirs'],
  ])('is asked for again where a read was on its way before %s', async (_what, overlap, saved) => {
    const tools = await setupMails();
    const { store, read, count, text, unsubscribe } = tools;
    const poll = store.dispatch(Mails.getList());
    await server.holding('GET /mails');

    await overlap(tools);
    await server.release('GET /mails', { json: [mail] });
    await poll;
    const { isStale } = read(Mails.getList.selectRequest());
    await server.release('GET /mails', { json: [{ ...mail, text: saved }] });
    await store.dispatch(Mails.getList.ifStale());
    unsubscribe();

    expect(isStale).toBe(true);
    expect(text()).toBe(saved);
    expect(count('GET /mails')).toBe(2);
  });

  it('is asked for again in a list that was on its way for the first time', async () => {
    const tools = setup();
    const { store, read, resources } = tools;
    server.forget();
    store.dispatch(resources.set(Mail, mail));
    const { unsubscribe } = store.dispatch(Mails.getList.subscribe());
    await server.holding('GET /mails');

    await setBack(tools);
    await server.release('GET /mails', { json: [mail] });
    await server.release('GET /mails', { json: [mail] });
    await store.dispatch(Mails.getList.ifStale());
    unsubscribe();

    expect(read(Mails.getList.selectRequest())).toMatchObject({ data: [mail], isStale: false });
    expect(server.received.filter(({ path }) => path === '/mails')).toHaveLength(2);
  });

  it('is not asked for again in such a list where somebody is subscribed to the row', async () => {
    const tools = setup();
    const { store } = tools;
    server.forget();
    server.answer('GET /mails/1', { json: mail });
    await store.dispatch(Mails.get({ id: 1 }));
    const watched = [store.dispatch(Mails.get.subscribe({ id: 1 })), store.dispatch(Mails.getList.subscribe())];
    await server.holding('GET /mails');

    await setBack(tools);
    await server.release('GET /mails', { json: [mail] });
    await store.dispatch(Mails.getList.ifStale());
    await store.dispatch(Mails.get.ifStale({ id: 1 }));
    for (const { unsubscribe } of watched) unsubscribe();

    const paths = server.received.map(({ method, path }) => `${method} ${path}`);
    expect(paths.filter((one) => one === 'GET /mails')).toHaveLength(1);
    expect(paths.filter((one) => one === 'GET /mails/1')).toHaveLength(2);
  });

  it('is told by a read that was sent when the writes had been answered', async () => {
    const { store, read, count, unsubscribe } = await setupMails();
    const detail = store.dispatch(Mails.get({ id: 1 }));
    await server.holding('GET /mails/1');
    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { text: 'mine' }));
    await server.release('PATCH /mails/1', { json: { ...mail, text: 'mine' } });
    await edit;
    const poll = store.dispatch(Mails.getList());
    await server.holding('GET /mails');

    await server.release('GET /mails/1', { json: { ...mail, text: 'theirs' } });
    await detail;
    await server.release('GET /mails', { json: [{ ...mail, text: 'theirs' }] });
    await poll;
    await store.dispatch(Mails.getList.ifStale());
    unsubscribe();

    expect(count('GET /mails')).toBe(1);
    expect(read(Mails.getList.selectRequest())).toMatchObject({ data: [{ text: 'theirs' }], isStale: false });
  });
});
