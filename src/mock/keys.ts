import { Problem } from './problem.js';

/** The answers to writes that had an `Idempotency-Key`: a second one with the same key gets the first answer again. */
export class Keys {
  readonly #known = new Map<string, { readonly print: string; answer?: Response }>();

  /** Begins a write; gives the answer where the key is known: the first, or that another body came, or that the first is under way. */
  begin(key: string, print: string): Response | undefined {
    const known = this.#known.get(key);
    if (!known) this.#known.set(key, { print });
    else if (known.print !== print)
      return new Problem(422, `Idempotency-Key ${key} was used for another request`).response;
    else
      return known.answer?.clone() ?? new Problem(409, `The request with Idempotency-Key ${key} is under way`).response;
    return undefined;
  }

  /** Keeps the answer of a write that was applied, or refused for good. */
  keep(key: string, answer: Response): void {
    const known = this.#known.get(key);
    if (known && (answer.ok || answer.status === 422)) known.answer = answer.clone();
  }

  /** Ends a write: what was not applied is asked anew. */
  end(key: string): void {
    if (!this.#known.get(key)?.answer) this.#known.delete(key);
  }

  /** Those whose answer is kept. */
  get answered(): readonly string[] {
    return [...this.#known].flatMap(([key, { answer }]) => (answer ? [key] : []));
  }

  /** Forgets all answers but those of some keys. */
  retain(keys: readonly string[]): void {
    for (const key of this.answered) if (!keys.includes(key)) this.#known.delete(key);
  }

  clear(): void {
    this.#known.clear();
  }
}

/** A tag of a text (FNV-1a). */
export function tagOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `"${(hash >>> 0).toString(36)}"`;
}

/** Whether a header that lists tags has one; `*` has any. */
export function hasTag(header: string, tag: string): boolean {
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
