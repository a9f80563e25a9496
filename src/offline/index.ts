export { outbox } from './outbox.js';
export type { EntryStatus, OutboxEntry, OutboxState, RetryCase, StoredEntry } from './entries.js';
export type { Keepable, Outbox, OutboxOptions, OutboxThunk } from './options.js';
