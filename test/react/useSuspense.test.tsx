import { configureStore } from '@reduxjs/toolkit';
import { fireEvent, render, screen } from '@testing-library/react';
import { lazy, startTransition, StrictMode, Suspense, useState, type ReactElement } from 'react';
import { Provider } from 'react-redux';
import {
  configureResources,
  createResource,
  Entity,
  NetworkError,
  RestEndpoint,
  type ResourcesState,
} from 'rtk-resource';
import { skipToken, useResource, useSuspense } from 'rtk-resource/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

const todo = (id: number, title = `todo ${id}`): object => ({ id, title });

function One({ id, from = TodoResource.get }: { readonly id: number; readonly from?: typeof TodoResource.get }) {
  return <p>{useSuspense(from, { id }).title}</p>;
}

const waiting = (element: ReactElement) => <Suspense fallback={<p>Waiting</p>}>{element}</Suspense>;

/** Lets time go by for expiry, and for nothing else. */
function setupClock() {
  vi.useFakeTimers({ toFake: ['Date'] });

  return { later: (ms: number) => vi.setSystemTime(Date.now() + ms) };
}

describe('a component that needs data', () => {
  it('suspends until it is there, with one fetch', async () => {
    const { show, answer, actions } = setupScreen(server);
    await show(waiting(<One id={1} />));

    expect(screenText()).toBe('Waiting');

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it.each([false, true])('fetches once what is stale at once, too (strict mode: %s)', async (isStrict) => {
    const { show, answer, doing } = setupScreen(server);
    const brief = TodoResource.get.extend({ dataExpiryLength: 0 });
    const Brief = () => <p>{useSuspense(brief, { id: 1 }).title}</p>;
    await show(isStrict ? <StrictMode>{waiting(<Brief />)}</StrictMode> : waiting(<Brief />));

    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => new Promise(setImmediate));

    expect(screenText()).toBe('todo 1');
    expect(server.received).toHaveLength(1);
  });

  it('is fetched for once, however long it takes until what is shown with it is there', async () => {
    const { later } = setupClock();
    const { show, answer, doing, actions } = setupScreen(server, { dataExpiryLength: 0 });
    let come = (): void => undefined;
    const slow = new Promise<{ default: () => ReactElement }>((resolve) => {
      come = () => {
        resolve({ default: () => <b>slow</b> });
      };
    });
    const Slow = lazy(() => slow);
    await show(
      waiting(
        <>
          <One id={1} />
          <Slow />
        </>,
      ),
    );
    await answer('GET /todos/1', { json: todo(1) });
    expect(screenText()).toBe('Waiting');
    later(5_000);

    await doing(come);

    expect(screenText()).toBe('todo 1slow');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('that waits for one thing after another is shown, though each takes long and nothing unused is kept', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing } = setupScreen(server, { unusedDataExpiryLength: 0 });
    const Two = () => {
      const one = useSuspense(TodoResource.get, { id: 1 });
      const two = useSuspense(TodoResource.get, { id: 2 });

      return <p>{`${one.title}, ${two.title}`}</p>;
    };
    await show(waiting(<Two />));

    for (const id of [1, 2]) {
      await server.holding(`GET /todos/${id}`);
      await doing(() => vi.advanceTimersByTime(5_000));
      await answer(`GET /todos/${id}`, { json: todo(id) });
    }

    expect(screenText()).toBe('todo 1, todo 2');
    expect(server.received).toHaveLength(2);
  });

  it('does not suspend for data that is there', async () => {
    const { resources, store, show, actions } = setupScreen(server);
    store.dispatch(resources.setResponse(TodoResource.get, { id: 1 }, todo(1)));
    actions.length = 0;
    const Fallback = vi.fn(() => null);

    await show(
      <Suspense fallback={<Fallback />}>
        <One id={1} />
      </Suspense>,
    );

    expect(screenText()).toBe('todo 1');
    expect(Fallback).not.toHaveBeenCalled();
    expect(actions).toEqual([]);
  });

  it('joins a fetch that is in flight', async () => {
    const { store, show, answer, actions } = setupScreen(server);
    void store.dispatch(TodoResource.get({ id: 1 }));

    await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('shares its fetch with the others that need the same', async () => {
    const { show, answer, actions } = setupScreen(server);
    await show(
      waiting(
        <>
          <One id={1} />
          <One id={1} />
        </>,
      ),
    );
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1todo 1');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('dispatches nothing while it renders', async () => {
    const { show, answer, actions } = setupScreen(server);
    const dispatched: number[] = [];
    const Watched = () => {
      const before = actions.length;
      try {
        return <p>{useSuspense(TodoResource.get, { id: 1 }).title}</p>;
      } finally {
        dispatched.push(actions.length - before);
      }
    };

    await show(waiting(<Watched />));
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(actions).toHaveLength(2);
    expect(dispatched.filter((number) => number > 0)).toEqual([]);
  });

  it('mounts twice in StrictMode, and fetches once', async () => {
    const { show, answer, actions } = setupScreen(server);
    await show(<StrictMode>{waiting(<One id={1} />)}</StrictMode>);
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('suspends again for other arguments, and shows nothing of the old ones', async () => {
    const { show, answer } = setupScreen(server);
    const { rerender } = await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1) });

    rerender(waiting(<One id={2} />));

    expect(screen.getByText('Waiting')).toBeTruthy();
    expect(screen.queryByText('todo 2')).toBeNull();

    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
  });

  it('shows the old data during a transition to other arguments', async () => {
    const { show, answer, doing } = setupScreen(server);
    const Page = () => {
      const [id, setId] = useState(1);
      const next = (): void => {
        startTransition(() => {
          setId(id + 1);
        });
      };

      return (
        <>
          {waiting(<One id={id} />)}
          <button onClick={next} />
        </>
      );
    };
    await show(<Page />);
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => fireEvent.click(screen.getByRole('button')));

    expect(screenText()).toBe('todo 1');

    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
  });

  it('is subscribed while it is shown, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing } = setupScreen(server);
    const from = TodoResource.get.extend({ pollFrequency: 5_000 });
    const { unmount } = await show(waiting(<One id={1} from={from} />));
    await answer('GET /todos/1', { json: todo(1, 'at 0') });

    await doing(() => vi.advanceTimersByTime(5_000));

    expect(screenText()).toBe('at 0');

    await answer('GET /todos/1', { json: todo(1, 'at 5') });

    expect(screenText()).toBe('at 5');

    unmount();
    await doing(() => vi.advanceTimersByTime(60_000));

    expect(vi.getTimerCount()).toBe(0);
    expect(server.received).toHaveLength(2);
  });

  it('suspends while invalidated data is fetched again', async () => {
    const { resources, store, show, answer, doing } = setupScreen(server);
    await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1, 'old') });

    await doing(() => store.dispatch(resources.invalidate(TodoResource.get, { id: 1 })));

    expect(screen.getByText('Waiting')).toBeTruthy();

    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(screenText()).toBe('new');
    expect(server.received).toHaveLength(2);
  });

  it('keeps what it shows when it cannot be fetched again', async () => {
    const { store, show, answer, doing } = setupScreen(server);
    await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => {
      void store.dispatch(TodoResource.get({ id: 1 }));
    });
    await answer('GET /todos/1', { status: 500 });

    expect(screenText()).toBe('todo 1');
  });

  it('asks anew when the store is reset while it waits', async () => {
    const { resources, store, show, answer, doing } = setupScreen(server);
    await show(<Boundary>{waiting(<One id={1} />)}</Boundary>);
    await server.holding('GET /todos/1');

    await doing(() => {
      store.dispatch(resources.reset());
    });
    await server.hungUp('GET /todos/1');

    expect(screenText()).toBe('Waiting');

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });
});

