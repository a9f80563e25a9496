import type { UnknownAction } from '@reduxjs/toolkit';
import type { ResourcesState } from '../state.js';

/** Hears of an action that has changed the slice, and of the slice before and after it. */
export type Observer = (action: UnknownAction, before: ResourcesState, after: ResourcesState) => void;

/** Tells whoever watches a store of the actions that change its slice, in the order in which they are reduced. */
export class Observers {
  readonly all = new Set<Observer>();
  readonly #slice: () => ResourcesState | undefined;
  /** The actions that are on their way through the store; one that is dispatched inside of another stands behind it. */
  readonly #open: unknown[] = [];
  /** The slice that was told of last. */
  #seen: ResourcesState | undefined;

  constructor(slice: () => ResourcesState | undefined) {
    this.#slice = slice;
  }

  add(observer: Observer): () => void {
    if (this.all.size === 0) this.#seen = this.#slice();
    this.all.add(observer);
    return () => {
      this.all.delete(observer);
    };
  }

  /** Passes an action on, and tells of it: at its end, or as soon as a subscriber that it has reached dispatches another. */
  pass(action: unknown, next: (action: unknown) => unknown): unknown {
    if (this.all.size === 0) return next(action);
    this.tell();
    this.#open.push(action);
    try {
      return next(action);
    } finally {
      this.tell();
      this.#open.pop();
    }
  }

  /** Tells of the action that is on its way, if the slice is another by now. What changes without an action, as by time travel, is told of nobody. */
  tell(): void {
    const before = this.#seen;
    const after = (this.#seen = this.#slice());
    const action = this.#open.at(-1);
    // What changes a slice has a type.
    if (before && after && before !== after && action)
      for (const observer of [...this.all]) observer(action as UnknownAction, before, after);
  }
}
