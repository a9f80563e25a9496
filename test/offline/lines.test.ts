import { createResource } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  openTab,
  Page,
  PageResource,
  pass,
  Todo,
  TodoResource,
  until,
  untilSent,
} from '../support/outbox.js';
import { hear, openTwo, silence, useTabs } from '../support/tabs.js';

const { partialUpdate } = PageResource;

const busy = (seconds: number) => new Response(null, { status: 503, headers: { 'retry-after': `${seconds}` } });

fakeTime();
useTabs();

describe('writes to one row that are sent one after the other', () => {
  it('are sent though the first, of an earlier life of the tab, was read after the second was made', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of before', body: 'Of before' }));
    await until(() => before.state().entries[0]?.isDurable);
    await before.kill();

    const tab = openTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of now' }));
    await tab.queue.ready;
    await untilSent(tab);

    expect(server.rows(Page)).toMatchObject([{ title: 'Of now', body: 'Of before' }]);
  });

  it('are sent by a tab that was not told that the first was refused, and sent to the end', async () => {
    const { server, leader, follower } = await openTwo();
    server.fail('PATCH', 503, { times: 1 });
    const { requestId } = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    void leader.store.dispatch(partialUpdate({ id: 1 }, { body: 'Second' }));
    await until(() => follower.state().entries.length === 2 && leader.state().entries[0]?.status === 'waiting');

    const { missed, hear } = silence(1);
    server.fail('PATCH', 503, { times: 1 });
    server.fail('PATCH', 422, { times: 1 });
    await leader.store.dispatch(leader.queue.retry(requestId));
    await until(() => leader.state().failed === 1 && leader.state().entries[1]?.status === 'waiting');
    await leader.store.dispatch(leader.queue.retry(requestId));
    await until(() => missed.length > 4);
    hear();
    await leader.kill();
    await until(() => follower.state().isLeader);
    await untilSent(follower);

    expect(server.rows(Page)).toMatchObject([{ title: 'First', body: 'Second' }]);
  });

  it('are sent though the first was read while the second was about to be sent', async () => {
    const { server, leader, follower } = await openTwo();
    server.lose('POST', { times: 1 });
    void leader.store.dispatch(TodoResource.getList.push({ title: 'Lost' }));
    await until(() => leader.state().entries[0]?.status === 'unknown');
    const deaf = silence(0);
    void follower.store.dispatch(follower.pages.getList.push({ title: 'First' }));
    await until(() => follower.state().entries.at(-1)?.isDurable);

    const undo = server.hold('HEAD');
    void leader.store.dispatch(PageResource.getList.push({ title: 'Second' }));
    await pass(1_500);
    await until(() => server.held.length === 1);
    deaf.hear();
    hear(0);
    await until(() => leader.state().entries.length === 3);
    undo();
    server.release();
    await until(() => leader.state().size === 1);

    expect(server.rows(Page).map(({ title }) => title)).toEqual(['', 'Second', 'First']);
  });

  it('are sent though one names the row by the id that it had before its create was answered', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    server.lose('POST', { times: 1 });
    const { requestId } = tab.store.dispatch(PageResource.getList.push({ title: 'New' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    server.fail('POST', busy(20), { times: 1 });
    await pass(2_000);
    void tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'By its old id' }));
    server.fail('PATCH', busy(30), { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 2 }, { body: 'By its new id' }));
    await until(() => tab.state().entries[2]?.status === 'waiting');

    await pass(40_000);
    await untilSent(tab);

    expect(server.rows(Page)[1]).toMatchObject({ title: 'By its old id', body: 'By its new id' });
  });

  it('are sent though the first was changed to name an item whose create stands behind it', async () => {
    const shared = createResource({
      ...{ path: '/todos/:id', schema: Todo, name: 'Todo', optimistic: true },
      serialize: () => 'all',
    });
    const [server, name] = [makeServer(), newName()];
    const tab = openTab(server, name, { isOnline: false, resources: [shared] });
    await tab.queue.ready;
    const edit = tab.store.dispatch(shared.partialUpdate({ id: 1 }, { title: 'Of nobody' }));
    const create = tab.store.dispatch(shared.getList.push({ title: 'New' }));
    await until(() => tab.state().entries.length === 2 && tab.state().entries.every(({ isDurable }) => isDurable));

    await tab.store.dispatch(tab.queue.edit(edit.requestId, { title: `~${create.requestId}` }));
    tab.line.setOnline(true);
    await pass(70_000);

    expect(tab.state().size).toBe(0);
    expect(server.rows(Todo)).toMatchObject([{ title: 3 }, { title: 'Write' }, { title: 'New' }]);
  });
});
