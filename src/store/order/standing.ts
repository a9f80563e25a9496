import type { List, Ref } from '../../schema/Schema.js';
import { applyToList, type ListChange } from '../../tables/members.js';
import type { ListRecord, Member } from './journal.js';

/** A row that is to be in a list, or out of it. */
export type Incomer = Pick<Member, 'ref' | 'isIn' | 'isFirst' | 'name'>;

/** When the request was made by which a row has come into a list. */
function cameIn({ since, by }: Member): number {
  return since ?? by.asked;
}

/** A list with the members that are remembered of it, in the order in which they came in. */
export function withMembers(list: List, record: ListRecord, members: readonly Member[]): List {
  return inOne([...members].sort((one, other) => cameIn(one) - cameIn(other))).reduce((before, all) => {
    const [{ isFirst }] = all;
    const beside = besideOf(record, cameIn(all[0]), isFirst);
    return applyToList(before, { ...comingBy(all), ...(beside !== undefined && { beside }) }) ?? before;
  }, list);
}

/** Members that stand in the order in which they came in; those in one that one request has put in at one end, for they come in together. */
function inOne(members: readonly Member[]): readonly (readonly [Member, ...Member[]])[] {
  const all: [Member, ...Member[]][] = [];
  for (const member of members) {
    const last = all.at(-1);
    const isOne =
      last && cameIn(last[0]) === cameIn(member) && comingBy([last[0]]).operation === comingBy([member]).operation;
    if (isOne) last.push(member);
    else all.push([member]);
  }
  return all;
}

/** A member whose place an answer has told, or has not. */
export function withPlace(member: Member, isTold: boolean): Member {
  if (!member.isIn || isTold !== (member.since !== undefined)) return member;
  const { since: _, ...placed } = member;
  return isTold ? placed : { ...placed, since: cameIn(member) };
}

/** The operation by which rows come into a list, or leave it: all of them as the first does. */
export function comingBy(all: readonly Incomer[]): Pick<ListChange, 'operation' | 'list'> {
  const [{ isIn, isFirst, name } = { isIn: false }] = all;
  if (isIn && name !== undefined)
    return { operation: 'assign', list: Object.fromEntries(all.map((one) => [one.name, one.ref])) as List };
  const operation = !isIn ? 'remove' : isFirst ? 'unshift' : 'push';
  return { operation, list: all.map(({ ref }) => ref) };
}

const ends = new WeakMap<ListRecord, Readonly<Record<'front' | 'back', readonly Member[]>>>();

/** The row beside which one stands that was asked for then: the next of those that were asked for later and have come in already. */
export function besideOf(record: ListRecord | undefined, asked: number, isFirst = false): Ref | undefined {
  if (!record || record.members.length === 0) return undefined;
  let known = ends.get(record);
  if (!known) {
    const members = record.members
      .filter(({ since }) => since !== undefined)
      .sort((one, other) => cameIn(one) - cameIn(other));
    known = { front: members.filter((one) => one.isFirst), back: members.filter((one) => !one.isFirst) };
    ends.set(record, known);
  }
  const side = known[isFirst ? 'front' : 'back'];
  // Mostly all that have come in were asked for earlier.
  const last = side.at(-1);
  return last && cameIn(last) > asked ? side.find((member) => cameIn(member) > asked)?.ref : undefined;
}
