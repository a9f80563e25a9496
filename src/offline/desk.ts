import type { KeeperParts } from '../store/running/keeping.js';
import type { OutboxOptions } from './options.js';
import type { RestWrite } from './recording.js';
import type { Shelf } from './Shelf.js';
import type { Standing } from './Standing.js';
import type { Message } from './Tabs.js';

/** One outbox, as everything that is done with its entries needs it. */
export interface Desk {
  readonly options: OutboxOptions;
  /** The store. */
  readonly parts: KeeperParts;
  /** What is kept, by name. */
  readonly endpoints: ReadonlyMap<string, RestWrite>;
  /** The entries. */
  readonly shelf: Shelf;
  readonly standing: Standing;
  /** Whether these are still the writes of an owner, and shown by this tab. */
  isOf(owner: string): boolean;
  /** Sends what is due. */
  pump(): void;
  /** Leads, where there is something to send and nobody else does. */
  seek(): void;
  /** A change of a leader was refused: another tab leads, or has changed the entry. Gives the lead back, reads what is stored, and asks for the lead anew. */
  retreat(): void;
  /** Sends nothing more until somebody resumes. */
  pause(pausedBy: 'user' | 'auth' | undefined): Promise<void>;
  /** Tells other tabs. */
  tell(message: Message): void;
}