describe('what a component may skip', () => {
  it('is undefined, without a fetch and without waiting', async () => {
    const { show, actions } = setupScreen(server);
    const Skipping = () => (
      <p>
        {useSuspense(TodoResource.get, skipToken)?.title ?? 'undefined'} {String(useSuspense(skipToken))}{' '}
        {useSuspense(TodoResource.get({ id: undefined as never }), { skip: true })?.title ?? 'undefined'}
      </p>
    );

    await show(waiting(<Skipping />));

    expect(screenText()).toBe('undefined undefined undefined');
    expect(actions).toEqual([]);
  });

  it('is waited for once it is there', async () => {
    const { show, answer } = setupScreen(server);
    const Maybe = ({ id }: { readonly id?: number }) => (
      <p>{useSuspense(TodoResource.get, id === undefined ? skipToken : { id })?.title ?? 'none'}</p>
    );
    const { rerender } = await show(waiting(<Maybe />));
    expect(screenText()).toBe('none');

    rerender(waiting(<Maybe id={1} />));
    expect(screen.getByText('Waiting')).toBeTruthy();
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });
});

describe('a request with options', () => {
  it('is waited for, and gives what select makes of it', async () => {
    const { show, answer } = setupScreen(server);
    const Title = () => (
      <p>{useSuspense(TodoResource.get({ id: 1 }), { select: ({ title }) => title.toUpperCase() })}</p>
    );
    await show(waiting(<Title />));

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('TODO 1');
  });

  it('polls as often as it says', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing } = setupScreen(server);
    const Title = () => <p>{useSuspense(TodoResource.get({ id: 1 }), { pollFrequency: 5_000 }).title}</p>;
    await show(waiting(<Title />));
    await answer('GET /todos/1', { json: todo(1, 'at 0') });

    await doing(() => vi.advanceTimersByTime(5_000));
    await answer('GET /todos/1', { json: todo(1, 'at 5') });

    expect(screenText()).toBe('at 5');
  });

  it('that changes something on the server is refused with R23, and never sent', async () => {
    const { show } = setupScreen(server);
    const errors: unknown[] = [];
    const Wrong = () => <p>{String(useSuspense(TodoResource.delete as never, { id: 1 } as never))}</p>;
    expectWarning(/R23/);

    await show(<Boundary onError={(error) => errors.push(error)}>{waiting(<Wrong />)}</Boundary>);

    expect(errors).toMatchObject([{ code: 'R23' }]);
    expect(server.received).toEqual([]);
  });
});

