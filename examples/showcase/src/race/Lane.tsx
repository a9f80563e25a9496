import { useSyncExternalStore } from 'react';
import type { Contestant } from './Contestant';
import type { TinyServer } from './TinyServer';

interface Props {
  readonly app: Contestant;
  readonly server: TinyServer;
  /** What a user should see; absent before the first step. */
  readonly expected: readonly string[] | undefined;
}

/** What one of them shows, and whether that is right. */
export function Lane({ app, server, expected }: Props) {
  const todos = useSyncExternalStore(app.subscribe, app.todos) ?? [];
  const titles = todos.map(({ title }) => title);
  const isRight = expected?.join() === titles.join();
  const verdict = isRight ? 'right' : app.isPatient ? 'late' : 'wrong';

  return (
    <section className={`lane ${verdict}`} aria-label={app.name}>
      <h3>
        {app.name} <span role="status">{expected && verdict}</span>
      </h3>
      <ul>
        {titles.map((title, i) => (
          <li key={i}>{title}</li>
        ))}
      </ul>
      <p className="hint">On the server: {server.titles.join(', ')}</p>
    </section>
  );
}
