import type { Changes } from '../../tables/changes.js';

/** What an unsettled request is expected to change: its guess. */
export interface Intent {
  readonly requestId: string;
  /** When the request was made. */
  readonly seq: number;
  readonly changes: Changes;
  /** The guess counts: it was computed of what was there. What later requests say of the fields that it changes waits, for they may have counted it in. */
  readonly holdsRows?: true;
  /** It was made by hand: it is in no answer, and lies over whatever arrives until it is undone or confirmed. */
  readonly isPatch?: true;
  /** Its answer has come, and waits; until that lands, the fields that wait are shown as they were guessed. */
  readonly settled?: true;
}

/** Whether a guess counts, and its answer has not come. */
export function counts({ holdsRows, settled }: Intent): boolean {
  return holdsRows === true && !settled;
}
