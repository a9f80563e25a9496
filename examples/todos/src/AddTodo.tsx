import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'rtk-resource/react';
import { TodoResource } from './resources';

/** A form that adds a todo to the top of the list. */
export function AddTodo({ userId }: { readonly userId: number }) {
  const [title, setTitle] = useState('');
  const [addTodo, { isLoading }] = useMutation(TodoResource.getList.unshift);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setTitle('');
    const { type } = await addTodo({ userId }, { title });
    // What was typed is given back, unless something else has been typed since.
    if (type === TodoResource.getList.unshift.rejected.type) setTitle((typed) => typed || title);
  };

  return (
    <form onSubmit={(event) => void submit(event)} aria-busy={isLoading}>
      <label htmlFor="title">New todo</label>
      <input
        id="title"
        value={title}
        required
        autoComplete="off"
        placeholder="What is to be done?"
        onChange={({ target }) => {
          setTitle(target.value);
        }}
      />
      <button>Add</button>
    </form>
  );
}
