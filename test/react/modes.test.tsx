import { fireEvent, screen } from '@testing-library/react';
import {
  Activity,
  StrictMode,
  Suspense,
  use,
  useDeferredValue,
  useLayoutEffect,
  useState,
  useTransition,
  type ReactElement,
} from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useInfiniteResource, useResource, useSuspense } from 'rtk-resource/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { typesOf } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const TodoResource = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  paginationField: 'page',
});
const { get, getList } = TodoResource;
const todo = (id: number, title = `todo ${id}`): object => ({ id, title });

const Shown = ({ id }: { readonly id: number }) => <p>{useResource(get, { id }).data?.title ?? 'Loading'}</p>;
const Waiting = ({ id }: { readonly id: number }) => <p>{useSuspense(get, { id }).title}</p>;
const waiting = (element: ReactElement) => <Suspense fallback={<i>Waiting</i>}>{element}</Suspense>;

describe('a hidden Activity', () => {
  const page = (mode: 'hidden' | 'visible', One: typeof Shown) => (
    <Activity mode={mode}>{waiting(<One id={1} />)}</Activity>
  );

  it.each([
    ['useResource', Shown],
    ['useSuspense', Waiting],
  ])('is not subscribed by %s: it polls no more, and catches up when it is shown again', async (_, One) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing, store, resources } = setupScreen(server, { pollFrequency: 5_000 });
    const { rerender } = await show(page('visible', One));
    await answer('GET /todos/1', { json: todo(1, 'at 0') });
    expect(screenText()).toBe('at 0');

    await doing(() => {
      rerender(page('hidden', One));
    });
    await doing(() => vi.advanceTimersByTime(20_000));
    expect(server.received).toHaveLength(1);

    store.dispatch(resources.expireAll(get));
    await doing(() => {
      rerender(page('visible', One));
    });
    await answer('GET /todos/1', { json: todo(1, 'at 20') });

    expect(screenText()).toBe('at 20');
  });

  it.each(['while it loads', 'for longer than unused data is kept'])(
    'that was so %s is loading from the first moment on in which it is shown again',
    async (when) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
      const { show, answer, doing } = setupScreen(server);
      const shown: string[] = [];
      const Telling = () => {
        const { data, isLoading } = useResource(get, { id: 1 });
        const text = isLoading ? 'Loading' : (data?.title ?? 'There is none');
        useLayoutEffect(() => {
          shown.push(text);
        });

        return <p>{text}</p>;
      };
      const { rerender } = await show(page('visible', Telling));
      if (when === 'while it loads') await server.holding('GET /todos/1');
      else await answer('GET /todos/1', { json: todo(1) });
      await doing(() => {
        rerender(page('hidden', Telling));
      });
      if (when === 'while it loads') await server.hungUp('GET /todos/1');
      await doing(() => vi.advanceTimersByTime(61_000));
      shown.length = 0;

      await doing(() => {
        rerender(page('visible', Telling));
      });

      expect(new Set(shown)).toEqual(new Set(['Loading']));

      await answer('GET /todos/1', { json: todo(1, 'again') });

      expect(screenText()).toBe('again');
    },
  );

  it('that waits by useSuspense has its data when it is shown for the first time, by one fetch', async () => {
    const { show, answer, doing } = setupScreen(server);
    const { rerender } = await show(page('hidden', Waiting));
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => {
      rerender(page('visible', Waiting));
    });

    expect(screenText()).toBe('todo 1');
    expect(server.received).toHaveLength(1);
  });

  it('that was never shown fetches nothing by useResource', async () => {
    const { show, actions } = setupScreen(server);

    await show(page('hidden', Shown));

    expect(actions).toEqual([]);
  });
});

