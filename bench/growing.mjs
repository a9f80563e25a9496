// One process: what requests cost after many others, beside many others, or with much in the store, as JSON.
//   NODE_ENV=production node bench/growing.mjs G2 50 ordered
import { setImmediate as turn } from 'node:timers/promises';
import { random, Responses } from './data.mjs';
import { stubbedFetch } from './network.mjs';
import { Issue, IssueResource, openStore } from './peers/ours.mjs';
import { median } from './time.mjs';

/** @import { Request, RequestPromise } from 'rtk-resource' */
/** @import { Issue as IssueRow } from './Peer.js' */

/** What some requests took, each, in µs of CPU time. @typedef {{ mean: number, median: number }} Cost */
/** What it came to, by the name of the column or the line; a single number is bytes. @typedef {Record<string, Cost | number>} Found */

/** How long requests follow each other for G1, in ms; points that are not reached by then are left out. */
const patience = 60_000;
/** How many requests are measured at each point. */
const width = 200;
/** How many rows are edited. */
const editable = 100;
const saveInLine = IssueResource.partialUpdate.extend({ name: 'Issue/saveInLine', serialize: true });

const starts = {
  /** @type {(row: IssueRow, i: number) => Request} */
  lists: (_, i) => IssueResource.getList({ part: i }),
  /** @type {(row: IssueRow, i: number) => Request} */
  edits: ({ id }) => IssueResource.partialUpdate({ id }, { title: 'Edited' }),
  /** @type {(row: IssueRow, i: number) => Request} */
  lines: ({ id }) => saveInLine({ id }, { title: 'Edited' }),
  /** @type {(row: IssueRow, i: number) => Request} */
  details: ({ id }) => IssueResource.get({ id }),
};
/** @type {Record<string, (...args: string[]) => Promise<Found>>} */
const measures = {
  G1: afterOthers,
  G1b: afterPolls,
  G2: overlappingCreates,
  G3: inParallel,
  G4: lostWrites,
  G5: plain,
  G8: patched,
};

const [id = '', ...args] = process.argv.slice(2);
const { [id]: measured } = measures;
if (!measured) throw new Error(`there is no ${id}`);
console.log(JSON.stringify(await measured(...args)));
process.exit();

/**
 * G1: requests one after the other, while one hangs that started before them.
 * @param {string} hanging `nothing`, `a read` or `an optimistic edit`
 * @param {string} points After how many requests it is measured: `200,1000`.
 */
async function afterOthers(hanging = '', points = '') {
  const ends = points.split(',').map(Number);
  await requests('nothing', [process.env.NODE_ENV === 'production' ? 6_000 : 300], () => undefined, Infinity);
  const end = performance.now() + patience;
  /** @type {Found} */
  const found = {};
  await requests(
    hanging,
    ends,
    (point, figures) => {
      for (const [name, figure] of Object.entries(figures)) found[`${name} ${point}`] = figure;
    },
    end,
  );
  return found;
}

/**
 * @param {string} hanging
 * @param {readonly number[]} points
 * @param {(point: number, figures: Found) => void} tell
 * @param {number} end When to give up.
 */
