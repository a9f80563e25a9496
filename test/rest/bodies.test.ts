import { getEventListeners } from 'node:events';
import { Collection, Entity, NetworkError, RestEndpoint } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { startRawServer } from '../support/raw.js';
import { startServer, type Reply } from '../support/server.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await startServer();
/** Echoes the bytes of a request, with its content type; `/cut` breaks off in the middle, `/hang` never ends. */
const raw = await startRawServer(({ url = '', headers }, response, body) => {
  const type = headers['content-type'] ?? 'application/octet-stream';
  if (url === '/echo') response.writeHead(200, { 'content-type': type }).end(body);
  else {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"id":', () => {
      if (url === '/cut') response.destroy();
    });
  }
});
afterAll(() => Promise.all([server.close(), raw.close()]));
afterEach(() => {
  server.forget();
  vi.unstubAllGlobals();
});

const anything = (): unknown => undefined;
const send = new RestEndpoint({ urlPrefix: server.url, path: '/notes', method: 'POST', body: anything() });
const read = new RestEndpoint({ urlPrefix: server.url, path: '/notes/:id' });
const readNote = read.extend({ schema: Note });

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

/** What a read of this answer gives. */
async function given(reply: Reply, endpoint: { fetch(params: { id: number }): Promise<unknown> } = read) {
  server.answer('GET /notes/5', reply);

  return endpoint.fetch({ id: 5 });
}

const typed = (type: string, text: string, status = 200): Reply => ({
  status,
  text,
  headers: { 'content-type': type },
});

