import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { adaId, people, publicPerson } from '../people.ts';
import { problem } from '../problem.ts';
import { recordOf } from '../readIssue.ts';
import type { Sessions } from '../sessions.ts';

const cookie = 'session';
/** What the cookie says of somebody who has signed out. */
const signedOut = 'none';

/** What the routes behind the door know of a request. */
export interface Variables {
  Variables: { personId: number };
}

/** Signing in and out. A session is in a cookie; the token that requests carry is had for it, time and again. */
export function sessionRoutes(sessions: Sessions): Hono {
  const routes = new Hono();

  // Nobody being signed in is no error. Whoever comes for the first time is signed in, for this is a demonstration: as Ada, or as who the address says.
  routes.get('/', (c) => {
    let personId = personIn(c, sessions);
    if (personId === undefined && getCookie(c, cookie) !== signedOut) {
      personId = people.find(({ name }) => name === c.req.query('as'))?.id ?? adaId;
      setSession(c, sessions.begin(personId));
    }
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
    setSession(c, sessions.begin(person.id));
    return c.json({ token: sessions.newToken(person.id) });
  });

  routes.delete('/', (c) => {
    sessions.end(getCookie(c, cookie) ?? '');
    setSession(c, signedOut);
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

function setSession(c: Context, session: string): void {
  setCookie(c, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '/api' });
}

/** Whose cookie a request has. */
export function personIn(c: Context, sessions: Sessions): number | undefined {
  return sessions.personOf(getCookie(c, cookie));
}
