import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { people, publicPerson } from '../people.ts';
import { problem } from '../problem.ts';
import { recordOf } from '../readIssue.ts';
import type { Sessions } from '../sessions.ts';

const cookie = 'session';

/** What the routes behind the door know of a request. */
export interface Variables {
  Variables: { personId: number };
}

/** Signing in and out. A session is in a cookie; the token that requests carry is had for it, time and again. */
export function sessionRoutes(sessions: Sessions): Hono {
  const routes = new Hono();

  // Nobody being signed in is no error.
  routes.get('/', (c) => {
    const personId = personIn(c, sessions);
    return c.json({ id: 'current', person: personId === undefined ? null : publicPerson(personId) });
  });

  routes.post('/token', (c) => {
    const personId = personIn(c, sessions);
    return personId === undefined ? problem(401, 'Sign in first.') : c.json({ token: sessions.newToken(personId) });
  });

  routes.post('/', async (c) => {
    const { name, password } = recordOf(await c.req.json());
    const person = people.find((one) => one.name === name);
    if (!person) return problem(422, 'Nobody has this name.', { name: 'Nobody has this name.' });
    if (person.password !== password)
      return problem(422, 'That is another password.', { password: 'That is another password.' });
    setCookie(c, cookie, sessions.begin(person.id), { httpOnly: true, sameSite: 'Strict', path: '/api' });
    return c.json({ token: sessions.newToken(person.id) });
  });

  routes.delete('/', (c) => {
    sessions.end(deleteCookie(c, cookie, { path: '/api' }) ?? '');
    return c.body(null, 204);
  });

  // What time does otherwise: a token expires, a session is ended.
  routes.post('/expire', (c) => {
    sessions.expireTokens();
    return c.body(null, 204);
  });
  routes.post('/end', (c) => {
    sessions.endAll();
    return c.body(null, 204);
  });
  return routes;
}

/** Lets in who has a token that is good. */
export function isSignedIn(sessions: Sessions): MiddlewareHandler<Variables> {
  return async (c, next) => {
    const token = c.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
    const personId = sessions.personWith(token);
    if (personId === undefined) return problem(401, 'Sign in first.');
    c.set('personId', personId);
    await next();
    return undefined;
  };
}

/** Whose cookie a request has. */
export function personIn(c: Context, sessions: Sessions): number | undefined {
  return sessions.personOf(getCookie(c, cookie));
}
