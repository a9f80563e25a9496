import { createResource } from 'rtk-resource';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
import { newName, openTab, storedIn, Todo, TodoResource, until, untilSent, type Tab } from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

const seed = { Todo: [{ id: 1, title: 'Read', completed: false }] };
const edits: readonly Partial<Todo>[] = [
  { title: 'One' },
  { completed: true },
  { completed: false },
  { title: 'Two' },
  { title: 'Three' },
  { completed: true },
];

/** A tab that has made edits offline, which are stored. */
async function openWith(tab: Tab, dispatchAll: () => void): Promise<Tab> {
  tab.line.setOnline(false);
  dispatchAll();
  await until(() => tab.state().entries.every(({ isDurable }) => isDurable));
  return tab;
}

/** Has the next write answered, and no other one sent; the tab is killed then. */
async function sendOne(tab: Tab, server: MockServer): Promise<void> {
  const { size } = tab.state();
  const undo = server.hold('PATCH');
  tab.line.setOnline(true);
  await until(() => server.held.length === 1);
  tab.line.setOnline(false);
  undo();
  server.release();
  await until(() => tab.state().size === size - 1);
  await tab.kill();
}

/** A tab that has read the list, and made edits of its row offline. */
async function editing(server: MockServer, name: string, bodies: readonly Partial<Todo>[]): Promise<Tab> {
  const tab = openTab(server, name);
  await tab.queue.ready;
  await tab.store.dispatch(getList());
  return openWith(tab, () => {
    for (const body of bodies) void tab.store.dispatch(partialUpdate({ id: 1 }, body));
  });
}

/** Kills the tab after each answer but the last, and opens it anew; `shown` are the titles that it begins with. */
async function killAfterEach(server: MockServer, first: Tab, name: string): Promise<{ tab: Tab; shown: unknown[] }> {
  const shown: unknown[] = [];
  let tab = first;
  while (tab.state().size > 1) {
    await sendOne(tab, server);
    tab = openTab(server, name, { isOnline: false });
    await tab.queue.ready;
    shown.push(tab.titleOf(1));
  }
  return { tab, shown };
}

describe('many edits of one row', () => {
  it('cost some writes to the disk for each, and not more the more there are', async () => {
    const server = mockServer([TodoResource], { seed });
    const titles = Array.from({ length: 40 }, (_, i) => ({ title: `Title ${i}` }));
    const tab = await editing(server, newName(), titles);
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    tab.line.setOnline(true);
    await untilSent(tab);
    const { length } = put.mock.calls;
    put.mockRestore();

    // One that it is sent, one for the next that it is.
    expect(length).toBeLessThan(3 * 40);
    expect(server.rows(Todo)[0]?.title).toBe('Title 39');
  });

  it('show what was confirmed of the ones before, in whatever life of the tab the others are sent', async () => {
    const [server, name] = [mockServer([TodoResource], { seed }), newName()];
    const { tab, shown } = await killAfterEach(server, await editing(server, name, edits), name);
    tab.line.setOnline(true);
    await untilSent(tab);

    // The last does not name the title, and nothing was loaded in these lives.
    expect(shown).toEqual(edits.slice(1).map(() => 'Three'));
    expect(server.rows(Todo)).toEqual([{ id: 1, title: 'Three', completed: true }]);
    expect(await storedIn(name)).toEqual([]);
  });

  it('show what the server has made of the ones before, also where others have written', async () => {
    const [server, name] = [mockServer([TodoResource], { seed }), newName()];
    const first = await editing(
      server,
      name,
      [true, false, true, false].map((completed) => ({ completed })),
    );
    server.set(Todo, { id: 1, title: 'Theirs' });
    const { tab, shown } = await killAfterEach(server, first, name);

    expect(shown).toEqual(['Theirs', 'Theirs', 'Theirs']);
    await tab.kill();
  });

  it.each([true, false])(
    'are no conflict with each other, wherever the tab is killed (optimistic: %s)',
    async (optimistic) => {
      const Versioned = createResource({ path: '/todos/:id', schema: Todo, optimistic, etag: true });
      const [server, name] = [mockServer([Versioned], { seed }), newName()];
      const options = { resources: [Versioned], idempotencyKey: true };
      let tab = openTab(server, name, options);
      await tab.queue.ready;
      await tab.store.dispatch(Versioned.get({ id: 1 }));
      await openWith(tab, () => {
        for (const edit of edits) void tab.store.dispatch(Versioned.partialUpdate({ id: 1 }, edit));
      });
      while (tab.state().size > 1) {
        await sendOne(tab, server);
        tab = openTab(server, name, { ...options, isOnline: false });
        await tab.queue.ready;
      }
      tab.line.setOnline(true);
      await untilSent(tab);

      expect(tab.state().entries).toEqual([]);
      expect(server.calls.filter(({ method }) => method === 'PATCH').map(({ status }) => status)).toEqual(
        edits.map(() => 200),
      );
      expect(server.rows(Todo)).toEqual([{ id: 1, title: 'Three', completed: true }]);
    },
  );
});
