import { Suspense } from 'react';
import { createResource, Entity, keyOf } from 'rtk-resource';
import { useResource, useSuspense } from 'rtk-resource/react';
import { describe, expect, it } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const {
  get,
  getList,
  delete: remove,
} = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});
const todo = (id: number, title = `todo ${id}`): object => ({ id, title });

/** A list whose rows read themselves. */
function setupRows(how: string) {
  const tools = setupScreen(server);
  const Reading = ({ id }: { readonly id: number }) => {
    const { data, isLoading } = useResource(get, { id });

    return <li>{isLoading ? 'Loading' : (data?.title ?? 'Nothing')}</li>;
  };
  const Waiting = ({ id }: { readonly id: number }) => <li>{useSuspense(get, { id }).title}</li>;
  const Row = how === 'useResource' ? Reading : Waiting;
  const Rows = () =>
    useResource(getList).data?.map((one) => (
      <Suspense key={keyOf(one)} fallback={<li>Waiting</li>}>
        <Row id={one.id} />
      </Suspense>
    ));

  return { ...tools, Rows };
}

describe.each(['useResource', 'useSuspense'])('rows that read themselves by %s', (how) => {
  it('show a created one at once, and fetch nothing for it', async () => {
    const { Rows, show, answer, doing, store } = setupRows(how);
    await show(<Rows />);
    await answer('GET /todos', { json: [todo(1)] });

    await doing(() => void store.dispatch(getList.push({ title: 'new' })));
    expect(screenText()).toBe('todo 1new');
    await answer('POST /todos', { status: 201, json: todo(2, 'new') });

    expect(screenText()).toBe('todo 1new');
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it.each([
    ['and none for good, where that is done', 204, 'todo 1'],
    ['until that has failed', 500, 'todo 1todo 2'],
  ])('do not show a deleted one, %s', async (_, status, text) => {
    const { Rows, show, answer, doing, store } = setupRows(how);
    await show(
      <Boundary>
        <Rows />
      </Boundary>,
    );
    await answer('GET /todos', { json: [todo(1), todo(2)] });

    await doing(() => void store.dispatch(remove({ id: 2 })));
    expect(screenText()).toBe('todo 1');
    await answer('DELETE /todos/2', { status });

    expect(screenText()).toBe(text);
    expect(server.received.map(({ path }) => path)).toEqual(['/todos', '/todos/2']);
  });
});
