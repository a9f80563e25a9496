import { isNetworkError } from 'rtk-resource';
import { isObject, isString } from '../guards';
import { renewToken, signIn } from '../resources/session';

const isAnswer = isObject<{ readonly token: string }>({ token: isString });

/** The token that requests carry. It is here, and in no action and no state. */
export class Tokens {
  readonly #onRefused: () => void;
  #token: string | undefined;
  /** Stays when it was refused, until somebody signs in: it is not tried again. */
  #renewal: Promise<string> | undefined;

  /** `onRefused` is called when the server gives no token any more: the session is over. */
  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  async signIn(name: string, password: string): Promise<void> {
    const token = tokenIn(await signIn.fetch({ name, password }));
    this.forget();
    this.#token = token;
  }

  /** The token, or a new one where there is none. */
  async get(): Promise<string> {
    return this.#token ?? (this.#renewal ??= this.#renew());
  }

  /** Another token than one that was refused. All who ask meanwhile wait for the same request. */
  async getOtherThan(refused: string): Promise<string> {
    if (this.#token === refused) this.#token = undefined;
    return this.get();
  }

  forget(): void {
    this.#token = undefined;
    this.#renewal = undefined;
  }

  #renew(): Promise<string> {
    const renewal = renewToken.fetch().then(tokenIn);
    // Whoever has signed in or out meanwhile is not concerned.
    const isCurrent = (): boolean => this.#renewal === renewal;
    renewal.then(
      (token) => {
        if (!isCurrent()) return;
        this.#token = token;
        this.#renewal = undefined;
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        if (isUnauthorized(error)) this.#onRefused();
        // A lost connection says nothing of the session.
        else this.#renewal = undefined;
      },
    );
    return renewal;
  }
}

/** Whether the server wants another token, or a sign-in. */
export function isUnauthorized(error: unknown): boolean {
  return isNetworkError(error) && error.status === 401;
}

function tokenIn(answer: unknown): string {
  if (!isAnswer(answer)) throw new Error('The server has sent no token.');
  return answer.token;
}
