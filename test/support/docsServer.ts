import { http, HttpResponse } from 'msw';

interface Todo {
  id: number;
  userId: number;
  title: string;
  completed: boolean;
  createdAt: string;
}

const notFound = (): HttpResponse<{ message: string }> => HttpResponse.json({ message: 'Not found' }, { status: 404 });

/** The servers that the examples talk to, with their data at its beginning. */
export function makeServer() {
  const createdAt = '2026-01-05T10:00:00.000Z';
  const todos = new Map<number, Todo>();
  ['Buy milk', 'Call Ada', 'Water plants'].forEach((title, i) => {
    todos.set(i + 1, { id: i + 1, userId: i < 2 ? 1 : 2, title, completed: false, createdAt });
  });
  const author = { id: 1, name: 'Ada' };
  const post = {
    title: 'On bees',
    author,
    labels: [{ id: 5, name: 'nature' }],
    comments: [
      { id: 10, text: 'Lovely', author: { id: 2, name: 'Bob' } },
      { id: 11, text: 'Thanks', author },
    ],
  };
  const book = (id: number, title: string) => ({ id, title });
  const note = { id: 1, text: 'Draft', revision: 1 };
  const paid = new Set<string>();
  let payments = 0;
  let refreshes = 0;
  const one = ({ id }: { readonly id?: unknown }): Todo | undefined => todos.get(Number(id));
  const change = async ({ params, request }: { params: { id?: unknown }; request: Request }) => {
    const todo = one(params);
    const body = (await request.json()) as Partial<Todo>;
    if (body.title === '') return HttpResponse.json({ errors: { title: 'is empty' } }, { status: 422 });
    return todo ? HttpResponse.json(Object.assign(todo, body)) : notFound();
  };
  return [
    http.get('*/me/todos', () => HttpResponse.json([...todos.values()].filter(({ userId }) => userId === 1))),
    http.get('*/todos', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const found = [...todos.values()].filter(
        ({ userId, title }) =>
          (!query.has('userId') || String(userId) === query.get('userId')) &&
          title.toLowerCase().includes((query.get('q') ?? '').toLowerCase()),
      );
      const page = Number(query.get('page') ?? 0);
      return HttpResponse.json(page > 0 ? found.slice(page - 1, page) : found);
    }),
    http.post('*/todos', async ({ request }) => {
      const body = (await request.json()) as Partial<Todo>;
      if (body.title === '') return HttpResponse.json({ errors: { title: 'is empty' } }, { status: 422 });
      const userId = Number(new URL(request.url).searchParams.get('userId') ?? 1);
      const todo: Todo = { id: todos.size + 1, userId, title: '', completed: false, createdAt, ...body };
      todos.set(todo.id, todo);
      return HttpResponse.json(todo, { status: 201 });
    }),
    http.post('*/todos/complete', async ({ request }) => {
      const { ids } = (await request.json()) as { ids: readonly number[] };
      return HttpResponse.json(ids.map((id) => Object.assign(one({ id }) ?? {}, { completed: true })));
    }),
    http.post('*/todos/remove', async ({ request }) => {
      const { ids } = (await request.json()) as { ids: readonly number[] };
      for (const id of ids) todos.delete(id);
      return HttpResponse.json(ids);
    }),
    http.post('*/todos/:id/complete', ({ params }) => {
      const todo = one(params);
      return todo ? HttpResponse.json(Object.assign(todo, { completed: true })) : notFound();
    }),
    http.get('*/todos/:id', ({ params }) => {
      const todo = one(params);
      return todo ? HttpResponse.json(todo) : notFound();
    }),
    http.put('*/todos/:id', change),
    http.patch('*/todos/:id', change),
    http.get('*/feed', ({ request }) => {
      const all = [...todos.values()];
      return request.url.includes('cursor=b')
        ? HttpResponse.json({ results: all.slice(2), next: '' })
        : HttpResponse.json({ results: all.slice(0, 2), next: 'b' });
    }),
    http.get('*/linked', () =>
      HttpResponse.json([todos.get(1)], { headers: { link: '</linked?cursor=2>; rel="next"' } }),
    ),
    http.get('*/items', () =>
      HttpResponse.json([
        { id: 1, type: 'post', text: 'Hello' },
        { id: 1, type: 'link', href: 'https://example.com' },
      ]),
    ),
    // A list has less of an article than its detail.
    http.get('*/articles', () => HttpResponse.json([{ id: 1, title: 'On bees' }])),
    http.get('*/articles/:id', () => HttpResponse.json({ id: 1, title: 'On bees', content: 'They dance.' })),
    http.get('*/users/:id', ({ params }) => {
      const userId = Number(params['id']);
      return HttpResponse.json({
        id: userId,
        name: 'Ada',
        todos: [...todos.values()].filter((todo) => todo.userId === userId),
      });
    }),
    http.get('*/posts/:id', ({ params }) => HttpResponse.json({ ...post, id: Number(params['id']) })),
    http.get('*/posts/:id/comments', () => HttpResponse.json(post.comments)),
    http.post('*/posts/:id/comments', async ({ request }) => {
      const { text } = (await request.json()) as { text: string };
      return HttpResponse.json({ id: 12, text, author: { id: 2, name: 'Bob' } }, { status: 201 });
    }),
    http.patch('*/users/:id', async ({ params, request }) =>
      HttpResponse.json({ id: Number(params['id']), ...((await request.json()) as object) }),
    ),
    http.get('*/shelves/:id', () =>
      HttpResponse.json({
        shelf: { id: 7, name: 'Novels', bookIds: [1, 2] },
        books: [book(1, 'Emma'), book(2, 'Ulysses')],
      }),
    ),
    http.post('*/attachments', async ({ request }) => {
      const file = (await request.formData()).get('file');
      const { name, size } = file instanceof File ? file : { name: '', size: 0 };
      return HttpResponse.json({ id: 1, name, size }, { status: 201 });
    }),
    http.get('*/notes', () => HttpResponse.json([note], { headers: { etag: '"list"' } })),
    http.get('*/notes/:id', () => HttpResponse.json(note, { headers: { etag: `"${note.revision}"` } })),
    http.patch('*/notes/:id', async ({ request }) => {
      if (request.headers.get('if-match') !== `"${note.revision}"`)
        return HttpResponse.json({ message: 'Changed meanwhile' }, { status: 412 });
      Object.assign(note, await request.json(), { revision: note.revision + 1 });
      return HttpResponse.json(note, { headers: { etag: `"${note.revision}"` } });
    }),
    http.post('*/payments', ({ request }) => {
      const key = request.headers.get('idempotency-key') ?? '';
      paid.add(key);
      // The first answer is lost on its way.
      return paid.size === 1 && payments++ === 0
        ? HttpResponse.error()
        : HttpResponse.json({ id: paid.size, amount: 5 }, { status: 201 });
    }),
    http.post('*/people', async ({ request }) => {
      const body = (await request.json()) as object;
      return 'first_name' in body ? HttpResponse.json({ id: 1, ...body }) : notFound();
    }),
    http.put('*/people/:id', async ({ request }) => {
      const body = (await request.json()) as object;
      return 'first_name' in body ? HttpResponse.json(body) : notFound();
    }),
    http.get('*/invoices/:id', () => HttpResponse.json({ id: 1, due: createdAt, amount: '12.50' })),
    http.get('*/profiles/:login', () => HttpResponse.json({ bio: 'Counts' })),
    http.get('*/labels', () =>
      HttpResponse.json([
        { id: 1, name: 'Home' },
        { id: 2, name: 'Work' },
      ]),
    ),
    http.put('*/labels/:id', async ({ request }) => {
      const body = (await request.json()) as object;
      return 'name' in body ? HttpResponse.json({ id: 1, ...body }) : notFound();
    }),
    http.get('*/accounts/:id', ({ params, request }) =>
      request.headers.get('authorization') === 'Bearer secret'
        ? HttpResponse.json({ id: Number(params['id']), owner: 'Ada' })
        : HttpResponse.json({ message: 'Sign in' }, { status: 401 }),
    ),
    http.post('*/refresh', () =>
      refreshes++ === 0
        ? HttpResponse.json({ token: 'secret' })
        : HttpResponse.json({ message: 'The session is over' }, { status: 403 }),
    ),
    http.post('*/reminders', () => HttpResponse.json({ sentTo: 'ada@example.com' })),
    http.post('*/login', () => HttpResponse.json({ token: 't0ken' })),
    http.patch('*/accounts/:id/password', () => new HttpResponse(null, { status: 204 })),
    http.delete('*/todos/:id', ({ params }) => {
      todos.delete(Number(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  ];
}
