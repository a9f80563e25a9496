import { backendOf } from './answers.js';
import { MockedServer } from './mocked.js';
import type { Backend, Sender } from './Network.js';
import { Server } from './Server.js';
import type { World } from './worlds.js';

/** The server of a world, and how clients reach it. */
export function openServer(
  world: World,
  senderOf: (label: string) => Sender | undefined,
): { readonly server: Server; readonly backend: Backend } {
  if (!world.isMocked) {
    const server = new Server(world);
    return { server, backend: backendOf(server) };
  }
  const server = new MockedServer(world, senderOf);
  return { server, backend: (flight, sender) => server.answer(flight, sender) };
}
