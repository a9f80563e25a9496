import { nanoid } from '@reduxjs/toolkit';
import type { RejectedMeta } from '../actions.js';
import type { RequestArg } from '../endpoint.js';
import { serialize } from './failure.js';
import { failing, over, type Waiting } from './outcome.js';
import { toWire } from './plain.js';
import type { StoreAccess } from './StoreAccess.js';

/** What an action tells of its request, whichever way it goes. */
export function argOf(endpointName: string, key: string, args: readonly unknown[]): RequestArg {
  return { endpointName, key, args: toWire(args) as readonly unknown[] };
}

/** What all actions of one request carry. */
export function metaOf(store: StoreAccess, name: string, key: string, args: readonly unknown[]): Waiting['meta'] {
  return { requestId: nanoid(), arg: argOf(name, key, args), startedTimeStamp: Date.now(), seq: store.nextSeq() };
}

/** Ends a request before it began: nothing is sent, and nothing kept. */
export function refuse(store: StoreAccess, meta: Waiting['meta'], error: unknown): Waiting {
  const arg = { ...meta.arg, key: '' };
  const how = { requestStatus: 'rejected', aborted: false, condition: false, expiresAt: 0 } as const;
  const rejected: RejectedMeta = { ...meta, arg, ...how };
  const action = store.dispatch(`${arg.endpointName}/rejected`, { error: serialize(error), meta: rejected });
  return over(meta, { action, value: failing(error) });
}
