import { Hono } from 'hono';
import type { Colleague } from '../Colleague.ts';
import { recordOf } from '../readIssue.ts';
import type { Variables } from './session.ts';

/** Tells the simulated colleague to work, or to do one thing. */
export function colleagueRoutes(colleague: Colleague): Hono<Variables> {
  const routes = new Hono<Variables>();
  const state = () => ({ id: 'grace', isWorking: colleague.isWorking });

  routes.get('/', (c) => c.json(state()));
  routes.patch('/', async (c) => {
    colleague.work(recordOf(await c.req.json())['isWorking'] === true);
    return c.json(state());
  });
  routes.post('/act', (c) => {
    colleague.act();
    return c.body(null, 204);
  });
  return routes;
}
