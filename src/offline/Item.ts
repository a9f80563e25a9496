import type { RunResult } from '../store/endpoint.js';
import type { KeptEntry } from '../store/outbox.js';
import type { Flight } from '../store/running/flights.js';
import type { Send } from '../store/running/keeping.js';
import type { StoredFile } from './bodies.js';
import type { OutboxEntry, StoredRecord } from './entries.js';

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
  #revision = 0;
  #shown: OutboxEntry | undefined;

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
    const { isDurable } = this;
    const { id, endpointName, key, status, attempts, createdAt, dependsOn, error } = this.record;
    const last = this.#entry;
    const isRevised = this.#revision !== this.record.revision;
    if (last && !isRevised && isSame(last, { status, attempts, isDurable, error })) return last;
    this.#revision = this.record.revision;
    const told = { id, endpointName, key, status, attempts, createdAt, dependsOn, isDurable };
    return (this.#entry = error ? { ...told, error } : told);
  }

  /** As it is shown, with its arguments. */
  show(entry: KeptEntry): OutboxEntry {
    const { args } = this;
    const last = this.#shown;
    if (last && last.args === args && isSame(last, entry)) return last;
    return (this.#shown = { ...entry, args });
  }

  /** Whether it is to be sent some time. */
  get isOpen(): boolean {
    const { status } = this.record;
    return status === 'queued' || status === 'waiting';
  }
}

function isSame(
  shown: KeptEntry,
  { status, attempts, isDurable, error }: Pick<KeptEntry, 'status' | 'attempts' | 'isDurable' | 'error'>,
): boolean {
  return (
    shown.status === status && shown.attempts === attempts && shown.isDurable === isDurable && shown.error === error
  );
}
