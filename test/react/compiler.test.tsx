// These tests run twice: as they are, and with every component compiled by React Compiler. Both times they expect the same renders.
import { fireEvent, screen } from '@testing-library/react';
import { memo, Profiler, useState, type ReactNode } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useInfiniteResource, useMutation, useResource, useSuspense, type ResourceResult } from 'rtk-resource/react';
import { describe, expect, it, vi } from 'vitest';
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
  optimistic: true,
});
const todo = (id: number, title = `todo ${id}`): object => ({ id, title });
const both = { json: [todo(1), todo(2)] };

function Titles() {
  const { data } = useResource(TodoResource.getList);

  return <p>{data?.map(({ title }) => title).join(', ') ?? 'Loading'}</p>;
}

function Busy() {
  const result = useResource(TodoResource.getList);

  return <p>{busyOf(result)}</p>;
}

function busyOf({ isFetching }: ResourceResult<Todo[]>): string {
  return isFetching ? 'fetching' : 'idle';
}

function Rest() {
  const { refetch, ...rest } = useResource(TodoResource.getList);

  return <button onClick={() => void refetch()}>{`${rest.status} ${String(rest.isOptimistic)}`}</button>;
}

function Given() {
  const result = useResource(TodoResource.getList);

  return <Child result={result} />;
}

const Child = memo(function Child({ result }: { readonly result: ResourceResult<Todo[]> }) {
  return <p>{busyOf(result)}</p>;
});

/** Reads what is under way only after a click. */
function Later() {
  const result = useResource(TodoResource.getList);
  const [isShown, setShown] = useState(false);

  return (
    <button
      onClick={() => {
        setShown(true);
      }}
    >
      {isShown ? busyOf(result) : result.data?.length}
    </button>
  );
}

/** Reads what is under way when it is clicked, and in no render. */
function OnClick() {
  const result = useResource(TodoResource.getList);

  return (
    <button
      name={String(result.data?.length)}
      onClick={(event) => {
        event.currentTarget.value = busyOf(result);
      }}
    />
  );
}

function Selecting() {
  const { data } = useResource(TodoResource.getList(), { select: (todos) => todos[0]?.title });

  return <p>{data}</p>;
}

function Pages() {
  const { data, fetchNextPage } = useInfiniteResource(TodoResource.getList);

  return <button onClick={() => void fetchNextPage()}>{data?.length}</button>;
}

function Suspended() {
  const todos = useSuspense(TodoResource.getList);

  return <p>{todos.length}</p>;
}

function Form() {
  const [update, { isLoading }] = useMutation(TodoResource.partialUpdate);

  return <button onClick={() => void update({ id: 1 }, { title: 'new' })}>{isLoading ? 'saving' : 'saved'}</button>;
}

/** Shows a component, and counts how often something in it has rendered. */
function setupCounted(element: ReactNode) {
  const tools = setupScreen(server);
  const rendered = vi.fn();
  const page = (
    <Profiler id="all" onRender={rendered}>
      {element}
    </Profiler>
  );

  return {
    ...tools,
    page,
    renders: () => rendered.mock.calls.length,
    click: () => tools.doing(() => fireEvent.click(screen.getByRole('button'))),
    refetch: () => tools.doing(() => void tools.store.dispatch(TodoResource.getList())),
    edit: () => tools.doing(() => void tools.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'new' }))),
  };
}

/** The same, with the list there; `since` counts renders from then on. */
async function setupShown(element: ReactNode) {
  const tools = setupCounted(element);
  tools.store.dispatch(tools.resources.setResponse(TodoResource.getList, undefined, both.json));
  await tools.show(tools.page);
  const before = tools.renders();

  return { ...tools, since: () => tools.renders() - before };
}

it('the components are compiled where they are said to be', () => {
  const isCompiled = /\$\[\d+\]/.test(String(Titles));

  expect(isCompiled).toBe(process.env['REACT_COMPILER'] === '1');
});

describe('a component renders', () => {
  it('twice for a first load', async () => {
    const { page, show, answer, renders } = setupCounted(<Titles />);
    await show(page);

    await answer('GET /todos', both);

    expect(screenText()).toBe('todo 1, todo 2');
    expect(renders()).toBe(2);
  });

  it.each([
    ['data', <Titles key="0" />, 0, 1],
    ['what is under way', <Busy key="1" />, 2, 0],
    ['the rest', <Rest key="2" />, 2, 2],
    ['nothing, but a child does', <Given key="3" />, 2, 0],
    ['data, and the rest only when it is clicked', <OnClick key="4" />, 0, 1],
    ['what it selects', <Selecting key="5" />, 0, 1],
    ['data of a list with pages', <Pages key="6" />, 0, 1],
    ['data that it waits for', <Suspended key="7" />, 0, 1],
  ])('for what it has read: %s', async (_, element, ofRefetch, ofEdit) => {
    const { refetch, edit, answer, since } = await setupShown(element);

    await refetch();
    await answer('GET /todos', both);
    expect(since()).toBe(ofRefetch);

    await edit();
    await answer('PATCH /todos/1', { json: todo(1, 'new') });
    expect(since() - ofRefetch).toBe(ofEdit);
  });

  it('for a call of its own that is under way', async () => {
    const { click, answer, since } = await setupShown(<Form />);

    await click();
    expect(screenText()).toBe('saving');
    await answer('PATCH /todos/1', { json: todo(1, 'new') });

    expect(screenText()).toBe('saved');
    expect(since()).toBe(2);
  });
});

describe('what is read of a result', () => {
  it('in a later render for the first time is what holds then, and renders from then on', async () => {
    const { click, refetch, answer } = await setupShown(<Later />);
    await refetch();

    await click();
    expect(screenText()).toBe('fetching');
    await answer('GET /todos', both);

    expect(screenText()).toBe('idle');
  });

  it('in an event is what holds then', async () => {
    const { click, refetch, answer } = await setupShown(<OnClick />);
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      await click();
      texts.push(screen.getByRole<HTMLButtonElement>('button').value);
    };

    await read();
    await refetch();
    await read();
    await answer('GET /todos', both);
    await read();

    expect(texts).toEqual(['idle', 'fetching', 'idle']);
  });
});