describe('a component that has its data renders', () => {
  /** Shows a todo that is there, and tells what it rendered since. */
  async function setupShown(select?: (todo: Todo) => unknown) {
    const tools = setupScreen(server);
    const renders: unknown[] = [];
    const Shown = () => {
      renders.push(useSuspense(TodoResource.get({ id: 1 }), { select }));

      return null;
    };
    tools.store.dispatch(tools.resources.setResponse(TodoResource.get, { id: 1 }, todo(1)));
    await tools.show(waiting(<Shown />));

    return { ...tools, since: () => renders.slice(1) };
  }

  it('not for a refetch that brings nothing', async () => {
    const { store, doing, answer, since } = await setupShown();

    await doing(() => void store.dispatch(TodoResource.get({ id: 1 })));
    await answer('GET /todos/1', { json: todo(1) });

    expect(since()).toEqual([]);
  });

  it('once for an optimistic edit that is confirmed', async () => {
    const { store, doing, answer, since } = await setupShown();

    await doing(() => void store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'new' })));
    await answer('PATCH /todos/1', { json: todo(1, 'new') });

    expect(since()).toMatchObject([{ title: 'new' }]);
  });

  it('not for what it does not select', async () => {
    const { store, resources, doing, since } = await setupShown(({ id }) => id);

    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'new' }));
    });

    expect(since()).toEqual([]);
  });
});