/** A body that says itself how JSON has it. */
class Money {
  readonly #cents: number;
  constructor(cents: number) {
    this.#cents = cents;
  }
  toJSON(): object {
    return { amount: this.#cents / 100 };
  }
}

class Draft {
  readonly text = 'hello';
  readonly at = new Date(0);
}

describe('a request', () => {
  it.each<[string, unknown, unknown]>([
    ['an object', { text: 'hello', tags: ['a'], none: undefined }, { text: 'hello', tags: ['a'] }],
    ['an array', [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
    ['an empty array', [], []],
    ['an empty object', {}, {}],
    ['an instance of a class', new Draft(), { text: 'hello', at: '1970-01-01T00:00:00.000Z' }],
    ['an instance with toJSON', new Money(150), { amount: 1.5 }],
    ['an entity', Note.fromJS({ id: 1, text: 'x' }), { id: 1, text: 'x' }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
    ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a number', 0, 0],
    ['a boolean', false, false],
  ])('sends %s as JSON', async (_, body, sent) => {
    server.answer('POST /notes', { status: 204 });

    await send.fetch({}, body);

    const [request] = server.received;
    expect(JSON.parse(request?.rawBody ?? '')).toEqual(sent);
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
  });

  it.each<[string, () => unknown, string, string | undefined]>([
    ['a string', () => 'plain "text"', 'plain "text"', 'text/plain;charset=UTF-8'],
    ['an empty string', () => '', '', 'text/plain;charset=UTF-8'],
    [
      'URLSearchParams',
      () => new URLSearchParams({ a: 'b c', d: '&' }),
      'a=b+c&d=%26',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
    ['a Blob', () => new Blob(['a,b'], { type: 'text/csv' }), 'a,b', 'text/csv'],
    ['a Blob of no type', () => new Blob(['a,b']), 'a,b', undefined],
    ['an ArrayBuffer', () => new TextEncoder().encode('bytes').buffer, 'bytes', undefined],
    ['a view of bytes', () => new TextEncoder().encode('bytes').subarray(1), 'ytes', undefined],
    ['a stream', () => new Blob(['in ', 'pieces']).stream(), 'in pieces', undefined],
  ])('sends %s untouched, with no content type of ours', async (_, body, sent, type) => {
    server.answer('POST /notes', { status: 204 });

    await send.fetch({}, body());

    const [request] = server.received;
    expect(request?.rawBody).toBe(sent);
    expect(request?.headers['content-type']).toBe(type);
  });

  it('sends a form with its file, its names and its boundary', async () => {
    const form = new FormData();
    form.set('title', 'Ünï');
    form.append('tag', 'a');
    form.append('tag', 'b');
    form.set('file', new File([new Uint8Array([0, 255, 13, 10])], 'a b.bin', { type: 'image/png' }));
    const echo = new RestEndpoint({ urlPrefix: raw.url, path: '/echo', method: 'POST', content: 'arrayBuffer' });
    const types: (string | null)[] = [];

    const bytes = await echo
      .extend({
        parseResponse(response) {
          types.push(response.headers.get('content-type'));
          return response.arrayBuffer();
        },
      })
      .fetch({}, form);

    const [type] = types;
    expect(type).toMatch(/^multipart\/form-data; ?boundary=/);
    const came = await new Response(bytes, { headers: { 'content-type': type ?? '' } }).formData();
    expect([came.get('title'), came.getAll('tag')]).toEqual(['Ünï', ['a', 'b']]);
    const file = came.get('file') as File;
    expect([file.name, file.type]).toEqual(['a b.bin', 'image/png']);
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 255, 13, 10]);
  });

  it('carries bytes up and down as they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const echo = new RestEndpoint({ urlPrefix: raw.url, path: '/echo', method: 'POST', content: 'blob' });

    const blob = await echo.fetch({}, new Blob([bytes], { type: 'image/png' }));

    expect(blob).toBeInstanceOf(Blob);
    expect(blob.type).toBe('image/png');
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
  });

  it('without a body has no content type, so that a GET is a simple request', async () => {
    server.answer(/./, { status: 204 });

    await read.fetch({ id: 5 });
    await send.fetch({}, undefined);
    await send.fetch({}, null);

    expect(server.received.map(({ rawBody }) => rawBody)).toEqual(['', '', '']);
    for (const { headers } of server.received) expect(headers).not.toHaveProperty('content-type');
  });

  it('of what creates an item is its body, also where the list says that it has none', async () => {
    const notes = { urlPrefix: server.url, path: '/notes', searchParams: undefined, schema: new Collection([Note]) };
    const listed = new RestEndpoint({ ...notes, body: undefined });
    const addressed = new RestEndpoint({ ...notes, searchParams: {}, itemBody: undefined });
    server.answer('POST /notes', { json: { id: 1 } });

    await listed.push.fetch({ text: 'a' });
    await addressed.push.fetch({ text: 'a' });

    expect(server.received.map(({ query, body }) => [query, body])).toEqual([
      ['', { text: 'a' }],
      ['text=a', undefined],
    ]);
  });

  it('of a removal is none where it is a DELETE', async () => {
    const notes = { urlPrefix: server.url, path: '/notes', searchParams: {}, schema: new Collection([Note]) };
    const remove = new RestEndpoint(notes).remove.extend({ method: 'DELETE' });
    server.answer('DELETE /notes', { json: { id: 1 } });

    await remove.fetch({ id: 1 });

    expect(server.received.map(({ query, body }) => [query, body])).toEqual([['id=1', undefined]]);
  });

  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'] as const)(
    'is none of %s, whose one argument is parameters',
    async (method) => {
      const ask = new RestEndpoint({
        urlPrefix: server.url,
        path: '/notes',
        method,
        searchParams: {} as { text: string },
      });
      server.answer(/./, { status: 204 });

      await ask.fetch({ text: 'a' });

      expect(server.received.map(({ query, rawBody }) => [query, rawBody])).toEqual([['text=a', '']]);
    },
  );

  it.each(['text', 'blob', 'arrayBuffer', 'stream'] as const)(
    'for %s asks for nothing in particular',
    async (content) => {
      await given({ text: 'x' }, read.extend({ content }));

      expect(server.received[0]?.headers.accept).toBe('*/*');
    },
  );

  it('has the headers that the endpoint starts from, which hold against ours in any case of letters', async () => {
    server.answer('POST /notes', { json: null });
    const patch = send.extend({
      requestInit: { headers: { accept: 'application/hal+json', 'CONTENT-TYPE': 'application/merge-patch+json' } },
    });

    await patch.fetch({}, { text: 'x' });

    expect(server.received[0]?.headers).toMatchObject({
      accept: 'application/hal+json',
      'content-type': 'application/merge-patch+json',
    });
  });

  it.each<[string, (headers: Record<string, string>) => HeadersInit]>([
    ['an object', (headers) => ({ ...headers, accept: 'text/csv', 'X-Own': '1' })],
    [
      'Headers',
      (headers) =>
        new Headers(
          [...Object.entries(headers), ['X-Own', '1']]
            .filter(([name]) => name !== 'Accept')
            .concat([['Accept', 'text/csv']]) as [string, string][],
        ),
    ],
    ['pairs', (headers) => [...Object.entries(headers), ['ACCEPT', 'text/csv'], ['X-Own', '1']]],
  ])('has the headers that getHeaders gives as %s, the last of a name', async (_, getHeaders) => {
    await given({ text: '{}' }, read.extend({ getHeaders }));

    expect(server.received[0]?.headers).toMatchObject({ accept: 'text/csv', 'x-own': '1' });
  });

  it('has no header that getHeaders makes undefined', async () => {
    const bare = read.extend({
      getHeaders: (headers) => ({ ...headers, Accept: undefined, 'X-Own': undefined }) as unknown as HeadersInit,
    });

    await given({ text: '{}' }, bare);

    expect(server.received[0]?.headers).toMatchObject({ accept: '*/*' });
    expect(server.received[0]?.headers).not.toHaveProperty('x-own');
  });

  it('is JSON also where the platform lacks streams and forms', async () => {
    const bodies: unknown[] = [];
    const answer = new Response(null, { status: 204 });
    const own = send.extend({
      fetchResponse(_, init) {
        bodies.push(init.body);
        return Promise.resolve(answer);
      },
    });
    vi.stubGlobal('FormData', undefined);
    vi.stubGlobal('ReadableStream', undefined);

    await own.fetch({}, { text: 'x' });

    expect(bodies).toEqual(['{"text":"x"}']);
  });
});

describe('an answer', () => {
  it.each<[string, Reply]>([
    ['204', { status: 204 }],
    ['205', { status: 205 }],
    ['an empty 200', {}],
    ['an empty 201 that says it is JSON', { status: 201, headers: { 'content-type': 'application/json' } }],
    ['an empty 200 that says it is an image', { headers: { 'content-type': 'image/png' } }],
    ['null', { json: null }],
  ])('of %s is null, whatever is expected', async (_, reply) => {
    expect(await given(reply, read)).toBeNull();
    expect(await given(reply, readNote)).toBeNull();
    expect(await given(reply, readNote.extend({ content: 'json' }))).toBeNull();
  });

  it.each([204, 205])('of status %s is null, also where content says otherwise', async (status) => {
    for (const content of ['text', 'blob', 'arrayBuffer', 'stream'] as const)
      expect(await given({ status }, read.extend({ content }))).toBeNull();
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/problem+json',
    'application/vnd.api+json',
    'APPLICATION/JSON',
    'text/json',
  ])('of type %s is parsed', async (type) => {
    expect(await given(typed(type, '{"id":5}'), readNote)).toEqual({ id: 5 });
  });

  it('of no type is parsed, where it is JSON', async () => {
    expect(await given({ text: ' [{"id":5}]\n' }, readNote)).toEqual([{ id: 5 }]);
    expect(await given({ text: 'true' })).toBe(true);
  });

  it('of no type that is no JSON is its text, where no schema says otherwise', async () => {
    expect(await given({ text: 'pong' })).toBe('pong');
  });

  it('is parsed with its byte order mark', async () => {
    expect(await given(typed('application/json', '\ufeff{"id":5}'), readNote)).toEqual({ id: 5 });
  });

  it('of a wrong type is parsed where content is json', async () => {
    expect(await given(typed('text/plain', '{"id":5}'), readNote.extend({ content: 'json' }))).toEqual({ id: 5 });
  });

  it('is what content says', async () => {
    const reply = typed('application/json', '{"id":5}');
    const bytes = new TextEncoder().encode('{"id":5}');

    expect(await given(reply, read.extend({ content: 'text' }))).toBe('{"id":5}');
    expect(new Uint8Array((await given(reply, read.extend({ content: 'arrayBuffer' }))) as ArrayBuffer)).toEqual(bytes);
    expect(await ((await given(reply, read.extend({ content: 'blob' }))) as Blob).text()).toBe('{"id":5}');
    const stream = await given(reply, read.extend({ content: 'stream' }));
    expect(stream).toBeInstanceOf(ReadableStream);
    expect(await new Response(stream as ReadableStream).text()).toBe('{"id":5}');
  });

  it('of text is its text, and of anything else a Blob, where nothing is expected', async () => {
    expect(await given(typed('text/csv', 'a,b'))).toBe('a,b');
    const blob = await given(typed('application/pdf', '%PDF'));
    expect([(blob as Blob).type, await (blob as Blob).text()]).toEqual(['application/pdf', '%PDF']);
  });

  it.each<[string, Reply, RegExp]>([
    ['truncated JSON', typed('application/json', '{"id":5,"text":"he'), /parsed as JSON: ".*he/],
    ['HTML', typed('text/html', '<!doctype html><title>Login</title>'), /is text\/html .*<!doctype html>/],
    ['HTML that says it is JSON', typed('application/json', '<html>'), /parsed as JSON: "<html>"/],
    ['text', typed('text/plain', 'hello'), /is text\/plain .*"hello"/],
    ['JSON of type text/plain', typed('text/plain', '{"id":5}'), /is text\/plain where JSON was expected/],
    ['binary data', typed('image/png', 'PNG'), /is image\/png .*"PNG"/],
    ['text of no type', { text: 'hello' }, /parsed as JSON: "hello"/],
  ])('that is %s where JSON is expected is a NetworkError that quotes it', async (_, reply, message) => {
    const error = await rejection(given(reply, readNote));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'NetworkError', status: 200, url: `${server.url}/notes/5`, data: reply.text });
    expect((error as NetworkError).message).toMatch(message);
    expect((error as NetworkError).message).toContain(`${server.url}/notes/5`);
  });

  it('that is long is quoted by its beginning alone', async () => {
    const error = await rejection(given(typed('text/html', `<html>${'x'.repeat(10_000)}`), readNote));

    expect((error as NetworkError).message.length).toBeLessThan(300);
    expect((error as NetworkError).data).toHaveLength(10_006);
  });

  it('comes by way of a redirect', async () => {
    server.answer('GET /notes/5', { status: 302, headers: { location: '/notes/6' } });
    server.answer('GET /notes/6', { json: { id: 6 } });

    expect(await readNote.fetch({ id: 5 })).toEqual({ id: 6 });
  });

  it('to a POST that is redirected with 303 is that of a GET', async () => {
    server.answer('POST /notes', { status: 303, headers: { location: '/notes/6' } });
    server.answer('GET /notes/6', { json: { id: 6 } });

    expect(await send.fetch({}, { text: 'x' })).toEqual({ id: 6 });
    expect(server.received.map(({ method, rawBody }) => [method, rawBody])).toEqual([
      ['POST', '{"text":"x"}'],
      ['GET', ''],
    ]);
  });
});

