import type { SerializedFailure } from 'rtk-resource';

/** Why a request failed: what the server says in the body of its error, else what there is to say. */
export function reasonOf(error: unknown): string {
  // A hook has the error, or an action what it holds of it; both have these.
  const { data, message = '' } = error as Partial<SerializedFailure>;
  const isProblem = typeof data === 'object' && data !== null && 'title' in data;
  return isProblem && typeof data.title === 'string' ? data.title : message;
}
