import { Entity, RestEndpoint } from 'rtk-resource';
import { problem } from './problem';

/** Who is signed in; there is one session. */
class Session extends Entity {
  id = 'current';
  /** What requests carry; empty while nobody is signed in. */
  token = '';
  person: { readonly id: number; readonly name: string; readonly color: string } | null = null;
  static key = 'Session';
}

const path = '/api/session';

/** Reads the session, with a new token. Whoever needs one at the same time joins the same request. */
export const getSession = new RestEndpoint({
  path,
  schema: Session,
  name: 'Session/get',
  dataExpiryLength: 86_400_000,
});

export const signIn = new RestEndpoint({
  path,
  method: 'POST',
  schema: Session,
  name: 'Session/signIn',
  body: {} as { readonly name: string; readonly password: string },
  errorData: problem,
});

export const signOut = new RestEndpoint({ path, method: 'DELETE', name: 'Session/signOut' });

/** What time does otherwise. */
export const expireToken = new RestEndpoint({ path: '/api/session/expire', method: 'POST', name: 'Session/expire' });
export const endSession = new RestEndpoint({ path: '/api/session/end', method: 'POST', name: 'Session/end' });
