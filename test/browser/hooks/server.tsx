import { PassThrough } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { App } from './App.js';
import { makeIssues, makeStore } from './issues.js';

/** Streams the page of one visitor, with the state that the browser goes on with. */
export async function stream(base: string, write: (html: string) => void): Promise<void> {
  const store = makeStore();
  const issues = makeIssues(base);
  await store.dispatch(issues.getList({ status: 'open' }));
  const { pipe } = renderToPipeableStream(<App page="streamed" issues={issues} store={store} />);
  for await (const part of pipe(new PassThrough())) write(String(part));
  const state = JSON.stringify(store.getState().resources).replaceAll('<', '\\u003c');
  write(`</div><script id="state" type="application/json">${state}</script>`);
}
