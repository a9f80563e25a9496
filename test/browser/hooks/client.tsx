import { createRoot, hydrateRoot } from 'react-dom/client';
import type { ResourcesState } from 'rtk-resource';
import { App } from './App.js';
import { makeIssues, makeStore } from './issues.js';

const root = document.getElementById('root');
const slice = document.getElementById('state')?.textContent;
if (!root) throw new Error('The page has no root.');

const issues = makeIssues(location.origin);
if (slice)
  hydrateRoot(root, <App page="streamed" issues={issues} store={makeStore(JSON.parse(slice) as ResourcesState)} />);
else createRoot(root).render(<App page="board" issues={issues} store={makeStore()} />);
