import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import { getOrMake } from '../schema/Schema.js';

/**
 * An action creator that tells its actions from others; usable in addCase, isAnyOf, and startListening as `actionCreator`; its `match`, in addMatcher and as `matcher`.
 *
 * @example
 * const isDone: RequestActionCreator<FulfilledAction> = TodoResource.get.fulfilled;
 * isDone.match({ type: 'Todo/get/fulfilled' });
 */
export interface RequestActionCreator<A extends UnknownAction> {
  (payload?: unknown): A;
  /** The type of its actions. */
  readonly type: A['type'];
  /** Whether an action is one of these: `addMatcher(endpoint.rejected.match, …)`, `startListening({ matcher: endpoint.rejected.match, … })`. */
  match(action: unknown): action is A;
}

const creators = new Map<string, unknown>();

/** The creator of one action type; made once, as reducers compare them by type and people by identity. */
export function matcherOf<A extends UnknownAction>(typePrefix: string, status: string): RequestActionCreator<A> {
  const type = `${typePrefix}/${status}`;
  const meta = { handMade: true, arg: { endpointName: typePrefix } };
  const make = (): unknown => createAction(type, (payload: unknown) => ({ payload, meta }));
  // What is dispatched under this type, our middleware alone makes.
  return getOrMake(creators, type, make) as RequestActionCreator<A>;
}
