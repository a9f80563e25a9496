import { build } from 'esbuild';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { root } from '../support/docs.js';
import { setup } from '../support/store.js';
import { ask, json, seed, serve, Todo, TodoResource, User, UserResource } from '../support/mocked.js';

type Fetch = typeof globalThis.fetch;

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a mock server', () => {
  it('is the fetch of a store, with relative addresses', async () => {
    const server = mockServer([TodoResource], { seed: { Todo: seed.Todo } });
    const { store } = setup({ fetchFn: server.fetch });

    const todo = await store.dispatch(TodoResource.get({ id: 1 })).unwrap();

    expect(todo).toBeInstanceOf(Todo);
    expect(server.calls).toEqual([
      { method: 'GET', path: '/todos/1', params: { id: '1' }, body: undefined, status: 200, idempotencyKey: undefined },
    ]);
  });

  it('answers as fetch does: real responses, fresh bodies, requests and addresses of all kinds', async () => {
    const { server } = serve([]);
    const { fetch } = server;

    const answers = await Promise.all([
      fetch('/users/1'),
      fetch(new URL('http://localhost/users/1')),
      fetch(new Request('http://localhost/users/1')),
      fetch(new Request('http://localhost/users', { method: 'POST', ...json({ name: 'Katherine' }) })),
    ]);

    expect(answers.every((answer) => answer instanceof Response)).toBe(true);
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { id: 1, name: 'Ada' },
      { id: 1, name: 'Ada' },
      { id: 1, name: 'Ada' },
      { id: 3, name: 'Katherine' },
    ]);
  });

  it('answers for msw, and leaves what is not its own to later handlers, unread', async () => {
    const { server } = serve([]);
    const later = http.post('*/elsewhere', async ({ request }) => HttpResponse.json(await request.json()));
    const msw = setupServer(
      http.all('*', ({ request }) => server.handle(request)),
      later,
    );
    msw.listen({ onUnhandledRequest: 'error' });

    try {
      const created = await fetch('http://localhost/todos', { method: 'POST', ...json({ title: 'New' }) });
      const elsewhere = await fetch('http://localhost/elsewhere', { method: 'POST', ...json({ later: true }) });

      expect([created.status, await created.json()]).toEqual([
        201,
        { id: 4, title: 'New', userId: 0, completed: false },
      ]);
      expect(await elsewhere.json()).toEqual({ later: true });
    } finally {
      msw.close();
    }
  });

  it.each(['offline', 'drop', 'lose'] as const)('breaks the network for msw, too: %s', async (how) => {
    const Todos = createResource({ path: '/todos/:id', schema: Todo, urlPrefix: 'http://localhost' });
    const server = mockServer([Todos], { seed: { Todo: seed.Todo } });
    const msw = setupServer(http.all('*', ({ request }) => server.handle(request)));
    msw.listen({ onUnhandledRequest: 'error' });
    if (how === 'offline') server.offline();
    else server[how]('PATCH');

    try {
      const { error } = await setup().store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'Sent' }));

      expect([error?.name, error?.status]).toEqual(['NetworkError', undefined]);
      expect(error?.message).toMatch(/Failed to fetch/);
      expect(server.rows(Todo)[0]?.title).toBe(how === 'lose' ? 'Sent' : 'Read');
    } finally {
      msw.close();
    }
  });

  it.each(['GET', 'PATCH'])('leaves to the client what it aborts, and msw prints nothing of it: %s', async (method) => {
    const { server } = serve([]);
    const msw = setupServer(http.all('*', ({ request }) => server.handle(request)));
    msw.listen({ onUnhandledRequest: 'error' });
    server.hold();
    const controller = new AbortController();
    const { signal } = controller;
    const body = method === 'PATCH' ? json({ title: 'Sent' }) : {};
    const reason = new Error('Gone');

    try {
      const direct = server.fetch('/todos/1', { method, signal, ...body });
      const byMsw = fetch('http://localhost/todos/1', { method, signal, ...body });
      const settled = Promise.allSettled([direct, byMsw]);
      await vi.waitUntil(() => server.held.length === 2);
      controller.abort(reason);

      expect(await settled).toEqual([
        { status: 'rejected', reason },
        { status: 'rejected', reason },
      ]);
      // msw prints what a handler throws a few turns later; what is printed fails the test.
      await new Promise(setImmediate);
      expect([server.held, server.rows(Todo)[0]?.title]).toEqual([[], 'Read']);
    } finally {
      msw.close();
    }
  });

  it.each(['fetch', 'handle'] as const)('serves requests in the order of their arrival: %s', async (how) => {
    const { server } = serve([]);
    const arrive = (path: string, init: RequestInit = {}) =>
      server[how](new Request(`http://localhost${path}`, init)).then((answer): Promise<unknown> | undefined =>
        answer?.json(),
      );

    const answers = await Promise.all([
      arrive('/todos/1', { method: 'PATCH', ...json({ title: 'Edited' }) }),
      arrive('/todos/1'),
      arrive('/todos', { method: 'POST', ...json({ title: 'New' }) }),
      arrive('/todos?title=New'),
    ]);

    expect(answers).toMatchObject([{ title: 'Edited' }, { title: 'Edited' }, { id: 4 }, [{ id: 4 }]]);
    expect(server.calls.map(({ method }) => method)).toEqual(['PATCH', 'GET', 'POST', 'GET']);
  });

  it('tells msw of an answer of your own that throws', async () => {
    const { server } = serve([]);
    const broken = new TypeError('Broken');
    server.use(TodoResource.get, () => {
      throw broken;
    });

    await expect(server.handle(new Request('http://localhost/todos/1'))).rejects.toBe(broken);
  });

  it.each(['shape', 'write', 'use'] as const)('answers 500 where an option of your own throws: %s', async (option) => {
    const names = { shape: 'Todo/partialUpdate', write: 'Todo', use: 'Todo/partialUpdate' };
    const broken = (): never => {
      throw new TypeError('Broken');
    };
    const { server, store } = serve([], { seed, ...(option !== 'use' && { [option]: { [names[option]]: broken } }) });
    if (option === 'use') server.use(TodoResource.partialUpdate, async () => Promise.resolve().then(broken));

    const answer = await ask(server, 'PATCH /todos/1', json({ title: 'New' }));
    const { error } = await store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'New' }));

    expect(answer.body).toEqual({ status: 500, title: `${option} of ${names[option]} has thrown: Broken` });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect([error?.status, server.calls.map(({ status }) => status)]).toEqual([500, [500, 500]]);
  });

  it('gives the shape of a list to the list alone', async () => {
    const shape = { 'Todo/getList': (rows: unknown) => (rows as readonly object[]).map((row) => ({ ...row })) };
    const { server, store } = serve([], { seed, shape });

    const { title } = await store.dispatch(TodoResource.getList.push({ title: 'New' })).unwrap();

    expect([title, server.rows(Todo).length]).toEqual(['New', 4]);
  });

  it('takes the name of a list for that of its pages, and of what is put into it', async () => {
    const getList = TodoResource.getList.paginated({ next: () => undefined });
    const shape = { 'Todo/getList': () => ['shaped'], 'Todo/getList/push': () => 'made' };
    const server = mockServer([{ getList }], { shape, columns: { 'Todo/getList': { owner: 'userId' } } });

    const [list, made] = await Promise.all([
      ask(server, '/todos?owner=1'),
      ask(server, 'POST /todos?owner=7', json({ title: 'New' })),
    ]);

    expect([list.body, made.body, server.rows(Todo).at(-1)?.userId]).toEqual([['shaped'], 'made', 7]);
    expect(() => mockServer([{ getList }], { shape: { 'Todo/list': (answer) => answer } })).toThrow(
      /nearest: Todo\/getList, Todo\/getList\/push/,
    );
  });

  it('tells of an address that no endpoint has with the nearest, or passes it on', async () => {
    const strict = mockServer([TodoResource]);
    const own = mockServer([TodoResource], { onUnhandledRequest: ({ url }) => new Response(url) });
    const open = mockServer([TodoResource], { onUnhandledRequest: 'bypass' });
    vi.stubGlobal('fetch', (input: string) => Promise.resolve(new Response(`network: ${input}`)));

    await expect(strict.fetch('/todoss')).rejects.toThrow(
      new TypeError('The mock server has no route GET /todoss. The nearest: GET /todos, POST /todos, GET /todos/:id'),
    );
    await expect(strict.fetch('/usres/5/todos')).rejects.toThrow(/no route GET \/usres\/5\/todos/);
    expect(await (await own.fetch('/other')).text()).toBe('http://localhost/other');
    expect(await (await open.fetch('/other')).text()).toBe('network: /other');
  });

  it('passes the abort of a request on with it', async () => {
    const { server: behind } = serve([]);
    const front = mockServer([UserResource], { onUnhandledRequest: (request) => behind.fetch(request) });
    behind.hold();
    const controller = new AbortController();
    const asked = front.fetch('/todos/1', { signal: controller.signal });
    await vi.waitUntil(() => behind.held.length === 1);

    controller.abort();

    expect(behind.held).toEqual([]);
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('asks the network for what it passes on, also where it stands as the global fetch', async () => {
    const network = vi.fn((input: string) => Promise.resolve(new Response(`network: ${input}`)));
    vi.stubGlobal('fetch', network);
    const open = mockServer([TodoResource], { onUnhandledRequest: 'bypass' });
    let asked = 0;
    // What asks itself without end is ended here: no timeout of the test would.
    vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) =>
      asked++ < 10 ? open.fetch(...args) : Promise.reject(new Error('It asks itself')),
    );

    const answers = [await fetch('/other'), await fetch('/another')];

    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['network: /other', 'network: /another']);
    expect(network).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['another mock server was the global fetch before', (mocked: Fetch) => mocked],
    [
      'the global fetch comes to it later',
      (mocked: Fetch): Fetch =>
        async (...args) => {
          await Promise.resolve();
          return mocked(...args);
        },
    ],
  ])('asks the network, also where %s', async (_, around) => {
    let asked = 0;
    // What asks itself without end is ended here: no timeout of the test would.
    const stand = (one: Fetch): void => {
      vi.stubGlobal('fetch', (...args: Parameters<Fetch>) =>
        asked++ < 20 ? one(...args) : Promise.reject(new Error('It asks itself')),
      );
    };
    const network = vi.fn((input: string) => Promise.resolve(new Response(`network: ${input}`)));
    vi.stubGlobal('fetch', network);
    const first = mockServer([TodoResource], { onUnhandledRequest: 'bypass' });
    stand(around(first.fetch));
    const second = mockServer([TodoResource], { onUnhandledRequest: 'bypass' });
    stand(around(second.fetch));

    const answers = [await fetch('/other'), await fetch('/another')];

    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['network: /other', 'network: /another']);
    expect(network).toHaveBeenCalledTimes(2);
  });

  it('refuses what does not fit its resources when it is made', () => {
    const needs = 'A mock server needs endpoints: mockServer([TodoResource])';
    expect(() => mockServer([])).toThrow(new TypeError(needs));
    expect(() => mockServer(TodoResource as never)).toThrow(new TypeError(needs));
    expect(() => mockServer([TodoResource], { seed: { Todos: 3 } })).toThrow(/"Todos".*nearest: Todo/);
    expect(() => mockServer([TodoResource], { shape: { 'Todo/list': (answer) => answer } })).toThrow(/Todo\/getList/);
    expect(() => mockServer([TodoResource], { seed: { Todo: [{ id: 1 }, { id: 1 }] } })).toThrow(/pk 1/);
    expect(() => mockServer([TodoResource]).hold('/todoss')).toThrow(/GET \/todos/);
    expect(() => mockServer([TodoResource]).use(UserResource.get, () => null)).toThrow(/User\/get/);
    expect(() => mockServer([TodoResource]).rows(User)).toThrow(/User/);
  });

  it('says that of two classes at one address it has rows of the first', async () => {
    class Summary extends Entity {
      id = 0;
      title = '';
      static override key = 'Summary';
    }
    const SummaryResource = createResource({ path: '/todos/:id', schema: Summary });
    const resources = [TodoResource, SummaryResource];
    const server = mockServer(resources, { seed: { Todo: seed.Todo } });
    const { store } = setup({ fetchFn: server.fetch });
    const comesBefore = /: no endpoint has it, or none that is the first at its address\./;

    const summary = await store.dispatch(SummaryResource.get({ id: 1 })).unwrap();

    expect(summary).toMatchObject({ id: 1, title: 'Read' });
    expect(() => server.rows(Summary)).toThrow(comesBefore);
    expect(() => mockServer(resources, { seed: { Todo: 1, Summary: 1 } })).toThrow(comesBefore);
  });

  it('tells what is missing or cannot be read as a problem', async () => {
    const { server } = serve([]);

    const missing = await ask(server, '/todos/99');
    const unreadable = await ask(server, 'POST /todos', { body: '{"title": ' });
    const toRemove = await ask(server, 'PATCH /todos', { body: '{"id": ' });

    expect(missing).toMatchObject({ status: 404, body: { status: 404, title: 'There is no Todo at /todos/99' } });
    expect(missing.headers.get('content-type')).toBe('application/problem+json');
    expect([unreadable.status, toRemove.status]).toEqual([400, 400]);
  });

  it('takes forms, with what their files are called', async () => {
    const { server } = serve([]);
    const form = new FormData();
    form.append('name', 'Ada');
    form.append('tags', 'a');
    form.append('tags', 'b');
    form.append('photo', new File(['abc'], 'me.png', { type: 'image/png' }));

    const sent = await ask(server, 'POST /users', { body: form });
    const asRequest = await server.fetch(new Request('http://localhost/users', { method: 'POST', body: form }));

    const photo = { name: 'me.png', size: 3, type: 'image/png' };
    expect(sent.body).toEqual({ id: 3, name: 'Ada', tags: ['a', 'b'], photo });
    expect(await asRequest.json()).toMatchObject({ id: 4, photo });
  });

  it('takes forms with nothing but a file for one row', async () => {
    const { server } = serve([]);
    const form = new FormData();
    form.append('photo', new File(['abc'], 'me.png', { type: 'image/png' }));
    const photo = { name: 'me.png', size: 3, type: 'image/png' };

    const created = await ask(server, 'POST /users', { body: form });
    const edited = await ask(server, 'PATCH /users/1', { body: form });

    expect([created.status, created.headers.get('location'), created.body]).toEqual([
      201,
      '/users/3',
      { id: 3, name: '', photo },
    ]);
    expect(edited.body).toEqual({ id: 1, name: 'Ada', photo });
  });

  it('takes forms that are sent as texts', async () => {
    const { server } = serve([]);
    const form = {
      body: 'title=A+title&userId=2',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    };

    const sent = await ask(server, 'POST /todos', form);

    expect(sent).toMatchObject({ status: 201, body: { title: 'A title', userId: 2 } });
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'reads JSON that is sent as %s as JSON',
    async (type) => {
      const { server } = serve([]);

      const sent = await ask(server, 'POST /todos', { body: '{"title":"A title"}', headers: { 'content-type': type } });

      expect(sent).toMatchObject({ status: 201, body: { title: 'A title' } });
    },
  );

  it('reads the texts of a form as its fields have their values', async () => {
    const { server } = serve([]);
    const form = new FormData();
    for (const [name, text] of Object.entries({ title: '7', userId: '1', completed: 'false' })) form.append(name, text);

    const sent = await ask(server, 'POST /todos', { body: form });
    const asRequest = await server.fetch(new Request('http://localhost/todos', { method: 'POST', body: form }));
    const body = new URLSearchParams({ id: '1', userId: '2', completed: 'on' });
    const replaced = await ask(server, 'PUT /todos/1', { body });
    const asJson = await ask(server, 'PATCH /todos/2', json({ userId: '1' }));

    expect(sent.body).toEqual({ id: 4, title: '7', userId: 1, completed: false });
    expect(await asRequest.json()).toEqual({ id: 5, title: '7', userId: 1, completed: false });
    expect(replaced.body).toEqual({ id: 1, title: '', userId: 2, completed: true });
    expect(asJson.body).toMatchObject({ userId: '1' });
  });

  it('reads each of the texts of a form that repeat a name as the list in that field has its values', async () => {
    class Team extends Entity {
      id = 0;
      memberIds: number[] = [];
      static override key = 'Team';
    }
    const server = mockServer([createResource({ path: '/teams/:id', schema: Team })], {
      seed: { Team: [{ id: 1, memberIds: [7] }] },
    });
    const formOf = (...ids: string[]): URLSearchParams => new URLSearchParams(ids.map((id) => ['memberIds', id]));

    const one = await ask(server, 'PATCH /teams/1', { body: formOf('8') });
    const two = await ask(server, 'PATCH /teams/1', { body: formOf('8', '9') });

    expect(one.body).toEqual({ id: 1, memberIds: [8] });
    expect(two.body).toEqual({ id: 1, memberIds: [8, 9] });
  });

  it('makes rows by number, and stamps what is written', async () => {
    const server = mockServer([TodoResource], {
      seed: { Todo: 3 },
      make: { Todo: (n, random) => ({ id: n, title: `Todo ${n}`, completed: random() < 0.5 }) },
      write: { Todo: (row, { before, now }) => ({ ...row, from: before?.['title'] ?? null, at: now }) },
    });

    const created = await ask(server, 'POST /todos', json({ title: 'New' }));
    const edited = await ask(server, 'PATCH /todos/2', json({ title: 'Edited' }));

    const start = Date.UTC(2025, 0, 1);
    expect(created.body).toMatchObject({ id: 4, title: 'New', from: null, at: start + 1_000 });
    expect(edited.body).toMatchObject({ id: 2, title: 'Edited', from: 'Todo 2', at: start + 2_000 });
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Todo 1', 'Edited', 'Todo 3', 'New']);
  });

  it('answers as it is told, the newest first, so many times', async () => {
    const { server } = serve([]);
    server.use(TodoResource.get, async ({ params, request }) => {
      await Promise.resolve();
      return { id: Number(params.id), title: request.method };
    });
    server.use(TodoResource.get, () => Response.json({ title: 'Once' }, { status: 410 }), { times: 1 });
    server.use(TodoResource.partialUpdate, ({ body, params }) => ({ id: Number(params.id), title: `${body.title}!` }));

    const answers = [await ask(server, '/todos/5'), await ask(server, '/todos/5')];
    const edited = await ask(server, 'PATCH /todos/7', json({ title: 'Mine' }));

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [410, { title: 'Once' }],
      [200, { id: 5, title: 'GET' }],
    ]);
    expect(edited.body).toEqual({ id: 7, title: 'Mine!' });
  });

  it('answers again with a Response that is told once', async () => {
    const [mine, refused] = [Response.json({ id: 1 }), Response.json({ title: 'Empty' }, { status: 422 })];
    const { server } = serve([], { seed, write: { Todo: () => refused } });
    server.use(TodoResource.get, () => mine);

    const answers = [await ask(server, '/todos/1'), await ask(server, '/todos/1')];
    const refusals = [await ask(server, 'POST /todos', json({})), await ask(server, 'POST /todos', json({}))];

    expect(answers.map(({ body }) => body)).toEqual([{ id: 1 }, { id: 1 }]);
    expect(refusals.map(({ body }) => body)).toEqual([{ title: 'Empty' }, { title: 'Empty' }]);
  });

  it('gives several rows that are created the shape of one', async () => {
    const { server } = serve([], { seed, shape: { 'Todo/getList/push': (data) => ({ data }) } });

    const one = await ask(server, 'POST /todos', json({ title: 'One' }));
    const several = await ask(server, 'POST /todos', json([{ title: 'Two' }, { title: 'Three' }]));

    expect(one.body).toMatchObject({ data: { title: 'One' } });
    expect([several.status, several.body]).toMatchObject([201, { data: [{ title: 'Two' }, { title: 'Three' }] }]);
  });

  it('answers a deletion as its shape says, which gets the row that was', async () => {
    const shape = (row: unknown, { params }: { readonly params: object }) => ({ success: true, row, params });
    const { server, store } = serve([], { seed, shape: { 'User/delete': shape } });

    const user = await ask(server, 'DELETE /users/1');
    const todo = await ask(server, 'DELETE /todos/1');
    await store.dispatch(UserResource.delete({ id: 2 })).unwrap();

    const row = { id: 1, name: 'Ada' };
    expect([user.status, user.body]).toEqual([200, { success: true, row, params: { id: '1' } }]);
    expect([todo.status, todo.body]).toEqual([204, undefined]);
    expect(server.rows(User)).toEqual([]);
  });

  it('has no content where a shape leaves nothing of it', async () => {
    const { server } = serve([], { seed, shape: { 'Todo/partialUpdate': () => undefined } });

    const edited = await ask(server, 'PATCH /todos/1', json({ title: 'Silent' }));

    expect([edited.status, edited.body]).toEqual([204, undefined]);
    expect(server.rows(Todo)[0]?.title).toBe('Silent');
  });

  it('finds the row of an address without its pk by what the address says', async () => {
    class Settings extends Entity {
      theme = '';
      static override key = 'Settings';
      override pk() {
        return 'settings';
      }
    }
    const SettingsResource = createResource({ path: '/settings', schema: Settings });
    const getByName = new RestEndpoint({ path: '/people/:name', schema: User });
    const { server } = serve([SettingsResource, getByName], {
      seed: { User: seed.User, Settings: [{ theme: 'dark' }] },
    });

    const changed = await ask(server, 'PATCH /settings', json({ theme: 'light' }));

    expect(changed.body).toEqual({ theme: 'light' });
    expect((await ask(server, '/settings')).body).toEqual({ theme: 'light' });
    expect((await ask(server, '/people/Grace')).body).toEqual({ id: 2, name: 'Grace' });
  });

  it('is in no bundle of the core', async () => {
    const { metafile } = await build({
      entryPoints: [`${root}src/index.ts`],
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      format: 'esm',
    });

    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((path) => path.includes('src/rest/'))).toBe(true);
    expect(inputs.filter((path) => path.includes('src/mock/'))).toEqual([]);
  });
});
