import { keyOf } from 'rtk-resource';
import { useInfiniteResource } from 'rtk-resource/react';
import { AddTodo } from './AddTodo';
import { Failure } from './Failure';
import { TodoResource } from './resources';
import { TodoRow } from './TodoRow';

/** The todos of one user, newest first, as far as they have been asked for. */
export function TodoList({ userId }: { readonly userId: number }) {
  const {
    data: todos = [],
    isSuccess,
    isLoading,
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    nextPageError,
    fetchNextPage,
  } = useInfiniteResource(TodoResource.getList, { userId });
  const showMore = () => void fetchNextPage();

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
      {nextPageError && <Failure error={nextPageError} retry={showMore} />}
      {hasNextPage && (
        <button disabled={isFetchingNextPage} onClick={showMore}>
          {isFetchingNextPage ? 'Loading…' : 'More'}
        </button>
      )}
    </section>
  );
}
