import { schemaOf } from '../../schema/schemaOf.js';
import type { Row } from '../../schema/Schema.js';
import type { Changes } from '../../tables/changes.js';
import type { Tables } from '../../tables/tables.js';
import type { RecipeAbout } from '../endpoint.js';
import { temporariesIn } from '../order/temporaryIds.js';
import type { Request } from '../request.js';
import { requestPk } from '../state.js';
import type { Guess } from './guesses.js';
import { Cancellation, type Outcome, type Waiting } from './outcome.js';
import type { KnownTarget } from './target.js';
import type { PageRequest } from './pageRequests.js';

/** One request on its way, and all who wait for it. */
export interface Flight extends Waiting {
  readonly request: Request;
  readonly cancellation: Cancellation;
  /** The arguments; temporary ids in them are replaced when the real ones are known. */
  args: readonly unknown[];
  /** The temporary ids in them. */
  temporaries: readonly string[];
  /** The line that it stands in, if any; those of one line are sent one after the other. */
  line: string | undefined;
  /** It waits for the user, and holds up nobody behind it in its line. */
  isStalled?: boolean;
  before?: Flight | undefined;
  after?: Flight | undefined;
  /** The row that a write is about, as far as it was known when the write was made; found anew when the write ends. */
  target: KnownTarget | undefined;
  /** What was shown when it was made. */
  readonly shown: Tables;
  /** What was confirmed when it was sent; undefined while the server cannot have heard of it. */
  sentTables: Tables | undefined;
  /** When it was sent. */
  sent: number | undefined;
  /** Whether a try has failed, and it was sent again. */
  isResent: boolean;
  /** Since when the server may have done it, where that is not since `sent`: by an earlier try, or by what another tab or another life of the tab has sent. */
  mayBeDoneSince?: number | undefined;
  /** Whether it is on the wire: hooks come before that. */
  isOnWire: boolean;
  /** What a write was expected to change by the user's own code. */
  guess: Changes | undefined;
  /** What its recipe may use, if it has one. */
  readonly about: RecipeAbout;
  /** That code is a recipe: what it changes is named, beside the fields of the body. */
  readonly isDrafted: boolean;
  /** The temporary pks that it named, by the real ones. */
  readonly temporaryOf: Map<string, string>;
  /** The tag of its address when it was made, and what the user has seen of its row since; of a write whose endpoint heeds tags. */
  tag?: string | undefined;
  seen?: Row | undefined;
  /** What the user has written of the fields for which `onConflict` has sent something else. */
  merged?: Row | undefined;
  /** Of a create that is answered: those that have waited for its real ids. */
  followers?: readonly Flight[];
  /** The tag that it was last sent with. */
  sentTag?: string | undefined;
  /** Not all of its answer is taken, so that a tag of that does not speak for what is here. */
  isPart?: boolean;
  /** Whether an item that it names could not be created. */
  isOrphaned: boolean;
  /** What the user's code threw while it waited. */
  fault?: { readonly error: unknown };
  /** What it does to the pages of a list. */
  readonly pageRequest: PageRequest | undefined;
  /** Whether something has happened since that its answer cannot know of. */
  isOutdated: boolean;
  /** What came of it was found by another tab. */
  isRemote?: boolean;
}

/** A request that is not sent yet. */
export function flightOf(
  request: Request,
  known: Pick<Flight, 'meta' | 'line' | 'pageRequest' | 'about'>,
  { shown, target, own, isDrafted }: Guess,
  settled: Promise<Outcome>,
): Flight {
  return {
    request,
    shown,
    target,
    guess: own,
    isDrafted: isDrafted === true,
    ...known,
    args: request.args,
    temporaries: temporariesIn(request.args),
    temporaryOf: new Map(),
    sentTables: undefined,
    sent: undefined,
    isResent: false,
    isOnWire: false,
    cancellation: new Cancellation(),
    settled,
    waiting: 0,
    isWanted: false,
    isOrphaned: false,
    isOutdated: false,
  };
}

/** Whether a write creates items of lists. */
export function creates({ request: { endpoint } }: Flight): boolean {
  return endpoint.sideEffect && schemaOf(endpoint.schema)?.addsItems === true;
}

/** What a request is kept under. */
export function nameOf({ meta }: Flight): string {
  return requestPk(meta.arg.endpointName, meta.arg.key);
}
