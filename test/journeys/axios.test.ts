import { createResource, Entity, type FetchFn } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

interface Answer {
  readonly status: number;
  readonly data: ArrayBuffer;
  readonly headers: Record<string, string>;
}
interface Client {
  request(config: object): Promise<Answer>;
}

// What docs/guides/transforming-data.md says.
function fetchBy(client: Client): FetchFn {
  return async (url, { method, headers, body, signal }) => {
    const config = { url, method, headers, data: body, signal, responseType: 'arraybuffer' };
    const answer = await client.request(config).catch((error: unknown) => {
      const { response } = error as { readonly response?: Answer };
      if (!response) throw error;
      return response;
    });
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : answer.data, { status: answer.status, headers: answer.headers });
  };
}

interface Config {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly data: BodyInit | null | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Answers and fails as an instance of axios does, with a `baseURL` and an interceptor that signs requests. */
function clientOf(baseURL: string): Client {
  return {
    async request(config) {
      const { url, data, signal, method, headers } = config as Config;
      const response = await fetch(baseURL + url, {
        method,
        headers: { ...headers, 'x-by': 'axios' },
        body: data ?? null,
        signal: signal ?? null,
      }).catch(() => {
        if (signal?.aborted) throw Object.assign(new Error('canceled'), { name: 'CanceledError' });
        throw Object.assign(new Error('Network Error'), { name: 'AxiosError', code: 'ERR_NETWORK' });
      });
      const { status } = response;
      const answer = { status, data: await response.arrayBuffer(), headers: Object.fromEntries(response.headers) };
      if (response.ok) return answer;
      const message = `Request failed with status code ${String(status)}`;
      throw Object.assign(new Error(message), { name: 'AxiosError', response: answer });
    },
  };
}

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
const Todos = createResource({ path: '/todos/:id', schema: Todo });
const server = await serverOfFile();
const open = (baseURL = server.url) => setup({ fetchFn: fetchBy(clientOf(baseURL)) });

it('reads and writes, with what its interceptors add', async () => {
  const { store, read } = open();
  server.answer('POST /todos', ({ body }) => ({ status: 201, json: { id: 1, ...(body as object) } }));
  server.answer('DELETE /todos/1', { status: 204 });

  await store.dispatch(Todos.getList.push({ title: 'one' })).unwrap();
  const title = read(Todos.get.select({ id: 1 }))?.title;
  await store.dispatch(Todos.delete({ id: 1 })).unwrap();

  expect([title, read(Todos.get.select({ id: 1 }))]).toEqual(['one', undefined]);
  expect(server.received.map(({ headers }) => headers['x-by'])).toEqual(['axios', 'axios']);
});

it('has the errors of a fetch', async () => {
  const { store } = open();
  server.answer('GET /todos/1', { status: 422, json: { title: 'too long' } });
  const refused = await store.dispatch(Todos.get({ id: 1 }));
  const lost = await open('http://127.0.0.1:1').store.dispatch(Todos.get({ id: 1 }));

  expect(refused.error).toMatchObject({ name: 'NetworkError', status: 422, data: { title: 'too long' } });
  expect(lost.error).toMatchObject({ name: 'NetworkError', url: '/todos/1' });
  expect(lost.error?.status).toBeUndefined();
});

it('is cancelled as a fetch is', async () => {
  const { store } = open();
  const reading = store.dispatch(Todos.get({ id: 1 }));
  await server.holding('GET /todos/1');
  reading.abort('left');
  const { meta, error } = await reading;
  await server.hungUp('GET /todos/1');

  expect([meta.aborted, error?.message]).toEqual([true, 'left']);
});
