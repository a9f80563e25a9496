import type { Changes } from '../../tables/changes.js';
import type { Places } from '../../tables/Places.js';
import type { Tables } from '../../tables/tables.js';
import type { Intent } from './intent.js';
import type { Landing } from './Landing.js';

/** How the guess of a request is found anew. */
export interface Recipe {
  /** Finds what a request is expected to change, on top of given tables. Throws what the user's code throws. */
  readonly find: (base: Tables) => Changes | undefined;
  /** Beside what it has looked at, it depends on nothing but which lists there are, as a create does: of many that overlap, none has to be found anew when one settles. */
  readonly onLists: boolean;
  /** The fields that a create sends. */
  readonly sends: ReadonlySet<string>;
  /** The rows and lists that it has looked at last: where these are as they were, it would find the same. Absent where nobody knows. */
  readonly looked?: () => Places;
}

/** What an action lands, and the guesses beside it. */
export interface Rebasing {
  readonly intents: readonly Intent[];
  /** What was pending before. */
  readonly earlier: readonly Intent[];
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly changes: Changes;
  readonly landing: Landing;
  /** Intents whose arguments have become others. */
  readonly renamed: ReadonlySet<string>;
  /** The rows that a create has turned out to have made. */
  readonly made: Places;
  /** The answer that lands, and what its request is kept under. */
  readonly answer?: { readonly name: string; readonly result: unknown } | undefined;
}
