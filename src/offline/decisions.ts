/** What becomes of a write that was sent and not done. Pure: the clock and chance are given. */
import { isConflict } from '../store/running/failure.js';

/** What is known of a sending that has failed. */
export interface Sent {
  /** The HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** What the server asks for in `Retry-After`, in ms. */
  readonly retryAfter: number;
  /** Whether the server can tell that it has done it. */
  readonly hasKey: boolean;
  /** Whether it does no harm to do it twice. */
  readonly isRepeatable: boolean;
  /** Whether it may have been done: it was sent once without an answer that says so. */
  readonly isInDoubt: boolean;
  readonly isDeletion: boolean;
  /** Whether it was sent before. */
  readonly isResend: boolean;
  /** How long ago it was first sent, in ms. */
  readonly age: number;
  /** How often in a row it was refused with a 500, and with a 409 to a resend, with this time. */
  readonly faults: number;
  readonly conflicts: number;
  /** How often it was sent. */
  readonly attempts: number;
}

/** What becomes of it. */
export type Fate =
  | { readonly to: 'done' }
  | { readonly to: 'unknown' }
  | { readonly to: 'failed' }
  /** The row is another by now. */
  | { readonly to: 'conflict' }
  | { readonly to: 'paused' }
  /** It is tried again in `delay` ms, and not before `atLeast` whatever happens. */
  | { readonly to: 'waiting'; readonly delay: number; readonly atLeast: number };

/** What the app says is to become of it. */
type Wanted = 'retry' | 'reject' | 'pause' | number;

/** Servers forget keys after that, in ms. */
const KEY_LIFE = 24 * 60 * 60 * 1_000;
/** The longest that a write waits for its next try, in ms. */
export const LONGEST_WAIT = 60 * 60 * 1_000;
const FIRST_DELAY = 1_000;
/** The longest that nobody asked for, give or take 30 %. */
export const LONGEST_DELAY = 60_000;
/** How many times the same refusal is worth another try. */
const PATIENCE = 10;

/** What a captive portal says, which lets nothing pass before the user has signed in there. */
const LOGIN_REQUIRED = 511;
/** What Cloudflare says where the server was not reached, or was not heard. */
const CLOUDFLARE = [520, 521, 522, 523, 524, 530];
/** No answer, or one that leaves open what the server has done. */
export const LOST: ReadonlySet<number | undefined> = new Set([undefined, 408, 500, 502, 504, ...CLOUDFLARE]);
const PASSING: ReadonlySet<number | undefined> = new Set([...LOST, 425, 429, 503, LOGIN_REQUIRED]);

/** What an answer that is a failure says. */
interface Told {
  readonly status?: unknown;
  readonly data?: unknown;
}

/** Whether the network has answered in place of the server, as a captive portal does: it says so, or its page says that all is well and cannot be read. */
export function isIntercepted({ status, data }: Told): boolean {
  return status === LOGIN_REQUIRED || (isSuccess(status) && typeof data === 'string');
}

/** Whether a response is a page, as a captive portal shows in place of any answer. */
export function isPage({ ok, headers }: Pick<Response, 'ok'> & Partial<Pick<Response, 'headers'>>): boolean {
  return ok && /html/i.test(headers?.get('content-type') ?? '');
}

/** The status that counts: an answer of success that is a failure leaves open what was done, as that of a gateway does, or that of a server which has stumbled. */
export function statusOf<Status>(told: Told & { readonly status: Status }): Status | 500 | 502 {
  if (!isSuccess(told.status)) return told.status;
  return isIntercepted(told) ? 502 : 500;
}

function isSuccess(status: unknown): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** Whether to send it again is safe: the server can tell, or it does no harm. A clock that was set back by days tells nothing of the age of a key. */
export function isSafe({ hasKey, isRepeatable, age }: Pick<Sent, 'hasKey' | 'isRepeatable' | 'age'>): boolean {
  return isRepeatable || (hasKey && Math.abs(age) < KEY_LIFE);
}

