// The server of every consumer: two todos, which each run finds as they were.
import { createServer } from 'node:http';

/** @returns {Promise<{ readonly url: string, close(): void }>} */
export async function startServer() {
  const titles = ['', 'one', 'two'];
  const server = createServer((request, response) => {
    const [, , id] = (request.url ?? '').split('/');
    const row = (/** @type {number} */ at) => ({ id: at, title: titles[at] });
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify([row(1), row(2)]));
      return;
    }
    let body = '';
    request.on('data', (/** @type {Buffer} */ chunk) => (body += chunk.toString()));
    request.on('end', () => {
      response.end(JSON.stringify({ ...row(Number(id)), .../** @type {object} */ (JSON.parse(body)) }));
    });
  });
  await new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      resolve(undefined);
    }),
  );
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
