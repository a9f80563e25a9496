import { createCollection, createLiveQueryCollection, eq } from '@tanstack/db';

/** @import { Issue, Peer, Session, User } from '../Peer.js' */
/** @typedef {Omit<Issue, 'user'> & { userId: string }} Row */

let opened = 0;

/** A collection that is told what the server says. @template {{ id: string }} T @param {T[]} _none What it is of. */
function openCollection(_none) {
  /** @type {(values: readonly T[]) => void} */
  let receive = () => undefined;
  /** The ends of the writes to come. @type {Promise<void>[]} */
  const ends = [];
  const persist = async () => {
    await ends.shift();
  };
  /** @type {import('@tanstack/db').CollectionConfig<T, string>} */
  const config = {
    id: `collection ${opened++}`,
    getKey: ({ id }) => id,
    startSync: true,
    sync: {
      sync({ collection, begin, write, commit, markReady }) {
        receive = (values) => {
          const type = collection.size === 0 ? 'insert' : 'update';
          begin();
          for (const value of values) write({ type, value });
          void commit();
        };
        markReady();
      },
    },
    onInsert: persist,
    onUpdate: persist,
  };
  return {
    collection: createCollection(config),
    receive: (/** @type {readonly T[]} */ values) => {
      receive(values);
    },
    /** The next write waits, until it is said how it ends. */
    later() {
      /** @type {() => void} */
      let succeed = () => undefined;
      /** @type {() => void} */
      let fail = () => undefined;
      ends.push(
        new Promise((resolve, reject) => {
          succeed = resolve;
          fail = reject;
        }),
      );
      return { succeed, fail };
    },
  };
}

/** @type {Peer} */
export default {
  // The list is a live query: it is made when rows arrive, and is of all rows of the table.
  cannot: ['W4', 'W5b', 'W7'],
  open() {
    const issues = openCollection(/** @type {Row[]} */ ([]));
    const users = openCollection(/** @type {User[]} */ ([]));
    const list = createLiveQueryCollection({
      startSync: true,
      query: (from) =>
        from
          .from({ issue: issues.collection })
          .innerJoin({ user: users.collection }, ({ issue, user }) => eq(issue.userId, user.id))
          .orderBy(({ issue }) => issue.number)
          .select(({ issue, user }) => ({ ...issue, user })),
    });
    return /** @type {Session} */ ({
      receive(rows) {
        const authors = new Map(rows.map(({ user }) => [user.id, user]));
        users.receive([...authors.values()]);
        issues.receive(rows.map(rowOf));
      },
      // What a list has of its own beside the fields does not matter here.
      read: () => /** @type {readonly Issue[]} */ (/** @type {unknown} */ (list.toArray)),
      write(id, fields) {
        const row = issues.collection.get(id);
        if (row) issues.receive([{ ...row, ...withoutUser(fields) }]);
      },
      writeUser(id, fields) {
        const user = users.collection.get(id);
        if (user) users.receive([{ ...user, ...fields }]);
      },
      create(issue) {
        const { fail } = issues.later();
        const transaction = issues.collection.insert(rowOf(issue));
        return {
          succeed: () => undefined,
          async fail() {
            fail();
            await transaction.when('settled').catch(() => undefined);
          },
        };
      },
      update(id, fields) {
        const { succeed, fail } = issues.later();
        const transaction = issues.collection.update(id, (draft) => {
          Object.assign(draft, withoutUser(fields));
        });
        return {
          async succeed(answer) {
            issues.receive([rowOf(answer)]);
            succeed();
            await transaction.when('settled');
          },
          async fail() {
            fail();
            await transaction.when('settled').catch(() => undefined);
          },
        };
      },
    });
  },
};

/** @param {Issue} issue @returns {Row} */
function rowOf({ user, ...fields }) {
  return { ...fields, userId: user.id };
}

/** @param {Partial<Issue>} fields @returns {Partial<Row>} */
function withoutUser({ user: _, ...fields }) {
  return fields;
}
