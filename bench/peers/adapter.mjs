import { configureStore, createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import { normalize, schema } from 'normalizr';
import { watchStore } from '../watch.mjs';

/** @import { PayloadAction } from '@reduxjs/toolkit' */
/** @import { Issue, Peer, Session, User } from '../Peer.js' */
/** @typedef {Omit<Issue, 'user'> & { user: string }} Row */
/** @typedef {{ result: string[], entities: { issues: Record<string, Row>, users: Record<string, User> } }} Loaded */

const user = new schema.Entity('users');
const list = [new schema.Entity('issues', { user })];

const issues = /** @type {import('@reduxjs/toolkit').EntityAdapter<Row, string>} */ (createEntityAdapter());
const users = /** @type {import('@reduxjs/toolkit').EntityAdapter<User, string>} */ (createEntityAdapter());

const slice = createSlice({
  name: 'issues',
  initialState: {
    issues: issues.getInitialState(),
    users: users.getInitialState(),
    list: /** @type {string[]} */ ([]),
  },
  reducers: {
    loaded(state, /** @type {PayloadAction<Loaded>} */ { payload: { result, entities } }) {
      issues.upsertMany(state.issues, entities.issues);
      users.upsertMany(state.users, entities.users);
      state.list = result;
    },
    issueChanged(state, /** @type {PayloadAction<{ id: string, changes: Partial<Row> }>} */ { payload }) {
      issues.updateOne(state.issues, payload);
    },
    userChanged(state, /** @type {PayloadAction<{ id: string, changes: Partial<User> }>} */ { payload }) {
      users.updateOne(state.users, payload);
    },
    issueAdded(state, /** @type {PayloadAction<Row>} */ { payload }) {
      issues.addOne(state.issues, payload);
    },
    issueListed(state, /** @type {PayloadAction<Row>} */ { payload }) {
      issues.addOne(state.issues, payload);
      state.list.push(payload.id);
    },
    issueUnlisted(state, /** @type {PayloadAction<string>} */ { payload }) {
      issues.removeOne(state.issues, payload);
      state.list = state.list.filter((id) => id !== payload);
    },
  },
});
const { loaded, issueChanged, userChanged, issueAdded, issueListed, issueUnlisted } = slice.actions;

/** @param {Issue} issue @returns {Row} */
const rowOf = ({ user: { id }, ...fields }) => ({ ...fields, user: id });

/** @type {Peer} */
export default {
  cannot: [],
  open() {
    const store = configureStore({ reducer: slice.reducer });
    /** @typedef {ReturnType<typeof store.getState>} State */
    const selectList = createSelector(
      [
        (/** @type {State} */ { list }) => list,
        (/** @type {State} */ { issues }) => issues.entities,
        (/** @type {State} */ { users }) => users.entities,
      ],
      (list, issues, users) =>
        list.map((id) => {
          const row = issues[id];
          return /** @type {Issue} */ ({ ...row, user: users[row?.user ?? ''] });
        }),
    );
    return /** @type {Session} */ ({
      receive: (rows) => void store.dispatch(loaded(/** @type {Loaded} */ (normalize(rows, list)))),
      read: () => selectList(store.getState()),
      write(id, changes) {
        store.dispatch(issueChanged({ id, changes: /** @type {{ title: string }} */ (changes) }));
      },
      add: (issue) => void store.dispatch(issueAdded(rowOf(issue))),
      writeUser: (id, changes) => void store.dispatch(userChanged({ id, changes })),
      watch(watched) {
        const selectors = watched.map(({ id }) =>
          createSelector(
            [
              (/** @type {State} */ { issues }) => issues.entities[id],
              (/** @type {State} */ { issues, users }) => users.entities[issues.entities[id]?.user ?? ''],
            ],
            (issue, user) => ({ ...issue, user }),
          ),
        );
        return { write: this.write, seen: watchStore(store, selectors) };
      },
      create(issue) {
        store.dispatch(issueListed(rowOf(issue)));
        const undo = () => void store.dispatch(issueUnlisted(issue.id));
        return { succeed: undo, fail: undo };
      },
      update(id, fields) {
        const before = store.getState().issues.entities[id];
        this.write(id, fields);
        return {
          succeed: (row) => {
            this.write(id, { title: row.title });
          },
          fail: () => {
            this.write(id, { title: before?.title ?? '' });
          },
        };
      },
    });
  },
};
