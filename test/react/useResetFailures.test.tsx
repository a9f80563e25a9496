import { fireEvent, screen } from '@testing-library/react';
import { Suspense, type ReactNode } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useResetFailures, useResource, useSuspense } from 'rtk-resource/react';
import { expect, it } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const { get, getList } = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  // Long enough for a test to be sure.
  errorExpiryLength: 600_000,
});
const reply = (id: number) => ({ json: { id, title: `todo ${id}` } });

const Suspending = ({ id }: { readonly id: number }) => <p>{useSuspense(get, { id }).title}</p>;
const Showing = ({ id }: { readonly id: number }) => {
  const { data, error } = useResource(get, { id });
  return <p>{data?.title ?? error?.message ?? 'Loading'}</p>;
};

/** A boundary whose button lets what has failed be asked for at once. */
function Recovering({ children }: { readonly children: ReactNode }) {
  const tryAgain = useResetFailures();

  return (
    <Boundary onRetry={tryAgain}>
      <Suspense fallback={<p>Waiting</p>}>{children}</Suspense>
    </Boundary>
  );
}

const clickRetry = () => fireEvent.click(screen.getByRole('button'));

it('lets a boundary try again at once', async () => {
  const { show, answer, doing } = setupScreen(server);
  expectWarning(/500/);
  await show(
    <Recovering>
      <Suspending id={1} />
    </Recovering>,
  );
  await answer('GET /todos/1', { status: 500 });
  expect(screenText()).toContain('Failed');

  await doing(clickRetry);
  await answer('GET /todos/1', reply(1));

  expect(screenText()).toBe('todo 1');
  expect(server.received).toHaveLength(2);
});

it('fails again for the same reason, and can be tried again', async () => {
  const { show, answer, doing } = setupScreen(server);
  expectWarning(/500/);
  expectWarning(/503/);
  await show(
    <Recovering>
      <Suspending id={1} />
    </Recovering>,
  );
  await answer('GET /todos/1', { status: 500 });

  await doing(clickRetry);
  await answer('GET /todos/1', { status: 503 });

  expect(screenText()).toContain('503');

  await doing(clickRetry);
  await answer('GET /todos/1', reply(1));

  expect(screenText()).toBe('todo 1');
});

it('lets a component be tried again that throws the error of useResource', async () => {
  const { show, answer, doing } = setupScreen(server);
  expectWarning(/500/);
  expectWarning(/503/);
  const texts: string[] = [];
  const Throwing = () => {
    const { data, isError, error } = useResource(get, { id: 1 });
    if (isError) throw new Error(error.message);

    return <p>{data?.title ?? 'Loading'}</p>;
  };
  await show(
    <Recovering>
      <Throwing />
      <Throwing />
    </Recovering>,
  );

  for (const status of [500, 503]) {
    await answer('GET /todos/1', { status });
    texts.push(screenText());
    await doing(clickRetry);
    texts.push(screenText());
  }
  await answer('GET /todos/1', reply(1));

  expect(texts).toEqual([
    expect.stringContaining('500'),
    'LoadingLoading',
    expect.stringContaining('503'),
    'LoadingLoading',
  ]);
  expect(screenText()).toBe('todo 1todo 1');
  expect(server.received).toHaveLength(3);
});

it('shows the older data meanwhile, where a refetch had failed', async () => {
  const { show, answer, doing, store } = setupScreen(server);
  const Standing = () => {
    const { data, isSuccess, isError, isFetching } = useResource(get({ id: 1 }), { refetchOnMount: 'always' });

    return (
      <p>{[data?.title, isSuccess && 'fine', isError && 'failed', isFetching && '…'].filter(Boolean).join(' ')}</p>
    );
  };
  const Page = ({ is }: { readonly is: boolean }) => {
    const tryAgain = useResetFailures();

    return is ? <Standing /> : <button onClick={tryAgain}>Again</button>;
  };
  const { rerender } = await show(<Page is />);
  await answer('GET /todos/1', reply(1));
  await doing(() => void store.dispatch(get({ id: 1 })));
  await answer('GET /todos/1', { status: 500 });
  expect(screenText()).toBe('todo 1 failed');
  rerender(<Page is={false} />);
  await doing(clickRetry);

  rerender(<Page is />);

  expect(screenText()).toBe('todo 1 fine …');

  await answer('GET /todos/1', reply(1));

  expect(screenText()).toBe('todo 1 fine');
});

it('fetches nothing by itself: what nobody asks for again stays as it is', async () => {
  const { show, answer, doing } = setupScreen(server);
  const Reset = () => <button onClick={useResetFailures()}>Reset</button>;
  await show(
    <>
      <Showing id={1} />
      <Reset />
    </>,
  );
  await answer('GET /todos/1', { status: 500 });

  await doing(clickRetry);

  expect(screenText()).toContain('500');
  expect(server.received).toHaveLength(1);
});

it('lets what has failed be asked for, also where a list has brought it since', async () => {
  const { show, store, answer, doing } = setupScreen(server);
  const Reset = () => <button onClick={useResetFailures()}>Reset</button>;
  server.answer('GET /todos', { json: [reply(1).json] });
  const { rerender } = await show(<Reset />);
  await doing(() => void store.dispatch(get({ id: 1 })));
  await answer('GET /todos/1', { status: 500 });
  await doing(() => store.dispatch(getList()));
  await doing(clickRetry);

  rerender(<Showing id={1} />);
  await answer('GET /todos/1', { json: { id: 1, title: 'anew' } });

  expect(screenText()).toBe('anew');
});

it('keeps what fails afterwards from being asked for at once', async () => {
  const { show, store, doing } = setupScreen(server);
  const Reset = () => <button onClick={useResetFailures()}>Reset</button>;
  const { rerender } = await show(<Reset />);
  await doing(clickRetry);
  server.answer('GET /todos/1', { status: 500 });
  await doing(() => store.dispatch(get({ id: 1 })));

  rerender(<Showing id={1} />);

  expect(screenText()).toContain('500');
  expect(server.received).toHaveLength(1);
});

it('is the same function in every render', async () => {
  const { show } = setupScreen(server);
  const functions = new Set<unknown>();
  const Reset = () => {
    functions.add(useResetFailures());
    return null;
  };
  const { rerender } = await show(<Reset />);

  rerender(<Reset />);

  expect(functions.size).toBe(1);
});

it('is not needed after a reset of the store: what has failed before it is asked for anew', async () => {
  const { show, answer, doing, store, resources } = setupScreen(server);
  expectWarning(/401/);
  await show(
    <Boundary>
      <Suspense fallback={<p>Waiting</p>}>
        <Suspending id={9} />
      </Suspense>
    </Boundary>,
  );
  await answer('GET /todos/9', { status: 401 });

  await doing(() => {
    store.dispatch(resources.reset());
  });
  await doing(clickRetry);
  await answer('GET /todos/9', reply(9));

  expect(screenText()).toBe('todo 9');
});
