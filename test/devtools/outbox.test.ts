import { recordResources, type Question, type Recorder } from 'rtk-resource/devtools/production';
import { describe, expect, it } from 'vitest';
import { fakeTime, makeServer, newName, openTab, pass, TodoResource, until, type Tab } from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

fakeTime();

const title: Question = { entity: 'Todo', pk: '1', field: 'title' };
const request: Question = { request: 'Todo/partialUpdate PATCH /todos/1' };
const time = String.raw`\([\d:.]{12}\)`;
const textsOf = (recorder: Recorder, question: Question) => recorder.explain(question).because.map(({ text }) => text);
const untilDurable = ({ state }: Tab, size: number) =>
  until(() => state().size === size && state().entries.every(({ isDurable }) => isDurable));

/** An edit is made offline, and recorded; or it was made in an earlier life of the tab. */
async function tabWithEdit(isReloaded: boolean) {
  const [server, name] = [makeServer(), newName()];
  let tab = openTab(server, name);
  let recorder = recordResources(tab.store);
  await tab.queue.ready;
  await tab.store.dispatch(getList());
  tab.line.setOnline(false);
  void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
  await untilDurable(tab, 1);
  if (isReloaded) {
    await tab.kill();
    tab = openTab(server, name, { isOnline: false });
    recorder = recordResources(tab.store);
    await tab.queue.ready;
  }
  return { server, tab, recorder };
}

describe.each([
  ['of this life of the tab', false],
  ['of an earlier life of the tab', true],
])('a write in the outbox %s', (_, isReloaded) => {
  it('is not told as sent while it is not', async () => {
    const { recorder } = await tabWithEdit(isReloaded);

    expect(textsOf(recorder, title)[0]).toMatch(
      new RegExp(`^Shows \`Mine\`: PATCH /todos/1 ${time} has it to send and is not sent yet\\.$`),
    );
    expect(textsOf(recorder, request)[0]).toMatch(/is not sent: it waits for the outbox to send it\.$/);
  });

  it('is told as sent once it was, and is to be sent again', async () => {
    const { server, tab, recorder } = await tabWithEdit(isReloaded);

    server.fail('PATCH', 503);
    tab.line.setOnline(true);
    await until(() => tab.state().entries[0]?.status === 'waiting');

    expect(textsOf(recorder, title)[0]).toMatch(/ sent it and is not done yet\.$/);
    expect(textsOf(recorder, request)[0]).toMatch(/ was sent: it waits for the outbox to send it again\.$/);
  });

  it('is told as what is taken back, once it is refused', async () => {
    const { server, tab, recorder } = await tabWithEdit(isReloaded);

    server.fail('PATCH', 422);
    tab.line.setOnline(true);
    await until(() => tab.state().failed === 1);

    expect(textsOf(recorder, title).join('\n')).toMatch(
      new RegExp(`PATCH /todos/1 ${time} wanted \`Mine\`, and was answered with 422.*What it had shown is taken back`),
    );
  });
});

describe('a write that was refused, and is to be sent again', () => {
  it.each(['edit', 'retry'] as const)('by `%s`: is not sent yet', async (how) => {
    const { server, tab, recorder } = await tabWithEdit(false);
    const { queue, line, store, state } = tab;
    const undo = server.fail('PATCH', 422);
    line.setOnline(true);
    await until(() => state().failed === 1);
    line.setOnline(false);
    undo();

    const id = state().entries[0]?.id ?? '';
    await store.dispatch(how === 'edit' ? queue.edit(id, { title: 'Mine' }) : queue.retry(id));
    const unsent = textsOf(recorder, title)[0];
    server.hold('PATCH');
    line.setOnline(true);
    await until(() => server.held.length === 1);

    expect(unsent).toMatch(new RegExp(`PATCH /todos/1 ${time} has it to send and is not sent yet\\.$`));
    expect(textsOf(recorder, title)[0]).toMatch(/ sent it and is not answered\.$/);
    server.release();
    await until(() => state().size === 0);
  });
});

describe('a write in an outbox that is paused', () => {
  it('waits for `resume`, whether it was sent before or not', async () => {
    const { server, tab, recorder } = await tabWithEdit(false);
    const { queue, line, store, state } = tab;
    store.dispatch(queue.pause());
    expect(textsOf(recorder, request)[0]).toMatch(/ is not sent: it waits for `resume`: the outbox is paused\.$/);

    server.fail('PATCH', 401);
    line.setOnline(true);
    store.dispatch(queue.resume());
    await until(() => state().pausedBy === 'auth');

    expect(textsOf(recorder, request)[0]).toMatch(/ was sent: it waits for `resume`: the outbox is paused\.$/);
  });
});

describe('a create of which nobody knows whether it was done', () => {
  it('is told by its row, its list, and its request: it has shown the row, and was sent', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    const recorder = recordResources(tab.store);
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    server.lose('POST');

    const { requestId } = tab.store.dispatch(getList.push({ title: 'New' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    await pass(1_000);

    const pk = `~${requestId}`;
    const back = 'What it had shown is taken back\\. Only the server knows whether it was done\\.';
    const [row, ...others] = textsOf(recorder, { entity: 'Todo', pk });
    expect(row).toMatch(new RegExp(`^POST /todos ${time} wanted to change it, and .*${back}$`));
    expect(others).toEqual([]);
    expect(textsOf(recorder, { list: 'Todo/getList', args: [], pk }).join('\n')).toMatch(
      new RegExp(`POST /todos ${time} wanted to put it there, and .*${back}`),
    );
    expect(textsOf(recorder, { request: 'Todo/getList/push POST /todos' })[0]).toMatch(
      /was sent: it waits for `retry` or `discard`: only the server knows whether it was done\.$/,
    );
  });
});

describe('two writes of one line, of an earlier life of the tab', () => {
  it('wait for each other: the second for the answer to the first', async () => {
    const serialized = partialUpdate.extend({ serialize: true });
    const [server, name] = [makeServer(), newName()];
    const options = { isOnline: false, resources: [serialized] };
    const before = openTab(server, name, options);
    await before.queue.ready;
    for (const text of ['One', 'Two']) void before.store.dispatch(serialized({ id: 1 }, { title: text }));
    await untilDurable(before, 2);
    await before.kill();

    const tab = openTab(server, name, options);
    const recorder = recordResources(tab.store);
    await tab.queue.ready;

    expect(textsOf(recorder, request)[0]).toMatch(
      new RegExp(`it waits for the answer to PATCH /todos/1 ${time}: writes of one line are sent one after the other`),
    );
  });
});
