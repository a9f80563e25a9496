import type { SerializedFailure } from './request.js';

/**
 * A write in an outbox, as the state holds it: what it sends is not in the state.
 *
 * @example
 * const isStuck = ({ status }: KeptEntry) => status === 'failed' || status === 'unknown';
 */
export interface KeptEntry {
  /** The id of the request. */
  readonly id: string;
  /** The name of the endpoint. */
  readonly endpointName: string;
  /** What tells the request from others of the endpoint. */
  readonly key: string;
  /** Not tried yet; under way; to be tried again; sent, and nobody knows what came of it; refused. */
  readonly status: 'queued' | 'sent' | 'waiting' | 'unknown' | 'failed';
  /** How often it was sent. */
  readonly attempts: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** The writes whose items it names. */
  readonly dependsOn: readonly string[];
  /** Whether it survives the tab. */
  readonly isDurable: boolean;
  /** Why it was refused, or could not be sent last. */
  readonly error?: SerializedFailure | undefined;
}

/**
 * How an outbox stands, as the state holds it.
 *
 * @example
 * const isWaiting = ({ status }: KeptOutbox) => status === 'offline' || status === 'waiting';
 */
export interface KeptOutbox {
  /** The first of these that is so. */
  readonly status: 'loading' | 'paused' | 'offline' | 'sending' | 'waiting' | 'idle';
  /** Who has paused it. */
  readonly pausedBy?: 'user' | 'auth' | undefined;
  /** Whether what comes next survives the tab: `full` where there is no room on the disk. */
  readonly storage: 'durable' | 'memory' | 'full';
  /** Whether this tab is the one that sends. */
  readonly isLeader: boolean;
  /** ms since the epoch. */
  readonly nextAttemptAt?: number | undefined;
  /** In the order in which they are sent. */
  readonly entries: readonly KeptEntry[];
}
