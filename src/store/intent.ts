import type { Changes } from '../tables/changes.js';

/** What an unsettled request is expected to change. */
export interface Intent {
  readonly requestId: string;
  readonly seq: number;
  readonly changes: Changes;
}
