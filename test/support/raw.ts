import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server on loopback that says things a JSON server would not: it answers byte by byte, as a handler wants. */
export interface RawServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRawServer(
  handle: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): Promise<RawServer> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      handle(request, response, body);
    });
  });
  // On a busy machine a connection may be idle for long: it is not closed just as the next request comes.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();

      return closed;
    },
  };
}
