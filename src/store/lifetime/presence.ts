import type { Cause } from '../request.js';

/**
 * Says when the app can be seen and when the network can be reached.
 *
 * @example
 * const asleep = ({ visible }: PresenceEvents) => visible(false);
 */
export interface PresenceEvents {
  /** The app is seen, or not any more. */
  visible(isVisible: boolean): void;
  /** The network is there, or not any more. */
  online(isOnline: boolean): void;
}

/**
 * Begins to listen; what it gives stops that.
 *
 * @example
 * const never: SetupListeners = () => () => undefined;
 * const resources = configureResources({ setupListeners: never }); // polls in hidden tabs, too
 */
export type SetupListeners = (events: PresenceEvents) => () => void;

/** Listens to the browser; where there is none, as on a server, to nothing. */
export const browserListeners: SetupListeners = (events) => {
  if (typeof window === 'undefined' || typeof document === 'undefined') return () => undefined;
  const seen = (): void => {
    events.visible(document.visibilityState !== 'hidden');
  };
  const online = (): void => {
    // Not every host that has the events has the property, or a navigator.
    const { navigator } = globalThis as { readonly navigator?: { readonly onLine?: boolean } };
    events.online(navigator?.onLine ?? true);
  };
  seen();
  online();
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', online);
  window.addEventListener('offline', online);
  return () => {
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('online', online);
    window.removeEventListener('offline', online);
  };
};

/** Whether somebody can see the data and it can be had; listens only while that matters. */
export class Presence {
  /** Told when it becomes so, or no longer. */
  changed: (isHere: boolean, cause: Cause) => void = () => undefined;
  readonly #setupListeners: SetupListeners;
  #stop: (() => void) | undefined;
  readonly #is = { visible: true, online: true };

  constructor(setupListeners: SetupListeners) {
    this.#setupListeners = setupListeners;
  }

  get isHere(): boolean {
    return this.#is.visible && this.#is.online;
  }

  start(): void {
    this.#stop = this.#setupListeners({ visible: this.#told('visible'), online: this.#told('online') });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#is.visible = this.#is.online = true;
  }

  #told(name: keyof PresenceEvents): (is: boolean) => void {
    return (is) => {
      const was = this.isHere;
      this.#is[name] = is;
      if (this.isHere !== was) this.changed(this.isHere, name === 'visible' ? 'focus' : 'online');
    };
  }
}
