import { Hono } from 'hono';
import { Colleague } from './Colleague.ts';
import { openDatabase } from './database.ts';
import { Listeners } from './events.ts';
import { Issues } from './issues.ts';
import { colleagueRoutes } from './routes/colleague.ts';
import { commentRoutes } from './routes/comments.ts';
import { eventRoutes } from './routes/events.ts';
import { issueRoutes } from './routes/issues.ts';
import { once } from './once.ts';
import { isSignedIn, sessionRoutes } from './routes/session.ts';
import { labels } from './labels.ts';
import { people, publicPerson } from './people.ts';
import { problem } from './problem.ts';
import { Sessions } from './sessions.ts';

/** The REST server: a fetch handler with its data in memory. */
export async function createApi(): Promise<Hono> {
  const db = await openDatabase();
  const issues = new Issues(db);
  const sessions = new Sessions();
  const listeners = new Listeners();
  const colleague = new Colleague(issues, listeners);
  const api = new Hono().basePath('/api');

  // For tests, which begin anew.
  api.post('/reset', (c) => {
    db.reset();
    colleague.reset();
    sessions.endAll();
    return c.body(null, 204);
  });
  api.route('/session', sessionRoutes(sessions));
  api.route('/events', eventRoutes(sessions, listeners));

  api.use(isSignedIn(sessions));
  api.use(once());
  api.get('/people', (c) => c.json(people.map(({ id }) => publicPerson(id))));
  api.get('/labels', (c) => c.json(labels));
  api.route('/issues', issueRoutes(issues, listeners));
  api.route('/issues', commentRoutes(issues, listeners));
  api.route('/colleague', colleagueRoutes(colleague));

  api.notFound(() => problem(404, 'There is nothing at this address.'));
  api.onError((error) => problem(400, error.message));
  return api;
}
