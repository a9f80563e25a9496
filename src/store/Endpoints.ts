import type { Requestable } from './request.js';

/** The endpoints that a store has met; its state knows them by name only. */
export class Endpoints {
  readonly #byName = new Map<string, Requestable>();

  meet(endpoint: Requestable): void {
    this.#byName.set(endpoint.name, endpoint);
  }

  /** The endpoint of a request, by what the request is kept under: its name and key, either of which may hold spaces. */
  of(name: string): Requestable | undefined {
    for (let end = name.indexOf(' '); end > 0; end = name.indexOf(' ', end + 1)) {
      const endpoint = this.#byName.get(name.slice(0, end));
      if (endpoint) return endpoint;
    }
    return undefined;
  }
}
