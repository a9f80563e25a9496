// The example's REST server: a fetch handler with its data in memory. Like the server it stands for, it can be slow and
// it can fail; how slow, and whether it does, is set at run time.
import { Hono } from 'hono';

/**
 * @typedef {{ id: number, name: string }} User
 * @typedef {{ id: number, userId: number, title: string, completed: boolean }} Todo
 * @typedef {{ latency: number, failWrites: boolean }} Settings latency is in ms
 */

const pageSize = 5;
const longestTitle = 60;

/** @type {readonly User[]} */
const users = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Grace' },
  { id: 3, name: 'Katherine' },
];

/** @type {Readonly<Record<number, readonly string[]>>} */
const titles = {
  1: [
    'Translate the memoir',
    'Add notes to the translation',
    'Number the notes A to G',
    'Compute the Bernoulli numbers',
    'Write down every operation',
    'Find the error in operation four',
    'Answer Mr Babbage',
    'Practise the piano',
    'Order punched cards',
    'Visit the silk mill',
    'Send the proofs back',
    'Pay the printer',
  ],
  2: ['Tape the moth into the log book', 'Cut a nanosecond of wire', 'Explain what a compiler is'],
  3: [
    'Check the landing coordinates',
    'Check them again by hand',
    'Go to the briefing',
    'Plot the trajectory backwards',
    'Read about Euler',
    'Sign the report',
    'Teach on Sunday',
  ],
};

/** @returns {Todo[]} */
function firstTodos() {
  const all = users.flatMap(({ id: userId }) => (titles[userId] ?? []).map((title) => ({ userId, title })));
  return all.map((todo, i) => ({ id: i + 1, ...todo, completed: i % 4 === 3 }));
}

/**
 * Makes a server with data of its own.
 * @param {Partial<Settings>} [settings]
 */
export function createApi(settings = {}) {
  /** @type {Settings} */
  const initial = { latency: 600, failWrites: false, ...settings };
  let current = initial;
  let todos = firstTodos();
  let nextId = todos.length + 1;
  const api = new Hono().basePath('/api');

  // What controls the server is neither slow nor does it fail.
  api.get('/settings', (c) => c.json(current));
  api.patch('/settings', async (c) => {
    /** @type {Partial<Settings>} */
    const { latency = current.latency, failWrites = current.failWrites } = await c.req.json();
    current = { latency, failWrites };
    return c.json(current);
  });
  api.post('/reset', (c) => {
    current = initial;
    todos = firstTodos();
    nextId = todos.length + 1;
    return c.body(null, 204);
  });

  api.use(async (c, next) => {
    const { latency, failWrites } = current;
    if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
    if (failWrites && c.req.method !== 'GET') return problem(503, 'The server was told to fail');
    await next();
  });

  api.get('/users', (c) => c.json(users));

  api.get('/todos', (c) => {
    const { userId, after = 'Infinity' } = c.req.query();
    const found = todos.filter((todo) => userId === undefined || todo.userId === Number(userId)).sort(newestFirst);
    return c.json(found.filter(({ id }) => id < Number(after)).slice(0, pageSize));
  });

  api.post('/todos', async (c) => {
    const { title, completed = false, userId = c.req.query('userId') } = await fieldsOf(c.req);
    const refusal = refuseTitle(title);
    if (refusal) return refusal;
    if (!users.some(({ id }) => id === Number(userId))) return problem(422, 'There is no such user');
    const todo = { id: nextId++, userId: Number(userId), title: String(title), completed: Boolean(completed) };
    todos.push(todo);
    return c.json(todo, 201);
  });

  api.get('/todos/:id', (c) => {
    const todo = find(c.req.param('id'));
    return todo ? c.json(todo) : problem(404, 'There is no such todo');
  });

  api.on(['PUT', 'PATCH'], '/todos/:id', async (c) => {
    const todo = find(c.req.param('id'));
    if (!todo) return problem(404, 'There is no such todo');
    const { title = todo.title, completed = todo.completed } = await fieldsOf(c.req);
    const refusal = refuseTitle(title);
    if (refusal) return refusal;
    Object.assign(todo, { title, completed });
    return c.json(todo);
  });

  api.delete('/todos/:id', (c) => {
    const todo = find(c.req.param('id'));
    if (!todo) return problem(404, 'There is no such todo');
    todos.splice(todos.indexOf(todo), 1);
    return c.body(null, 204);
  });

  api.notFound(() => problem(404, 'There is nothing at this address'));
  api.onError((error) => problem(400, error.message));

  return api;

  /** @param {string} id */
  function find(id) {
    return todos.find((todo) => todo.id === Number(id));
  }
}

/**
 * @param {Todo} one
 * @param {Todo} other
 */
function newestFirst(one, other) {
  return other.id - one.id;
}

/**
 * @param {{ json(): Promise<unknown> }} request
 * @returns {Promise<{ title?: unknown, completed?: unknown, userId?: unknown }>}
 */
async function fieldsOf(request) {
  const body = await request.json();
  return typeof body === 'object' && body !== null ? body : {};
}

/** @param {unknown} title */
function refuseTitle(title) {
  if (typeof title !== 'string' || title.trim() === '') return problem(422, 'A todo needs a title');
  if (title.length > longestTitle) return problem(422, `A title has ${longestTitle} characters at most`);
  return undefined;
}

/**
 * The body of an error, as in RFC 9457.
 * @param {number} status
 * @param {string} title
 */
function problem(status, title) {
  return Response.json({ status, title }, { status, headers: { 'content-type': 'application/problem+json' } });
}
