import { useSyncExternalStore } from 'react';
import type { PresenceEvents } from 'rtk-resource';
import { Subscribers } from '../Subscribers';

/** Where the browser keeps that the switch is off, so that a page which is opened again is still offline. */
const key = 'showcase: offline';

/** Whether the server can be reached: what the browser says, and the switch in the header. */
class Connection {
  readonly #subscribers = new Subscribers();
  readonly subscribe = this.#subscribers.add;
  #isSwitchedOff = localStorage.getItem(key) !== null;

  constructor() {
    window.addEventListener('online', this.#changed);
    window.addEventListener('offline', this.#changed);
  }

  get isOnline(): boolean {
    return navigator.onLine && !this.#isSwitchedOff;
  }

  toggle(): void {
    this.#isSwitchedOff = !this.#isSwitchedOff;
    if (this.#isSwitchedOff) localStorage.setItem(key, 'yes');
    else localStorage.removeItem(key);
    this.#changed();
  }

  /** Tells the store: polls pause while there is no connection, and what was missed is fetched when it is back. */
  readonly setupListeners = (events: PresenceEvents): (() => void) => {
    const tell = (): void => {
      events.online(this.isOnline);
    };
    const seen = (): void => {
      events.visible(document.visibilityState !== 'hidden');
    };
    tell();
    seen();
    document.addEventListener('visibilitychange', seen);
    const stop = this.subscribe(tell);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', seen);
    };
  };

  /** Resolves when there is a connection; rejects when the request is cancelled before. */
  async back(signal: AbortSignal | null | undefined): Promise<void> {
    if (this.isOnline) return;
    await new Promise<void>((resolve, reject) => {
      const stop = this.subscribe(() => {
        if (!this.isOnline) return;
        stop();
        resolve();
      });
      signal?.addEventListener('abort', () => {
        stop();
        reject(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
      });
    });
  }

  readonly #changed = (): void => {
    this.#subscribers.tell();
  };
}

export const connection = new Connection();

export function useIsOnline(): boolean {
  return useSyncExternalStore(connection.subscribe, () => connection.isOnline);
}
