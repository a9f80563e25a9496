// 100 000 events of a session that goes on for days, beside a request that hangs: creates, votes, deletions by request and by socket, details that are
// read and left, answers that are lost, retries that wait for ever, a clock that is set back, users who leave. What is in use follows the data, which
// stays as large as it was; nothing is sent for a user who has left, and no text tells the secret of a header.
import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { below, growthOf, heap, must, mustBeIdle, oneOf, openStore, report, share, turn } from './part.mjs';

/** @import { RequestPromise, Subscription } from 'rtk-resource' */

class Note extends Entity {
  id = 0;
  text = '';
  votes = 0;
  list = '';
  static key = 'Note';
}

const count = Math.ceil(100_000 * share);
const ROWS = 300;
const secret = 'the-secret-of-a-header';
const lists = ['a', 'b', 'c'];

/** What the server has. @type {Map<number, { id: number, text: string, votes: number, list: string }>} */
const notes = new Map();
let created = 0;
/** @param {object} sent */
function create(sent) {
  const note = { text: '', votes: 0, list: 'a', ...sent, id: ++created };
  notes.set(note.id, note);
  return note;
}
for (let i = 0; i < ROWS; i++) create({ text: `note ${String(i)}`, list: oneOf(lists) });

/** Who has logged in, by number: the next one after each `reset`. */
let user = 0;
let isFaulty = true;
let [sentForOthers, sentForEver] = [0, 0];

/** What a server makes of a request that has reached it. @param {string} input @param {RequestInit} init */
function handle(input, { method = 'GET', body }) {
  const url = new URL(input);
  const id = Number(/\d+/.exec(url.pathname)?.[0]);
  const note = notes.get(id);
  /** @type {unknown} */
  const told = typeof body === 'string' ? JSON.parse(body) : {};
  const sent = /** @type {object} */ (told);
  if (Number.isNaN(id) && method === 'POST') return Response.json(create(sent));
  if (Number.isNaN(id)) {
    const list = url.searchParams.get('list');
    return Response.json([...notes.values()].filter((one) => list === null || one.list === list));
  }
  if (!note) return Response.json({ message: 'gone' }, { status: 404 });
  if (url.pathname.endsWith('/vote')) note.votes++;
  else if (method === 'DELETE') notes.delete(id);
  else Object.assign(note, sent);
  return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(note);
}

/** @param {string} input @param {RequestInit} init @returns {Promise<Response>} */
async function respond(input, init) {
  if (new Headers(init.headers).get('x-user') !== String(user)) sentForOthers++;
  if (input.endsWith('/hang')) return new Promise(() => undefined);
  if (input.endsWith('/later')) {
    sentForEver++;
    throw new TypeError('unreachable');
  }
  for (let i = below(3); i > 0; i--) await turn();
  const fault = isFaulty ? below(20) : 0;
  if (fault === 1) return Response.json({ message: 'refused' }, { status: 422 });
  if (fault === 2) throw new TypeError('unreachable');
  const response = handle(input, init);
  if (fault === 3) throw new TypeError('lost');
  return response;
}

const options = {
  urlPrefix: 'https://example.com',
  fetchResponse: respond,
  /** It takes a while, as to read a token does; by then another user may be there. @param {Record<string, string>} headers */
  async getHeaders(headers) {
    const asked = String(user);
    if (below(2)) await turn();
    return { ...headers, 'x-user': asked };
  },
};
const searchParams = /** @type {{ list?: string } | undefined} */ (undefined);
const Notes = createResource({ ...options, path: '/notes/:id', schema: Note, searchParams, optimistic: true });
const vote = new RestEndpoint({
  ...options,
  path: '/notes/:id/vote',
  method: 'POST',
  body: undefined,
  name: 'vote',
  schema: Note,
  getOptimisticResponse: (snapshot, { id }) => {
    const note = snapshot.get(Note, { id: Number(id) });
    return note && { id: note.id, votes: note.votes + 1 };
  },
});
const removed = new RestEndpoint({
  ...options,
  path: '/notes/:id',
  method: 'DELETE',
  name: 'removed',
  schema: new schema.Invalidate(Note),
});
const hang = new RestEndpoint({ ...options, path: '/hang', name: 'hang', schema: [Note] });
const later = new RestEndpoint({
  ...options,
  path: '/later',
  name: 'later',
  retry: { times: 5, delay: () => oneOf([Infinity, NaN, 2 ** 31, 2 ** 40]) },
});
const leaky = new RestEndpoint({
  ...options,
  path: '/leaky',
  name: 'leaky',
  getHeaders: () => ({ 'x-key': `${secret}\n${secret}` }),
});

const opened = openStore();
const { store, resources, slice } = opened;
/** Those who read details. @type {Subscription[]} */
let readers = [];
/** Some requests that may be aborted. @type {RequestPromise<unknown>[]} */
let recent = [];
const anyId = () => below(ROWS) + Math.max(1, created - ROWS);
const now = Date.now.bind(Date);
let ahead = 0;
Date.now = () => now() + ahead;

