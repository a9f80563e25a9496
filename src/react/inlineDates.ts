import { warnOnce } from '../errors.js';
import { isPlain } from '../schema/Schema.js';

/** A Date that is so young (ms) as a component renders was made by that render. */
const YOUNG = 50;
/** How many renders in a row make a Date, until it is clear that all do. */
const MANY = 5;

/** The Dates that the renders of one component have made, by the name of the argument. */
export interface InlineDates {
  renders: number;
  last: Readonly<Record<string, Date>>;
  /** What is asked for in their place. */
  held: Readonly<Record<string, Date>>;
}

/**
 * The arguments of a hook. With a Date that each render makes anew, each answer would ask again: after some renders, such a Date stays what it
 * was, and development names it.
 */
export function withoutInlineDates(args: readonly unknown[], known: InlineDates, endpoint: string): readonly unknown[] {
  const now = Date.now();
  const made: Record<string, Date> = {};
  for (const arg of args.filter(isPlain))
    for (const [name, value] of Object.entries(arg))
      if (value instanceof Date && Math.abs(now - value.getTime()) < YOUNG) made[name] = value;
  const names = Object.keys(made);
  const { last, held } = known;
  // One that is kept is the same object in the next render.
  known.renders = names.length > 0 && names.every((name) => last[name] !== made[name]) ? known.renders + 1 : 0;
  known.last = made;
  if (known.renders <= MANY) {
    known.held = made;
    return args;
  }
  warnOnce(() => [
    `date ${endpoint}`,
    `"${names.join('", "')}" of ${endpoint} is another Date in each render, so it would be fetched again and again; it stays what it was. Make it once, as with useState(() => new Date()).`,
  ]);
  return args.map((arg) => (isPlain(arg) ? { ...arg, ...pickNamed(held, arg) } : arg));
}

/** Those of some Dates that an argument has, too. */
function pickNamed(dates: InlineDates['last'], arg: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(dates).filter(([name]) => arg[name] instanceof Date));
}
