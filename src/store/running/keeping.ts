/**
 * What a store and an outbox know of each other. The store lets an outbox take a write over before it is sent; the outbox lays writes of another time or
 * another tab, has one sent with its key and a place of its own, and says what came of it, here or elsewhere. All of it is types: without an outbox there
 * is nothing of it in a bundle but a few calls.
 */
import type { RunResult } from '../endpoint.js';
import type { FetchFn, StoreApi } from '../hookApi.js';
import type { SetupListeners } from '../lifetime/presence.js';
import type { Flight } from './flight.js';
import type { LandingParts } from './Lander.js';
import type { Landings } from './landing.js';
import type { Outcome } from './outcome.js';
import type { ETags } from './ETags.js';

/**
 * An outbox, as a store is given it: what `outbox` of `rtk-resource/offline` makes.
 *
 * @example
 * const withOutbox = (outbox: OutboxSeam) => configureResources({ outbox });
 */
export interface OutboxSeam {
  /** What its database is called. */
  readonly name: string;
  /** Called once, as the middleware of the store is made. @internal */
  mount(parts: KeeperParts): Keeper;
}

/** What an outbox has of the store that it is given to. */
export interface KeeperParts extends LandingParts {
  readonly landings: Landings;
  readonly etags: ETags;
  readonly setupListeners: SetupListeners;
  readonly fetchFn: FetchFn | undefined;
  /** Tells the rest of the story of a write that is shown as pending. */
  go(flight: Flight, extra: unknown, end: (outcome: Outcome) => void): void;
}

/** What one sending of a kept write is given. */
export interface Sending extends Pick<StoreApi, 'idempotencyKey' | 'keyHeaders' | 'fetchFn'> {
  readonly isKept: true;
}

/** Sends a write once, with a place of its own; what becomes of a conflict, the outbox decides. Throws R14 where what it names could not be created. */
export type Send = (how: Sending) => Promise<RunResult>;

/** What an outbox does for a store. */
export interface Keeper {
  /** Takes over a write that is about to be sent, and gives what comes of it; undefined for what is not kept, and sent as without an outbox. */
  take(flight: Flight, send: Send): Promise<RunResult> | undefined;
  /** An action has passed. */
  acted(action: unknown): void;
  /** All is forgotten; what is stored stays where it says so. */
  reset(keepOutbox: boolean): void;
}
