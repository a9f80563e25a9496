import { Suspense } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useResource, useSuspense } from 'rtk-resource/react';
import { expect, it } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const { getList } = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

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
