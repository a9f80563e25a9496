import { useSyncExternalStore } from 'react';
import { Subscribers } from '../Subscribers';

/** Two people have written the body of one issue. */
export interface Conflict {
  readonly mine: string;
  readonly theirs: string;
  /** Says what stands there from now on; undefined for what they have written. */
  readonly decide: (body: string | undefined) => void;
}

/** Conflicts that wait for the user, the oldest first. */
class Conflicts {
  readonly #subscribers = new Subscribers();
  readonly subscribe = this.#subscribers.add;
  #all: readonly Conflict[] = [];

  readonly first = (): Conflict | undefined => this.#all[0];

  /** Asks the user, and waits for the answer. */
  async ask(mine: string, theirs: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const conflict: Conflict = {
        mine,
        theirs,
        decide: (body) => {
          this.#set(this.#all.filter((one) => one !== conflict));
          resolve(body);
        },
      };
      this.#set([...this.#all, conflict]);
    });
  }

  #set(all: readonly Conflict[]): void {
    this.#all = all;
    this.#subscribers.tell();
  }
}

export const conflicts = new Conflicts();

export function useConflict(): Conflict | undefined {
  return useSyncExternalStore(conflicts.subscribe, conflicts.first);
}

/** Both texts, one below the other. */
export function both({ theirs, mine }: Conflict): string {
  return `${theirs}\n\n${mine}`;
}