/** @param {RequestPromise<unknown>} promise */
function run(promise) {
  recent[below(8)] = promise;
}

function remove(id = Number(notes.keys().next().value)) {
  run(store.dispatch(Notes.delete({ id })));
}

/** The server has told that a note is deleted. */
function hearOfDeletion() {
  const id = anyId();
  notes.delete(id);
  store.dispatch(resources.setResponse(removed, { id }, null));
}

/** A user leaves, and another comes: nothing is sent for the one who has left. */
function change() {
  // Some places are empty.
  readers.forEach(({ unsubscribe }) => {
    unsubscribe();
  });
  readers = [];
  recent = [];
  user++;
  store.dispatch(resources.reset());
  mustBeIdle(opened);
  begin();
}

/** What each user has: the lists, read for as long as the session lasts, and something that hangs. */
function begin() {
  for (const list of lists) readers.push(store.dispatch(Notes.getList.subscribe({ list })));
  void store.dispatch(hang());
}

/** @type {readonly (() => void)[]} */
const common = [
  () => {
    if (notes.size > ROWS) remove();
    else run(store.dispatch(Notes.getList.push({ list: oneOf(lists) }, { text: 'new', list: oneOf(lists) })));
  },
  () => {
    if (notes.size > ROWS) remove(anyId());
    else run(store.dispatch(Notes.getList.unshift({ text: 'first', list: oneOf(lists) })));
  },
  () => {
    run(store.dispatch(vote({ id: anyId() })));
  },
  () => {
    run(
      store.dispatch(Notes.partialUpdate({ id: anyId() }, { text: `edited ${String(below(9))}`, list: oneOf(lists) })),
    );
  },
  () => {
    const reader = store.dispatch(Notes.get.subscribe({ id: anyId() }));
    const at = lists.length + below(20);
    readers[at]?.unsubscribe();
    readers[at] = reader;
  },
  () => {
    store.dispatch(resources.set(Note, { id: anyId(), text: `told ${String(below(9))}` }));
  },
  () => void store.dispatch(Notes.get.prefetch({ id: anyId() })),
  () => recent[below(8)]?.abort('enough'),
  () => Notes.getList.select({ list: oneOf(lists) })(store.getState()),
  () => store.dispatch({ type: 'unrelated' }),
];
/** @type {readonly (() => void)[]} */
const rare = [
  hearOfDeletion,
  () => void store.dispatch(Notes.getList({ list: oneOf(lists) })),
  () => {
    // An hour on, or back to what the clock should say.
    ahead = below(2) * 3_600_000;
  },
  () => {
    const promise = store.dispatch(later());
    setTimeout(promise.abort, 5, 'enough');
  },
  () => {
    void store.dispatch(leaky()).then(({ error }) => {
      must(error !== undefined && !JSON.stringify(error).includes(secret), 'an error tells the secret', error);
    });
  },
  () => {
    const { undo } = store.dispatch(resources.patch(Note, { id: anyId() }, (note) => void (note.text = 'patched')));
    setTimeout(undo);
  },
  () => {
    // The page is loaded anew in one process, as hot reload does it.
    const other = openStore();
    other.store.dispatch(other.resources.hydrate(slice()));
    must(other.slice().intents.length === 0, 'guesses of another store are taken over');
  },
];

begin();
/** @type {number[]} */
const samples = [];
const every = Math.ceil(count / 30);
let most = 0;
for (let i = 1; i <= count; i++) {
  oneOf(below(20) ? common : rare)();
  if (i % 10 === 0) await turn();
  if (i % 5_000 === 0) change();
  if (i % every === 0) {
    const { tables, requests } = slice();
    const rows = [requests, ...Object.values(tables)].reduce((sum, { n, free }) => sum + n - free.length, 0);
    most = Math.max(most, rows);
    must(!JSON.stringify(slice()).includes(secret), 'the state tells the secret');
    samples.push(await heap());
  }
}
must(sentForOthers === 0, 'something was sent for a user who had left', sentForOthers);
const growth = growthOf(samples);
must(growth < 25, 'what is in use has grown (MB)', samples);

// All is well again, and everything is asked for anew.
isFaulty = false;
ahead = 0;
change();
// What was cancelled may have reached the server all the same: it is done there some turns later.
for (let i = 0; i < 10; i++) await turn();
for (const list of lists) {
  await store.dispatch(Notes.getList({ list })).unwrap();
  const shown = Notes.getList
    .select({ list })(store.getState())
    ?.map(({ id, text, votes }) => [id, text, votes]);
  const there = [...notes.values()]
    .filter((note) => note.list === list)
    .map(({ id, text, votes }) => [id, text, votes]);
  must(JSON.stringify(shown) === JSON.stringify(there), `the list ${list} is not what the server has`, {
    shown,
    there,
  });
}
await report({
  'events of a session': count,
  'users who left': user,
  'sent for a user who had left': sentForOthers,
  'tries that were to wait for ever': sentForEver,
  'rows and requests kept, at most': most,
  'growth of the session, MB': Number(growth.toFixed(1)),
});
