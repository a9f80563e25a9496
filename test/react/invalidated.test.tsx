import { Suspense, type ReactNode } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useResource, useSuspense } from 'rtk-resource/react';
import { describe, expect, it } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile, type Reply } from '../support/server.js';
import { typesOf } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const searchParams: { readonly page?: number } = {};
const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, searchParams });
const { getList } = Todos;

const Titles = () => <p>{useSuspense(getList).map(({ title }) => title)}</p>;
const Count = () => <b>{useResource(getList).data?.length ?? '?'}</b>;

it.each([
  ['read by another component, too', true, 1],
  ['read by it alone', false, 1],
  ['read by it alone, and invalidated twice', false, 2],
])('a list that is invalidated while useSuspense waits for it is waited for anew: %s', async (_how, isRead, times) => {
  const { show, doing, store, resources } = setupScreen(server);
  await show(
    <>
      {isRead && <Count />}
      <Suspense fallback="…">
        <Titles />
      </Suspense>
    </>,
  );
  for (let i = 0; i < times; i++) {
    await server.holding('GET /todos');
    await doing(() => store.dispatch(resources.invalidate(getList)));
    await doing(() => server.release('GET /todos', { json: [{ id: 1, title: `old ${i}` }] }));
  }
  await server.holding('GET /todos');
  await doing(() => server.release('GET /todos', { json: [{ id: 1, title: 'new' }] }));

  await expect.poll(screenText).toBe(isRead ? '1new' : 'new');
});

describe('a page that useSuspense waits for', () => {
  const Page = () => <p>{useSuspense(getList, { page: 2 }).map(({ title }) => title)}</p>;
  const One = () => <b>{useSuspense(Todos.get, { id: 1 }).title}</b>;
  const PAGE = 'GET /todos?page=2';
  const says = (title: string): Reply => ({ json: [{ id: 3, title }] });
  type Tools = ReturnType<typeof setupScreen>;
  const asked = ({ actions }: Tools) => typesOf(actions).filter((type) => type === 'Todo/getList/pending').length;

  const expire = ({ store, resources }: Tools) => store.dispatch(resources.expireAll(getList));

  async function waiting(children: ReactNode) {
    const tools = setupScreen(server);
    await tools.show(<Suspense fallback="…">{children}</Suspense>);
    await server.holding(PAGE);
    // Whatever is asked for from now on.
    server.answer(PAGE, says('new'));
    return tools;
  }

  it.each<[string, (tools: Tools) => unknown]>([
    ['expireAll, as when a socket connects again', expire],
    [
      'a deletion, which shifts all pages',
      ({ store }) => {
        server.answer('DELETE /todos/1', { status: 204 });
        return store.dispatch(Todos.delete({ id: 1 }));
      },
    ],
    [
      'a create, after which the user goes to the list at once',
      ({ store }) => {
        server.answer('POST /todos', { status: 201, json: { id: 9, title: 'created' } });
        return store.dispatch(getList.push({ title: 'created' }));
      },
    ],
  ])('is fetched again when it is shown, if it was made stale meanwhile: %s', async (_, change) => {
    const tools = await waiting(<Page />);
    await tools.doing(() => change(tools));

    await tools.answer(PAGE, says('old'));

    await expect.poll(screenText).toBe('new');
    expect(asked(tools)).toBe(2);
  });

  it.each([
    [
      'is fetched again when it is shown, if it was made stale while another of the same boundary came',
      true,
      'newone',
      2,
    ],
    [
      'is not fetched again when it is shown after another of the same boundary, if nothing has made it stale',
      false,
      'oldone',
      1,
    ],
  ])('%s', async (_, isMadeStale, text, times) => {
    const tools = await waiting(
      <>
        <Page />
        <One />
      </>,
    );
    await tools.answer(PAGE, says('old'));
    if (isMadeStale) await tools.doing(() => expire(tools));

    await tools.answer('GET /todos/1', { json: { id: 1, title: 'one' } });

    await expect.poll(screenText).toBe(text);
    expect(asked(tools)).toBe(times);
  });
});
