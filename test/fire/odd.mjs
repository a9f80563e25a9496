// 100 000 requests with odd answers and odd arguments, without a network, in a store in which a reducer and a middleware throw:
// none throws at dispatch, each ends, and the state stays plain.
import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { below, elsewhere, must, mustBeIdle, oneOf, openStore, report, share } from './part.mjs';

class Note extends Entity {
  id = /** @type {number | string} */ (0);
  text = '';
  at = new Date(0);
  static key = 'Note';
  // What it throws, reads throw (R18).
  static schema = { at: (/** @type {unknown} */ iso) => new Date(typeof iso === 'string' ? iso : NaN) };
}

/** A class whose own code makes odd things of what comes. */
class Odd extends Entity {
  id = /** @type {number | string} */ (0);
  static key = 'Odd';
  static process(/** @type {Record<string, unknown>} */ input) {
    return below(3) ? input : /** @type {Record<string, unknown>} */ ({ ...input, extra: oneOf(oddities)() });
  }
  static merge(/** @type {Record<string, unknown>} */ existing, /** @type {Record<string, unknown>} */ incoming) {
    return { ...existing, ...incoming, ...(below(3) ? {} : { merged: oneOf(oddities)() }) };
  }
}

const count = Math.ceil(100_000 * share);

/** Odd values, each made anew. @type {readonly (() => unknown)[]} */
const oddities = [
  () => undefined,
  () => null,
  () => NaN,
  () => -0,
  () => Infinity,
  () => 10n,
  () => '',
  () => '__proto__',
  () => '../..',
  () => '\ud800',
  () => '~temporary',
  () => Symbol('odd'),
  // Two functions in place of arguments are told at the call: the endpoint itself was dispatched (R8).
  () => ({ id: () => 'function' }),
  () => [],
  () => [[[]]],
  () => [null, undefined, 1],
  () => ({}),
  () => /** @type {unknown} */ (Object.create(null)),
  () => /** @type {unknown} */ (JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')),
  () => new Map([[1, 2]]),
  () => new Set([1]),
  () => new Date(NaN),
  () => new Date(0),
  () => new Uint8Array(3),
  () => new Error('odd'),
  () => Promise.resolve(1),
  () => new Proxy({}, { get: thrower, ownKeys: thrower, has: thrower, getPrototypeOf: thrower }),
  () => revoked(),
  () => cyclic(),
  () => deep(2_000),
  () => ({ toJSON: thrower }),
  () => Object.defineProperty({}, 'id', { enumerable: true, get: thrower }),
  () => ({ then: /** @type {unknown} */ (thrower) }),
  () => Note.fromJS({ id: 1, text: 'entity' }),
  () => Object.freeze({ id: 1, at: 'never' }),
];

/** @returns {never} */
function thrower() {
  throw new Error('odd');
}
function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
function cyclic() {
  /** @type {Record<string, unknown>} */
  const one = { id: 1 };
  one['self'] = [one];
  return one;
}
/** @param {number} depth */
function deep(depth) {
  /** @type {Record<string, unknown>} */
  let inner = {};
  for (let i = 0; i < depth; i++) inner = { inner };
  return inner;
}

/** An odd value, or a plain one with odd ones in it. @returns {unknown} */
function odd() {
  const one = oneOf(oddities)();
  const how = below(4);
  if (how === 0) return { id: below(20), text: one };
  if (how === 1) return [{ id: below(20), at: one }, one];
  return how === 2 ? { id: one, text: 'odd' } : one;
}

/** @returns {Promise<Response>} */
async function oddlyRejected() {
  await Promise.resolve();
  throw odd();
}

/** What a fetch gives: a response with a text of an odd value, or what is no response at all. */
function respond() {
  const how = below(6);
  if (how === 0) return oddlyRejected();
  if (how === 1) return Promise.resolve(/** @type {Response} */ (odd()));
  /** @type {unknown} */
  let text = '';
  try {
    text = JSON.stringify(odd());
  } catch {
    text = '[1,';
  }
  const status = oneOf([200, 200, 200, 201, 400, 422, 500]);
  const headers = oneOf([{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]);
  return Promise.resolve(new Response(String(text), { status, headers }));
}

const options = {
  urlPrefix: 'https://example.com',
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  fetchResponse: respond,
};
const Notes = createResource({ ...options, paginationField: 'page' });
const Processed = createResource({ ...options, name: 'Processed', paginationField: 'page', process: () => odd() });
const Odds = createResource({ ...options, schema: Odd });
const free = new RestEndpoint({
  urlPrefix: 'https://example.com',
  path: '/free',
  name: 'free',
  fetchResponse: respond,
  process: () => odd(),
});
const guessing = Notes.partialUpdate.extend({ name: 'guessing', getOptimisticResponse: () => odd() });

let [thrown, isFragile] = [0, false];
const opened = openStore(() => {
  if (!isFragile || below(50)) return;
  thrown++;
  throw elsewhere;
});
const { store, resources, slice } = opened;
/** @typedef {(...args: readonly unknown[]) => import('rtk-resource').Request} Call */
const calls = /** @type {readonly Call[]} */ (
  /** @type {unknown} */ ([
    ...[Notes, Processed, Odds].flatMap(({ get, getList, update, partialUpdate, delete: remove }) => [
      get,
      get.ifStale.bind(get),
      getList,
      getList.push,
      getList.unshift,
      update,
      partialUpdate,
      remove,
    ]),
    free,
    guessing,
    Notes.getList.getPage,
  ])
);

let [rejected, refused] = [0, 0];
for (let done = 0; done < count; done += 20) {
  const batch = Array.from({ length: 20 }, () => {
    const args = below(2) ? [{ id: below(20), page: 2 }, odd()] : [odd(), odd()];
    isFragile = true;
    const promise = store.dispatch(oneOf(calls)(...args));
    void promise.unwrap().catch(() => undefined);
    return promise;
  });
  for (const { meta } of await Promise.all(batch)) if (meta.requestStatus === 'rejected') rejected++;
  try {
    store.dispatch(resources.set(Note, /** @type {never} */ (odd())));
  } catch {
    refused++;
  }
  isFragile = false;
  if (done % 2_000 === 0) {
    Notes.getList.select()(store.getState());
    resources.selectAll(Note)(store.getState());
    must(JSON.stringify(slice()).length > 0, 'the state cannot be written');
    store.dispatch(resources.reset());
  }
}
// What the slice could not be told of, it is told of now.
await store.dispatch(free());
mustBeIdle(opened);
must(!('polluted' in {}), 'the prototype of all objects is polluted');
await report({
  'odd answers and arguments': count,
  'of them rejected': rejected,
  'odd rows refused by set': refused,
  'actions at which something else threw': thrown,
  'never settled': 0,
});
