import { configureStore } from '@reduxjs/toolkit';
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query';
import { watchStore } from '../watch.mjs';

/** @import { Issue, Peer, Session } from '../Peer.js' */
/** @typedef {{ id: string, fields: Partial<Issue>, answer: Promise<Issue> }} Update */

/** The next answer of the server. @type {Issue[]} */
let answer = [];

/** Optimistic as its documentation says: the documents are patched, and the patch undone when the request fails. */
const makeApi = () => {
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    endpoints: (build) => ({
      list: build.query({ queryFn: (/** @type {undefined} */ _) => ({ data: answer }) }),
      issue: build.query({ queryFn: (/** @type {string} */ id) => ({ data: /** @type {Issue} */ ({ id }) }) }),
      create: build.mutation({
        queryFn: (/** @type {{ issue: Issue, answer: Promise<Issue> }} */ creating) => dataOf(creating.answer),
        async onQueryStarted({ issue }, { dispatch, queryFulfilled }) {
          const patch = dispatch(api.util.updateQueryData('list', undefined, (draft) => void draft.push(issue)));
          await queryFulfilled.catch(patch.undo);
        },
      }),
      update: build.mutation({
        queryFn: (/** @type {Update & { at: number }} */ update) => dataOf(update.answer),
        async onQueryStarted({ at, fields }, { dispatch, queryFulfilled }) {
          const patch = dispatch(
            api.util.updateQueryData('list', undefined, (draft) => void Object.assign(draft[at] ?? {}, fields)),
          );
          await queryFulfilled.catch(patch.undo);
        },
      }),
    }),
  });
  return api;
};

/** @param {Promise<Issue>} answer */
async function dataOf(answer) {
  try {
    return { data: await answer };
  } catch (error) {
    return { error: String(error) };
  }
}

/** @type {Peer} */
export default {
  // Documents are read as they came, so there is nothing to make for a read, and no table.
  cannot: ['W4', 'W5b'],
  open() {
    const api = makeApi();
    const store = configureStore({
      reducer: { [api.reducerPath]: api.reducer },
      middleware: (getDefault) => getDefault().concat(api.middleware),
      // Else subscribers would be told a moment later, when nobody measures.
      enhancers: (getDefault) => getDefault({ autoBatch: false }),
    });
    const selectList = api.endpoints.list.select(undefined);
    const read = () => /** @type {readonly Issue[]} */ (selectList(store.getState()).data);
    /** Where each issue is: looking for it in a draft would take longer than the change. @type {Map<string, number>} */
    let places = new Map();
    /** @param {string} id */
    const placeOf = (id) => {
      if (places.size === 0) places = new Map(read().map((issue, i) => [issue.id, i]));
      return places.get(id) ?? -1;
    };
    const later = () => {
      /** @type {(issue: Issue) => void} */
      let succeed = () => undefined;
      /** @type {() => void} */
      let fail = () => undefined;
      const answer = /** @type {Promise<Issue>} */ (
        new Promise((resolve, reject) => {
          succeed = resolve;
          fail = reject;
        })
      );
      return { answer, succeed, fail };
    };
    return /** @type {Session} */ ({
      async receive(rows) {
        answer = rows;
        await store.dispatch(api.endpoints.list.initiate(undefined, { forceRefetch: true, subscribe: false }));
      },
      read,
      write(id, fields) {
        const place = placeOf(id);
        store.dispatch(
          api.util.updateQueryData('list', undefined, (draft) => void Object.assign(draft[place] ?? {}, fields)),
        );
      },
      writeUser(id, fields) {
        const of = read().flatMap(({ user }, i) => (user.id === id ? [i] : []));
        store.dispatch(
          api.util.updateQueryData('list', undefined, (draft) => {
            for (const i of of) Object.assign(draft[i]?.user ?? {}, fields);
          }),
        );
      },
      watch(issues) {
        // Subscribers read a document of their own: one that reads the list would see every change of it.
        const entries = issues.map(
          (issue) => /** @type {const} */ ({ endpointName: 'issue', arg: issue.id, value: issue }),
        );
        store.dispatch(api.util.upsertQueryEntries(entries));
        const selectors = issues.map(({ id }) => {
          const select = api.endpoints.issue.select(id);
          return (/** @type {ReturnType<typeof store.getState>} */ state) => select(state).data;
        });
        const seen = watchStore(store, selectors);
        return {
          write(id, fields) {
            store.dispatch(api.util.updateQueryData('issue', id, (draft) => void Object.assign(draft, fields)));
          },
          seen,
        };
      },
      create(issue) {
        const { answer, succeed, fail } = later();
        const creating = store.dispatch(api.endpoints.create.initiate({ issue, answer }));
        return {
          async succeed(row) {
            succeed(row);
            await creating;
          },
          async fail() {
            fail();
            await creating;
          },
        };
      },
      update(id, fields) {
        const { answer, succeed, fail } = later();
        const updating = store.dispatch(api.endpoints.update.initiate({ id, at: placeOf(id), fields, answer }));
        return {
          async succeed(row) {
            succeed(row);
            await updating;
          },
          async fail() {
            fail();
            await updating;
          },
        };
      },
    });
  },
};
