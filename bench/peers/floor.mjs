/** @import { Issue, Peer, Session, User } from '../Peer.js' */

/** @typedef {Omit<Issue, 'user'> & { readonly user: string }} Row */
/** @typedef {{ issues: Record<string, Row>, users: Record<string, User>, list: readonly string[] }} State */

/** What is needed for one list of one shape, written by hand: plain tables, a loop, and nothing that could be left out. @type {Peer} */
export default {
  cannot: ['W7', 'W8a', 'W8b'],
  open() {
    /** @type {State} */
    let state = { issues: {}, users: {}, list: [] };
    /** @type {{ state: State, rows: Row[], users: (User | undefined)[], values: Issue[] } | undefined} */
    let last;

    /** @type {Session} */
    const session = {
      receive(rows) {
        let { issues, users, list } = state;
        let isSameList = list.length === rows.length;
        const ids = new Array(rows.length);
        for (let i = 0; i < rows.length; i++) {
          const issue = /** @type {Issue} */ (rows[i]);
          const { id, user } = issue;
          const author = users[user.id];
          if (!author || differs(author, user)) {
            if (users === state.users) users = { ...users };
            users[user.id] = user;
          }
          const row = issues[id];
          if (!row || differsFromRow(row, issue)) {
            if (issues === state.issues) issues = { ...issues };
            issues[id] = { ...issue, user: user.id };
          }
          ids[i] = id;
          if (list[i] !== id) isSameList = false;
        }
        if (!isSameList) list = /** @type {string[]} */ (ids);
        if (issues !== state.issues || users !== state.users || list !== state.list) state = { issues, users, list };
      },
      read() {
        if (last?.state === state) return last.values;
        last = last ? again(state, last) : firstTime(state);
        return last.values;
      },
      write(id, fields) {
        state = {
          ...state,
          issues: { ...state.issues, [id]: /** @type {Row} */ ({ ...state.issues[id], ...fields }) },
        };
      },
      add({ user, ...fields }) {
        state = { ...state, issues: { ...state.issues, [fields.id]: { ...fields, user: user.id } } };
      },
      writeUser(id, fields) {
        state = { ...state, users: { ...state.users, [id]: /** @type {User} */ ({ ...state.users[id], ...fields }) } };
      },
      kept: () => [state.issues, state.users, state.list],
    };
    return session;
  },
};

/** @param {User} there @param {User} incoming */
function differs(there, incoming) {
  for (const field in incoming) {
    const name = /** @type {keyof User} */ (field);
    if (there[name] !== incoming[name]) return true;
  }
  return false;
}

/** @param {Row} there @param {Issue} incoming */
function differsFromRow(there, incoming) {
  for (const field in incoming) {
    const name = /** @type {keyof Issue} */ (field);
    if (there[name] !== incoming[name] && (name !== 'user' || there.user !== incoming.user.id)) return true;
  }
  return false;
}

/** @param {State} state */
function firstTime(state) {
  const { issues, users, list } = state;
  const rows = /** @type {Row[]} */ ([]);
  const authors = /** @type {(User | undefined)[]} */ ([]);
  const values = /** @type {Issue[]} */ ([]);
  for (const id of list) {
    const row = /** @type {Row} */ (issues[id]);
    const user = users[row.user];
    rows.push(row);
    authors.push(user);
    values.push(/** @type {Issue} */ ({ ...row, user }));
  }
  return { state, rows, users: authors, values };
}

/** @param {State} state @param {{ rows: Row[], users: (User | undefined)[], values: Issue[] }} last */
function again(state, { rows, users: authors, values: lastValues }) {
  const { issues, users, list } = state;
  let values = lastValues;
  for (let i = 0; i < list.length; i++) {
    const row = /** @type {Row} */ (issues[/** @type {string} */ (list[i])]);
    const user = users[row.user];
    if (row === rows[i] && user === authors[i]) continue;
    if (values === lastValues) values = [...values];
    rows[i] = row;
    authors[i] = user;
    values[i] = /** @type {Issue} */ ({ ...row, user });
  }
  return { state, rows, users: authors, values };
}
