import { random } from './data.mjs';

/** @import { Issue, Optimistic, Peer, Session, WorkloadId } from './Peer.js' */
/** @import { Responses } from './data.mjs' */
/** @import { Timed } from './time.mjs' */

/** `right` says afterwards whether it did what it should. @typedef {Timed & { right: () => boolean }} Job */

/**
 * @typedef {object} Workload
 * @property {WorkloadId} id
 * @property {string} title
 * @property {boolean} [collects] Whether garbage is collected before each run, because a run makes much of it.
 * @property {number} [budget] How long it is repeated, in ms, where the usual time is too short.
 * @property {boolean} [repeats] Whether it is too short for the clock, and has nothing before it.
 * @property {(peer: Peer, responses: Responses) => Job | Promise<Job>} start
 */

/** @type {readonly Workload[]} */
export const workloads = [
  {
    id: 'W1',
    title: 'a list arrives in an empty store',
    collects: true,
    start(peer, responses) {
      let session = peer.open();
      /** @type {Issue[]} */
      let rows = [];
      return {
        before() {
          session = peer.open();
          rows = next(peer, responses.next());
        },
        run: () => session.receive(rows),
        right: () => isSame(session.read(), responses.issues),
      };
    },
  },
  {
    id: 'W2',
    title: 'the same list arrives again',
    collects: true,
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      /** @type {Issue[]} */
      let rows = [];
      const shown = session.read();
      const kept = session.kept?.();
      return {
        before() {
          rows = next(peer, responses.next());
        },
        run: () => session.receive(rows),
        right: () =>
          isSame(session.read(), responses.issues) &&
          (!kept || (shown === session.read() && kept.every((table, i) => table === session.kept?.()[i]))),
      };
    },
  },
  {
    id: 'W3',
    title: 'the list arrives, 1 % of its rows changed',
    collects: true,
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      let version = 0;
      /** @type {Issue[]} */
      let rows = [];
      /** @type {readonly Issue[]} */
      let shown = [];
      return {
        before() {
          shown = session.read();
          rows = next(peer, responses.changed(++version));
        },
        run: () => session.receive(rows),
        right() {
          const now = session.read();
          const expected = responses.changed(version);
          const isFresh = (/** @type {Issue} */ row, /** @type {number} */ i) => row !== shown[i];
          const changes = expected.filter(({ title }) => title === `Changed ${version}`).length;
          return isSame(now, expected) && (!session.kept || now.filter(isFresh).length === changes);
        },
      };
    },
  },
  {
    id: 'W4',
    title: 'the list is read for the first time',
    collects: true,
    start(peer, responses) {
      let session = peer.open();
      return {
        async before() {
          session = peer.open();
          await (session.put ?? session.receive)(next(peer, responses.next()));
        },
        run: () => session.read(),
        right: () => isSame(session.read(), responses.issues),
      };
    },
  },
  {
    id: 'W5',
    title: 'it is read again',
    repeats: true,
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      session.read();
      return { run: () => session.read(), right: () => isSame(session.read(), responses.issues) };
    },
  },
  {
    id: 'W5b',
    title: 'it is read after another row of the table has changed',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      const other = { ...responses.at(0), id: 'in-no-list' };
      session.add?.(other);
      session.read();
      let turn = 0;
      return {
        before: () => {
          session.write(other.id, { title: `Other ${++turn}` });
        },
        run: () => session.read(),
        right: () => isSame(session.read(), responses.issues),
      };
    },
  },
  {
    id: 'W6',
    title: 'it is read after one issue has changed',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      session.read();
      let turn = 0;
      return {
        before() {
          session.write(responses.at(++turn).id, { title: `Turn ${turn}` });
        },
        run: () => session.read(),
        right: () => titleOf(session, responses.at(turn).id) === `Turn ${turn}`,
      };
    },
  },
  {
    id: 'W6u',
    title: 'it is read after one user has changed',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      session.read();
      let turn = 0;
      return {
        before() {
          session.writeUser(responses.at(++turn).user.id, { name: `Turn ${turn}` });
        },
        run: () => session.read(),
        right: () => session.read().find(({ id }) => id === responses.at(turn).id)?.user.name === `Turn ${turn}`,
      };
    },
  },
  {
    id: 'W9',
    title: 'one issue is written',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      let turn = 0;
      let id = '';
      let title = '';
      return {
        before() {
          id = responses.at(++turn).id;
          title = `Turn ${turn}`;
        },
        run: () => {
          session.write(id, { title });
        },
        right: () => titleOf(session, id) === title,
      };
    },
  },
  {
    id: 'W69',
    title: 'one issue is written, and the list read',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      session.read();
      let turn = 0;
      let id = '';
      let title = '';
      return {
        before() {
          id = responses.at(++turn).id;
          title = `Turn ${turn}`;
        },
        run: () => {
          session.write(id, { title });
          return session.read();
        },
        right: () => titleOf(session, id) === title,
      };
    },
  },
  {
    id: 'W7',
    title: 'one of 1 000 issues with a subscriber each is written',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      const count = Math.min(1000, responses.issues.length);
      const watched = Array.from({ length: count }, (_, i) => responses.at(i));
      const watch = need(session.watch).call(session, watched);
      let turn = 0;
      let id = '';
      let title = '';
      return {
        before() {
          id = need(watched[++turn % count]).id;
          title = `Turn ${turn}`;
        },
        run: () => {
          watch.write(id, { title });
        },
        right: () => watch.seen() === turn,
      };
    },
  },
  {
    id: 'W8a',
    title: 'an optimistic create is shown, read, refused, and read',
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      session.read();
      let lengths = [0, 0];
      return {
        async run() {
          const creating = need(session.create).call(session, { ...responses.at(0), id: 'new', title: 'New' });
          const shown = session.read().length;
          await creating.fail();
          lengths = [shown, session.read().length];
        },
        right: () => lengths[0] === responses.issues.length + 1 && isSame(session.read(), responses.issues),
      };
    },
  },
  {
    id: 'W8b',
    title: '50 optimistic updates overlap and settle in any order; a read after each of the 100 events',
    collects: true,
    // It runs more code than the others, and V8 takes longer to compile it.
    budget: 3000,
    start(peer, responses) {
      let session = peer.open();
      let isRight = true;
      const updates = overlapping(responses);
      return {
        async before() {
          session = await loaded(peer, responses);
          session.read();
        },
        async run() {
          /** @type {Optimistic[]} */
          const pending = [];
          for (const { issue, title } of updates.started) {
            pending.push(need(session.update).call(session, issue.id, { title }));
            session.read();
          }
          for (const index of updates.order) {
            const { issue, title, fails } = need(updates.started[index]);
            const one = need(pending[index]);
            await (fails ? one.fail() : one.succeed({ ...issue, title }));
            session.read();
          }
        },
        right() {
          isRight &&= updates.expected.every(({ id, title }) => titleOf(session, id) === title);
          return isRight;
        },
      };
    },
  },
  {
    id: 'copy',
    title: 'the array of the list is copied',
    repeats: true,
    async start(peer, responses) {
      const session = await loaded(peer, responses);
      let copy = session.read();
      return { run: () => (copy = [...session.read()]), right: () => copy.length === responses.issues.length };
    },
  },
];

