import { fireEvent, screen } from '@testing-library/react';
import { Fragment, memo, startTransition, StrictMode, Suspense, use, useEffect, useState, type ReactNode } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { skipToken, useResource, type ResourceResult } from 'rtk-resource/react';
import { describe, expect, it, vi } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

const todo = (id: number, title = `todo ${id}`): object => ({ id, title });
const both = { json: [todo(1), todo(2)] };

type Result = ResourceResult<Todo[]>;

const titles = ({ data }: Result): string => data?.map(({ title }) => title).join(', ') ?? 'Nothing';
const firstLoad = ({ data, isLoading }: Result): string => (isLoading ? 'Loading' : `${data?.length ?? 0} todos`);
const fetching = ({ isFetching }: Result): string => (isFetching ? 'fetching' : 'idle');
const saving = ({ isOptimistic }: Result): string => (isOptimistic ? 'saving' : 'saved');
const failure = ({ error }: Result): string => String(error?.status ?? 'fine');
const rest = ({ refetch: _, ...others }: Result): string => `${fetching(others as Result)} ${saving(others as Result)}`;
const nothing = (_: Result): string => 'nothing';

/** A component that shows what `read` makes of a list of todos; `read` is called once in each of its renders. */
function setupReader(read: (result: Result) => ReactNode) {
  const tools = setupScreen(server);
  const reading = vi.fn(read);
  const Reader = () => <p>{reading(useResource(TodoResource.getList))}</p>;

  return {
    ...tools,
    Reader,
    /** What it showed, render by render. */
    shown: () => reading.mock.results.map(({ value }) => value as ReactNode),
    /** What it was given in its last render. */
    result: (): Result => reading.mock.lastCall?.[0] ?? expect.fail('Nothing was rendered.'),
    refetch: () => tools.doing(() => void tools.store.dispatch(TodoResource.getList())),
    edit: (title: string) =>
      tools.doing(() => void tools.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title }))),
  };
}

/** The same, with two todos on the screen; `since` tells what it showed after that. */
async function setupShown(read: (result: Result) => ReactNode, Mode: typeof StrictMode = Fragment) {
  const tools = setupReader(read);
  const { Reader, show, answer, shown } = tools;
  const page = () => (
    <Mode>
      <Reader />
    </Mode>
  );
  const { rerender } = await show(page());
  await answer('GET /todos', both);
  const before = shown().length;

  return {
    ...tools,
    since: () => shown().slice(before),
    renderAgain: () => {
      rerender(page());
    },
  };
}

describe('a first load renders', () => {
  it('a reader of data and isLoading twice: pending, data', async () => {
    const { Reader, show, answer, shown } = setupReader(firstLoad);

    await show(<Reader />);
    await answer('GET /todos', both);

    expect(shown()).toEqual(['Loading', '2 todos']);
  });

  it('a reader of isFetching twice', async () => {
    const { Reader, show, answer, shown } = setupReader(fetching);

    await show(<Reader />);
    await answer('GET /todos', both);

    expect(shown()).toEqual(['fetching', 'idle']);
  });

  it('who reads nothing of it once', async () => {
    const { Reader, show, answer, shown, result } = setupReader(nothing);

    await show(<Reader />);
    await answer('GET /todos', both);

    expect(shown()).toEqual(['nothing']);
    expect(titles(result())).toBe('todo 1, todo 2');
  });

  it('a reader of the error twice when it fails', async () => {
    const { Reader, show, answer, shown } = setupReader(failure);

    await show(<Reader />);
    await answer('GET /todos', { status: 418 });

    expect(shown()).toEqual(['fine', '418']);
  });
});

describe('an edit that is confirmed renders', () => {
  it.each([
    ['a reader of data once, when it is shown', titles, ['edited, todo 2']],
    ['a reader of isOptimistic twice', saving, ['saving', 'saved']],
    ['who takes all the rest twice', rest, ['idle saving', 'idle saved']],
    ['a reader of the error alone not at all', failure, []],
    ['who has read nothing yet not at all', nothing, []],
  ])('%s', async (_, read, renders) => {
    const { edit, answer, since, result } = await setupShown(read);

    await edit('edited');
    await answer('PATCH /todos/1', { json: todo(1, 'edited') });

    expect(since()).toEqual(renders);
    expect(titles(result())).toBe('edited, todo 2');
  });
});

