import { useState } from 'react';
import { useResource } from 'rtk-resource/react';
import { Failure } from './Failure';
import { Notices } from './Notices';
import { UserResource } from './resources';
import { ServerPanel } from './ServerPanel';
import { TodoList } from './TodoList';

export function App() {
  const { data: users = [], isLoading, error, refetch } = useResource(UserResource.getList);
  const [chosen, setChosen] = useState<number>();
  const userId = chosen ?? users[0]?.id;

  return (
    <div className="app">
      <header>
        <h1>Todos</h1>
        <p>Every change shows at once. Make the server slow, or make it fail, and see what becomes of it.</p>
      </header>
      <main>
        {isLoading && <p role="status">Loading…</p>}
        {error && <Failure error={error} retry={() => void refetch()} />}
        <nav aria-label="Users">
          {users.map(({ id, name }) => (
            <button
              key={id}
              aria-current={id === userId}
              onClick={() => {
                setChosen(id);
              }}
            >
              {name}
            </button>
          ))}
        </nav>
        {userId !== undefined && <TodoList key={userId} userId={userId} />}
      </main>
      <aside>
        <ServerPanel />
        <Notices />
      </aside>
    </div>
  );
}
