import { describe, expect, it } from 'vitest';
import {
  makeServer,
  newName,
  openLeading,
  openTab,
  TodoResource,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';
import { useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;

useTabs();

/** A tab has sent a write. Then its outbox is closed, and another one of its name is opened, while the server has a write and has not answered. */
async function closedWhile(method: 'POST' | 'PATCH') {
  const [server, name] = [makeServer(), newName()];
  const first = await openLeading(server, name);
  const undo = server.hold(method);
  const writing = first.store.dispatch(
    method === 'POST' ? getList.push({ title: 'New' }) : partialUpdate({ id: 1 }, { title: 'New' }),
  );
  await until(() => server.held.length === 1);
  undo();
  await first.queue.close();
  const second = openTab(server, name);
  await second.queue.ready;
  await until(() => second.state().size === 1);
  return { server, first, second, writing };
}

describe('what is under way when its outbox is closed', () => {
  it.each(['POST', 'PATCH'] as const)('is sent once, and done in both stores: %s', async (method) => {
    const { server, first, second, writing } = await closedWhile(method);

    server.held[0]?.answer();
    const { error } = await writing;
    await untilSent(second);

    expect(error).toBeUndefined();
    expect(writesTo(server)).toHaveLength(2);
    expect([first, second].map((tab) => tab.state().entries)).toEqual([[], []]);
    await second.kill();
  });

  it('is sent by the next outbox where the server was busy', async () => {
    const { server, second } = await closedWhile('POST');

    server.held[0]?.fail(503);
    await untilSent(second);

    expect(writesTo(server)).toHaveLength(3);
    expect(second.titleOf(3)).toBe('New');
    await second.kill();
  });
});
