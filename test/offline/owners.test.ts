import { combineReducers, configureStore, type UnknownAction } from '@reduxjs/toolkit';
import { configureResources, createResource, RestEndpoint } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';
import { describe, expect, it } from 'vitest';
import { expectWarning } from '../support/strict.js';
import {
  makeServer,
  newName,
  openTab,
  statuses,
  storedIn,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

/** A tab of which the test says who has logged in. */
function openAs(name: string, user: string | undefined, options: Parameters<typeof openTab>[2] = {}) {
  const server = makeServer();
  const session = { user };
  const tab = openTab(server, name, { owner: () => session.user, ...options });
  return {
    ...{ server, tab },
    logIn: (next: string | undefined): void => {
      session.user = next;
      tab.store.dispatch({ type: 'logged in' });
    },
  };
}

describe('without an owner', () => {
  it('it is ready, and writes are sent as without an outbox', async () => {
    const { server, tab } = openAs(newName(), undefined);
    const state = await tab.queue.ready;

    const action = await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Anonymous' }));

    expect(state).toMatchObject({ status: 'idle', size: 0 });
    expect(action.meta.requestStatus).toBe('fulfilled');
    expect(
      tab.actions.filter(
        ({ type, payload }) => type === 'resources/outbox' && (payload as { entries: unknown[] }).entries.length > 0,
      ),
    ).toEqual([]);
    expect(server.rows(Todo)[0]?.title).toBe('Anonymous');
  });

  it('a refused write is refused, and not kept', async () => {
    const { server, tab } = openAs(newName(), undefined);
    await tab.queue.ready;
    server.fail('PATCH', 503);

    const action = await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Anonymous' }));

    expect(action.meta.requestStatus).toBe('rejected');
    expect(tab.state().entries).toEqual([]);
  });
});

describe('an owner who logs in later', () => {
  it('sees what was kept, and it is sent', async () => {
    const name = newName();
    const first = openAs(name, 'ada');
    await first.tab.queue.ready;
    await first.tab.store.dispatch(getList());
    first.tab.line.setOnline(false);
    void first.tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of Ada' }));
    await until(() => first.tab.state().entries[0]?.isDurable);
    await first.tab.kill();

    const { server, tab, logIn } = openAs(name, undefined, { isOnline: false });
    await tab.queue.ready;
    const nobodys = [tab.state().size, tab.titleOf(1)];
    logIn('ada');
    await until(() => tab.state().size === 1);
    const adas = tab.titleOf(1);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(nobodys).toEqual([0, undefined]);
    expect(adas).toBe('Of Ada');
    expect(server.rows(Todo)[0]?.title).toBe('Of Ada');
  });
});

describe('an owner who leaves while a write is under way', () => {
  it('is told nothing of it; it is sent again with its key when that owner is back, and done once', async () => {
    const { server, tab, logIn } = openAs(newName(), 'ada', { idempotencyKey: true });
    await tab.queue.ready;
    server.hold('POST', { at: 'answer' });
    const promise = tab.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => server.held.length === 1);

    logIn('bob');
    const { meta } = await promise;
    await until(() => tab.state().status === 'idle');
    const bobs = tab.state().size;
    server.release();
    logIn('ada');
    await until(() => tab.state().size === 1 && server.held.length === 1);
    server.release();
    await untilSent(tab);

    expect(meta.aborted).toBe(true);
    expect(bobs).toBe(0);
    expect(server.rows(Todo)).toHaveLength(3);
  });

  it('is what writes that were stored for that owner belong to', async () => {
    const { server, tab, logIn } = openAs(newName(), 'ada', { isOnline: false });
    await tab.queue.ready;

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of Ada' }));
    logIn('bob');
    void tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'Of Bob' }));
    await until(() => tab.state().size === 1);
    tab.line.setOnline(true);
    await untilSent(tab);
    const ofBob = writesTo(server);
    logIn('ada');
    await until(() => writesTo(server).length === 2);

    expect(ofBob).toEqual(['PATCH /todos/2']);
    expect(writesTo(server)[1]).toBe('PATCH /todos/1');
  });
});

/** What happens when a write is refused, before it is told so: as where a new token is asked for, and there is none. */
let whenRefused: () => unknown = () => undefined;
class Guarded extends RestEndpoint {
  override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
    try {
      return await super.fetch(...args);
    } catch (error) {
      await whenRefused();
      throw error;
    }
  }
}
const Todos = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Guarded });

describe('a session that a 401 to a write ends', () => {
  it.each([
    ['for its owner leaves', true],
    ['for the app keeps the outbox, and resets all else', false],
  ])('leaves the write in the outbox, as not sent, %s: it is sent once after the next login', async (_, hasOwner) => {
    const { server, tab, logIn } = openAs(newName(), 'ada', {
      resources: [Todos],
      ...(!hasOwner && { owner: undefined }),
    });
    await tab.queue.ready;
    const undo = server.fail('POST', 401);
    whenRefused = () => {
      logIn(undefined);
      tab.store.dispatch(tab.resources.reset({ keepOutbox: true }));
    };

    // Without a key nobody could send again what may be done.
    const promise = tab.store.dispatch(Todos.getList.push({ title: 'Once' }));
    await promise;
    await turns();
    undo();
    logIn('ada');
    tab.store.dispatch(tab.queue.resume());
    await until(() => writesTo(server).length === 2);
    await untilSent(tab);

    expect(statuses(tab)).toEqual([]);
    expect(writesTo(server)).toEqual(['POST /todos', 'POST /todos']);
    expect(server.rows(Todo)).toHaveLength(3);
  });
});

