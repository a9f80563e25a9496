import { randomUUID } from 'node:crypto';

const tokenLife = 10 * 60_000;

/** Who is signed in: a long session in a cookie, and short tokens that are had for it. */
export class Sessions {
  readonly #sessions = new Map<string, number>();
  readonly #tokens = new Map<string, { readonly personId: number; readonly until: number }>();

  /** Begins a session; gives the value of its cookie. */
  begin(personId: number): string {
    const session = randomUUID();
    this.#sessions.set(session, personId);
    return session;
  }

  end(session: string): void {
    this.#sessions.delete(session);
  }

  /** Ends all sessions, as an administrator might. */
  endAll(): void {
    this.#sessions.clear();
    this.expireTokens();
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  personOf(session: string | undefined): number | undefined {
    return session === undefined ? undefined : this.#sessions.get(session);
  }

  newToken(personId: number): string {
    const token = randomUUID();
    this.#tokens.set(token, { personId, until: Date.now() + tokenLife });
    return token;
  }

  personWith(token: string): number | undefined {
    const known = this.#tokens.get(token);
    return known && known.until > Date.now() ? known.personId : undefined;
  }
}
