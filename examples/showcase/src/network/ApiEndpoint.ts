import { isNetworkError, RestEndpoint, type HookApi } from 'rtk-resource';
import { getSession } from '../resources/session';

/** Tells this browser from others, so that the server need not tell it of its own changes. */
export const client = crypto.randomUUID();

let sent = 0;

/** What all endpoints of the API have in common: each request carries a token, and gets a new one when that has expired. */
export class ApiEndpoint extends RestEndpoint {
  override async getHeaders(headers: Record<string, string>, api?: HookApi): Promise<HeadersInit> {
    const session = await api?.dispatch(getSession.ifStale()).unwrap();
    // Later requests have higher numbers, also where they are held and let go in another order.
    sent = Math.max(sent + 1, Date.now());
    return { ...headers, Authorization: `Bearer ${session?.token ?? ''}`, 'X-Client': client, 'X-Sent': `${sent}` };
  }

  /** Runs a request again with a new token when the old one has expired. All who need a new one join one request for it. */
  override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
    try {
      return await super.fetch(...args);
    } catch (error) {
      if (!isNetworkError(error) || error.status !== 401) throw error;
      const session = await this.api?.dispatch(getSession()).unwrap();
      // Nobody is signed in any more: the app has learnt it by the same answer.
      if (!session?.token) throw error;
      return await super.fetch(...args);
    }
  }
}
