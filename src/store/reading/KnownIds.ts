import { originOf } from '../../schema/temporary.js';
import type { RequestFilter } from '../endpoint.js';
import { temporariesIn, withReal } from '../order/temporaryIds.js';

const REMEMBERED = 100;

/** A temporary id in a key, which may be written in two ways. */
const inKey = /(?:~|%7E)[\w-]{21}(?:\.\d+)?/g;

/** The real ids of what was created in one store: somebody may have kept the temporary ones. */
export class KnownIds {
  /** Of the latest creates, by request. */
  readonly #created = new Map<string, readonly unknown[]>();

  /** A create was answered with these ids. */
  add(requestId: string, ids: readonly unknown[]): void {
    this.#created.set(requestId, ids);
    for (const oldest of this.#created.keys()) if (this.#created.size > REMEMBERED) this.#created.delete(oldest);
  }

  clear(): void {
    this.#created.clear();
  }

  /** Whether the real id of what has a temporary one is known. */
  has(id: string): boolean {
    return this.#created.has(originOf(id).requestId);
  }

  /** Whether any are known: to look through an answer of many rows takes long. */
  get areKnown(): boolean {
    return this.#created.size > 0;
  }

  /** What is given, with real ids in place of temporary ones; the same, where there are none. Throws what reading it throws. */
  real<Given>(given: Given): Given {
    let known: readonly unknown[] = [{ given }];
    for (const id of temporariesIn(known)) {
      const { requestId } = originOf(id);
      const ids = this.#created.get(requestId);
      if (ids) known = withReal(known, requestId, ids);
    }
    return (known[0] as { readonly given: Given }).given;
  }

  /** A filter that means what it says by real ids. */
  filter(given: RequestFilter): RequestFilter {
    const known = this.real(given);
    const key = known.key?.replace(inKey, (text) => {
      const id: unknown = text.replace('%7E', '~');
      const real = this.real(id);
      return real === id ? text : encodeURIComponent(String(real));
    });
    return key === undefined || key === known.key ? known : { ...known, key };
  }
}
