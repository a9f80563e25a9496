import type { OpenLifetimes } from './endpoint.js';
import type { FetchFn } from './hookApi.js';
import type { SetupListeners } from './lifetime/presence.js';
import type { OutboxSeam } from './running/keeping.js';

/**
 * Where the slice is mounted, and what applies to endpoints that do not say otherwise.
 *
 * @example
 * const options: ResourcesOptions = { timeout: 10_000, unusedDataExpiryLength: 5 * 60_000 };
 */
export interface ResourcesOptions<Path extends string = string> extends OpenLifetimes {
  /**
   * The field of the root state for the slice.
   *
   * @default 'resources'
   */
  readonly reducerPath?: Path;
  /**
   * Tells the store when the app is visible and the network is there. Otherwise polls pause, and stale data is fetched on return. It runs while there are
   * subscribers.
   *
   * @default the events of the browser
   */
  readonly setupListeners?: SetupListeners | undefined;
  /**
   * How long what an answer says of a counted field waits for the guess of a recipe, or of your own, that it may already contain, in ms. After this time it may
   * count twice until the answer to that write comes. As long, at most, does a list that several writes make stale wait for the last of them before it is
   * fetched again. `Infinity` means no limit.
   *
   * @default 10_000
   */
  readonly holdTimeout?: number | undefined;
  /**
   * Sends the requests of this store, also to relative addresses: a mock server, or a client of your own. A refused request is still a NetworkError.
   * `endpoint.fetch()` without a store uses the global `fetch`.
   *
   * @default the global `fetch`
   */
  readonly fetchFn?: FetchFn | undefined;
  /**
   * The outbox that keeps writes until they are done, from `outbox` of `rtk-resource/offline`.
   *
   * @default undefined, none
   */
  readonly outbox?: OutboxSeam | undefined;
}

/**
 * What `reset` leaves.
 *
 * @example
 * dispatch(resources.reset({ keepOutbox: true })); // the session has ended by itself
 */
export interface ResetOptions {
  /**
   * Whether the outbox keeps the writes of its owner, to send them when the owner is back.
   *
   * @default false
   */
  readonly keepOutbox?: boolean | undefined;
}
