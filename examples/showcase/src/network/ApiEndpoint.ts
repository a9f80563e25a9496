import { RestEndpoint, type HookApi } from 'rtk-resource';
import { isUnauthorized, Tokens } from './Tokens';

/** Tells this browser from others, so that the server need not tell it of its own changes. */
export const client = crypto.randomUUID();

let sent = 0;

/** What all endpoints of the API have in common: each request carries a token, and gets a new one when that has expired. */
export class ApiEndpoint extends RestEndpoint {
  override async getHeaders(headers: Record<string, string>, api?: HookApi): Promise<HeadersInit> {
    const token = await tokensOf(api).get();
    // Later requests have higher numbers, also where they are held and let go in another order.
    sent = Math.max(sent + 1, Date.now());
    return { ...headers, Authorization: `Bearer ${token}`, 'X-Client': client, 'X-Sent': `${sent}` };
  }

  /** Sends a request again, once, with another token when its own is refused. */
  override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
    const tokens = tokensOf(this.api);
    const token = await tokens.get();
    try {
      return await super.fetch(...args);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      await tokens.getOtherThan(token);
      return await super.fetch(...args);
    }
  }
}

/** The tokens of the store that runs a request: its `extraArgument`. */
function tokensOf(api: HookApi | undefined): Tokens {
  if (api?.extra instanceof Tokens) return api.extra;
  throw new Error('Requests of the API are dispatched, in a store that has tokens.');
}
