import { isAbsent, isUnionRef, type List, type ListOperation, type Ref } from '../schema/Schema.js';
import type { Place } from './Places.js';
import { differs, sameValue } from './same.js';

/** One operation on one list. */
export interface ListChange {
  /** The table of the list. */
  readonly table: string;
  /** The list. */
  readonly pk: string;
  /** How it changes. */
  readonly operation: ListOperation;
  /** What it is set to, or what comes or goes. */
  readonly list: List;
  /** What comes stands on this side of a member: of one that was created later and has come in already. */
  readonly beside?: Ref;
  /** The list is set to its pages, one of which is new. */
  readonly isPage?: true;
  /** Of a list that is set to its pages: what these have brought. */
  readonly told?: readonly Ref[];
  /** All of these were read again, and there is a next page, which may have what they lack. */
  readonly isOpen?: true | undefined;
  /** An item that was edited changes lists. */
  readonly moves?: true;
  /** It follows from the fields of the item, which are others now. */
  readonly follows?: true;
  /** The field in which the answer to a write tells of the list. */
  readonly within?: Place & { readonly field: string; readonly isOutermost: boolean };
  /** What goes may be what a pending request creates, which stands there already. */
  readonly hides?: true;
}

/** One operation, of whichever list. */
export type ListStep = Pick<ListChange, 'operation' | 'list' | 'beside' | 'hides'>;

/** A list after several operations. Items that are pushed one after the other come in one piece: each copy of the list costs as much as the list is long. */
export function applyAllToList(there: List | undefined, steps: readonly ListStep[]): List | undefined {
  let list = there;
  for (let at = 0; at < steps.length; at++) {
    const begin = at;
    while (steps[at]?.operation === 'push' && steps[at + 1]?.operation === 'push') at++;
    const run = steps.slice(begin, at + 1);
    list =
      run.length > 1 && Array.isArray(list)
        ? pushed(list as readonly Ref[], run)
        : applyToList(list, exceptMeant(run[0] as ListStep, steps, at));
  }
  return list;
}

/** A step that hides nothing that a later one puts in: this the user means. */
function exceptMeant(step: ListStep, steps: readonly ListStep[], at: number): ListStep {
  if (!step.hides) return step;
  const later = steps.slice(at + 1);
  const isMeant = among(later.flatMap(({ operation, list }) => (operation === 'remove' ? [] : refsIn(list))));
  return { ...step, list: refsIn(step.list).filter((ref) => !isMeant(ref)) };
}

/** A list after an operation; items that are there already stay where they are. */
export function applyToList(there: List | undefined, step: ListStep): List | undefined {
  const { operation, list } = step;
  if (operation === 'set' || operation === 'merge') return sameValue(there, list) ? there : list;
  if (operation === 'assign') return assign(there, list);
  const refs = refsIn(list) as readonly Ref[];
  if (there === undefined) return operation === 'append' ? missingFrom([], refs) : undefined;
  if (operation === 'remove') return without(there, refs);
  if (!isRefs(there)) return there;
  const members = there as readonly Ref[];
  return operation === 'unshift' ? unshifted(members, refs, step) : pushed(members, [step]);
}

/** A list with items at its start, or behind one of those that stand there. */
function unshifted(members: readonly Ref[], refs: readonly Ref[], { beside }: ListStep): readonly Ref[] {
  const fresh = missingFrom(members, refs);
  if (fresh.length === 0) return members;
  const at = beside === undefined ? 0 : placeOf(members, beside) + 1;
  // `concat` makes a list in one piece: a spread makes it twice or more, and takes 2 to 10 times as long.
  return at === 0 ? fresh.concat(members) : members.slice(0, at).concat(fresh, members.slice(at));
}

/** A list with items at its end, or before one of those that stand there; the list is copied once, however many come. */
function pushed(members: readonly Ref[], steps: readonly ListStep[]): readonly Ref[] {
  const fresh = missingFrom(
    members,
    steps.flatMap(({ list }) => list as readonly Ref[]),
  );
  if (fresh.length === 0) return members;
  const places = steps.map(({ beside }) => (beside === undefined ? -1 : placeOf(members, beside)));
  const start = Math.min(...places.map((place) => (place < 0 ? members.length : place)));
  // What comes may stand before something that has come with it.
  if (start === members.length && steps.every(({ beside }) => beside === undefined)) return members.concat(fresh);
  const left = new Set(fresh.map(identity));
  const end = members.slice(start);
  for (const { list, beside } of steps) {
    const place = beside === undefined ? -1 : placeOf(end, beside);
    end.splice(
      place < 0 ? end.length : place,
      0,
      ...(list as readonly Ref[]).filter((ref) => left.delete(identity(ref))),
    );
  }
  return members.slice(0, start).concat(end);
}

