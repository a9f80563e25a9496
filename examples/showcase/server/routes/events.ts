import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Listeners } from '../events.ts';
import { problem } from '../problem.ts';
import type { Sessions } from '../sessions.ts';
import { personIn } from './session.ts';

/** What others change, as server-sent events. The browser sends the cookie along, so no token is needed. */
export function eventRoutes(sessions: Sessions, listeners: Listeners): Hono {
  const routes = new Hono();

  routes.get('/', (c) => {
    if (personIn(c, sessions) === undefined) return problem(401, 'Sign in first.');
    return streamSSE(c, async (stream) => {
      const leave = listeners.add(c.req.query('client') ?? '', (message) => {
        void stream.writeSSE({ data: JSON.stringify(message) });
      });
      await new Promise<void>((resolve) => {
        stream.onAbort(resolve);
      });
      leave();
    });
  });
  return routes;
}