async function requests(hanging, points, tell, end) {
  const { store, responses, sizes } = openWatched(1_000);
  const rows = responses.issues.filter((_, i) => i % 7 === 0).slice(0, editable);
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  const shown = (/** @type {IssueRow} */ row) => ({
    ...row,
    user: { ...row.user },
    title: titles.get(row.id) ?? row.title,
  });
  const hung = responses.issues.at(-1)?.id ?? '';
  if (hanging !== 'nothing') stubbedFetch.later();
  if (hanging === 'a read') void store.dispatch(IssueResource.get({ id: hung }));
  if (hanging === 'an optimistic edit')
    void store.dispatch(IssueResource.partialUpdate({ id: hung }, { title: 'Hung' }));
  await turn();

  /** @type {Record<string, number[]>} */
  const taken = { edit: [], detail: [], poll: [] };
  for (let i = 0, next = 0; next < points.length; i++) {
    const row = at(rows, i * 37);
    const kind = i % 20 === 10 ? 'poll' : i % 2 === 1 ? 'edit' : 'detail';
    if (kind === 'edit') titles.set(row.id, `Edit ${i}`);
    stubbedFetch.answer(kind === 'poll' ? responses.next().map(shown) : shown(row));
    const title = titles.get(row.id) ?? '';
    const request = {
      edit: () => store.dispatch(IssueResource.partialUpdate({ id: row.id }, { title })),
      detail: () => store.dispatch(IssueResource.get({ id: row.id })),
      poll: () => store.dispatch(IssueResource.getList()),
    }[kind];
    taken[kind]?.push(await costOf(request));
    await turn();

    // What is measured around a point ends half a width after it; the first of them are at the beginning.
    const point = at(points, next);
    const until = point === width ? width : point + width / 2;
    if (i + 1 === until - width) for (const kind of Object.keys(taken)) taken[kind] = [];
    if (i + 1 === until) {
      const costs = Object.entries(taken).map(([kind, values]) => [kind, summary(values)]);
      tell(point, { .../** @type {Found} */ (Object.fromEntries(costs)), ...sizes() });
      for (const kind of Object.keys(taken)) taken[kind] = [];
      next++;
    }
    if (performance.now() > end) return;
  }
  const [row] = rows;
  const read = IssueResource.getList
    .select()(store.getState())
    ?.find(({ id }) => id === row?.id);
  if (!row || read?.title !== titles.get(row.id)) throw new Error('an edit is lost');
}

/** G1: ten polls of a long list, while a read hangs that started before them. */
async function afterPolls() {
  const { store, responses, sizes } = openWatched(10_000);
  stubbedFetch.later();
  void store.dispatch(IssueResource.get({ id: at(responses.issues, 5).id }));
  await turn();
  /** @type {Found} */
  const found = {};
  for (let i = 1; i <= 10; i++) {
    stubbedFetch.answer(responses.next());
    await store.dispatch(IssueResource.getList());
    for (const [name, bytes] of Object.entries(sizes())) found[`${name} ${i}`] = bytes;
    await turn();
  }
  return found;
}

/**
 * G2: optimistic creates that overlap, so many at once, into a list that is read after every event.
 * @param {string} count
 * @param {string} order `ordered` or `random`: how they settle.
 */
async function overlappingCreates(count = '', order = '') {
  const overlapping = Number(count);
  const responses = new Responses(1_000);
  await creates(responses, 25, 2, order);
  await creates(responses, 1, 300, order);
  /** @type {number[]} */
  const taken = [];
  // One at a time they follow each other in one store; otherwise each store has so many once.
  for (let done = 0; done < width; done += overlapping === 1 ? width : overlapping) {
    taken.push(...(await creates(responses, overlapping, overlapping === 1 ? width : 1, order)));
  }
  return { create: summary(taken) };
}

/** @param {Responses} responses @param {number} count @param {number} rounds @param {string} order */
async function creates(responses, count, rounds, order) {
  const { resources, store } = openStore();
  store.dispatch(resources.setResponse(IssueResource.getList, {}, responses.next()));
  store.dispatch(IssueResource.getList.subscribe());
  const select = IssueResource.getList.select();
  let length = 0;
  store.subscribe(() => (length = select(store.getState())?.length ?? 0));
  const next = random();
  /** @type {number[]} */
  const all = [];
  for (let round = 0; round < rounds; round++) {
    const taken = [];
    const started = [];
    for (let i = 0; i < count; i++) {
      const { id: _, ...row } = responses.at(i);
      const fetched = stubbedFetch.later();
      /** @type {RequestPromise<unknown> | undefined} */
      let creating;
      taken.push(
        await costOf(() => {
          creating = store.dispatch(IssueResource.getList.push({ ...row, user: { ...row.user } }));
          return turn();
        }),
      );
      started.push({ i, creating, fetched, answer: { ...row, user: { ...row.user }, id: `created ${round} ${i}` } });
    }
    if (length !== 1_000 + (round + 1) * count) throw new Error('a create is not shown');
    const settling = order === 'random' ? shuffled(started, next) : started;
    for (const { i, creating, fetched, answer } of settling) {
      const cost = await costOf(() => {
        fetched.succeed(answer);
        return creating;
      });
      taken[i] = (taken[i] ?? NaN) + cost;
      await turn();
    }
    all.push(...taken);
  }
  if (length !== 1_000 + rounds * count) throw new Error('a create is lost');
  return all;
}