describe('a refusal', () => {
  const problem = { type: 'about:blank', title: 'No such note', errors: { id: ['unknown'] } };

  it.each<[string, Reply, unknown]>([
    ['a JSON problem', typed('application/problem+json', JSON.stringify(problem), 422), problem],
    ['JSON of a wrong type', typed('text/html', JSON.stringify(problem), 400), problem],
    ['an HTML page', typed('text/html', '<h1>Bad Gateway</h1>', 502), '<h1>Bad Gateway</h1>'],
    ['truncated JSON', typed('application/json', '{"title":', 500), '{"title":'],
    ['nothing', { status: 404 }, undefined],
    ['not modified', { status: 304 }, undefined],
  ])('with %s tells all that came', async (_, reply, data) => {
    const error = (await rejection(given(reply, readNote))) as NetworkError;

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'NetworkError', status: reply.status, url: `${server.url}/notes/5` });
    expect(error.data).toEqual(data);
    expect(error.response).toBeInstanceOf(Response);
    expect(error.response?.status).toBe(reply.status);
    expect(error.message).toContain(`GET ${server.url}/notes/5`);
    expect(error.message).toContain(String(reply.status));
  });

  it('of text is told the same way, whatever content says', async () => {
    const error = await rejection(given({ status: 422, json: problem }, read.extend({ content: 'blob' })));

    expect(error).toMatchObject({ status: 422, data: problem });
  });

  it('does not reach parseResponse and process', async () => {
    const steps: string[] = [];
    const watched = read.extend({
      parseResponse: () => Promise.resolve(steps.push('parseResponse')),
      process: () => steps.push('process'),
    });

    await rejection(given({ status: 500 }, watched));

    expect(steps).toEqual([]);
  });
});

