import { isTemporary, keyOf } from 'rtk-resource';
import { useMutation, useResource } from 'rtk-resource/react';
import { AddTodo } from './AddTodo';
import { Failure } from './Failure';
import { pageSize } from './pages';
import { TodoResource } from './resources';
import { useAppSelector } from './store';
import { TodoRow } from './TodoRow';

/** The todos of one user, newest first, as far as they have been asked for. */
export function TodoList({ userId }: { readonly userId: number }) {
  const { data: todos = [], isSuccess, isLoading, error, refetch } = useResource(TodoResource.getList, { userId });
  const [getPage, page] = useMutation(TodoResource.getList.getPage);
  const hasMore = useAppSelector((state) => state.pages[userId]);

  const showMore = () => {
    // Rows that were added or deleted have shifted the pages. The one with the next row may overlap with what is here.
    const known = todos.filter(({ id }) => !isTemporary(id)).length;
    void getPage({ userId, page: Math.floor(known / pageSize) + 1 });
  };

  return (
    <section aria-label="Todos">
      <AddTodo userId={userId} />
      {isLoading && <p role="status">Loading…</p>}
      {error && <Failure error={error} retry={() => void refetch()} />}
      <ul>
        {todos.map((todo) => (
          <TodoRow key={keyOf(todo)} todo={todo} />
        ))}
      </ul>
      {isSuccess && todos.length === 0 && <p>Nothing to do.</p>}
      {page.error !== undefined && <Failure error={page.error} retry={showMore} />}
      {hasMore && (
        <button disabled={page.isLoading} onClick={showMore}>
          {page.isLoading ? 'Loading…' : 'More'}
        </button>
      )}
    </section>
  );
}
