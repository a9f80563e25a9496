// 1 000 000 dispatches, with reads of ever-new arguments among them, and what is in use sampled: it does not grow.
import { createResource, Entity, schema } from 'rtk-resource';
import { below, growthOf, heap, must, mustBeIdle, openStore, report, share, turn } from './part.mjs';

class Note extends Entity {
  id = 0;
  text = '';
  list = '';
  static key = 'Note';
}

const count = Math.ceil(1_000_000 * share);
const ROWS = 1_000;
const json = { 'content-type': 'application/json' };
const Notes = createResource({
  urlPrefix: 'https://example.com',
  path: '/notes/:id',
  schema: Note,
  searchParams: /** @type {{ list?: string } | undefined} */ (undefined),
  optimistic: true,
  fetchResponse: (input) =>
    Promise.resolve(
      new Response(JSON.stringify({ id: Number(input.split('/').at(-1)), text: 'said' }), { headers: json }),
    ),
});
const texts = new schema.Query(
  new schema.All(Note),
  (/** @type {readonly Note[]} */ notes, /** @type {string} */ text) =>
    notes.filter((note) => note.text.includes(text)),
);

const opened = openStore();
const { store, resources } = opened;
const rows = Array.from({ length: ROWS }, (_, id) => ({ id, text: `note ${String(id)}`, list: 'a' }));
store.dispatch(resources.setResponse(Notes.getList, {}, rows));

/** @type {number[]} */
const samples = [];
const every = Math.ceil(count / 12);
for (let i = 0; i < count; i++) {
  const id = below(ROWS);
  if (i % 100 === 0) void store.dispatch(Notes.partialUpdate({ id }, { text: `edited ${String(i)}` }));
  else if (i % 100 === 1) void store.dispatch(Notes.get({ id }));
  else if (i % 100 === 2) store.dispatch(Notes.get.subscribe({ id })).unsubscribe();
  else if (i % 2 === 0) store.dispatch({ type: 'unrelated' });
  else store.dispatch(resources.set(Note, { id, text: `set ${String(i)}` }));
  if (i % 500 === 0) resources.select(texts, `set ${String(i)}`)(store.getState());
  if (i % 50 === 0) resources.selectRequest(Notes.get, { id: ROWS + i })(store.getState());
  if (i % 1_000 === 0) await turn();
  if (i % every === every - 1) samples.push(await heap());
}
for (let i = 0; i < 50; i++) await turn();
const growth = growthOf(samples);
must(growth < 25, 'what is in use has grown (MB)', samples);
mustBeIdle(opened);
await report({
  dispatches: count,
  'in use at the end, MB': Math.round(samples.at(-1) ?? NaN),
  'growth, MB': Number(growth.toFixed(1)),
});