describe('an item of which a list has brought a part', () => {
  class Article extends Entity {
    id = 0;
    title = '';
    content = '';
    static override key = 'Article';
  }
  const Articles = createResource({ urlPrefix: server.url, path: '/articles/:id', schema: Article });
  const summary = { id: 1, title: 'One' };
  const seen: string[] = [];
  function Detail() {
    const { title, content } = useSuspense(Articles.get, { id: 1 });
    seen.push(content);
    return (
      <p>
        {title}: {content}
      </p>
    );
  }
  const setupDetail = () => {
    seen.length = 0;
    const tools = setupScreen(server);
    tools.store.dispatch(tools.resources.setResponse(Articles.getList, undefined, [summary]));
    return tools;
  };

  it('is waited for, and never shown in part', async () => {
    const { show, answer } = setupDetail();
    await show(waiting(<Detail />));
    expect(screenText()).toBe('Waiting');

    await answer('GET /articles/1', { json: { ...summary, content: 'all' } });

    expect(screenText()).toBe('One: all');
    expect(new Set(seen)).toEqual(new Set(['all']));
    expect(server.received).toHaveLength(1);
  });

  it('is shown as the server gives it, though that leaves out the same for ever', async () => {
    const { show, answer } = setupDetail();
    await show(waiting(<Detail />));
    await answer('GET /articles/1', { json: summary });

    expect(screenText()).toBe('One: ');
    expect(server.received).toHaveLength(1);
  });

  it('is an error where the rest cannot be had', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { show, answer } = setupDetail();
    await show(<Boundary>{waiting(<Detail />)}</Boundary>);
    await answer('GET /articles/1', { status: 500 });

    expect(screenText()).toContain('Failed: ');
    expect(seen).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it('is shown at once by useResource, which says so, and fetched', async () => {
    const { show, answer } = setupDetail();
    const renders: string[] = [];
    function Shown() {
      const { data, isPartial, isLoading, isFetching } = useResource(Articles.get, { id: 1 });
      renders.push(`${data?.title}:${data?.content} ${[isPartial, isLoading, isFetching].join(' ')}`);
      return null;
    }
    await show(<Shown />);
    await answer('GET /articles/1', { json: { ...summary, content: 'all' } });

    expect(renders).toEqual(['One: true false true', 'One:all false false false']);
    expect(server.received).toHaveLength(1);
  });
});

describe('an answer without data', () => {
  it('is given as undefined, and asked for once', async () => {
    const { show, answer } = setupScreen(server);
    const Status = new RestEndpoint({ urlPrefix: server.url, path: '/status', name: 'status' });
    const Shown = () => <p>{String(useSuspense(Status))}</p>;
    const { rerender } = await show(waiting(<Shown />));

    await answer('GET /status', { status: 204 });
    rerender(waiting(<Shown />));

    expect(screenText()).toBe('undefined');
    expect(server.received).toHaveLength(1);
  });
});

describe('an answer that is no JSON', () => {
  it('is not there for hooks, which development says', async () => {
    const Readme = new RestEndpoint({ urlPrefix: server.url, path: '/readme', content: 'text' });
    server.answer('GET /readme', { text: 'Hello' });
    const { store, show } = setupScreen(server);
    await store.dispatch(Readme());
    expectWarning(/GET \/readme has the content "text", and only JSON enters the state/);
    const Text = () => <p>{String(useResource(Readme).data)}</p>;

    await show(<Text />);

    expect(screenText()).toBe('undefined');
  });
});

describe('an item that is being deleted', () => {
  it('is shown until that is done, and asked for then', async () => {
    expectWarning(/404/);
    const { store, show, answer, doing } = setupScreen(server);
    await show(<Boundary>{waiting(<One id={1} />)}</Boundary>);
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => {
      void store.dispatch(TodoResource.delete({ id: 1 }));
    });

    expect(screenText()).toBe('todo 1');
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'DELETE']);

    await answer('DELETE /todos/1', { status: 204 });

    expect(screenText()).toContain('Waiting');

    await answer('GET /todos/1', { status: 404 });

    expect(screenText()).toContain('404');
  });

  it('stays where that fails', async () => {
    const { store, show, answer, doing } = setupScreen(server);
    await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => {
      void store.dispatch(TodoResource.delete({ id: 1 }));
    });
    await answer('DELETE /todos/1', { status: 500 });

    expect(screenText()).toBe('todo 1');
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
  });

  it('is waited for by who begins to read it meanwhile', async () => {
    const { resources, store, show, answer, doing } = setupScreen(server);
    store.dispatch(resources.setResponse(TodoResource.get, { id: 1 }, todo(1)));
    await doing(() => {
      void store.dispatch(TodoResource.delete({ id: 1 }));
    });
    await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('Waiting');

    await answer('DELETE /todos/1', { status: 500 });

    expect(screenText()).toBe('todo 1');
  });

  it('and is deleted while it is first fetched is asked for again', async () => {
    expectWarning(/404/);
    const { resources, store, show, answer, doing } = setupScreen(server);
    await show(<Boundary>{waiting(<One id={1} />)}</Boundary>);
    await doing(() => {
      store.dispatch(resources.setResponse(TodoResource.delete, { id: 1 }, null));
    });
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('Waiting');

    await answer('GET /todos/1', { status: 404 });

    expect(screenText()).toContain('404');
  });
});

describe('an item that cannot be shown without another one, which is not there', () => {
  it('is undefined, and not asked for without end', async () => {
    class Author extends Entity {
      id = 0;
      static override key = 'Author';
    }
    class Article extends Entity {
      id = 0;
      author = new Author();
      static override key = 'LonelyArticle';
      static override schema = { author: Author };
    }
    const Articles = createResource({ urlPrefix: server.url, path: '/articles/:id', schema: Article });
    const { show, answer } = setupScreen(server);
    const Shown = () => <p>{(useSuspense(Articles.get, { id: 1 }) as Article | undefined)?.id ?? 'nothing'}</p>;
    await show(waiting(<Shown />));
    // Asked for, asked for anew, and once more by the component that is shown.
    for (let i = 0; i < 3; i++) await answer('GET /articles/1', { json: { id: 1, author: 7 } });

    expect(screenText()).toBe('nothing');
    expect(server.received).toHaveLength(3);
  });
});

