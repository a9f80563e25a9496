/** Who wants to be told of changes of something that is no part of the store. */
export class Subscribers {
  readonly #all = new Set<() => void>();

  /** Begins to tell; what it gives ends that. */
  readonly add = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  };

  tell(): void {
    for (const listener of this.#all) listener();
  }
}
