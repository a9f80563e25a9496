// 10 000 requests to a server with more than 30 kinds of faults: each ends, and when all is well again, what is shown is what the server has.
import { createResource, Entity } from 'rtk-resource';
import { below, must, mustBeIdle, oneOf, openStore, report, share } from './part.mjs';
import { faults, startServer } from './server.mjs';

/** @import { RequestPromise } from 'rtk-resource' */

class Note extends Entity {
  id = /** @type {number | string} */ (0);
  text = '';
  list = '';
  static key = 'Note';
}

const count = Math.ceil(10_000 * share);
const AT_ONCE = 16;
let isFaulty = true;
const kinds = Object.keys(faults);
/** How often each fault was met. @type {Record<string, number>} */
const met = {};
const server = await startServer(() => {
  const fault = isFaulty && below(3) > 0 ? oneOf(kinds) : undefined;
  if (fault !== undefined) met[fault] = (met[fault] ?? 0) + 1;
  return { fault, isDone: below(2) > 0 };
});

const searchParams = /** @type {{ list?: string, per_page?: number } | undefined} */ (undefined);
const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams,
  optimistic: true,
  timeout: 500,
}).extend({
  get: { retry: { times: 1, delay: () => 0 } },
  update: { serialize: true },
});

const opened = openStore();
const { store, slice } = opened;
const ids = () => below(server.notes.size + 5) + 1;

/** @type {readonly (() => RequestPromise<unknown>)[]} */
const requests = [
  // In many sizes, or else most of them would join one that hangs.
  () => store.dispatch(Notes.getList({ list: oneOf(['a', 'b', 'c']), per_page: below(20) })),
  () => store.dispatch(Notes.getList({ per_page: below(20) })),
  () => store.dispatch(Notes.get({ id: ids() })),
  () => store.dispatch(Notes.get.ifStale({ id: ids() })),
  () => store.dispatch(Notes.getList.push({ list: oneOf(['a', 'b']) }, { text: `new ${String(below(100))}` })),
  () =>
    store.dispatch(
      Notes.partialUpdate({ id: ids() }, { text: `edited ${String(below(100))}`, list: oneOf(['a', 'b', 'c']) }),
    ),
  () => store.dispatch(Notes.update({ id: ids() }, { text: 'replaced', list: 'c' })),
  () => store.dispatch(Notes.delete({ id: ids() })),
];

/** Longer than any request may take. */
function pause() {
  return new Promise((resolve) => {
    setTimeout(resolve, 700);
  });
}

/** How many ended in which way. @type {Record<string, number>} */
const ends = { fulfilled: 0, rejected: 0, aborted: 0 };
let left = count;
const worker = async () => {
  while (left-- > 0) {
    const promise = oneOf(requests)();
    const abortsIn = below(10);
    if (abortsIn < 2) setTimeout(promise.abort, abortsIn * 10, 'enough');
    const value = promise.unwrap().then(
      () => true,
      () => false,
    );
    const { meta } = await promise;
    await value;
    const how = meta.aborted ? 'aborted' : meta.requestStatus;
    ends[how] = (ends[how] ?? 0) + 1;
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
mustBeIdle(opened);
must(JSON.stringify(JSON.parse(JSON.stringify(slice()))) === JSON.stringify(slice()), 'the state is not plain');

// All is well again, once what is still on its way has come, and everything is asked for anew.
isFaulty = false;
await pause();
const patient = { timeout: 5_000 };
for (const list of [undefined, 'a', 'b', 'c']) {
  await store.dispatch(Notes.getList.extend(patient)(list === undefined ? undefined : { list })).unwrap();
  const told = (/** @type {{ id: unknown, text: string, list: string }} */ { id, text, list: of }) => [id, text, of];
  const shown = Notes.getList
    .select(list === undefined ? undefined : { list })(store.getState())
    ?.map(told);
  const there = [...server.notes.values()].filter((note) => list === undefined || note.list === list).map(told);
  must(JSON.stringify(shown) === JSON.stringify(there), `the list ${list ?? ''} is not what the server has`, {
    shown,
    there,
  });
}
mustBeIdle(opened);
// What is idle is kept for some seconds, by both sides.
for (let i = 0; i < 15 && server.connections() > 0; i++) await pause();
must(server.connections() <= AT_ONCE, 'sockets are left open', server.connections());
must(share < 1 || kinds.every((kind) => met[kind]), 'a fault was not met', met);
await report({
  'requests to a faulty server': count,
  'kinds of faults': kinds.length,
  'answered by a fault': Object.values(met).reduce((sum, one) => sum + one, 0),
  fulfilled: ends['fulfilled'] ?? 0,
  rejected: ends['rejected'] ?? 0,
  aborted: ends['aborted'] ?? 0,
  'never settled': count - Object.values(ends).reduce((sum, one) => sum + one, 0),
});
