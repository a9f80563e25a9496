/** Whether an id stands in for one that the server has yet to give: what an optimistic create shows until its answer. */
export function isTemporary(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('~');
}

/** The id that the items of one create carry until its answer; `index` tells items of one body apart. */
export function temporaryPk(requestId: string, index = 0): string {
  return index === 0 ? `~${requestId}` : `~${requestId}.${String(index)}`;
}

/** The request whose answer will tell the real id, and which of its items this one is. */
export function originOf(id: string): { readonly requestId: string; readonly index: number } {
  const [requestId = '', index = '0'] = id.slice(1).split('.');
  return { requestId, index: Number(index) };
}