/**
 * G3: requests of one kind that are all under way, before they settle one after the other.
 * @param {string} kind
 * @param {string} count
 */
async function inParallel(kind = '', count = '') {
  await parallel(kind, 50);
  await parallel(kind, 50);
  return { request: summary(await parallel(kind, Number(count))) };
}

/** @param {string} kind @param {number} count */
async function parallel(kind, count) {
  const { resources, store } = openStore();
  const responses = new Responses(Math.max(1_000, count));
  if (kind !== 'lists') store.dispatch(resources.setResponse(IssueResource.getList, {}, responses.next()));
  const rows = responses.next().slice(0, count);
  const fetched = rows.map(() => stubbedFetch.later());
  const start = starts[/** @type {keyof typeof starts} */ (kind)];
  // A list has ten rows, which other lists may have as well.
  const few = responses.next();
  const answers = rows.map((row, i) =>
    kind === 'lists' ? Array.from({ length: 10 }, (_, j) => copy(at(few, i * 10 + j))) : { ...row, title: 'Edited' },
  );
  /** @type {RequestPromise<unknown>[]} */
  let started = [];
  const starting = await costOf(() => {
    started = rows.map((row, i) => store.dispatch(start(row, i)));
    return turn();
  });
  const taken = [];
  for (const [i, promise] of started.entries()) {
    const cost = await costOf(() => {
      fetched[i]?.succeed(answers[i]);
      return promise;
    });
    if ((await promise).meta.requestStatus !== 'fulfilled') throw new Error('a request has failed');
    taken.push(starting / count + cost);
    await turn();
  }
  const state = store.getState();
  const isRight = (/** @type {IssueRow} */ { id }, /** @type {number} */ i) =>
    kind === 'lists'
      ? IssueResource.getList.select({ part: i })(state)?.length === 10
      : kind === 'details'
        ? IssueResource.get.select({ id })(state)?.title === 'Edited'
        : IssueResource.getList.select()(state)?.[i]?.title === 'Edited';
  if (!rows.every(isRight)) throw new Error('an answer is not where it belongs');
  return taken;
}

/** G4: an edit of which nobody knows what came, with a list of this size in the store. @param {string} size */
async function lostWrites(size = '') {
  await lose(new Responses(1_000), 50);
  return { write: summary(await lose(new Responses(Number(size)), 11)) };
}

/** @param {Responses} responses @param {number} times */
async function lose(responses, times) {
  const { resources, store } = openStore();
  const taken = [];
  for (let i = 0; i < times; i++) {
    // The list became stale by the one before.
    store.dispatch(resources.setResponse(IssueResource.getList, {}, responses.next()));
    await turn();
    const { id } = responses.at(i);
    const fetched = stubbedFetch.later();
    /** @type {RequestPromise<unknown> | undefined} */
    let losing;
    taken.push(
      await costOf(async () => {
        losing = store.dispatch(IssueResource.partialUpdate({ id }, { title: 'Lost' }));
        await turn();
        fetched.lose();
        await losing;
      }),
    );
    if ((await losing)?.meta.requestStatus !== 'rejected') throw new Error('a write is not lost');
  }
  return taken;
}

