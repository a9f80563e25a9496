import { describe, expect, it } from 'vitest';
import { Todo, TodoResource, turns, until, untilSent } from '../support/outbox.js';
import { busy, hear, openTwo, useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;

useTabs();

/** Two tabs with their lists, of which the second has no time. */
async function openBusy() {
  const two = await openTwo();
  const { leader, follower } = two;
  for (const { store, todos } of [leader, follower]) await store.dispatch(todos.getList());
  const { told, goOn } = busyTab();
  const list = () => follower.read(follower.todos.getList.select())?.map(({ title }) => title);
  const isStale = () => follower.read(follower.todos.getList.selectRequest()).isStale;
  const fulfilled = () => follower.actions.filter(({ type }) => type.endsWith('/fulfilled')).length;
  const settled = fulfilled();
  const end = async () => {
    for (const tab of [leader, follower]) await tab.kill();
  };
  return { ...two, told, goOn, list, isStale, heard: () => fulfilled() - settled, end };
}

function busyTab() {
  const tab = busy(1);
  return { told: () => tab.told.filter(({ type }) => type === 'done'), goOn: tab.goOn };
}

describe('a tab that is busy while another one writes, and is answered', () => {
  it('shows what was created and edited, and asks for nothing', async () => {
    const { leader, server, told, goOn, list, isStale, heard, follower, end } = await openBusy();

    await leader.store.dispatch(getList.push({ title: 'New' }));
    await leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Edited' }));
    await until(() => told().length === 2);
    const calls = server.calls.length;
    goOn();
    await until(() => heard() === 2);
    await turns();

    expect(list()).toEqual(['Edited', 'Write', 'New']);
    expect(isStale()).toBe(false);
    expect(server.calls.length).toBe(calls);
    expect(follower.state().entries).toEqual([]);
    expect(follower.actions.filter(({ meta }) => (meta as { remote?: true } | undefined)?.remote)).toHaveLength(2);
    await end();
  });

  it('shows what was created by a form with a file', async () => {
    const { leader, told, goOn, list, end } = await openBusy();
    const form = new FormData();
    form.set('title', 'With a picture');
    form.set('photo', new File(['…'], 'a.jpg'));

    await leader.store.dispatch(getList.push(form as never));
    await until(() => told().length === 1);
    goOn();
    await until(() => list()?.length === 3);

    expect(list()).toEqual(['Read', 'Write', 'With a picture']);
    await end();
  });

  it('hears of it once, also where it is told twice, or by a tab of an older version that does not say what was done', async () => {
    const { leader, told, goOn, heard, end } = await openBusy();

    await leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Edited' }));
    await until(() => told().length === 1);
    const [done] = told();
    goOn();
    await until(() => heard() === 1);
    hear(1, done);
    hear(1, { type: 'done', id: 'unheard of', revision: 0, result: { response: null, isOpaque: false, isJson: true } });
    await turns();

    expect(heard()).toBe(1);
    await end();
  });

  it('sends nothing of it', async () => {
    const { leader, follower, server, told, goOn, heard, end } = await openBusy();

    await leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => told().length === 1);
    goOn();
    await until(() => heard() === 1);
    await leader.kill();
    follower.line.setOnline(false);
    follower.line.setOnline(true);
    await untilSent(follower);
    await turns();

    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'Once']);
    await end();
  });
});
