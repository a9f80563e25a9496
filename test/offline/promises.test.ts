import { combineReducers, configureStore, type UnknownAction } from '@reduxjs/toolkit';
import { configureResources } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';
import { describe, expect, it } from 'vitest';
import { setup } from '../support/store.js';
import {
  fakeTime,
  makeServer,
  newName,
  openLeading,
  openTab,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';
import { channels, openTwo, useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;

fakeTime();
useTabs();

describe('after a lost answer', () => {
  it('any answer to the store has the next write sent, without another request and at once', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.lose('POST', { times: 1 });
    void tab.store.dispatch(getList.push({ title: 'Lost' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    void tab.store.dispatch(getList.push({ title: 'Next' }));
    await until(() => tab.state().entries[1]?.isDurable);

    await tab.store.dispatch(TodoResource.get({ id: 2 }));
    await until(() => tab.state().size === 1);

    expect(server.calls.filter(({ method }) => method === 'HEAD')).toEqual([]);
    expect(writesTo(server)).toEqual(['POST /todos', 'POST /todos']);
  });
});

describe('a persisted slice that an action brings', () => {
  it('shows what is in the outbox', async () => {
    const [server, name] = [makeServer(), newName()];
    const other = setup({ fetchFn: server.fetch });
    await other.store.dispatch(getList());
    const persisted: unknown = JSON.parse(JSON.stringify(other.slice()));
    const queue = outbox({ name, resources: [TodoResource] });
    const resources = configureResources({
      outbox: queue,
      fetchFn: () => Promise.reject(new TypeError('no network')),
      setupListeners: ({ online }) => {
        online(false);
        return () => undefined;
      },
    });
    const combined = combineReducers({ resources: resources.reducer });
    type State = ReturnType<typeof combined>;
    const store = configureStore({
      reducer: (state: State | undefined, action: UnknownAction): State =>
        action.type === 'persist/REHYDRATE' ? { resources: persisted as State['resources'] } : combined(state, action),
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    await queue.ready;
    void store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
    await until(() => queue.select(store.getState()).entries[0]?.isDurable);

    store.dispatch({ type: 'persist/REHYDRATE' });
    await turns();

    expect(resources.selectEntity(Todo, 1)(store.getState())?.title).toBe('Kept');
    expect(resources.selectEntity(Todo, 2)(store.getState())?.title).toBe('Write');
    expect(queue.select(store.getState()).size).toBe(1);
    await queue.close();
  });
});

describe('an outbox that is closed before it is open', () => {
  it('leads nobody, shows nothing, and leaves its database', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = await openLeading(server, name);
    before.line.setOnline(false);
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
    await until(() => before.state().entries[0]?.isDurable);
    await before.kill();

    const tab = openTab(server, name);
    await tab.queue.close();
    await turns();
    const deleted = await new Promise<string>((resolve) => {
      const request = indexedDB.deleteDatabase(`rtk-resource/offline/${name}`);
      request.onsuccess = () => {
        resolve('deleted');
      };
      request.onblocked = () => {
        resolve('blocked');
      };
    });

    expect([tab.state().entries, tab.state().isLeader, deleted]).toEqual([[], false, 'deleted']);
    expect(writesTo(server)).toEqual(['PATCH /todos/2']);
  });
});

describe('an answer that a tab has which leads no more', () => {
  it('settles no write that was given another body meanwhile', async () => {
    const { server, leader, follower } = await openTwo();
    leader.line.setOnline(false);
    void leader.store.dispatch(leader.todos.partialUpdate({ id: 1 }, { title: 'First' }));
    await until(() => leader.state().entries[0]?.isDurable && follower.state().size === 1);
    const { id = '' } = leader.state().entries[0] ?? {};
    await leader.store.dispatch(leader.queue.edit(id, { title: 'Edited' }));
    const [channel] = channels();
    const result = { response: { id: 1, title: 'First' }, isOpaque: false, isJson: true };
    channel?.onmessage?.(new MessageEvent('message', { data: { type: 'answer', id, revision: 0, result } }));
    await turns();
    expect(leader.state().size).toBe(1);

    leader.line.setOnline(true);
    await untilSent(leader);

    expect(server.rows(Todo)[0]?.title).toBe('Edited');
    for (const tab of [leader, follower]) await tab.kill();
  });
});
