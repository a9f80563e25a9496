/** Whether an id stands in for one that the server has yet to give: what an optimistic create shows until its answer. */
export function isTemporary(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('~');
}

/** The id that the items of one create carry until its answer; `index` tells items of one body apart. */
export function temporaryPk(requestId: string, index = 0): string {
  return index === 0 ? `~${requestId}` : `~${requestId}.${String(index)}`;
}
