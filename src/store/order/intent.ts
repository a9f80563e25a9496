import type { Changes } from '../../tables/changes.js';

/** What an unsettled request is expected to change. */
export interface Intent {
  readonly requestId: string;
  /** Position at which the request was made. */
  readonly seq: number;
  readonly changes: Changes;
  /** It was computed of what was there: whatever a later request says of the fields it changes waits, for it may have been counted in already. */
  readonly holdsRows?: true;
  /** Its answer has come, and waits; until that lands, what waits is shown as it was guessed. */
  readonly settled?: true;
}
