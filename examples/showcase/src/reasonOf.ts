import { isNetworkError } from 'rtk-resource';

/** Why a request failed: what the server says in the body of its error, else what there is to say. */
export function reasonOf(error: unknown): string {
  if (isNetworkError(error)) {
    const { data } = error;
    if (typeof data === 'object' && data !== null && 'title' in data) return String(data.title);
  }
  return error instanceof Error || isNetworkError(error) ? error.message : String(error);
}

/** What is wrong with a form, by its fields, as the body of a 422 tells it. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  const data = isNetworkError(error) ? error.data : undefined;
  if (typeof data !== 'object' || data === null || !('errors' in data)) return {};
  const { errors } = data;
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, String(text)]));
}