describe('a connection', () => {
  it('that is refused is a NetworkError without a status, which says why', async () => {
    const gone = await startRawServer(() => undefined);
    await gone.close();

    const error = await rejection(read.extend({ urlPrefix: gone.url }).fetch({ id: 5 }));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      url: `${gone.url}/notes/5`,
      status: undefined,
      response: undefined,
      data: undefined,
    });
    expect((error as NetworkError).message).toMatch(/^GET http.*\/notes\/5 was not answered: .*ECONNREFUSED/);
    expect((error as NetworkError).cause).toBeInstanceOf(TypeError);
  });

  it.each(['json', 'text', 'blob', 'arrayBuffer'] as const)(
    'that is cut in the middle of %s is a NetworkError without a status',
    async (content) => {
      const error = await rejection(new RestEndpoint({ urlPrefix: raw.url, path: '/cut', content }).fetch());

      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ url: `${raw.url}/cut`, status: undefined, response: undefined });
      expect((error as NetworkError).message).toContain(`${raw.url}/cut could not be read`);
      expect((error as NetworkError).cause).toBeInstanceOf(TypeError);
    },
  );

  it('that is cut in the middle of a stream fails the stream', async () => {
    const cut = new RestEndpoint({ urlPrefix: raw.url, path: '/cut', content: 'stream' });

    const stream = (await cut.fetch()) as ReadableStream;

    await expect(new Response(stream).text()).rejects.toThrow();
  });

  it('cannot be made to an address that is none', async () => {
    const error = await rejection(read.extend({ urlPrefix: 'http://[' }).fetch({ id: 5 }));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ url: 'http://[/notes/5', status: undefined });
  });
});

