import { StoreProvider } from '../src/StoreProvider';
import { makeStore } from '../src/store';
import { Todos } from '../src/Todos';
import { TodoResource } from '../src/todos';

// What it shows is of now, not of the build.
export const dynamic = 'force-dynamic';

/** Fetches on the server what the page shows, in a store of this visitor. */
export default async function Page() {
  const store = makeStore();
  await store.dispatch(TodoResource.getList());

  return (
    <StoreProvider slice={store.getState().resources}>
      <h1>Todos</h1>
      <Todos />
    </StoreProvider>
  );
}