describe('an error', () => {
  /** A todo whose first fetch has failed. */
  async function setupFailed({ onRetry, ...options }: { onRetry?: () => void; errorExpiryLength?: number } = {}) {
    const tools = setupScreen(server, options);
    const errors: unknown[] = [];
    expectWarning(/500/);
    const retried = { before: onRetry };
    const view = await tools.show(
      <Boundary onError={(error) => errors.push(error)} onRetry={() => retried.before?.()}>
        {waiting(<One id={1} />)}
      </Boundary>,
    );
    await tools.answer('GET /todos/1', { status: 500, json: { why: 'tired' } });

    return {
      ...tools,
      ...view,
      errors,
      retried,
      retry: () => tools.doing(() => fireEvent.click(screen.getByRole('button'))),
    };
  }

  it('is thrown to the nearest error boundary, as the original', async () => {
    const { errors } = await setupFailed();

    expect(screenText()).toContain('Failed: GET');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(NetworkError);
    expect(errors[0]).toMatchObject({ status: 500, data: { why: 'tired' } });
    expect(server.received).toHaveLength(1);
  });

  it('is tried again when the boundary is, once errorExpiryLength is over', async () => {
    const { later } = setupClock();
    const { retry, answer } = await setupFailed({ errorExpiryLength: 10_000 });

    later(10_000);
    await retry();

    expect(screenText()).toBe('Waiting');

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });

  it('of a page that a server has rendered is an Error, too, with what the server said', async () => {
    const before = setupScreen(server);
    server.answer('GET /todos/1', { status: 404, json: { message: 'gone' } });
    await before.store.dispatch(TodoResource.get({ id: 1 }));
    const { store, show, resources } = setupScreen(server);
    store.dispatch(resources.hydrate(JSON.parse(JSON.stringify(before.slice())) as ResourcesState));
    const errors: unknown[] = [];
    expectWarning(/404/);

    await show(<Boundary onError={(error) => errors.push(error)}>{waiting(<One id={1} />)}</Boundary>);

    expect(errors[0]).toBeInstanceOf(Error);
    expect(errors).toMatchObject([{ name: 'NetworkError', status: 404, data: { message: 'gone' } }]);
  });

  it('is shown again, and not tried again, until errorExpiryLength is over', async () => {
    const { later } = setupClock();
    const { retry, errors } = await setupFailed({ errorExpiryLength: 10_000 });
    expectWarning(/500/);

    later(9_000);
    await retry();

    expect(screenText()).toContain('Failed');
    expect(errors[1]).toBe(errors[0]);
    expect(server.received).toHaveLength(1);
  });

  it('is tried again at once by a boundary that dispatches the read', async () => {
    const { store, retried, retry, answer } = await setupFailed();
    retried.before = () => {
      void store.dispatch(TodoResource.get({ id: 1 }));
    };

    await retry();

    expect(screenText()).toBe('Waiting');

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });

  it('is tried again when the component comes back later', async () => {
    const { later } = setupClock();
    const { unmount, show, answer } = await setupFailed();
    unmount();
    later(60_000);

    await show(waiting(<One id={1} />));
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });

  it('is shown, and not tried again without end, where errorExpiryLength is 0', async () => {
    await setupFailed({ errorExpiryLength: 0 });

    expect(screenText()).toContain('Failed');
    expect(server.received).toHaveLength(1);
  });

  it('of another component that has failed lately is thrown without a fetch', async () => {
    const { store, show } = setupScreen(server);
    server.answer('GET /todos/1', { status: 500 });
    const failed = await store
      .dispatch(TodoResource.get({ id: 1 }))
      .unwrap()
      .catch((error: unknown) => error);
    const errors: unknown[] = [];
    expectWarning(/500/);

    await show(<Boundary onError={(error) => errors.push(error)}>{waiting(<One id={1} />)}</Boundary>);

    expect(errors).toEqual([failed]);
    expect(errors[0]).toBe(failed);
    expect(server.received).toHaveLength(1);
  });
});

describe('a store', () => {
  it('with another reducerPath is told of by R2', () => {
    const api = configureResources({ reducerPath: 'api' });
    const store = configureStore({
      reducer: { api: api.reducer },
      middleware: (getDefault) => getDefault().concat(api.middleware),
    });
    const errors: unknown[] = [];
    expectWarning(/R2/);

    render(
      <Provider store={store}>
        <Boundary onError={(error) => errors.push(error)}>{waiting(<One id={1} />)}</Boundary>
      </Provider>,
    );

    expect(errors).toMatchObject([{ code: 'R2' }]);
  });

  it('without the middleware is told of by R1', async () => {
    const { doing } = setupScreen(server);
    const resources = configureResources();
    const store = configureStore({ reducer: { resources: resources.reducer } });
    const errors: unknown[] = [];
    expectWarning(/R1/);

    await doing(() =>
      render(
        <Provider store={store}>
          <Boundary onError={(error) => errors.push(error)}>{waiting(<One id={1} />)}</Boundary>
        </Provider>,
      ),
    );

    expect(errors).toMatchObject([{ code: 'R1' }]);
  });
});