describe('a transition', () => {
  it('to other arguments shows what was there, and says that it is under way', async () => {
    const { show, answer, doing } = setupScreen(server);
    const Page = () => {
      const [id, setId] = useState(1);
      const [isPending, start] = useTransition();

      return (
        <button
          onClick={() => {
            start(() => {
              setId(2);
            });
          }}
        >
          {isPending && 'pending '}
          {waiting(<Waiting id={id} />)}
        </button>
      );
    };
    await show(<Page />);
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => fireEvent.click(screen.getByRole('button')));
    expect(screenText()).toBe('pending todo 1');
    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
  });

  it('follows what is edited meanwhile, and goes on', async () => {
    const { show, answer, doing, store, resources } = setupScreen(server);
    const Page = () => {
      const [id, setId] = useState(1);
      const [isPending, startTransition] = useTransition();
      const next = (): void => {
        startTransition(() => {
          setId(2);
        });
      };

      return (
        <button onClick={next}>
          {isPending && 'pending '}
          {waiting(<Waiting id={id} />)}
        </button>
      );
    };
    await show(
      <StrictMode>
        <Page />
      </StrictMode>,
    );
    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => fireEvent.click(screen.getByRole('button')));
    await server.holding('GET /todos/2');

    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'edited' }));
    });
    expect(screenText()).toBe('pending edited');
    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
    expect(server.received).toHaveLength(2);
  });

  it('by a deferred value does the same', async () => {
    const { show, answer } = setupScreen(server);
    const Page = ({ id }: { readonly id: number }) => waiting(<Waiting id={useDeferredValue(id)} />);
    const { rerender } = await show(<Page id={1} />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<Page id={2} />);
    expect(screenText()).toBe('todo 1');
    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
  });
});

describe('use', () => {
  it('waits for a request that an event has begun', async () => {
    const { show, answer, doing, store } = setupScreen(server);
    const Title = ({ of }: { readonly of: Promise<Todo> }) => <p>{use(of).title}</p>;
    const Page = () => {
      const [promise, setPromise] = useState<Promise<Todo>>();
      const load = (): void => {
        setPromise(store.dispatch(get({ id: 1 })).unwrap());
      };

      return (
        <>
          <button onClick={load} />
          {promise && waiting(<Title of={promise} />)}
        </>
      );
    };
    await show(<Page />);

    await doing(() => fireEvent.click(screen.getByRole('button')));
    expect(screenText()).toBe('Waiting');
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });

  it('beside a hook in one component goes on from where that was', async () => {
    const { show, answer, doing } = setupScreen(server);
    let resolve: (text: string) => void = () => undefined;
    const text = new Promise<string>((done) => (resolve = done));
    const Both = () => {
      const { data } = useResource(get, { id: 1 });

      return (
        <p>
          {data?.title ?? 'Loading'} {use(text)}
        </p>
      );
    };
    await show(waiting(<Both />));
    await doing(() => {
      resolve('and more');
    });
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1 and more');
  });
});

describe('StrictMode', () => {
  it('lets a list be read page by page, with one fetch for each', async () => {
    const { show, answer, doing, actions } = setupScreen(server);
    const List = () => {
      const { data, fetchNextPage } = useInfiniteResource(getList);

      return <button onClick={() => void fetchNextPage()}>{data?.map(({ id }) => id).join(' ')}</button>;
    };
    await show(
      <StrictMode>
        <List />
      </StrictMode>,
    );
    await answer('GET /todos', { json: [todo(1)] });
    await doing(() => fireEvent.click(screen.getByRole('button')));
    await answer('GET /todos?page=2', { json: [todo(2)] });

    expect(screenText()).toBe('1 2');
    expect(typesOf(actions)).toHaveLength(4);
  });

  it('keeps what was shown before other arguments', async () => {
    const { show, answer } = setupScreen(server);
    const One = ({ id }: { readonly id: number }) => (
      <p>{useResource(get({ id }), { keepPreviousData: true }).data?.title ?? 'Loading'}</p>
    );
    const strict = (id: number) => (
      <StrictMode>
        <One id={id} />
      </StrictMode>
    );
    const { rerender } = await show(strict(1));
    await answer('GET /todos/1', { json: todo(1) });

    rerender(strict(2));
    expect(screenText()).toBe('todo 1');
    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
  });
});
