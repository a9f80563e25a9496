import { createNormalizer } from '@normy/core';

/** @typedef {Parameters<ReturnType<typeof createNormalizer>['setQuery']>[1]} Data */
/** @import { Issue, Peer, Session } from '../Peer.js' */

/** The answers stay as they came, in a cache of somebody else; normy finds out which of them a change concerns. @type {Peer} */
export default {
  cannot: ['W4', 'W7', 'W8a'],
  slow: ['W8b'],
  open() {
    const normalizer = createNormalizer();
    /** @type {Record<string, Data>} */
    const queries = {};
    const set = (/** @type {string} */ key, /** @type {unknown} */ data) => {
      queries[key] = /** @type {Data} */ (data);
      normalizer.setQuery(key, /** @type {Data} */ (data));
    };
    const change = (/** @type {object} */ news) => {
      for (const { queryKey, data } of normalizer.getQueriesToUpdate(/** @type {Data} */ (news))) set(queryKey, data);
    };
    return /** @type {Session} */ ({
      receive(rows) {
        // What is answered again is written as a change first, as its adapters do, so that other answers learn of it.
        if (queries['list']) change(rows);
        set('list', rows);
      },
      read: () => /** @type {readonly Issue[]} */ (/** @type {unknown} */ (queries['list'])),
      write(id, fields) {
        change({ id, ...fields });
      },
      add(issue) {
        set('other', issue);
      },
      writeUser(id, fields) {
        change({ id, ...fields });
      },
      update(id, fields) {
        const before = normalizer.getObjectById(id);
        change({ id, ...fields });
        return {
          succeed: change,
          fail() {
            const { title } = /** @type {{ title: string }} */ (/** @type {unknown} */ (before));
            change({ id, title });
          },
        };
      },
    });
  },
};
