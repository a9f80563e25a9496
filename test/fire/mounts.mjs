// 10 000 components that read, edit and are unmounted, some before their data is there: nothing of them is left.
import { createElement, Fragment } from 'react';
import { Provider } from 'react-redux';
import { createResource, Entity } from 'rtk-resource';
import { useMutation, useResource } from 'rtk-resource/react';
import { below, growthOf, heap, must, mustBeIdle, openStore, report, share, turn } from './part.mjs';

class Note extends Entity {
  id = 0;
  text = '';
  static key = 'Note';
}

const count = Math.ceil(10_000 * share);
const AT_ONCE = 50;
const headers = { 'content-type': 'application/json' };
const Notes = createResource({
  urlPrefix: 'https://example.com',
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  async fetchResponse(input) {
    for (let i = below(4); i > 0; i--) await turn();
    return new Response(JSON.stringify({ id: Number(input.split('/').at(-1)), text: 'said' }), { headers });
  },
});

/** @typedef {{ readonly window: Window & typeof globalThis }} Page */
/** @type {unknown} */
const loaded = await import(/** @type {string} */ ('jsdom'));
const { JSDOM } = /** @type {{ readonly JSDOM: new (html: string) => Page }} */ (loaded);
const { window } = new JSDOM('<main></main>');
for (const name of /** @type {const} */ (['window', 'document', 'navigator']))
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
const { createRoot } = await import('react-dom/client');

let shown = 0;
/** @param {{ readonly id: number }} props */
function Row({ id }) {
  const { data } = useResource(Notes.get, { id });
  const [edit] = useMutation(Notes.partialUpdate);
  if (data && below(20) === 0) setTimeout(() => void edit({ id }, { text: 'edited' }));
  if (data) shown++;
  return createElement('p', null, data?.text);
}

const opened = openStore();
const { store, slice } = opened;
const main = window.document.querySelector('main');
if (!main) throw new Error('There is no page.');

/** @type {number[]} */
const samples = [];
for (let done = 0; done < count; done += AT_ONCE) {
  const root = createRoot(main);
  const first = below(1_000_000);
  const all = Array.from({ length: AT_ONCE }, (_, i) => createElement(Row, { key: i, id: first + i }));
  root.render(createElement(Provider, { store, children: createElement(Fragment, null, all) }));
  for (let i = below(20); i > 0; i--) await turn();
  root.unmount();
  await turn();
  if (done % Math.ceil(count / 10) < AT_ONCE) samples.push(await heap());
}
// Longer than unused data is kept.
await new Promise((resolve) => {
  setTimeout(resolve, 2_500);
});
mustBeIdle(opened);
const left = slice()
  .requests.pks.flat()
  .filter((pk) => pk !== '');
must(shown > 0, 'nothing was shown');
must(left.length === 0, 'requests are left', left);
const growth = growthOf(samples);
must(growth < 25, 'what is in use has grown (MB)', samples);
await report({
  mounts: count,
  'renders with data': shown,
  'requests left': left.length,
  'growth, MB': Number(growth.toFixed(1)),
});
