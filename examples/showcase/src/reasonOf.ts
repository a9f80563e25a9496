/** Why a request failed: what the server says in the body of its error, else what there is to say. */
export function reasonOf(error: { readonly message: string; readonly data?: unknown }): string {
  const { data, message } = error;
  return typeof data === 'object' && data !== null && 'title' in data ? String(data.title) : message;
}
