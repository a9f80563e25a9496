// A page with a store, a mock server and the devtools; what the tests look at is on the window.
import { configureStore } from '@reduxjs/toolkit';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { configureResources, createResource, Entity } from 'rtk-resource';
import {
  recordResources,
  ResourceDevtools,
  ResourceDevtoolsPanel,
  type Recorder,
} from 'rtk-resource/devtools/production';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import { outbox } from 'rtk-resource/offline';
import { useMutation, useResource } from 'rtk-resource/react';

declare global {
  interface Window {
    recorder?: Recorder;
    mock?: MockServer;
    violations?: string[];
    reset?: () => void;
    list?: () => unknown;
    seeded?: (seed: string) => Promise<unknown>;
  }
}

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  static override key = 'Issue';
}

const search = new URLSearchParams(location.search);
const Issues = createResource({
  path: '/api/issues/:id',
  schema: Issue,
  optimistic: true,
  serialize: search.has('serialize'),
});
const count = Number(search.get('rows') ?? 3);
const rowOf = (n: number) => ({ id: n, title: `Issue ${n}`, status: n % 2 ? 'open' : 'closed' });
const server = mockServer([Issues], {
  seed: { Issue: count },
  make: { Issue: rowOf },
  pageSize: 1_000_000,
});
const makeStore = (reducerPath: 'resources' | 'api') => {
  const kept =
    search.has('outbox') && reducerPath === 'resources'
      ? { outbox: outbox({ name: 'issues', resources: [Issues], idempotencyKey: true }) }
      : {};
  const resources = configureResources({ fetchFn: server.fetch, reducerPath, ...kept });
  const store = configureStore({
    reducer: { [resources.reducerPath]: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
  });
  return { resources, store };
};
const { resources, store } = makeStore('resources');
const other = makeStore('api');
window.mock = server;
window.recorder = recordResources(store);
window.violations = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
  window.violations?.push(violatedDirective);
});
window.reset = () => {
  store.dispatch(resources.reset());
};
window.list = () => resources.select(Issues.getList)(store.getState() as never);
window.seeded = async (seed) => {
  const copy = mockServer([Issues], { seed: JSON.parse(seed) as never, pageSize: 1_000_000 });
  return (await copy.fetch('/api/issues')).json();
};

function List() {
  const { data = [] } = useResource(Issues.getList);
  const [edit] = useMutation(Issues.partialUpdate);
  const [add] = useMutation(Issues.getList.push);
  return (
    <main>
      <h1>Issues</h1>
      <button onClick={() => void add({ title: 'New', status: 'open' })}>Add</button>
      <ul aria-label="Issues">
        {data.slice(0, 5).map(({ id, title, status }) => (
          <li key={id}>
            {title}: {status}{' '}
            <button
              aria-label={`Close ${title}`}
              onClick={() => void edit({ id }, { status: 'done' }).catch(() => undefined)}
            >
              Close
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

const theme = (search.get('theme') ?? 'light') as 'light' | 'dark';
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <List />
        {search.has('embedded') ? (
          <ResourceDevtoolsPanel theme={theme} style={{ height: 400 }} />
        ) : (
          <ResourceDevtools
            theme={theme}
            server={server}
            {...(search.has('two') && { store: { app: store, admin: other.store } })}
          />
        )}
      </Provider>
    </StrictMode>,
  );
