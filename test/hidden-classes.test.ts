import { setFlagsFromString } from 'node:v8';
import { configureStore, isAction, type Middleware } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';

// Decision 13: an object of a class of its own costs each who reads it. That is a matter of the engine, so it is asked of the engine.
setFlagsFromString('--allow-natives-syntax');
// No other way leads to what only the engine knows.
// eslint-disable-next-line @typescript-eslint/no-implied-eval
const haveSameClass = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });
const many = 40;

/** How many hidden classes some objects have. */
function classesOf(objects: readonly object[]): number {
  const kinds: object[] = [];
  for (const one of objects) if (!kinds.some((kind) => haveSameClass(kind, one))) kinds.push(one);
  return kinds.length;
}

/** A store, and what the actions that came to its slice have told, by type. */
function setup() {
  const resources = configureResources({
    fetchFn: (url, { method, body }) => {
      const id = Number(/\d+/.exec(url)?.[0] ?? 1);
      const sent = typeof body === 'string' ? (JSON.parse(body) as object) : {};
      return Promise.resolve(Response.json({ id: method === 'POST' ? id + 1_000 : id, title: 'read', ...sent }));
    },
  });
  const told = new Map<string, object[]>();
  const watch: Middleware = () => (next) => (action) => {
    if (isAction(action) && 'meta' in action)
      told.set(action.type, [...(told.get(action.type) ?? []), action.meta as object]);
    return next(action);
  };
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware, watch),
  });
  store.dispatch(
    resources.setResponse(
      TodoResource.getList,
      {},
      Array.from({ length: many }, (_, id) => ({ id, title: 'first' })),
    ),
  );
  told.clear();
  return { resources, store, told };
}

describe('the hidden classes', () => {
  it('of what actions tell are few, whatever is done how often', async () => {
    const { resources, store, told } = setup();
    for (let id = 0; id < many; id++) {
      store.dispatch(resources.set(Todo, { id, title: `set ${id}` }));
      await store.dispatch(TodoResource.get({ id }));
      await store.dispatch(TodoResource.partialUpdate({ id }, { title: `edit ${id}` }));
    }

    expect([...told.keys()].sort()).toEqual([
      'Todo/get/fulfilled',
      'Todo/get/pending',
      'Todo/partialUpdate/fulfilled',
      'Todo/partialUpdate/pending',
      'resources/set',
    ]);
    for (const [type, metas] of told) expect([type, classesOf(metas) < 4]).toEqual([type, true]);
  });

  it('of rows, records and states of requests are few', async () => {
    const { store } = setup();
    const states: object[] = [];
    for (let id = 0; id < many; id++) {
      const select = TodoResource.get.selectRequest({ id });
      const reading = store.dispatch(TodoResource.get({ id }));
      states.push(select(store.getState()));
      await reading;
      states.push(select(store.getState()));
    }
    const { tables, requests } = store.getState().resources;

    expect(classesOf(states)).toBeLessThan(5);
    expect(classesOf(requests.rows.flat().filter((row) => row !== null))).toBeLessThan(5);
    expect(classesOf((tables['Todo']?.rows.flat() ?? []) as object[])).toBeLessThan(5);
  });
});
