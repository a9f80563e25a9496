import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { configureStore } from '@reduxjs/toolkit';
import { Suspense, type ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Provider } from 'react-redux';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { useInfiniteResource, useMutation, useResource, useSuspense } from 'rtk-resource/react';
import { describe, expect, it } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const TodoResource = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  paginationField: 'page',
});
const todo = (id: number, title = `todo ${id}`): object => ({ id, title });

/** A store, as each request to a server has one. */
function makeStore() {
  const resources = configureResources();

  return configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });
}
/** What a server streams, and the state that it sends along, as text. */
async function stream(page: ReactElement, store = makeStore()) {
  const out = new PassThrough();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const { pipe } = renderToPipeableStream(<Provider store={store}>{page}</Provider>, { onError });
  pipe(out);
  const html = await text(out);
  expect(errors).toEqual([]);

  return { html, state: JSON.stringify(store.getState().resources) };
}

const Waiting = () => <p>{useSuspense(TodoResource.get, { id: 1 }).title}</p>;
const Shown = () => {
  const { data, isFetching } = useResource(TodoResource.get, { id: 1 });

  return <p>{`${data?.title ?? 'Loading'}${isFetching ? '…' : ''}`}</p>;
};
const List = () => {
  const { data, hasNextPage } = useInfiniteResource(TodoResource.getList);
  const [, { status }] = useMutation(TodoResource.getList.push, { fixedKey: 'new' });

  return <p>{`${data?.length ?? 0} ${hasNextPage ? 'and more' : 'and no more'} ${status}`}</p>;
};

describe('a page that begins with what a server has fetched', () => {
  it('fetches nothing for rows that read themselves: their data came with the list', async () => {
    const { store: before, resources } = setupScreen(server);
    before.dispatch(resources.setResponse(TodoResource.getList, undefined, [todo(1), todo(2)]));
    const { store, show } = setupScreen(server);
    store.dispatch(resources.hydrate(JSON.parse(JSON.stringify(before.getState().resources)) as ResourcesState));
    const Row = ({ id }: { readonly id: number }) => <li>{useResource(TodoResource.get, { id }).data?.title}</li>;
    const Rows = () => (
      <ul>
        {useResource(TodoResource.getList).data?.map(({ id }) => (
          <Row key={id} id={id} />
        ))}
      </ul>
    );

    await show(<Rows />);

    expect(screenText()).toBe('todo 1todo 2');
    expect(server.received).toEqual([]);
  });
});

// How a browser takes such a page over is tested in Chromium.
describe('a stream from a server', () => {
  it('holds what a component waits for, fetched once', async () => {
    server.answer('GET /todos/1', { json: todo(1) });

    const { html, state } = await stream(
      <Suspense fallback={<i>Waiting</i>}>
        <Waiting />
        <Waiting />
      </Suspense>,
    );

    expect(html.match(/<p>todo 1<\/p>/g)).toHaveLength(2);
    expect(state).toContain('todo 1');
    expect(server.received).toHaveLength(1);
  });

  it('holds what was fetched before', async () => {
    server.answer('GET /todos', { json: [todo(1), todo(2)] });
    const store = makeStore();
    await store.dispatch(TodoResource.getList());

    const { html } = await stream(
      <>
        <Shown />
        <List />
      </>,
      store,
    );

    expect(html).toBe('<p>todo 1</p><p>2 and more uninitialized</p>');
    expect(server.received).toHaveLength(1);
  });

  it('holds the beginning of what nobody waits for, and starts no fetch', async () => {
    const { html } = await stream(<Shown />);

    expect(html).toBe('<p>Loading…</p>');
    expect(server.received).toEqual([]);
  });

  it('is of one request: what another one has fetched is not in it', async () => {
    server.answer('GET /todos/1', { json: todo(1, 'of Ada') });
    const page = <Suspense>{<Waiting />}</Suspense>;
    await stream(page);
    server.answer('GET /todos/1', { json: todo(1, 'of Bob') });

    const { html, state } = await stream(page);

    expect(html).toContain('of Bob');
    expect(html + state).not.toContain('of Ada');
  });
});
