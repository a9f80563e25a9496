/** Web Locks as tabs of one origin share them: exclusive ones, which can be waited for, given up, stolen, and told. */
export class Locks {
  readonly #held = new Map<string, { readonly lose: (error: Error) => void }>();
  readonly #waiting = new Map<string, (() => void)[]>();

  query(): Promise<{ readonly held: readonly { readonly name: string }[] }> {
    return Promise.resolve({ held: [...this.#held.keys()].map((name) => ({ name })) });
  }

  request(
    name: string,
    { signal, steal = false }: { signal?: AbortSignal; steal?: boolean },
    hold: () => Promise<unknown>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        const mine = { lose: reject };
        this.#held.set(name, mine);
        void hold()
          .then(resolve, reject)
          .then(() => {
            if (this.#held.get(name) !== mine) return;
            this.#held.delete(name);
            this.#waiting.get(name)?.shift()?.();
          });
      };
      const holder = this.#held.get(name);
      if (!holder || steal) {
        holder?.lose(new DOMException('stolen', 'AbortError'));
        take();
        return;
      }
      const queue = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, [...queue, take]);
      signal?.addEventListener('abort', () => {
        this.#waiting.set(
          name,
          (this.#waiting.get(name) ?? []).filter((one) => one !== take),
        );
        reject(new DOMException('given up', 'AbortError'));
      });
    });
  }
}