function without(there: List, refs: readonly Ref[]): List {
  const [only] = refs;
  if (refs.length === 1 && only !== undefined && isRefs(there)) return withoutOne(there, only);
  const isGone = among(refs);
  return onlyThose(there, (ref) => !isGone(ref));
}

/** A list without one reference: to look for one string as it is takes a fifth of the time. */
function withoutOne(list: readonly (Ref | null | undefined)[], ref: Ref): List {
  const at = placeOf(list, ref);
  return at < 0 ? list : withoutOne(list.slice(0, at).concat(list.slice(at + 1)), ref);
}

/** Where a reference stands, looked for from the end. */
function placeOf(members: readonly (Ref | null | undefined)[], ref: Ref): number {
  if (typeof ref === 'string') return members.lastIndexOf(ref);
  const wanted = identity(ref);
  return members.findLastIndex((member) => identity(member) === wanted);
}

/** Whether a change makes no difference to a list that is there. */
export function isDone(list: List | undefined, change: ListStep): boolean {
  return list !== undefined && applyToList(list, change) === list;
}

/** Whether a list has a member; nothing is said of a set of values, where names tell who is in. */
export function hasMember(list: List | undefined, ref: Ref): boolean {
  return isRefs(list) ? placeOf(list, ref) >= 0 : list !== undefined;
}

/** A set of values with others; a list stays as it is. */
function assign(there: List | undefined, list: List): List {
  const incoming = list as Readonly<Record<string, Ref>>;
  if (isRefs(there) || (there && !differs(there, incoming))) return there;
  return { ...there, ...incoming };
}

/** What tells a reference from others of its list. */
export function identity(ref: Ref | null | undefined): unknown {
  return isUnionRef(ref) ? `${ref.table}\u0000${ref.pk}` : ref;
}

type IsAmong = (ref: Ref | null | undefined) => boolean;

/** Tells whether a reference is one of these; most of them are never asked for. */
export function among(refs: readonly (Ref | null | undefined)[]): IsAmong {
  let identities: Set<unknown> | undefined;
  return (ref) => (identities ??= new Set(refs.map(identity))).has(identity(ref));
}

/**
 * The references that a list lacks, each once, as it came first. One string is looked for as it is, in a fortieth of the time. Otherwise what is
 * looked for is put into a map, and not the members, which are mostly more: to put one in costs four times as much as to find that it is not there.
 */
function missingFrom(members: readonly Ref[], refs: readonly Ref[]): readonly Ref[] {
  const [only] = refs;
  if (refs.length === 1 && typeof only === 'string') return members.includes(only) ? [] : refs;
  const missing = firsts(refs);
  const start = startOfAll(refs);
  for (const member of members)
    if (start === undefined || typeof member !== 'string' || member.charCodeAt(0) === start)
      missing.delete(identity(member));
  return [...missing.values()];
}

/** References by what tells them from others, each as it came first. */
function firsts(refs: readonly Ref[]): Map<unknown, Ref> {
  const first = new Map<unknown, Ref>();
  for (const ref of refs) if (!first.has(identity(ref))) first.set(identity(ref), ref);
  return first;
}

/** The first character of some references, where they share it: temporary ids do, and no other has it. To look at that takes a tenth of the time. */
function startOfAll(refs: readonly Ref[]): number | undefined {
  const [start, ...others] = new Set(refs.map((ref) => (typeof ref === 'string' ? ref.charCodeAt(0) : undefined)));
  return others.length === 0 ? start : undefined;
}

/** A list with each reference once; the very list where none is there twice. What is no reference may be there often. */
export function once(list: List): List {
  const refs: readonly (Ref | null | undefined)[] | undefined = isRefs(list) ? list : undefined;
  if (!refs || new Set(refs.map(identity)).size === refs.length) return list;
  const known = new Set<unknown>();
  return refs.filter((ref) => {
    const one = identity(ref);
    return isAbsent(ref) || (!known.has(one) && known.add(one));
  });
}

/** A list with some of its references; the very list where all of them count. */
export function onlyThose(list: List, counts: (ref: Ref | null | undefined) => boolean): List {
  if (refsIn(list).every(counts)) return list;
  if (isRefs(list)) return list.filter(counts);
  return Object.fromEntries(Object.entries(list).filter(([, ref]) => counts(ref)));
}

function isRefs(list: List | undefined): list is readonly (Ref | null | undefined)[] {
  return Array.isArray(list);
}

/** The members of a list, also of a set of values. */
export function refsIn(list: List): readonly (Ref | null | undefined)[] {
  return isRefs(list) ? list : Object.values(list);
}

/** How many members two lists share at their starts and at their ends. */
export function middleOf(
  one: readonly unknown[],
  other: readonly unknown[],
): { readonly start: number; readonly end: number } {
  const most = Math.min(one.length, other.length);
  let start = one === other ? most : 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}
