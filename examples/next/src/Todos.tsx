'use client';

import { keyOf } from 'rtk-resource';
import { useMutation, useResource } from 'rtk-resource/react';
import { TodoResource } from './todos';

/** All todos, and a form for one more. */
export function Todos() {
  const { data: todos = [], isLoading, isFetching } = useResource(TodoResource.getList);
  const [update] = useMutation(TodoResource.partialUpdate);
  const [add, { isLoading: isAdding }] = useMutation(TodoResource.getList.push);
  if (isLoading) return <p>Loading…</p>;

  return (
    <section aria-label="Todos" aria-busy={isFetching}>
      <ul>
        {todos.map((todo) => (
          <li key={keyOf(todo)}>
            <label>
              <input
                type="checkbox"
                checked={todo.completed}
                onChange={() => void update({ id: todo.id }, { completed: !todo.completed })}
              />
              {todo.title}
            </label>
          </li>
        ))}
      </ul>
      <form action={(form) => void add({ title: String(form.get('title')) })}>
        <input name="title" aria-label="New todo" required />
        <button disabled={isAdding}>Add</button>
      </form>
    </section>
  );
}