/** G5: details of a store that has nothing yet, one after the other, and 300 at once. */
async function plain() {
  const oneByOne = async () => {
    const { store } = openStore();
    const taken = [];
    for (const row of new Responses(1_000).next()) {
      stubbedFetch.answer(row);
      taken.push(await costOf(() => store.dispatch(IssueResource.get({ id: row.id }))));
      await turn();
    }
    return taken;
  };
  const atOnce = async () => {
    const { store } = openStore();
    const rows = new Responses(300).next();
    for (const row of rows) stubbedFetch.answer(row);
    return costOf(() => Promise.all(rows.map(({ id }) => store.dispatch(IssueResource.get({ id })))));
  };
  for (let i = 0; i < 5; i++) await oneByOne();
  const sequential = await oneByOne();
  for (let i = 0; i < 5; i++) await atOnce();
  const parallel = [];
  for (let i = 0; i < 10; i++) parallel.push(await atOnce());
  return { sequential: summary(sequential), parallel: summary(parallel) };
}

/**
 * G8: ten patches by hand over a list of this size, begun one after the other, while it is polled.
 * @param {string} kind `nothing`, `rows` (a field of ten rows) or `the list` (an item moved to its front)
 * @param {string} size
 */
async function patched(kind = '', size = '') {
  await patches(kind, new Responses(100), 20);
  const { patching, polling } = await patches(kind, new Responses(Number(size)), 11);
  return { ...(kind !== 'nothing' && { patch: summary(patching) }), poll: summary(polling) };
}

/** @param {string} kind @param {Responses} responses @param {number} polls */
async function patches(kind, responses, polls) {
  const { resources, store } = openStore();
  store.dispatch(resources.setResponse(IssueResource.getList, {}, responses.next()));
  store.dispatch(IssueResource.getList.subscribe());
  const select = IssueResource.getList.select();
  const begin = {
    nothing: () => undefined,
    rows: (/** @type {number} */ i) => {
      store.dispatch(resources.patch(Issue, { id: responses.at(i).id }, (row) => void (row.title = 'Patched')));
    },
    'the list': (/** @type {number} */ i) => {
      store.dispatch(
        resources.patch(IssueResource.getList, {}, (rows) => {
          rows.unshift(...rows.splice(i * 7 + 1, 1));
        }),
      );
    },
  }[kind];
  const patching = [];
  for (let i = 0; i < 10; i++) {
    patching.push(
      await costOf(() => {
        begin?.(i);
        select(store.getState());
        return turn();
      }),
    );
  }
  const polling = [];
  for (let i = 0; i < polls; i++) {
    stubbedFetch.answer(responses.next());
    polling.push(
      await costOf(async () => {
        await store.dispatch(IssueResource.getList());
        select(store.getState());
      }),
    );
    await turn();
  }
  const shown = select(store.getState());
  const isRight = {
    nothing: true,
    rows: shown?.filter(({ title }) => title === 'Patched').length === 10,
    'the list': shown?.[0]?.id !== responses.at(0).id,
  }[kind];
  if (!isRight) throw new Error('a patch is not shown');
  return { patching, polling };
}

/** A store with a list that somebody is subscribed to, and how large its journal and the last action are. @param {number} size */
function openWatched(size) {
  /** @type {unknown} */
  let last;
  const { resources, store } = openStore([
    () => (next) => (action) => {
      last = action;
      return next(action);
    },
  ]);
  const responses = new Responses(size);
  store.dispatch(resources.setResponse(IssueResource.getList, {}, responses.next()));
  store.dispatch(IssueResource.getList.subscribe());
  const sizes = () => ({ journal: bytesOf(store.getState().resources.journal), action: bytesOf(last) });
  return { store, responses, sizes };
}

/** @param {unknown} value */
function bytesOf(value) {
  return JSON.stringify(value).length;
}

/** What something takes until its promise resolves, in µs of CPU time. @param {() => PromiseLike<unknown> | undefined} run */
async function costOf(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** @param {readonly number[]} values @returns {Cost} */
function summary(values) {
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, median: median(values) };
}

/** The row at a place, counted on from the first after the last. @template Row @param {readonly Row[]} rows @param {number} i */
function at(rows, i) {
  const row = rows[i % rows.length];
  if (row === undefined) throw new Error('no rows');
  return row;
}

/** @param {IssueRow} row */
function copy(row) {
  return { ...row, user: { ...row.user } };
}

/** @template Item @param {readonly Item[]} items @param {() => number} next */
function shuffled(items, next) {
  return items
    .map((item) => ({ item, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
