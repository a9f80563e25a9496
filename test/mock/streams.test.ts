import { RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
import { setup } from '../support/store.js';

const Chat = new RestEndpoint({ path: '/chat', name: 'Chat', content: 'stream' });
const Ask = new RestEndpoint({ path: '/questions', name: 'Ask', method: 'POST', content: 'stream' });

/** A server whose chat says something whenever it is read, without end. */
function chatting() {
  const server = mockServer([Chat, Ask]);
  const cancelled = vi.fn();
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(new TextEncoder().encode('word '));
  };
  const say = () => new Response(new ReadableStream({ pull, cancel: cancelled }), { status: 202 });
  for (const endpoint of [Chat, Ask]) server.use(endpoint, say);
  return { server, cancelled };
}

const readerOf = async (answer: Promise<Response>) => {
  const { body, status } = await answer;
  expect(status).toBe(202);
  if (!body) throw new Error('There is no body.');
  return body.getReader();
};

it('a stream that `use` answers with ends when its reader cancels it', async () => {
  const { server, cancelled } = chatting();
  const reader = await readerOf(server.fetch('/chat'));

  const { value } = await reader.read();
  await reader.cancel('enough');

  expect(new TextDecoder().decode(value)).toBe('word ');
  await vi.waitUntil(() => cancelled.mock.calls.length === 1);
});

it('a stream that a store reads ends when its reader cancels it', async () => {
  const { server, cancelled } = chatting();
  const { store } = setup({ fetchFn: server.fetch });
  const stream = (await store.dispatch(Chat()).unwrap()) as unknown as ReadableStream;
  const reader = stream.getReader();

  await reader.read();
  await reader.cancel();

  await vi.waitUntil(() => cancelled.mock.calls.length === 1);
});

it('an abort breaks off a body that is still coming, as that of `fetch`', async () => {
  const { server, cancelled } = chatting();
  const controller = new AbortController();
  const reader = await readerOf(server.fetch('/chat', { signal: controller.signal }));
  await reader.read();

  controller.abort();

  const rest = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await reader.read();
  };
  await expect(rest()).rejects.toHaveProperty('name', 'AbortError');
  await vi.waitUntil(() => cancelled.mock.calls.length === 1);
});

describe('under an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'k' };

  it('a stream ends for the reader who cancels it, and whoever asks again has it from its start', async () => {
    const { server } = chatting();

    for (let i = 0; i < 3; i++) {
      const reader = await readerOf(server.fetch('/questions', { method: 'POST', headers }));
      const { value } = await reader.read();
      await reader.cancel();
      expect(new TextDecoder().decode(value)).toBe('word ');
    }
  });

  it('an answer is given again whose request was aborted before its body was read', async () => {
    const server = mockServer([Ask]);
    server.use(Ask, () => Response.json(['word']), { times: 1 });
    const controller = new AbortController();
    await server.fetch('/questions', { method: 'POST', headers, signal: controller.signal });

    controller.abort();
    const again = await server.fetch('/questions', { method: 'POST', headers });

    expect(await again.json()).toEqual(['word']);
  });
});

it('one Response is the answer to many requests, also where one of them is aborted when it has been read', async () => {
  const server = mockServer([Chat]);
  const answer = Response.json(['word']);
  server.use(Chat, () => answer);
  const controller = new AbortController();

  const first = await server.fetch('/chat', { signal: controller.signal });
  const told = [await first.json()];
  controller.abort();
  for (let i = 0; i < 2; i++) told.push(await (await server.fetch('/chat')).json());

  expect(told).toEqual([['word'], ['word'], ['word']]);
  expect(first.headers.get('content-type')).toBe('application/json');
});
