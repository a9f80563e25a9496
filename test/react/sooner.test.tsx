import { Suspense } from 'react';
import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { useSuspense } from 'rtk-resource/react';
import { describe, expect, it } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const { get, getList } = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const one = { id: 1, title: 'one' };

const Title = () => <p>{useSuspense(get, { id: 1 }).title}</p>;

describe('a component that useSuspense has wait for a slow answer', () => {
  async function setupWaiting() {
    const screen = setupScreen(server);
    await screen.show(
      <Suspense fallback="…">
        <Title />
      </Suspense>,
    );
    await server.holding('GET /todos/1');
    return screen;
  }

  it('is shown as soon as another answer brings the data', async () => {
    const { store, doing, answer } = await setupWaiting();
    await doing(() => void store.dispatch(getList()));
    await answer('GET /todos', { json: [one] });
    expect(screenText()).toBe('one');
    await answer('GET /todos/1', { json: one });
  });

  it('is shown as soon as a slice from elsewhere brings the data', async () => {
    const { store, resources, doing, answer } = await setupWaiting();
    const there = configureResources();
    const { getState, dispatch } = configureStore({
      reducer: { resources: there.reducer },
      middleware: (getDefault) => getDefault().concat(there.middleware),
    });
    dispatch(there.setResponse(get, { id: 1 }, one));

    await doing(() => store.dispatch(resources.hydrate(getState().resources)));

    expect(screenText()).toBe('one');
    await answer('GET /todos/1', { json: one });
  });
});