/**
 * 50 updates of ten issues, each of the title; every third is refused. The server answers in any order, and of those that
 * it accepts the one that started last decides.
 * @param {Responses} responses
 */
function overlapping(responses) {
  const chance = random(2);
  const started = Array.from({ length: 50 }, (_, i) => ({
    issue: responses.at(Math.floor(chance() * 10) + 1),
    title: `Update ${i}`,
    fails: i % 3 === 0,
  }));
  const order = started.map((_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const other = Math.floor(chance() * (i + 1));
    [order[i], order[other]] = [need(order[other]), need(order[i])];
  }
  const expected = [...new Set(started.map(({ issue }) => issue))].map(({ id, title }) => ({
    id,
    title: started.findLast(({ issue, fails }) => issue.id === id && !fails)?.title ?? title,
  }));
  return { started, order, expected };
}

/** A response as the library expects it. @param {Peer} peer @param {Issue[]} rows */
function next(peer, rows) {
  peer.prepare?.(rows);
  return rows;
}

/** A store that has the list. @param {Peer} peer @param {Responses} responses */
async function loaded(peer, responses) {
  const session = peer.open();
  await session.receive(next(peer, responses.next()));
  return session;
}

/** @param {Session} session @param {string} wanted */
function titleOf(session, wanted) {
  return session.read().find(({ id }) => id === wanted)?.title;
}

/** Whether two lists show the same, whatever their rows are made of. @param {readonly Issue[]} shown @param {readonly Issue[]} expected */
function isSame(shown, expected) {
  return (
    shown.length === expected.length &&
    expected.every((issue, i) => {
      const row = need(shown[i]);
      const { user, ...fields } = issue;
      return hasAll(row, fields) && hasAll(row.user, user);
    })
  );
}

/** @param {object} row @param {object} fields */
function hasAll(row, fields) {
  return Object.entries(fields).every(([name, value]) => /** @type {Record<string, unknown>} */ (row)[name] === value);
}

/** @template T @param {T | undefined} value @returns {T} */
function need(value) {
  if (value === undefined) throw new Error('a peer lacks what this workload needs');
  return value;
}
