/** The whole form of a temporary pk: the id of a request (21 characters, as nanoid makes them), and the place of an item in its body. */
const form = /^~([\w-]{21})(?:\.(\d+))?$/;

/**
 * Whether an id stands in for one that the server has yet to give: what an optimistic create shows until its answer.
 *
 * @example
 * const link = isTemporary(todo.id) ? undefined : `/todos/${todo.id}`;
 */
export function isTemporary(id: unknown): boolean {
  // Most ids are told apart by their first character.
  return typeof id === 'string' && id.startsWith('~') && form.test(id);
}

/** The id that the items of one create carry until its answer; `index` tells items of one body apart. */
export function temporaryPk(requestId: string, index = 0): string {
  return index === 0 ? `~${requestId}` : `~${requestId}.${String(index)}`;
}

/** The request whose answer will tell the real id, and which of its items this one is. */
export function originOf(id: string): { readonly requestId: string; readonly index: number } {
  const [, requestId = '', index = 0] = form.exec(id) ?? [];
  return { requestId, index: Number(index) };
}
