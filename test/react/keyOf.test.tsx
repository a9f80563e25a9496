import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { createResource, Entity, keyOf } from 'rtk-resource';
import { useResource } from 'rtk-resource/react';
import { expect, it } from 'vitest';
import { setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

/** A todo that can be renamed. */
function Row({ todo }: { readonly todo: Todo }) {
  const [title, setTitle] = useState(todo.title);
  return (
    <input
      aria-label={`Title of ${todo.title}`}
      value={title}
      onChange={({ target }) => {
        setTitle(target.value);
      }}
    />
  );
}

const List = () => useResource(TodoResource.getList).data?.map((todo) => <Row key={keyOf(todo)} todo={todo} />);

it('keeps what is typed into a row, and where, while the server names it', async () => {
  const { store, show, answer, doing } = setupScreen(server);
  await show(<List />);
  await answer('GET /todos', { json: [{ id: 1, title: 'Read' }] });
  await doing(() => void store.dispatch(TodoResource.getList.push({ title: 'Wrote' })));
  const input = screen.getByLabelText<HTMLInputElement>('Title of Wrote');
  input.focus();
  fireEvent.change(input, { target: { value: 'Write' } });

  await answer('POST /todos', { status: 201, json: { id: 2, title: 'Wrote' } });

  expect(store.getState().resources.intents).toEqual([]);
  expect(screen.getByLabelText('Title of Wrote')).toBe(input);
  expect(document.activeElement).toBe(input);
  expect(input.value).toBe('Write');
});
