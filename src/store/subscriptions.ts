import type { Subscription } from './request.js';

interface Entry {
  readonly frequencies: (number | undefined)[];
  fetch: (ifStale: boolean) => void;
  timer: ReturnType<typeof setInterval> | undefined;
}

/** Who is subscribed to what in one store, kept in memory: mounting a component dispatches nothing. */
export class Subscriptions {
  readonly #entries = new Map<string, Entry>();

  /** Keeps data alive and fresh; polls with the smallest frequency (ms) among its subscribers. */
  add(name: string, frequency: number | undefined, fetch: (ifStale: boolean) => void): Subscription {
    let entry = this.#entries.get(name);
    if (!entry) this.#entries.set(name, (entry = { frequencies: [], fetch, timer: undefined }));
    const mine = entry;
    mine.fetch = fetch;
    mine.frequencies.push(frequency);
    poll(mine);
    fetch(true);
    let isSubscribed = true;
    return {
      unsubscribe: () => {
        if (!isSubscribed) return;
        isSubscribed = false;
        mine.frequencies.splice(mine.frequencies.indexOf(frequency), 1);
        poll(mine);
        if (mine.frequencies.length === 0 && this.#entries.get(name) === mine) this.#entries.delete(name);
      },
    };
  }

  /** Fetches, where data is stale, for the subscribers of what is meant. */
  refetch(isMeant: (name: string) => boolean): void {
    for (const [name, { fetch }] of [...this.#entries]) if (isMeant(name)) fetch(true);
  }
}

function poll(entry: Entry): void {
  clearInterval(entry.timer);
  const frequencies = entry.frequencies.filter((frequency) => frequency !== undefined);
  entry.timer = undefined;
  if (frequencies.length === 0) return;
  entry.timer = setInterval(
    () => {
      entry.fetch(false);
    },
    Math.min(...frequencies),
  );
}
