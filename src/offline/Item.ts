import type { RunResult } from '../store/endpoint.js';
import type { KeptEntry } from '../store/outbox.js';
import type { Flight } from '../store/running/flight.js';
import type { Send } from '../store/running/keeping.js';
import { sameValue } from '../tables/same.js';
import type { StoredFile } from './bodies.js';
import type { OutboxEntry, StoredRecord } from './entries.js';

/** A write in the outbox of one tab. */
export class Item {
  record: StoredRecord;
  /** How it lies in the database; what the disk refused is not there. */
  stored: StoredRecord | undefined;
  files: readonly StoredFile[] = [];
  /** Whether it lies in the database; undefined where that is not tried yet, or over. What could not be stored, no other tab knows. */
  isDurable: boolean | undefined;
  /** The last edit by hand. */
  edited: Promise<void> = Promise.resolve();
  /** It is being sent by this tab. */
  isSending = false;
  /** What it was answered with while this tab did not lead. */
  heard: { readonly revision: number; readonly result: RunResult } | undefined;
  /** It was discarded, or is done: it is not stored any more. */
  isOver = false;
  /** Nobody has dispatched it here. */
  isLaid = false;
  /** Its request; absent where that has failed, or its endpoint is not known here. */
  flight: Flight | undefined;
  send: Send | undefined;
  resolve: (result: RunResult) => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;
  #args: readonly unknown[];
  #entry: KeptEntry | undefined;
  #entryOf: StoredRecord | undefined;
  #shown: OutboxEntry | undefined;
  #shownOf: KeptEntry | undefined;

  constructor(record: StoredRecord, args: readonly unknown[]) {
    this.record = record;
    this.#args = args;
  }

  get id(): string {
    return this.record.id;
  }

  /** What it sends: of a write under way, what its request does. */
  get args(): readonly unknown[] {
    return this.flight?.args ?? this.#args;
  }

  set args(args: readonly unknown[]) {
    this.#args = args;
  }

  /** Whether it is to be sent some time. */
  get isOpen(): boolean {
    const { status } = this.record;
    return status === 'queued' || status === 'waiting';
  }

  /** Whether it is to be sent for the first time. */
  get isUnsent(): boolean {
    return this.isOpen && !this.isSending && !this.isTaken && this.record.sentAt === undefined;
  }

  /** Whether a newer version of the app sends it, in its own form. */
  get isTaken(): boolean {
    return this.flight !== undefined && !this.send;
  }

  /** Its request is over, and it stays with its text. */
  rest(): void {
    this.#args = this.args;
    this.flight = this.send = undefined;
  }

  /** As the state holds it; the same object while nothing changes. */
  get entry(): KeptEntry {
    const { record } = this;
    const [last, of] = [this.#entry, this.#entryOf];
    const isDurable = this.isDurable === true;
    if (last?.isDurable === isDurable && of === record) return last;
    const { id, endpointName, key, status, attempts, createdAt, dependsOn, error } = record;
    const told = { id, endpointName, key, status, attempts, createdAt, dependsOn, isDurable, ...(error && { error }) };
    this.#entryOf = record;
    // Another body is another entry, though the state does not hold it.
    return last && of?.revision === record.revision && sameValue(last, told) ? last : (this.#entry = told);
  }

  /** As it is shown, with its arguments. */
  show(entry: KeptEntry): OutboxEntry {
    const { args } = this;
    if (this.#shown?.args === args && this.#shownOf === entry) return this.#shown;
    this.#shownOf = entry;
    return (this.#shown = { ...entry, args });
  }
}
