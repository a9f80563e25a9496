import { NetworkError } from 'rtk-resource';
import { Subscribers } from '../Subscribers';

/** What becomes of a request: it is answered at once, a little later, or after all others; it is refused, or its answer is lost. */
export type Verdict = 'now' | 'later' | 'last' | 'fail' | 'lose';

/** What is kept until it is decided upon: nothing, what changes something, or all. */
export type Mode = 'nothing' | 'writes' | 'everything';

export interface GateState {
  readonly mode: Mode;
  /** By requestId: requests that wait. */
  readonly held: Readonly<Record<string, Held>>;
}

/** A request that waits, and what was decided. */
interface Held {
  /** As in `PATCH /api/issues/12`. */
  readonly name: string;
  readonly verdict?: Verdict;
}

interface Passing {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly isWrite: boolean;
  readonly signal: AbortSignal | null | undefined;
  readonly send: () => Promise<Response>;
}

const later = 3000;

/**
 * Every request passes here, so that it can be held by hand. A read reaches the server at once, and its answer is held; a write is held
 * before it reaches the server, so that it may yet be refused.
 */
class Gate {
  readonly #subscribers = new Subscribers();
  readonly subscribe = this.#subscribers.add;
  readonly #decide = new Map<string, (verdict: Verdict) => void>();
  #state: GateState = { mode: 'nothing', held: {} };

  readonly getState = (): GateState => this.#state;

  setMode(mode: Mode): void {
    this.#set({ mode });
    if (mode === 'nothing') this.releaseAll();
  }

  decide(requestId: string, verdict: Verdict): void {
    this.#decide.get(requestId)?.(verdict);
  }

  releaseAll(): void {
    for (const requestId of Object.keys(this.#state.held)) this.decide(requestId, 'now');
  }

  async pass({ requestId, method, url, isWrite, signal, send }: Passing): Promise<Response> {
    const { mode } = this.#state;
    if (mode === 'nothing' || (mode === 'writes' && !isWrite)) return send();

    const answered = isWrite ? undefined : send();
    // That it has failed is told when its answer is let go.
    answered?.catch(() => undefined);
    const verdict = await this.#held(requestId, `${method} ${url}`, signal);
    if (verdict === 'fail') return Response.json({ title: 'Refused by hand, in the timeline.' }, { status: 403 });
    const response = await (answered ?? send());
    if (verdict === 'lose') throw new NetworkError('The answer was lost on its way.', { url });
    return response;
  }

  /** Waits until it is decided what becomes of a request, and for the time that takes. */
  async #held(requestId: string, name: string, signal: AbortSignal | null | undefined): Promise<Verdict> {
    this.#note(requestId, { name });
    try {
      return await new Promise<Verdict>((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new DOMException('The request was cancelled.', 'AbortError'));
        });
        this.#decide.set(requestId, (verdict) => {
          this.#note(requestId, { name, verdict });
          if (verdict === 'later') setTimeout(resolve, later, verdict);
          else if (verdict !== 'last') resolve(verdict);
          this.#releaseLast();
        });
      });
    } finally {
      const { [requestId]: _, ...held } = this.#state.held;
      this.#decide.delete(requestId);
      this.#set({ held });
      this.#releaseLast();
    }
  }

  /** Lets those go that were to be last, once no others are left. */
  #releaseLast(): void {
    const { held } = this.#state;
    if (Object.values(held).every(({ verdict }) => verdict === 'last')) this.releaseAll();
  }

  #note(requestId: string, held: Held): void {
    this.#set({ held: { ...this.#state.held, [requestId]: held } });
  }

  #set(changes: Partial<GateState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#subscribers.tell();
  }
}

export const gate = new Gate();
