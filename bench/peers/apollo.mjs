import { gql, InMemoryCache } from '@apollo/client';

/** @import { ApolloCache } from '@apollo/client' */
/** @import { Issue, Peer, Session } from '../Peer.js' */

const issueFields = gql`
  fragment IssueFields on Issue {
    id
    number
    title
    body
    state
    url
    locked
    comments
    priority
    score
    milestone
    branch
    createdAt
    updatedAt
    closedAt
    user {
      id
      login
      name
      email
      avatarUrl
      admin
    }
  }
`;
const query = gql`
  query List {
    issues {
      ...IssueFields
    }
  }
  ${issueFields}
`;

/** As `watchFragment` reads one object. */
const watched = gql`
  query Watched {
    ...IssueFields
  }
  ${issueFields}
`;

/** What every object of a response has. @param {Issue} issue */
const typed = (issue) => {
  Object.assign(issue, { __typename: 'Issue' });
  Object.assign(issue.user, { __typename: 'User' });
  return issue;
};

/** @type {Peer} */
export default {
  cannot: [],
  slow: ['W8b'],
  prepare(rows) {
    rows.forEach(typed);
  },
  open() {
    const cache = new InMemoryCache();
    let optimistic = 0;
    const writeTo = (/** @type {ApolloCache} */ to, /** @type {string} */ id, /** @type {object} */ fields) => {
      /** @type {Record<string, () => never>} */
      const modifiers = {};
      const entries = /** @type {[string, unknown][]} */ (Object.entries(fields));
      // It takes a value of whatever the field is.
      for (const [name, value] of entries) modifiers[name] = () => /** @type {never} */ (value);
      to.modify({ id, fields: modifiers });
    };
    const add = (/** @type {Issue} */ issue, /** @type {ApolloCache} */ to = cache) =>
      to.writeFragment({ fragment: issueFields, data: typed({ ...issue, user: { ...issue.user } }) });
    return /** @type {Session} */ ({
      receive(issues) {
        cache.writeQuery({ query, data: { issues } });
      },
      read: () => /** @type {{ issues: readonly Issue[] }} */ (cache.readQuery({ query }, true)).issues,
      write(id, fields) {
        writeTo(cache, `Issue:${id}`, fields);
      },
      add(issue) {
        add(issue);
      },
      writeUser(id, fields) {
        writeTo(cache, `User:${id}`, fields);
      },
      watch(issues) {
        let seen = 0;
        for (const { id } of issues) {
          cache.watch({
            query: watched,
            id: `Issue:${id}`,
            optimistic: true,
            immediate: true,
            callback() {
              seen++;
            },
          });
        }
        seen = 0;
        return { write: this.write, seen: () => seen };
      },
      create(issue) {
        const key = `create ${optimistic++}`;
        cache.recordOptimisticTransaction((layer) => {
          const ref = add(issue, layer);
          const append = (/** @type {unknown} */ refs) => [.../** @type {readonly object[]} */ (refs), ref];
          layer.modify({ fields: { issues: /** @type {() => never} */ (append) } });
        }, key);
        const end = () => {
          cache.removeOptimistic(key);
        };
        return { succeed: end, fail: end };
      },
      update(id, fields) {
        const key = `update ${optimistic++}`;
        cache.recordOptimisticTransaction((layer) => {
          writeTo(layer, `Issue:${id}`, fields);
        }, key);
        return {
          succeed(answer) {
            cache.batch({ removeOptimistic: key, optimistic: false, update: () => add(answer) });
          },
          fail() {
            cache.removeOptimistic(key);
          },
        };
      },
    });
  },
};
