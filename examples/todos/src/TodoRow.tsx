import { useState } from 'react';
import { RenameTodo } from './RenameTodo';
import { Todo, TodoResource } from './resources';
import { resources, useAppDispatch, useAppSelector } from './store';

/** One todo; pale, until the server has confirmed what is shown of it. */
export function TodoRow({ todo }: { readonly todo: Todo }) {
  const { id, title, completed } = todo;
  const [isRenaming, setRenaming] = useState(false);
  const isPending = useAppSelector((state) => resources.selectPending(Todo, id)(state).length > 0);
  const dispatch = useAppDispatch();

  if (isRenaming) {
    return (
      <li>
        <RenameTodo
          title={title}
          rename={(next) => {
            setRenaming(false);
            if (next !== title) void dispatch(TodoResource.partialUpdate({ id }, { title: next }));
          }}
        />
      </li>
    );
  }

  return (
    <li aria-busy={isPending}>
      <label>
        <input
          type="checkbox"
          checked={completed}
          onChange={({ target }) => void dispatch(TodoResource.partialUpdate({ id }, { completed: target.checked }))}
        />
        <span>{title}</span>
      </label>
      <button
        aria-label={`Rename ${title}`}
        onClick={() => {
          setRenaming(true);
        }}
      >
        Rename
      </button>
      <button aria-label={`Delete ${title}`} onClick={() => void dispatch(TodoResource.delete({ id }))}>
        Delete
      </button>
    </li>
  );
}
