import { act, render, screen } from '@testing-library/react';
import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { useMutation, useResource } from 'rtk-resource/react';
import { expect, it } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true, timeout: 10_000 });

function Titles() {
  const { data } = useResource(TodoResource.getList);
  const [add] = useMutation(TodoResource.getList.push);
  const form = new FormData();
  form.append('title', 'Write');

  return <button onClick={() => void add(form)}>{data?.map(({ title }) => title).join(', ') ?? 'Loading'}</button>;
}

it('a mock server answers components in jsdom, whose signals and forms are its own', async () => {
  const server = mockServer([TodoResource], { seed: { Todo: [{ id: 1, title: 'Read' }] } });
  const resources = configureResources({ fetchFn: server.fetch });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });
  render(<Titles />, { wrapper: ({ children }) => <Provider store={store}>{children}</Provider> });

  const button = await screen.findByText('Read');
  act(() => {
    button.click();
  });

  expect(await screen.findByText('Read, Write')).toBe(button);
  expect(server.calls.map(({ method, body }) => [method, body])).toEqual([
    ['GET', undefined],
    ['POST', { title: 'Write' }],
  ]);
});
