import type { Changes } from '../tables/changes.js';

/** What an unsettled request is expected to change. */
export interface Intent {
  readonly requestId: string;
  readonly seq: number;
  readonly changes: Changes;
  /** Reads that start after it wait with the rows it touches: it was computed of what was there, and would count twice. */
  readonly holdsRows?: true;
}
