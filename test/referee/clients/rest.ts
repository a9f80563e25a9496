import type { Fetch, ShownRow } from '../Client.js';

/** A row as peers keep it: its id is a string until the server has given one. */
export type Note = ShownRow;

/** What is left of a row that an answer told only in part is not there. */
export type Told = Partial<Note> & Pick<Note, 'id'>;

/** A request of the example's API. */
export interface Call {
  readonly url: string;
  readonly method?: 'PATCH' | 'POST' | 'DELETE';
  readonly body?: object | undefined;
  /** Which write it is. */
  readonly op?: number;
}

/** Asks as the documentation of peers does: JSON both ways, anything but 2xx is an error. */
export async function call(fetch: Fetch, { url, method, body, op }: Call, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    ...(method && { method }),
    ...(body && { body: JSON.stringify(body) }),
    ...(op !== undefined && { headers: { 'x-op': String(op) } }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return response.status === 204 ? null : response.json();
}

export function listUrl(list: string): string {
  return list === 'all' ? '/notes' : `/notes?folder=${list}`;
}

export function belongsTo(list: string, { folder }: Pick<Note, 'folder'>): boolean {
  return list === 'all' || list === folder;
}

/** A row that is still to be made. */
export function draftOf(body: object, op: number): Note {
  return { origin: '', text: '', color: '', folder: '', votes: '', ...body, id: `new ${op}` };
}

/** Calls once when all that happens at one go is over, as a framework renders. */
export function batched(look: () => void): () => void {
  let isAwaited = false;
  return () => {
    if (isAwaited) return;
    isAwaited = true;
    queueMicrotask(() => {
      isAwaited = false;
      look();
    });
  };
}
