import { SHOULD_AUTOBATCH } from '@reduxjs/toolkit';
import { StrictMode, Suspense, useMemo, useState, type ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { createResource, Entity } from 'rtk-resource';
import { useResource, useSuspense } from 'rtk-resource/react';
import { expect, it } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  note = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

it('a page that comes with its state hydrates it as the guide shows, and fetches and warns of nothing', async () => {
  const elsewhere = setup();
  server.answer('GET /todos/1', { json: { id: 1, title: 'one', note: 'whole' } });
  server.answer('GET /todos', { json: [{ id: 1, title: 'one' }] });
  await elsewhere.store.dispatch(Todos.get({ id: 1 }));
  const slice = JSON.parse(JSON.stringify(elsewhere.slice())) as ReturnType<typeof elsewhere.slice>;
  const { resources, show, doing } = setupScreen(server);
  const seen: unknown[] = [];
  function Hydrate({ children }: { readonly children: ReactNode }) {
    const dispatch = useDispatch();
    useMemo(() => dispatch({ ...resources.hydrate(slice), meta: { [SHOULD_AUTOBATCH]: true } }), [dispatch]);
    return children;
  }
  const List = () => useResource(Todos.getList).data?.map(({ title, note }) => `${title} ${note};`);
  function One() {
    const { data, isLoading } = useResource(Todos.get, { id: 1 });
    seen.push(isLoading ? 'loading' : data?.note);
    return useSuspense(Todos.get, { id: 1 }).note;
  }
  let open: (isOpen: boolean) => void;
  function App() {
    const [isOpen, setOpen] = useState(false);
    open = setOpen;
    return (
      <Suspense fallback="…">
        <List />
        {isOpen && (
          <Hydrate>
            <One />
          </Hydrate>
        )}
      </Suspense>
    );
  }
  await show(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  await expect.poll(screenText).toBe('one ;');
  server.forget();

  await doing(() => {
    open(true);
  });

  await expect.poll(screenText).toBe('one whole;whole');
  expect(new Set(seen)).toEqual(new Set(['whole']));
  expect(server.received).toEqual([]);
});
