import { Problem } from './problem.js';

/**
 * A request that waits for its answer, until it is told.
 *
 * @example
 * const refuse = ({ request, fail }: Held) => request.method === 'PATCH' && fail(409);
 */
export interface Held {
  /** The request. */
  readonly request: Request;
  /** Answers it; a write that was not applied is applied now. */
  readonly answer: () => void;
  /** Refuses it. What was held on its arrival is not applied. */
  readonly fail: (status: number, body?: unknown) => void;
  /** Applies it, and answers nothing: a TypeError, as when the network breaks. */
  readonly lose: () => void;
}

/** How one request is answered. */
export interface Course {
  readonly request: Request;
  readonly signal: AbortSignal | undefined;
  /** Whether its answer is taken, or its write applied, when it arrives. */
  readonly isEarly: boolean;
  readonly isHeld: boolean;
  /** How long it takes, in ms. */
  readonly wait: number;
  /** What is refused or lost of it, whatever the server would say. */
  readonly fate: (() => Response) | 'lost' | undefined;
  /** Does what is asked, and answers; called once. */
  readonly respond: () => Response | Promise<Response>;
  /** Hears of the end: the answer, or nothing where there was none. */
  readonly onEnd: (response: Response | undefined) => void;
}

/** What becomes of a request: it is refused, unless it was applied before; it is applied, and its answer is lost; or it never arrives. */
export type Fate = (() => Response) | 'lost' | 'dropped';

/** What happens when there is no network. */
export class Broken extends TypeError {
  constructor() {
    super('Failed to fetch: the mock server was told so');
  }
}

/** The answer to what is refused. */
export function refusal(status: number, body: unknown): Response {
  if ([204, 205, 304].includes(status)) return new Response(null, { status });
  if (body === undefined) return new Problem(status, `The server was told to answer ${status}`).response;
  return Response.json(body, { status });
}

/** All requests that are under way. */
export class Traffic {
  readonly held: Held[] = [];
  readonly #drops = new Set<() => void>();

  /** Answers a request in its time; rejects as `fetch` does. */
  send(course: Course): Promise<Response> {
    const { request, signal, isEarly, isHeld, wait, onEnd } = course;
    const { respond, conclude, lose } = endingsOf(course);
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isEnding = false;
      const end = (act: () => Promise<Response>): void => {
        if (isEnding) return;
        isEnding = true;
        const place = this.held.indexOf(held);
        if (place >= 0) this.held.splice(place, 1);
        clearTimeout(timer);
        const answer = act();
        const settle = (response?: Response): void => {
          this.#drops.delete(drop);
          signal?.removeEventListener('abort', stop);
          onEnd(response);
        };
        answer.then(settle, () => {
          settle();
        });
        answer.then(resolve, reject);
      };
      // What takes its time to answer is not waited for.
      const breakOff = (error: Error): void => {
        reject(error);
        end(() => Promise.reject(error));
      };
      const drop = (): void => {
        breakOff(new Broken());
      };
      const stop = (): void => {
        // The reason is whatever the caller gave.
        breakOff(signal?.reason as Error);
      };
      const held: Held = {
        request,
        answer: () => {
          end(conclude);
        },
        fail: (status, body) => {
          end(() => Promise.resolve(refusal(status, body)));
        },
        lose: () => {
          end(lose);
        },
      };
      this.#drops.add(drop);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) {
        stop();
        return;
      }
      // An error that comes early is told at the end.
      if (isEarly) respond().catch(() => undefined);
      if (isHeld) this.held.push(held);
      else if (wait > 0) timer = globalThis.setTimeout(held.answer, wait);
      else end(conclude);
    });
  }

  /** Drops all that is under way. */
  clear(): void {
    for (const drop of this.#drops) drop();
  }
}

/** How a request may end: as asked, which is done once however often it is told, as its fate says, or lost. */
function endingsOf({
  respond: act,
  fate,
}: Course): Readonly<Record<'respond' | 'conclude' | 'lose', () => Promise<Response>>> {
  let answer: Promise<Response> | undefined;
  const respond = (): Promise<Response> =>
    (answer ??= new Promise((resolve) => {
      resolve(act());
    }));
  const lose = (): Promise<Response> => respond().then(() => Promise.reject(new Broken()));
  const conclude = typeof fate === 'function' ? () => Promise.resolve(fate()) : fate ? lose : respond;
  return { respond, conclude, lose };
}
