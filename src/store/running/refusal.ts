import { nanoid } from '@reduxjs/toolkit';
import { orElse, resourceError } from '../../errors.js';
import { isTemporary } from '../../schema/temporary.js';
import type { Changes } from '../../tables/changes.js';
import type { RequestArg } from '../request.js';
import { serialize } from './failure.js';
import { failing, over, rejectedAction, type Outcome, type Waiting } from './outcome.js';
import { describe } from './plain.js';
import type { StoreAccess } from './StoreAccess.js';

/** What an action tells of its request, whichever way it goes. */
export function argOf(endpointName: string, key: string, args: readonly unknown[]): RequestArg {
  return { endpointName, key, args: describe(args) as readonly unknown[] };
}

/** What all actions of one request carry. */
export function metaOf(store: StoreAccess, name: string, key: string, args: readonly unknown[]): Waiting['meta'] {
  return { requestId: nanoid(), arg: argOf(name, key, args), startedTimeStamp: Date.now(), seq: store.nextSeq() };
}

/** Ends a request before it began: nothing is sent, and nothing kept. */
export function refuse(store: StoreAccess, meta: Waiting['meta'], error: unknown): Waiting {
  return over(meta, rejection(store, { ...meta, arg: { ...meta.arg, key: '' } }, error));
}

/** Says that a request was rejected, as far as the store lets it; never fails. */
export function rejection(store: StoreAccess, meta: Waiting['meta'], error: unknown): Outcome {
  const action = rejectedAction(meta, serialize(error), { aborted: false, condition: false, expiresAt: 0 });
  // Where the store takes no action of ours any more, whoever waits is told.
  return { action: orElse(() => store.dispatch(action.type, action), action), value: failing(error) };
}

/** Throws R7 where a row has but a temporary id: what is confirmed of it, only the answer to its create tells. */
export function assertCreated({ rows }: Changes, name: string): void {
  for (const { table, pks } of rows)
    if (pks.some(isTemporary)) throw resourceError('R7', table, name, 'its id is temporary');
}
