import { describe, expect, it, vi } from 'vitest';
import { expectWarning } from '../support/strict.js';
import {
  fakeTime,
  makeServer,
  newName,
  openTab,
  pass,
  statuses,
  Todo,
  TodoResource,
  until,
} from '../support/outbox.js';

const { partialUpdate } = TodoResource;

fakeTime();

/** A database that does not open, for it is being deleted, and somebody has it open still. */
async function blocked(name: string): Promise<{ unblock(): void }> {
  const request = indexedDB.open(name);
  await until(() => request.readyState === 'done');
  indexedDB.deleteDatabase(name);
  return {
    unblock: () => {
      request.result.close();
    },
  };
}

describe('a database that does not answer when it is opened', () => {
  it('is done without after 5 s: what was dispatched meanwhile is sent, and what opens later is closed', async () => {
    expectWarning(/cannot store its writes.*has not answered for 5 s/);
    const [name, server, onStorageError] = [newName(), makeServer(), vi.fn()];
    const { unblock } = await blocked(`rtk-resource/offline/${name}`);
    const tab = openTab(server, name, { onStorageError });
    let isReady = false;
    void tab.queue.ready.then(() => (isReady = true));
    const written = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Meanwhile' }));

    await pass(4_500);
    const early = { isReady, statuses: statuses(tab), calls: server.calls.length };
    await pass(1_000);
    const { storage } = await tab.queue.ready;
    await written.unwrap();
    const close = vi.spyOn(IDBDatabase.prototype, 'close');
    unblock();
    await until(() => close.mock.calls.length === 2);
    await tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'Later' })).unwrap();

    expect(early).toEqual({ isReady: false, statuses: ['queued'], calls: 0 });
    expect(storage).toBe('memory');
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Meanwhile', 'Later']);
    expect(tab.state().storage).toBe('memory');
    expect(onStorageError).toHaveBeenCalledOnce();
    await tab.queue.close();
  });
});
