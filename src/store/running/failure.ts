import { isNetworkError, ResourceError, stackInDevelopment } from '../../errors.js';
import { toWire } from './plain.js';
import type { SerializedFailure } from '../endpoint.js';

/** An error as an action and the state can hold it. */
export function serialize(error: unknown): SerializedFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  const stack = stackInDevelopment(error);
  const code = error instanceof ResourceError ? error.code : (error as { readonly code?: unknown }).code;
  const network = isNetworkError(error) ? error : undefined;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(typeof code === 'string' && { code }),
    ...(network?.status !== undefined && { status: network.status }),
    ...(network && { url: network.url }),
    ...(network?.data !== undefined && { data: toWire(network.data) }),
  };
}

/** An error that says what an earlier one said. */
export function failureOf(failure: SerializedFailure): Error {
  return Object.assign(new Error(failure.message), failure);
}

/** Whether an error leaves open what the server has done: all do but a refusal, also an answer that says yes and cannot be read, and what the user's code makes of one. */
export function isUnknown(error: unknown): boolean {
  const status = isNetworkError(error) ? error.status : undefined;
  return status === undefined || (status >= 200 && status < 300);
}