describe('a signal', () => {
  const reasons: readonly (readonly [string, unknown, string])[] = [
    ['an error of its own', new RangeError('took too long'), 'took too long'],
    ['a text', 'not needed', 'not needed'],
  ];

  it.each(reasons)(
    'aborted with %s before the answer ends in an AbortError for that reason',
    async (_, reason, text) => {
      const controller = new AbortController();
      const promise = rejection(read.extend({ signal: controller.signal }).fetch({ id: 5 }));
      await server.holding('GET /notes/5');

      controller.abort(reason);
      const error = await promise;
      await server.hungUp('GET /notes/5');

      expect(error).toMatchObject({ name: 'AbortError', message: expect.stringContaining(text) as string });
      expect((error as Error).cause).toBe(reason);
    },
  );

  describe.each(['when its first bytes are there', 'while it is read'])(
    'aborted in the middle of the answer, %s',
    (when) => {
      it.each(reasons)('with %s, ends in the same', async (_, reason, text) => {
        const controller = new AbortController();
        class Hanging extends RestEndpoint {
          override parseResponse(response: Response): Promise<unknown> {
            const early = when === 'while it is read' ? super.parseResponse(response) : undefined;
            controller.abort(reason);
            return early ?? super.parseResponse(response);
          }
        }
        const hanging = new Hanging({ urlPrefix: raw.url, path: '/hang', signal: controller.signal });

        const error = await rejection(hanging.fetch());

        expect(error).toMatchObject({ name: 'AbortError', message: expect.stringContaining(text) as string });
        expect((error as Error).cause).toBe(reason);
      });
    },
  );

  it('aborted before the start sends nothing', async () => {
    const error = await rejection(read.extend({ signal: AbortSignal.abort('too late') }).fetch({ id: 5 }));

    expect(error).toMatchObject({ name: 'AbortError', message: 'too late' });
    expect(server.received).toEqual([]);
  });

  it('of time fails what takes longer, for it is no cancellation', async () => {
    const impatient = read.extend({ getRequestInit: () => ({ signal: AbortSignal.timeout(1) }) });

    const error = await rejection(impatient.fetch({ id: 5 }));

    expect(error).toMatchObject({ name: 'NetworkError', status: undefined, cause: { name: 'TimeoutError' } });
  });

  it.each(['requestInit', 'getRequestInit'] as const)('of %s counts beside that of the endpoint', async (from) => {
    const [own, other] = [new AbortController(), new AbortController()];
    const endpoint = read.extend({
      signal: other.signal,
      ...(from === 'requestInit'
        ? { requestInit: { signal: own.signal } }
        : { getRequestInit: () => ({ signal: own.signal }) }),
    });

    const promises = [rejection(endpoint.fetch({ id: 1 })), rejection(endpoint.fetch({ id: 2 }))];
    await Promise.all([server.holding('GET /notes/1'), server.holding('GET /notes/2')]);
    own.abort('by its own');

    expect(await Promise.all(promises)).toMatchObject([{ message: 'by its own' }, { message: 'by its own' }]);
    const third = rejection(endpoint.extend({ requestInit: {}, getRequestInit: () => ({}) }).fetch({ id: 3 }));
    await server.holding('GET /notes/3');
    other.abort('by the other');
    expect(await third).toMatchObject({ message: 'by the other' });
  });

  it('that outlives its requests keeps nothing of them', async () => {
    const [long, other] = [new AbortController(), new AbortController()];
    const endpoint = read.extend({ signal: long.signal, requestInit: { signal: other.signal } });
    server.answer(/./, { json: null });

    for (let id = 1; id <= 5; id++) await endpoint.fetch({ id });

    expect(getEventListeners(long.signal, 'abort')).toEqual([]);
    expect(getEventListeners(other.signal, 'abort')).toEqual([]);
  });
});
