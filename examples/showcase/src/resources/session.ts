import { Entity, RestEndpoint } from 'rtk-resource';

/** A person who is signed in. */
export interface Me {
  readonly id: number;
  readonly name: string;
  readonly color: string;
}

class Session extends Entity {
  id = 'current';
  /** Null while nobody is signed in. */
  person: Me | null = null;
  static key = 'Session';
}

const path = '/api/session';

/** Who comes for the first time. */
const visitor: { readonly as?: string | undefined } = {};

/** Who is signed in; the browser sends the cookie along. `as` is who comes for the first time. */
export const getSession = new RestEndpoint({
  path,
  schema: Session,
  name: 'Session/get',
  searchParams: visitor,
});

/** Answers with a token. Never dispatched, so neither the password nor the token is in an action: `signIn.fetch(…)`. */
export const signIn = new RestEndpoint({
  path,
  method: 'POST',
  name: 'Session/signIn',
  body: {} as { readonly name: string; readonly password: string },
});

/** Answers with a new token, for the cookie. Never dispatched, either. */
export const renewToken = new RestEndpoint({
  path: '/api/session/token',
  method: 'POST',
  name: 'Session/renewToken',
  body: undefined,
});

export const signOut = new RestEndpoint({ path, method: 'DELETE', name: 'Session/signOut' });

/** What time does otherwise. */
export const expireToken = new RestEndpoint({ path: '/api/session/expire', method: 'POST', name: 'Session/expire' });
export const endSession = new RestEndpoint({ path: '/api/session/end', method: 'POST', name: 'Session/end' });
