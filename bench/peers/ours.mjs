import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { stubbedFetch } from '../network.mjs';
import { watchStore } from '../watch.mjs';

/** @import { Issue as Row, Peer, Session, User as UserRow } from '../Peer.js' */

class User extends Entity {
  id = '';
  login = '';
  name = '';
  email = '';
  avatarUrl = '';
  admin = false;
  static key = 'User';
}

export class Issue extends Entity {
  id = '';
  number = 0;
  title = '';
  body = '';
  state = '';
  url = '';
  locked = false;
  comments = 0;
  priority = 0;
  score = 0;
  milestone = /** @type {string | null} */ (null);
  branch = '';
  createdAt = '';
  updatedAt = '';
  closedAt = /** @type {string | null} */ (null);
  user = /** @type {UserRow} */ (/** @type {unknown} */ (undefined));
  static key = 'Issue';
  static schema = { user: User };
}

export const IssueResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/issues/:id',
  schema: Issue,
  optimistic: true,
  fetchResponse: stubbedFetch,
});

/** A store as a user sets it up. @param {readonly import('@reduxjs/toolkit').Middleware[]} others What sees actions after ours. */
export function openStore(others = []) {
  const resources = configureResources();
  const store = configureStore({
    reducer: { [resources.reducerPath]: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware, ...others),
  });
  return { resources, store };
}

/** @type {Peer} */
export default {
  cannot: [],
  open() {
    const { resources, store } = openStore();
    const selectList = IssueResource.getList.select();
    const kept = () => Object.values(store.getState().resources.tables);
    return /** @type {Session} */ ({
      async receive(rows) {
        stubbedFetch.answer(rows);
        await store.dispatch(IssueResource.getList());
      },
      put(rows) {
        store.dispatch(resources.setResponse(IssueResource.getList, {}, rows));
      },
      read: () => /** @type {readonly Row[]} */ (selectList(store.getState())),
      write(id, fields) {
        store.dispatch(resources.set(Issue, { id, ...fields }));
      },
      add(issue) {
        store.dispatch(resources.set(Issue, issue));
      },
      writeUser(id, fields) {
        store.dispatch(resources.set(User, { id, ...fields }));
      },
      watch(issues) {
        const selectors = issues.map(({ id }) => resources.selectEntity(Issue, id));
        const seen = watchStore(store, selectors);
        return {
          write(id, fields) {
            store.dispatch(resources.set(Issue, { id, ...fields }));
          },
          seen,
        };
      },
      create({ id: _, ...body }) {
        const { succeed, fail } = stubbedFetch.later();
        const creating = store.dispatch(IssueResource.getList.push(body));
        return {
          async succeed(answer) {
            succeed(answer);
            await creating;
          },
          async fail() {
            fail();
            await creating;
          },
        };
      },
      update(id, fields) {
        const { succeed, fail } = stubbedFetch.later();
        const updating = store.dispatch(IssueResource.partialUpdate({ id }, fields));
        return {
          async succeed(answer) {
            succeed(answer);
            await updating;
          },
          async fail() {
            fail();
            await updating;
          },
        };
      },
      kept,
    });
  },
};
