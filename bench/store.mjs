// One process: what it costs a store to have our reducer and middleware, and subscribers, in ms.
import { configureStore } from '@reduxjs/toolkit';
import { configureResources } from 'rtk-resource';
import { Responses } from './data.mjs';
import { IssueResource, openStore } from './peers/ours.mjs';
import { time, timeRepeated } from './time.mjs';

const [, size = '', ...ids] = process.argv.slice(2);
const subscribers = 4000;
const { resources, store } = openStore();
store.dispatch(resources.setResponse(IssueResource.getList, {}, new Responses(Number(size)).next()));

/** @type {Record<string, () => number | Promise<number>>} */
const measures = { D1: foreignAction, D2: joining, D3: leaving, D4: unrelatedAction };
/** @type {Record<string, { value: number }>} */
const results = {};
for (const id of ids) results[id] = { value: (await measures[id]?.()) ?? NaN };
console.log(JSON.stringify(results));
process.exit();

/** An action of somebody else goes through our reducer and middleware, without what the store does anyway. */
function foreignAction() {
  const own = configureResources();
  let slice = store.getState().resources;
  const middleware = own.middleware({ getState: () => ({ resources: slice }), dispatch: (action) => action });
  const pass = middleware((action) => {
    slice = own.reducer(slice, /** @type {import('@reduxjs/toolkit').UnknownAction} */ (action));
    return action;
  });
  const action = { type: 'somebody/else', payload: { id: 5 } };
  return timeRepeated(() => pass(action));
}

/** One subscriber joins others of the same data. */
async function joining() {
  /** @type {{ unsubscribe(): void }[]} */
  let joined = [];
  const before = () => {
    leave(joined);
    joined = [];
  };
  return (await time({ before, run: () => (joined = join()) })) / subscribers;
}

/** One of them leaves. */
async function leaving() {
  /** @type {{ unsubscribe(): void }[]} */
  let joined = [];
  const before = () => {
    joined = join();
  };
  const run = () => {
    leave(joined);
  };
  return (await time({ before, run })) / subscribers;
}

function join() {
  return Array.from({ length: subscribers }, () => store.dispatch(IssueResource.getList.subscribe()));
}

/** @param {readonly { unsubscribe(): void }[]} joined */
function leave(joined) {
  for (const subscription of joined) subscription.unsubscribe();
}

/** An action that changes something else, in a store as Redux Toolkit sets it up for development. */
function unrelatedAction() {
  const counter = (count = 0, /** @type {{ type: string }} */ { type }) => (type === 'count' ? count + 1 : count);
  const own = configureResources();
  const store = configureStore({
    reducer: { [own.reducerPath]: own.reducer, counter },
    middleware: (getDefault) => getDefault().concat(own.middleware),
  });
  store.dispatch(own.setResponse(IssueResource.getList, {}, new Responses(Number(size)).next()));
  return timeRepeated(() => store.dispatch({ type: 'count' }));
}
