import type { UnknownAction } from '@reduxjs/toolkit';
import type { ResourcesState } from '../state.js';

/** Hears of an action that has changed the slice, and of the slice before and after it. */
export type Observer = (action: UnknownAction, before: ResourcesState, after: ResourcesState) => void;

/** Tells whoever watches a store of the actions that change its slice, in the order in which they are reduced. */
export class Observers {
  readonly #slice: () => ResourcesState | undefined;
  readonly #all = new Set<Observer>();
  /** The actions that are on their way through the store; those that are dispatched inside of others stand last. */
  readonly #open: unknown[] = [];
  /** The slice that was told of last. */
  #seen: ResourcesState | undefined;

  constructor(slice: () => ResourcesState | undefined) {
    this.#slice = slice;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  add(observer: Observer): () => void {
    if (this.isEmpty) this.#seen = this.#slice();
    // Whoever is added twice is told twice.
    const one: Observer = (...told) => {
      observer(...told);
    };
    this.#all.add(one);
    return () => {
      this.#all.delete(one);
    };
  }

  /** Passes an action on, and tells of it: at its end, or as soon as a subscriber that it has reached dispatches another. */
  pass(action: unknown, next: (action: unknown) => unknown): unknown {
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
    if (!before || !after || before === after || !action) return;
    // What changes a slice has a type.
    for (const observer of [...this.#all]) observer(action as UnknownAction, before, after);
  }
}
