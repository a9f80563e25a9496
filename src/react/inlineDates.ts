import { warnOnce } from '../errors.js';
import { isPlain, pick } from '../schema/Schema.js';

/** A Date that is so young (ms) as a component renders was made by that render. */
const YOUNG = 50;
/** How many renders in a row make a Date, until it is clear that all do. */
const MANY = 5;

/** The Dates that the renders of one component have made, by the name of the argument. */
export interface InlineDates {
  renders: number;
  /** All Dates of the last render, and when that was, in ms since the epoch. */
  last: Readonly<Record<string, Date>>;
  at?: number;
  /** What is asked for in their place. */
  held: Readonly<Record<string, Date>>;
}

/**
 * The arguments of a hook. With a Date that each render makes anew, each answer would ask again: after some renders, such a Date stays what it
 * was, and development names it.
 */
export function withoutInlineDates(args: readonly unknown[], known: InlineDates, endpoint: string): readonly unknown[] {
  const now = Date.now();
  const { last, at = now, held } = known;
  const all: Record<string, Date> = {};
  const made: Record<string, Date> = {};
  for (const arg of args.filter(isPlain))
    for (const [name, value] of Object.entries(arg)) {
      if (!(value instanceof Date)) continue;
      all[name] = value;
      if (isYoung(value, now) || movesWithTime(value, last[name], now - at)) made[name] = value;
    }
  const names = Object.keys(made);
  if (!isRepeated(all, last)) {
    // One that is kept is the same object in the next render.
    known.renders = names.length > 0 && names.every((name) => last[name] !== made[name]) ? known.renders + 1 : 0;
    known.last = all;
    known.at = now;
  }
  if (known.renders <= MANY) {
    known.held = made;
    return args;
  }
  warnOnce(() => [
    `date ${endpoint}`,
    `"${names.join('", "')}" of ${endpoint} is another Date in each render, so it would be fetched again and again; it stays what it was. Make it once, as with useState(() => new Date()).`,
  ]);
  return args.map((arg) => (isPlain(arg) ? { ...arg, ...pick(held, (name) => arg[name] instanceof Date) } : arg));
}

/** Whether these are the same times in other objects: a render of the same moment tells nothing. */
function isRepeated(all: InlineDates['last'], last: InlineDates['last']): boolean {
  const names = Object.keys(all);
  return (
    names.length > 0 &&
    names.every((name) => all[name] !== last[name] && all[name]?.getTime() === last[name]?.getTime())
  );
}

function isYoung(date: Date, now: number): boolean {
  return Math.abs(now - date.getTime()) < YOUNG;
}

/** Whether a Date is made of the time, as that of a week ago: it has gone on as far as the time has since the last render. */
function movesWithTime(date: Date, before: Date | undefined, passed: number): boolean {
  const moved = before && date.getTime() - before.getTime();
  return moved !== undefined && moved !== 0 && Math.abs(moved - passed) < YOUNG;
}
