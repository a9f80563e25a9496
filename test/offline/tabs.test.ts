import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Locks } from '../support/locks.js';
import {
  makeServer,
  newName,
  openTab,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
  type Tab,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

/** The channels of the tabs, in the order in which they were opened. */
let channels: BroadcastChannel[] = [];

beforeEach(() => {
  channels = [];
  const Channel = BroadcastChannel;
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    },
  );
  vi.stubGlobal('navigator', { locks: new Locks(), onLine: true });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Two tabs of one app, of which the first leads. In one process, each loads the package anew. */
async function openTwo(options: Parameters<typeof openTab>[2] = {}) {
  const [server, name] = [makeServer(), newName()];
  const leader = openTab(server, name, options);
  await leader.queue.ready;
  await leader.store.dispatch(partialUpdate({ id: 2 }, { completed: true }));
  await until(() => leader.state().isLeader);
  vi.resetModules();
  const again = (await import('../support/outbox.js')) as { openTab: typeof openTab };
  const follower = again.openTab(server, name, options);
  await follower.queue.ready;
  return { server, name, leader, follower, tabs: [leader, follower] as readonly Tab[] };
}

describe('two tabs', () => {
  it('have one that sends, and the promise of the other resolves', async () => {
    const { server, leader, follower } = await openTwo();

    const promise = follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'From the other' }));
    const { title } = await promise.unwrap();

    expect(title).toBe('From the other');
    expect([leader.state().isLeader, follower.state().isLeader]).toEqual([true, false]);
    expect(writesTo(server)).toEqual(['PATCH /todos/2', 'PATCH /todos/1']);
    const told = leader.actions.filter(({ type }) => type === 'Todo/partialUpdate/fulfilled');
    expect(told).toHaveLength(2);
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('both show what is in the outbox, and both hear what becomes of it', async () => {
    const { server, leader, follower } = await openTwo();
    await follower.store.dispatch(follower.todos.getList());
    leader.line.setOnline(false);

    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => follower.state().size === 1);
    const shown = follower.titleOf(1);
    leader.line.setOnline(true);
    await untilSent(leader);
    await until(() => follower.state().size === 0);

    expect(shown).toBe('Later');
    expect(follower.titleOf(1)).toBe('Later');
    expect(follower.actions.find(({ type }) => type === 'Todo/partialUpdate/fulfilled')?.['meta']).toMatchObject({
      remote: true,
    });
    expect(server.rows(Todo)[0]?.title).toBe('Later');
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('hand over the lead when the one that sends is closed', async () => {
    const { server, leader, follower } = await openTwo();
    leader.line.setOnline(false);
    const promise = follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Handed over' }));
    await until(() => leader.state().size === 1);

    await leader.kill();
    await promise;

    expect(follower.state().isLeader).toBe(true);
    expect(server.rows(Todo)[0]?.title).toBe('Handed over');
    await follower.kill();
  });
});

describe('a tab that leads and is silent', () => {
  it('loses the lead after 5 s, and what it hears later settles nothing twice', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { server, leader, follower } = await openTwo({ idempotencyKey: true });
    server.hold('POST', { at: 'answer' });
    const promise = leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => server.held.length === 1);
    await until(() => follower.state().size === 1);
    // A frozen tab hears nothing.
    const [channel] = channels;
    const hears = channel?.onmessage ?? null;
    if (channel) channel.onmessage = null;

    void follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Asks' }));
    await until(() => follower.state().entries[1]?.isDurable);
    await vi.advanceTimersByTimeAsync(5_100);
    await until(() => follower.state().isLeader);
    // Its answer reaches it when it is no longer frozen.
    if (channel) channel.onmessage = hears;
    server.release();
    await promise;
    await vi.advanceTimersByTimeAsync(70_000);
    await untilSent(follower);

    expect(server.rows(Todo)).toHaveLength(3);
    vi.useRealTimers();
    for (const tab of [leader, follower]) await tab.kill();
  });
});
