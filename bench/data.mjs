/** @import { Issue, User } from './Peer.js' */

/** What ids look like. As names of properties, V8 keeps those that look like integers another way. @typedef {'uuid' | 'integer'} Keys */

/** How many issues each user has. */
const issuesPerUser = 10;

/** Numbers between 0 and 1, the same each time. */
export function random(seed = 1) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An id like those of `crypto.randomUUID`, the same each time. @param {() => number} next */
function uuid(next) {
  const digits = Array.from({ length: 8 }, () =>
    Math.floor(next() * 65536)
      .toString(16)
      .padStart(4, '0'),
  ).join('');
  return [8, 12, 16, 20, 32].map((end, i) => digits.slice([0, 8, 12, 16, 20][i], end)).join('-');
}

/** @returns {User} */
function user(/** @type {string} */ id, /** @type {number} */ i) {
  const login = `user-${i}`;
  return {
    id,
    login,
    name: `User ${i}`,
    email: `${login}@example.com`,
    avatarUrl: `/avatars/${i}`,
    admin: i % 50 === 0,
  };
}

/** As many issues as asked for, each with its user inside. @param {number} size @param {Keys} keys */
function makeIssues(size, keys) {
  const next = random();
  const idOf = (/** @type {number} */ i) => (keys === 'integer' ? String(i + 1) : uuid(next));
  /** @type {User[]} */
  const users = [];
  for (let i = 0; i * issuesPerUser < size; i++) users.push(user(idOf(i), i));
  return Array.from({ length: size }, (_, i) => issue(idOf(i), i, users[Math.floor(next() * users.length)]));
}

/** @returns {Issue} */
function issue(/** @type {string} */ id, /** @type {number} */ i, /** @type {User | undefined} */ author) {
  if (!author) throw new Error('no user');
  return {
    id,
    number: i,
    title: `Issue ${i}`,
    body: `What is the matter with number ${i}, and how it came about.`,
    state: i % 3 === 0 ? 'closed' : 'open',
    url: `/issues/${i}`,
    locked: i % 10 === 0,
    comments: i % 17,
    priority: i % 5,
    score: i / 8,
    milestone: i % 4 === 0 ? 'next' : null,
    branch: 'main',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-02-01T00:00:00.000Z',
    closedAt: i % 3 === 0 ? '2026-03-01T00:00:00.000Z' : null,
    user: author,
  };
}

/** Issues as a response that was just parsed holds them: none of its objects is known to anybody. */
export class Responses {
  /** @type {readonly Issue[]} */
  issues;
  #text;

  /** @param {number} size @param {Keys} [keys] */
  constructor(size, keys = 'uuid') {
    this.issues = makeIssues(size, keys);
    this.#text = size > 100_000 ? '' : JSON.stringify(this.issues);
  }

  /** @returns {Issue[]} */
  next() {
    // A million rows are longer than a string can be.
    if (this.#text === '') return this.issues.map((issue) => ({ ...issue, user: { ...issue.user } }));
    const rows = /** @type {unknown} */ (JSON.parse(this.#text));
    return /** @type {Issue[]} */ (rows);
  }

  /** The same list after one of a hundred rows has changed. @param {number} version */
  changed(version) {
    const rows = this.next();
    for (let i = 7; i < rows.length; i += 100) {
      const row = rows[i];
      if (row) rows[i] = { ...row, title: `Changed ${version}`, comments: version };
    }
    return rows;
  }

  /** The same issue after many others, for workloads that go through the list. @param {number} turn */
  at(turn) {
    const found = this.issues[(turn * 7919) % this.issues.length];
    if (!found) throw new Error('no issues');
    return found;
  }
}
