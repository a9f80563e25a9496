import type { RunResult } from '../store/endpoint.js';
import type { StoredFile } from './bodies.js';
import type { StoredRecord } from './entries.js';

/** A write that is stored no more, for a tab that has not read of it; its files are empty. */
export interface Unread {
  readonly record: StoredRecord;
  readonly files: readonly StoredFile[];
}

/** What a write was answered with. */
export interface Answer {
  readonly id: string;
  readonly revision: number;
  readonly result: RunResult;
  /** What it was; a tab of an older version of the package does not say it. */
  readonly unread?: Unread | undefined;
}

/** What tabs tell each other. */
export type Message =
  /** Something of the database is otherwise. */
  | { readonly type: 'changed' }
  | (Answer & { readonly type: 'done' })
  /** These are discarded; without ids, all are. */
  | { readonly type: 'gone'; readonly ids?: readonly string[] }
  /** An answer that a tab has which leads no more. */
  | (Answer & { readonly type: 'answer' })
  /** Whether somebody leads, and that somebody does. */
  | { readonly type: 'ask' }
  | { readonly type: 'here' };

/** What happens to a tab. */
export interface TabEvents {
  lead(): Promise<void>;
  follow(): void;
  /** Another tab has taken the lead from it. */
  robbed(): void;
  /** Another tab has something to send, while this one leads. */
  asked(): void;
  hear(message: Message): void;
}

/** How long a leader may leave a question unanswered, in ms. */
const SILENCE = 5_000;

/** The tabs of one owner: who of them leads, and what they tell each other. */
export class Tabs {
  readonly #name: string;
  readonly #locks: LockManager | undefined;
  readonly #events: TabEvents;
  #channel: BroadcastChannel | undefined;
  #release: (() => void) | undefined;
  #waiting: AbortController | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  isLeader = false;

  constructor(name: string, locks: LockManager | undefined, events: TabEvents) {
    this.#name = name;
    this.#locks = locks;
    this.#events = events;
    if (locks && typeof BroadcastChannel === 'function') {
      this.#channel = new BroadcastChannel(name);
      // A channel alone keeps no process alive.
      (this.#channel as { unref?: () => void }).unref?.();
      this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
        this.#hear(data);
      };
    }
  }

  tell(message: Message): void {
    try {
      this.#channel?.postMessage(message);
    } catch {
      // An answer that cannot be cloned: the others look for themselves.
      if (message.type !== 'changed') this.#channel?.postMessage({ type: 'changed' } satisfies Message);
    }
  }

  /** Leads as soon as nobody else does. */
  want(): void {
    if (this.isLeader || this.#waiting) return;
    if (!this.#locks) {
      void this.#lead();
      return;
    }
    const { signal } = (this.#waiting = new AbortController());
    this.#request({ signal });
  }

  /** Asks whoever leads whether it still does; takes the lead where nothing is heard for some time. */
  ask(): void {
    if (this.isLeader || !this.#locks || this.#silence !== undefined) return;
    this.#silence = setTimeout(() => {
      this.#silence = undefined;
      this.#waiting?.abort();
      this.#waiting = new AbortController();
      this.#request({ steal: true });
    }, SILENCE);
    this.tell({ type: 'ask' });
  }

  /** Leaves the lead to others. */
  yield(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
    this.#heard();
    this.#release?.();
    this.#follow();
  }

  close(): void {
    this.yield();
    this.#channel?.close();
    this.#channel = undefined;
  }

  #request(options: LockOptions): void {
    const mine = this.#waiting;
    this.#locks
      ?.request(this.#name, options, async () => {
        if (this.#waiting !== mine) return;
        const released = new Promise<void>((resolve) => (this.#release = resolve));
        await this.#lead();
        await released;
      })
      // Somebody has stolen it, or nobody waits for it any more.
      .catch((error: unknown) => {
        if (this.#waiting !== mine) return;
        this.#waiting = undefined;
        this.#follow();
        if (error instanceof DOMException && error.name === 'AbortError') this.#events.robbed();
      });
  }

  async #lead(): Promise<void> {
    this.#heard();
    this.isLeader = true;
    // A tab that asked while nobody led has heard no answer, and would steal the lead after 5 s.
    this.tell({ type: 'here' });
    await this.#events.lead();
  }

  #follow(): void {
    this.#release = undefined;
    if (!this.isLeader) return;
    this.isLeader = false;
    this.#events.follow();
  }

  #hear(message: Message): void {
    if (message.type === 'ask') {
      if (!this.isLeader) return;
      this.tell({ type: 'here' });
      this.#events.asked();
    } else if (message.type === 'here') this.#heard();
    else this.#events.hear(message);
  }

  /** The question who leads is answered. */
  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }
}