/** Whether the server has forgotten by now the key of a write: sent again, it may be done twice. */
export function isForgotten(sent: Pick<Sent, 'hasKey' | 'isRepeatable' | 'age'>): boolean {
  return sent.hasKey && !isSafe(sent);
}

/** What becomes of a write that was refused, or was not answered. `random` is from 0 to 1; what the app wants wins. */
export function fateOf(sent: Sent, random: number, wanted?: Wanted): Fate {
  const { status, faults } = sent;
  if (wanted !== undefined) return asWanted(wanted, sent, random);
  if (isGone(sent)) return { to: 'done' };
  if (status === 401) return { to: 'paused' };
  if (isRunning(sent)) return waiting(sent, random);
  if (isConflict(status)) return { to: 'conflict' };
  if (!PASSING.has(status)) return { to: 'failed' };
  if (sent.isInDoubt && !isSafe(sent)) return { to: 'unknown' };
  if (faults < PATIENCE) return waiting(sent, random);
  // A try that was answered by no 500 may have done it: with another key, it would be done twice.
  return { to: !sent.isRepeatable && sent.attempts > faults ? 'unknown' : 'failed' };
}

/** Whether what the app has said can be done; what JavaScript may give beside, as null or a promise, says nothing. */
export function isWanted(said: unknown): said is Wanted {
  return typeof said === 'number' ? !Number.isNaN(said) : said === 'retry' || said === 'reject' || said === 'pause';
}

function asWanted(wanted: Wanted, sent: Sent, random: number): Fate {
  if (wanted === 'reject') return { to: 'failed' };
  if (wanted === 'pause') return { to: 'paused' };
  if (wanted === 'retry') return waiting(sent, random);
  return { to: 'waiting', delay: Math.min(wanted, LONGEST_WAIT), atLeast: 0 };
}

/** A deletion that was sent before has deleted what is not there. */
function isGone({ status, isDeletion, isResend }: Sent): boolean {
  return isDeletion && isResend && (status === 404 || status === 410);
}

/** The server is still at what it was sent before, and may be doing, as it tells by its key. */
function isRunning({ status, isInDoubt, hasKey, conflicts }: Sent): boolean {
  return status === 409 && isInDoubt && hasKey && conflicts < PATIENCE;
}

function waiting({ retryAfter, attempts }: Sent, random: number): Fate {
  const atLeast = Math.min(retryAfter, LONGEST_WAIT);
  return { to: 'waiting', delay: Math.max(atLeast, backoff(attempts, random)), atLeast };
}

/** How long to wait after so many tries, in ms: twice as long each time, up to a minute, and never all clients at once. */
export function backoff(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY * 2 ** Math.max(0, attempts - 1), LONGEST_DELAY);
  return Math.round(delay * (0.7 + 0.6 * random));
}

/** What tells which writes may overtake each other. */
export interface Sharing {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly rows: readonly string[];
  readonly lists: readonly string[];
  /** Of a create, the rows that it makes. */
  readonly makes: readonly string[];
  /** What its parameters and its body name: the id of what another write creates may be among them. */
  readonly names: readonly string[];
}

/** Whether a write may be sent before an earlier one: they share no row, no temporary id, and no list that one of them takes items out of, and it names nothing that the earlier one creates. */
export function mayPass(one: Sharing, earlier: Sharing): boolean {
  if (one.dependsOn.includes(earlier.id)) return false;
  // A create that was tried again stands behind what waits for it.
  if (earlier.dependsOn.includes(one.id)) return true;
  // What is created inside of an item whose id the client has made finds that only there where it was created before.
  if (earlier.makes.some((row) => one.names.some((name) => row.endsWith(` ${name}`)))) return false;
  return !share(one.dependsOn, earlier.dependsOn) && !share(one.rows, earlier.rows) && !share(one.lists, earlier.lists);
}

function share(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}
