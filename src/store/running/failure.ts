import { orElse, reasonOf, stackInDevelopment } from '../../errors.js';
import { describe } from './plain.js';
import type { Row } from '../../schema/Schema.js';
import type { SerializedFailure } from '../request.js';

/** The longest text of an error that the state keeps. */
const LONGEST = 2_048;

/** An error as an action and the state can hold it; never fails, whatever was thrown. */
export function serialize(error: unknown): SerializedFailure {
  return { name: 'Error', message: reasonOf(error).slice(0, LONGEST), ...orElse(() => fieldsOf(error), {}) };
}

/** What else an error says. Throws where nobody can read it; it may have under these names what does not fit. */
function fieldsOf(error: unknown): Omit<Partial<SerializedFailure>, 'message'> {
  const { name, code, status, url, data } = error as { readonly [Name in keyof SerializedFailure]?: unknown };
  const stack: unknown = stackInDevelopment(error as Error);
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof stack === 'string' && { stack }),
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof url === 'string' && { url }),
    ...(data !== undefined && { data: told(data) }),
  };
}

/** The body of an error response as the state keeps it: what is JSON, and the beginning of what is text. */
function told(data: unknown): unknown {
  return typeof data === 'string' ? data.slice(0, LONGEST) : describe(data);
}

/** An error that says what an earlier one said. */
export function failureOf(failure: SerializedFailure): Error {
  return Object.assign(new Error(failure.message), failure);
}

/**
 * Whether a failure leaves open what the server has done: all do but a refusal, also an answer that says yes and cannot be read, what the
 * user's code makes of one, and what a gateway says that has heard nothing from the server (502, 504). Some clients say 0 where there was no answer.
 */
export function isUnknown({ status }: SerializedFailure): boolean {
  return !status || (status >= 200 && status < 300) || status === 502 || status === 504;
}

/** Whether a failure may tell that a session is over, at which an app may reset: its status says so, or none is known. */
export function isOfSession({ status }: SerializedFailure): boolean {
  return !status || status === 401 || status === 403;
}

/** Whether a write is refused because the row is not as it was seen, or because it did not say as what (428). */
export function isConflict(status = 0): boolean {
  return [409, 412, 428].includes(status);
}

/** Whether a refusal may tell that a list has no such page; each server has a status of its own for that. */
export function isNoSuchPage({ status = 0 }: SerializedFailure): boolean {
  return [400, 404, 410, 416, 422].includes(status);
}

/** Whether a refusal tells of the row that a request is about: that it is gone (404, 410), or, to a write, that it is not as it was seen (409, 412). */
export function isNewsOfRow({ status = 0 }: SerializedFailure, isWrite: boolean): boolean {
  return [404, 410].includes(status) || (isWrite && [409, 412].includes(status));
}

/** Whether an answer says of itself that its request has failed, whatever its status says. */
export function isRefusal({ ok, success, status, code, error, errors }: Row): boolean {
  if (ok === true || success === true) return false;
  // Codes of an application's own, as 20000, say yes as often.
  const isCode = Number(code) >= 400 && Number(code) < 600;
  const isSaid = ok === false || success === false || status === 'fail' || status === 'error';
  return isSaid || isCode || [error, errors].some(isProblem);
}

/** Whether something is said; an empty list of problems is none. */
function isProblem(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
