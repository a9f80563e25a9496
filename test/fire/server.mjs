// A REST server on loopback for notes, which answers as badly as servers, proxies and networks do.
import { createServer } from 'node:http';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Socket } from 'node:net' */
/** @typedef {{ id: number, text: string, list: string }} Note */
/** @typedef {(response: ServerResponse, json: string, socket: Socket) => void} Fault */

const JSON_TYPE = { 'content-type': 'application/json' };
/** @param {number} status @param {string} text @param {Record<string, string>} [headers] @returns {Fault} */
const says =
  (status, text, headers = JSON_TYPE) =>
  (response) => {
    response.writeHead(status, headers).end(text);
  };

/** What goes wrong, by name. @type {Readonly<Record<string, Fault>>} */
export const faults = {
  'a refusal with a body': says(422, '{"message":"no"}'),
  'a refusal without one': says(404, ''),
  'a refusal with a page': says(500, '<html>Oops</html>', { 'content-type': 'text/html' }),
  'a refusal with broken JSON': says(400, '{"message":'),
  'not signed in': says(401, '{}'),
  'a crowd': says(429, '{}', { ...JSON_TYPE, 'retry-after': '0' }),
  'a pause': says(503, '', { 'retry-after': '0' }),
  'no content': says(204, ''),
  'reset content': says(205, ''),
  'an empty body': says(200, ''),
  'a page': says(200, '<html>Sign in</html>', { 'content-type': 'text/html' }),
  'broken JSON': says(200, '[{"id":1,'),
  'no JSON at all': says(200, '\u0000\u0001\u0002'),
  'no UTF-8': (response) => {
    response.writeHead(200, JSON_TYPE).end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  },
  'a mark before the text': (response, json) => {
    response.writeHead(200, JSON_TYPE).end(`\ufeff${json}`);
  },
  'no content type': (response, json) => {
    response.writeHead(200).end(json);
  },
  'another content type': (response, json) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(json);
  },
  null: says(200, 'null'),
  'a number': says(200, '17'),
  'a text': says(200, '"OK"'),
  'a remark': says(200, '{"ok":true}'),
  'no id': says(200, '{"text":"nobody"}'),
  'an id of another kind': says(200, '{"id":{"a":1}}'),
  'all of it twice': (response, json) => {
    response
      .writeHead(200, JSON_TYPE)
      .end(json.startsWith('[') ? json.replace(/]$/, `,${json.slice(1)}`) : `[${json},${json}]`);
  },
  'what is 3 000 deep': says(200, `${'{"inner":'.repeat(3_000)}1${'}'.repeat(3_000)}`),
  'a connection that breaks': (_, __, socket) => {
    socket.destroy();
  },
  'a connection that breaks in the body': (response, json, socket) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': String(json.length + 10) }).write(json);
    socket.end();
  },
  'no HTTP': (_, __, socket) => {
    socket.end('SMTP ready\r\n\r\n');
  },
  'false compression': (response, json) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(json);
  },
  'a circle of redirects': (response) => {
    response.writeHead(302, { location: '/round' }).end();
  },
  'no answer': () => undefined,
  'half an answer, and no more': (response, json) => {
    response.writeHead(200, JSON_TYPE).write(json.slice(0, 1));
  },
  'an answer in drops': (response, json) => {
    response.writeHead(200, JSON_TYPE);
    const [one, other] = [json.slice(0, 3), json.slice(3)];
    response.write(one);
    setTimeout(() => response.end(other), 5);
  },
};

/**
 * Starts it. `choose` says for each request which fault it meets, if any, and whether what it asks for is done all the same.
 * @param {() => { fault: string | undefined, isDone: boolean }} choose
 */
export async function startServer(choose) {
  /** @type {Map<number, Note>} */
  const notes = new Map();
  let last = 0;
  let connections = 0;
  for (const list of ['a', 'b', 'c']) for (let i = 0; i < 10; i++) notes.set(++last, { id: last, text: 'note', list });

  /** Does what is asked for; gives the answer. @param {string} method @param {URL} url @param {unknown} body */
  const act = (method, url, body) => {
    const id = Number(url.pathname.split('/')[2]);
    const fields = /** @type {Partial<Note>} */ (body);
    const list = url.searchParams.get('list');
    if (method === 'GET' && !id) return [...notes.values()].filter((note) => list === null || note.list === list);
    if (method === 'POST') notes.set(++last, { text: '', list: list ?? 'a', ...fields, id: last });
    if (method === 'PATCH' && notes.has(id)) notes.set(id, { ...known(notes, id), ...fields, id });
    if (method === 'DELETE') notes.delete(id);
    return method === 'POST' ? known(notes, last) : notes.get(id);
  };

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  const handle = async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const { fault, isDone } = choose();
    const method = request.method ?? '';
    const url = new URL(request.url ?? '', 'http://localhost');
    /** @type {unknown} */
    const body = text === '' ? {} : JSON.parse(text);
    const isRead = method === 'GET';
    const answer = isRead || isDone || fault === undefined ? act(method, url, body) : {};
    const json = JSON.stringify(answer ?? {});
    if (fault !== undefined) faults[fault]?.(response, json, request.socket);
    else if (answer === undefined) says(404, '{}')(response, '', request.socket);
    else says(method === 'DELETE' ? 204 : 200, method === 'DELETE' ? '' : json)(response, '', request.socket);
  };
  const server = createServer((request, response) => {
    // A client that has hung up is no fault of the server.
    handle(request, response).catch(() => undefined);
  });
  server.on('connection', (socket) => {
    connections++;
    socket.on('error', () => undefined).on('close', () => connections--);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(undefined);
    });
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { url: `http://127.0.0.1:${String(address.port)}`, notes, connections: () => connections };
}

/** @param {ReadonlyMap<number, Note>} notes @param {number} id @returns {Note} */
function known(notes, id) {
  const note = notes.get(id);
  if (!note) throw new Error(`There is no note ${String(id)}.`);
  return note;
}
