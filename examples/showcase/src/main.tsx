import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { startAddress } from './address';
import { App } from './App';
import { startLive } from './network/live';
import { discardDecided } from './outbox/discardDecided';
import { queue } from './outbox/queue';
import { store } from './store';
import './style/base.css';
import './style/layout.css';
import './style/issues.css';
import './style/timeline.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
startLive();
startAddress();
discardDecided();
// What is in the outbox is in the first picture.
await queue.ready;
createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <App />
    </Provider>
  </StrictMode>,
);