describe('what a 401 has stopped, while nobody knows yet whether the session goes on,', () => {
  let goOn: () => void = () => undefined;

  async function openStopped() {
    const server = makeServer();
    const tab = openTab(server, newName(), { resources: [Todos] });
    await tab.queue.ready;
    server.fail('POST', 401, { times: 1 });
    whenRefused = () => new Promise<void>((resolve) => (goOn = resolve));
    void tab.store.dispatch(Todos.getList.push({ title: 'Stopped' }));
    await turns();
    return { server, tab };
  }

  it('does not pause the outbox of the next session, where reset() deletes it', async () => {
    expectWarning(/reset\(\) deletes 1 writes/);
    const { server, tab } = await openStopped();

    tab.store.dispatch(tab.resources.reset());
    goOn();
    await turns();
    await tab.store.dispatch(Todos.getList.push({ title: 'Next' }));

    expect(tab.state()).toMatchObject({ status: 'idle', size: 0 });
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'Next']);
  });

  it('leaves the pause of the user to the user, where reset({ keepOutbox: true }) keeps it', async () => {
    const { tab } = await openStopped();

    tab.store.dispatch(tab.queue.pause());
    await turns();
    tab.store.dispatch(tab.resources.reset({ keepOutbox: true }));
    goOn();
    await turns();

    expect(tab.state()).toMatchObject({ pausedBy: 'user', size: 1 });
  });
});

describe('a new version that gives one write to another owner', () => {
  it('leaves the others to theirs', async () => {
    const name = newName();
    const old = openAs(name, 'ada', { isOnline: false });
    await old.tab.queue.ready;
    for (const title of ['For Bob', 'Of Ada']) void old.tab.store.dispatch(partialUpdate({ id: 1 }, { title }));
    await until(() => old.tab.state().entries.length === 2 && old.tab.state().entries.every((one) => one.isDurable));
    await old.tab.kill();

    const { tab } = openAs(name, 'ada', {
      ...{ isOnline: false, version: 2 },
      migrate: (entry) => (JSON.stringify(entry.args).includes('For Bob') ? { ...entry, owner: 'bob' } : entry),
    });
    await tab.queue.ready;
    const stored = await storedIn(name);

    expect(stored.map(({ owner }) => owner)).toEqual(['bob', 'ada']);
    expect(tab.state().entries.map(({ args }) => args[1])).toEqual([{ title: 'Of Ada' }]);
  });
});

describe('reset', () => {
  it('deletes what is kept of the last owner, also after that has left', async () => {
    const name = newName();
    const { tab, logIn } = openAs(name, 'ada', { isOnline: false });
    await tab.queue.ready;
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of Ada' }));
    await until(() => tab.state().entries[0]?.isDurable);

    logIn(undefined);
    tab.store.dispatch(tab.resources.reset());
    await until(() => tab.state().status !== 'loading');
    logIn('ada');
    await until(() => tab.state().status === 'offline');

    expect(tab.state().size).toBe(0);
  });
});

describe('a root reducer that gives undefined', () => {
  it('keeps what was made offline: it is shown again, and sent when there is a network', async () => {
    const server = makeServer();
    const line = { isOnline: false };
    const queue = outbox({ name: newName(), resources: [TodoResource] });
    let setOnline: (isOnline: boolean) => void = () => undefined;
    const resources = configureResources({
      outbox: queue,
      fetchFn: (input, init) =>
        line.isOnline ? server.fetch(input, init) : Promise.reject(new TypeError('no network')),
      setupListeners: ({ online }) => {
        setOnline = online;
        online(false);
        return () => undefined;
      },
    });
    const inner = combineReducers({ resources: resources.reducer });
    const store = configureStore({
      reducer: (state: ReturnType<typeof inner> | undefined, action: UnknownAction) =>
        inner(action.type === 'loggedOut' ? undefined : state, action),
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const state = () => queue.select(store.getState());
    const title = () => resources.selectEntity(Todo, 1)(store.getState())?.title;
    await queue.ready;
    store.dispatch(resources.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'Read', completed: false }));
    const edit = store.dispatch(partialUpdate({ id: 1 }, { title: 'Offline' }));
    await until(() => state().entries[0]?.isDurable);

    store.dispatch({ type: 'loggedOut' });
    const { meta } = await edit;
    await until(() => state().status === 'offline');
    store.dispatch(resources.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'Read', completed: false }));
    const shown = title();
    line.isOnline = true;
    setOnline(true);
    await until(() => state().size === 0);

    expect(meta.aborted).toBe(true);
    expect(shown).toBe('Offline');
    expect(server.rows(Todo)[0]?.title).toBe('Offline');
  });
});
