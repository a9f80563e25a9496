import { isNetworkError } from 'rtk-resource';
import { isObject, isRecordOf, isString } from '../guards';

/** The body of an error's answer. A server may leave out whatever it likes. */
interface Problem {
  readonly title?: string;
  /** What is wrong with a form, by its fields. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** Declares the type of `error.data`. */
export const problem: Problem = {};

const isInvalid = isObject<Required<Pick<Problem, 'errors'>>>({ errors: isRecordOf(isString) });

/** What is wrong with a form, of an error that a request outside the store has thrown. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  return isNetworkError(error) && isInvalid(error.data) ? error.data.errors : {};
}