describe('a refetch renders', () => {
  it.each([
    ['no reader of data alone, where it brings nothing', titles, both, []],
    ['no reader of the first load, where it brings nothing', firstLoad, both, []],
    ['who reads refetch alone not at all', ({ refetch }: Result) => typeof refetch, both, []],
    ['a reader of data once, where one row has changed', titles, { json: [todo(1, 'new'), todo(2)] }, ['new, todo 2']],
    ['a reader of isFetching when it begins, and when it ends', fetching, both, ['fetching', 'idle']],
    ['who takes all the rest for all', rest, both, ['fetching saved', 'idle saved']],
    ['no reader of data alone, where it fails', titles, { status: 418 }, []],
    ['a reader of the error, where it fails', failure, { status: 418 }, ['418']],
  ])('%s', async (_, read, reply, renders) => {
    const { refetch, answer, since } = await setupShown(read);

    await refetch();
    await answer('GET /todos', reply);

    expect(since()).toEqual(renders);
  });

  it('no more in StrictMode', async () => {
    const { refetch, answer, since } = await setupShown(titles, StrictMode);

    await refetch();
    await answer('GET /todos', both);

    expect(since()).toEqual([]);
  });

  it('in StrictMode whoever reads isFetching', async () => {
    const { refetch } = await setupShown(fetching, StrictMode);

    await refetch();

    expect(screenText()).toBe('fetching');
  });

  it('for what a child reads of the result that it was given', async () => {
    const Child = memo(({ result }: { readonly result: Result }) => <b>{fetching(result)}</b>);
    const { refetch, answer } = await setupShown((result) => <Child result={result} />);
    const texts = [screenText()];

    await refetch();
    texts.push(screenText());
    await answer('GET /todos', both);
    texts.push(screenText());

    expect(texts).toEqual(['idle', 'fetching', 'idle']);
  });
});

describe('many rows that are written in one action render', () => {
  it('a reader of their list once', async () => {
    const { doing, store, resources, since } = await setupShown(titles);

    await doing(() => {
      store.dispatch(resources.set(Todo, [todo(1, 'one'), todo(2, 'two')]));
    });

    expect(since()).toEqual(['one, two']);
  });
});

describe('a refetch with one changed row renders', () => {
  it('the list and that row, and no other', async () => {
    const { store, resources, show, doing, answer } = setupScreen(server);
    const renders: string[] = [];
    const Row = memo(function Row({ id }: { readonly id: number }) {
      const { data } = useResource(TodoResource.get, { id });
      renders.push(data?.title ?? 'nothing');

      return null;
    });
    const List = () => {
      const { data = [] } = useResource(TodoResource.getList);
      renders.push('list');

      return data.map(({ id }) => <Row key={id} id={id} />);
    };
    store.dispatch(resources.setResponse(TodoResource.getList, undefined, both.json));
    await show(<List />);
    renders.length = 0;

    await doing(() => void store.dispatch(TodoResource.getList()));
    await answer('GET /todos', { json: [todo(1, 'new'), todo(2)] });

    expect(renders.sort()).toEqual(['list', 'new']);
  });
});

