import type { RunResult } from '../store/endpoint.js';
import type { KeptEntry } from '../store/outbox.js';
import type { Flight } from '../store/running/flights.js';
import type { Send } from '../store/running/keeping.js';
import type { StoredFile } from './bodies.js';
import type { OutboxEntry, StoredRecord } from './entries.js';

/** What of an entry changes while its body stays. */
const changing = ['status', 'attempts', 'isDurable', 'error'] as const;

/** A write in the outbox of one tab. */
export class Item {
  record: StoredRecord;
  /** Restored arguments; those of a write under way are its flight's. */
  readonly #args: readonly unknown[];
  files: readonly StoredFile[] = [];
  /** Whether it lies in the database. */
  isDurable = false;
  /** It could not be stored, so that no other tab sends it. */
  isOwn = false;
  /** It is being sent by this tab. */
  isSending = false;
  /** The app, its owner or a reset has no more to do with it here: whatever comes of it is not told. */
  isDropped = false;
  /** Whether it was last sent with a key that the server heeds. */
  hasKey: boolean | undefined;
  /** Its request; absent where that has failed, or its endpoint is not known here. */
  flight: Flight | undefined;
  /** Nobody has dispatched it here. */
  isLaid = false;
  send: Send | undefined;
  resolve: (result: RunResult) => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;
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

  get args(): readonly unknown[] {
    return this.flight?.args ?? this.#args;
  }

  /** As the state holds it; the same object while nothing changes. */
  get entry(): KeptEntry {
    const { isDurable, record } = this;
    const [last, of] = [this.#entry, this.#entryOf];
    if (last?.isDurable === isDurable && of === record) return last;
    const { id, endpointName, key, status, attempts, createdAt, dependsOn, error } = record;
    const told = { id, endpointName, key, status, attempts, createdAt, dependsOn, isDurable };
    const entry: KeptEntry = error ? { ...told, error } : told;
    const isSame = last && of?.revision === record.revision && changing.every((name) => last[name] === entry[name]);
    this.#entryOf = record;
    return isSame ? last : (this.#entry = entry);
  }

  /** As it is shown, with its arguments. */
  show(entry: KeptEntry): OutboxEntry {
    const { args } = this;
    if (this.#shown?.args === args && this.#shownOf === entry) return this.#shown;
    this.#shownOf = entry;
    return (this.#shown = { ...entry, args });
  }

  /** Whether it is to be sent some time. */
  get isOpen(): boolean {
    const { status } = this.record;
    return status === 'queued' || status === 'waiting';
  }
}