describe('what is read of a result', () => {
  it('in an event for the first time is what holds then', async () => {
    const { refetch, since, doing } = await setupShown((result) => (
      <button
        name={titles(result)}
        onClick={(event) => {
          event.currentTarget.value = fetching(result);
        }}
      />
    ));
    await refetch();
    const button = screen.getByRole<HTMLButtonElement>('button');

    await doing(() => fireEvent.click(button));

    expect(since()).toEqual([]);
    expect(button.value).toBe('fetching');
  });

  it('in an effect for the first time renders from then on', async () => {
    const tools = setupScreen(server);
    const renders = vi.fn();
    const Effective = () => {
      const result = useResource(TodoResource.getList);
      useEffect(() => {
        document.title = fetching(result);
      });
      renders(titles(result));

      return null;
    };
    await tools.show(<Effective />);
    await tools.answer('GET /todos', both);
    const before = renders.mock.calls.length;
    const seen = [document.title];

    await tools.doing(() => void tools.store.dispatch(TodoResource.getList()));
    seen.push(document.title);
    await tools.answer('GET /todos', both);
    seen.push(document.title);

    expect(seen).toEqual(['idle', 'fetching', 'idle']);
    expect(renders.mock.calls.length - before).toBe(2);
  });

  it('in a later render for the first time is what holds then, and renders from then on', async () => {
    const { show, answer, doing, store } = setupScreen(server);
    const Reader = ({ isBusyShown = false }) => {
      const result = useResource(TodoResource.getList);

      return <p>{isBusyShown ? fetching(result) : titles(result)}</p>;
    };
    const { rerender } = await show(<Reader />);
    await answer('GET /todos', both);
    await doing(() => void store.dispatch(TodoResource.getList()));

    rerender(<Reader isBusyShown />);

    expect(screenText()).toBe('fetching');

    await answer('GET /todos', both);

    expect(screenText()).toBe('idle');
  });

  it('in a render that is never shown does no harm', async () => {
    const { show, answer, doing, store } = setupScreen(server);
    const never = new Promise<never>(() => undefined);
    const Reader = () => {
      const result = useResource(TodoResource.getList);
      const [isNext, setNext] = useState(false);
      const next = (): void => {
        startTransition(() => {
          setNext(true);
        });
      };

      return <button onClick={next}>{isNext ? [fetching(result), use(never)] : titles(result)}</button>;
    };
    await show(
      <Suspense>
        <Reader />
      </Suspense>,
    );
    await answer('GET /todos', both);
    await doing(() => fireEvent.click(screen.getByRole('button')));

    await doing(() => void store.dispatch(TodoResource.getList()));
    await answer('GET /todos', { json: [todo(1, 'new'), todo(2)] });

    expect(screenText()).toBe('new, todo 2');
  });

  it('is asked for anew with other arguments', async () => {
    const { show, answer } = setupScreen(server);
    const One = ({ id }: { readonly id: number | undefined }) => {
      const { data, requestId } = useResource(TodoResource.get, id === undefined ? skipToken : { id });

      return <p>{requestId ? (data?.title ?? 'asked') : 'skipped'}</p>;
    };
    const { rerender } = await show(<One id={undefined} />);
    const texts = [screenText()];

    for (const id of [1, 2]) {
      rerender(<One id={id} />);
      await answer(`GET /todos/${id}`, { json: todo(id) });
      texts.push(screenText());
    }

    expect(texts).toEqual(['skipped', 'todo 1', 'todo 2']);
  });
});

describe('a result', () => {
  it('is the same object while nothing changes of what was read', async () => {
    const { renderAgain, refetch, answer, since, result } = await setupShown(titles);
    const before = result();

    await refetch();
    await answer('GET /todos', both);
    renderAgain();

    expect(since()).toHaveLength(1);
    expect(result()).toBe(before);
  });

  it('is the same one still when what it shows of an edit is confirmed', async () => {
    const { edit, answer, result } = await setupShown(titles);
    await edit('edited');
    const before = result();

    await answer('PATCH /todos/1', { json: todo(1, 'edited') });

    expect(result()).toBe(before);
    expect(result().isOptimistic).toBe(false);
  });

  it('is another one when that has changed, with the same refetch; the old one stays as it was read', async () => {
    const { edit, result } = await setupShown(titles);
    const before = result();

    await edit('edited');

    expect(result()).not.toBe(before);
    expect(result().refetch).toBe(before.refetch);
    expect([titles(before), titles(result())]).toEqual(['todo 1, todo 2', 'edited, todo 2']);
  });

  it('has all its fields for whoever copies or prints it', async () => {
    const { result } = await setupShown(titles);

    expect({ ...result() }).toMatchObject({ status: 'fulfilled', isFetching: false, isOptimistic: false });
    expect(JSON.parse(JSON.stringify(result()))).toMatchObject({ status: 'fulfilled', data: both.json });
  });

  it('cannot be written to', async () => {
    const { result } = await setupShown(titles);

    expect(() => Object.assign(result(), { data: [] })).toThrow(TypeError);
    expect(titles(result())).toBe('todo 1, todo 2');
  });

  it('may be frozen, as Immer does: it stays as it is, and the next one tells the rest', async () => {
    const { result, refetch } = await setupShown(titles);
    const frozen = Object.freeze(result());

    await refetch();

    expect(fetching(frozen)).toBe('idle');
    expect(fetching(result())).toBe('fetching');
  });
});
