import type { ShownRow } from './Client.js';
import { mayHide } from './doubles.js';
import { earliest, isCreate, isDue, isShowing, valueIn, type Ledger } from './Ledger.js';
import type { Op } from './Match.js';
import { isIn, type Field, type List } from './worlds.js';

/** Judges which rows a list shows, and in which order. */
export function judgeList(ledger: Ledger, list: List, rows: readonly ShownRow[]): void {
  const { name } = list;
  const origins = rows.map(({ origin }) => origin);
  for (const [i, row] of rows.entries()) {
    const { origin } = row;
    const about = { origin, what: name };
    if (origins.indexOf(origin) < i) {
      const isUnnamed = ledger.opsOn(origin).some(isUnanswered);
      ledger.find('row twice', `${origin} in ${name}: ${origins.join()}`, { ...about, isUnnamed });
    }
    if (!isIn(list, row)) ledger.find('wrong list', `${JSON.stringify(row)} in ${name}`, about);
  }
  const created = ledger.ops.filter(isCreate).flatMap(({ origin = [] }) => origin);
  for (const origin of new Set([...ledger.server.origins(), ...created, ...origins])) {
    judgeMember(ledger, list, origin, origins.includes(origin));
  }
  if (!list.pages && Object.keys(list.filter).length === 0) judgeOrder(ledger, rows);
}

/** Whether a row may be in a list, or may be missing in it. */
function judgeMember(ledger: Ledger, list: List, origin: string, isThere: boolean): void {
  const { name } = list;
  const ops = ledger.opsOn(origin);
  const isMadeHere = list.pages && !isThere && ops.some(isCreate) && !ledger.pages.wasBrought(list, origin);
  const text = `${origin} is ${isThere ? '' : 'not '}in ${name}${isMadeHere ? ', which no page has brought' : ''}`;
  const floor = ledger.floorOf(name, origin, name);
  const about = { origin, what: name, value: isThere, floor, isUnnamed: ops.some(isUnanswered) };
  const hidden = ops.find((op) => isHidden(op, list, isThere, ops));
  if (hidden) ledger.find('hidden write', `${text}, though ${hidden.number} is pending`, about);
  if (ops.some((op) => isShowing(op) && isExpected(op, list, isThere))) return;
  if (!isThere && (ledger.pages.mayLack(list, origin) || mayHide(ledger, list, origin))) return;
  const log = [{ at: -1, value: false }, ...ledger.server.log(origin, name)];
  const at = earliest(log, isThere, floor.at) ?? (isThere ? movedAt(ops, list, floor.at) : undefined);
  if (at !== undefined) ledger.raise(name, origin, name, { at, value: isThere });
  else if (!log.some(({ value }) => value === isThere)) ledger.find('unexplained', text, about);
  else if (floor.by && !isThere) ledger.find('read your writes', `${text}, after ${floor.by.number}`, about);
  else ledger.find(isThere ? 'row returns' : 'row vanishes', text, about);
}

/**
 * When the server did a confirmed edit that names one of the fields a list asks for, and whose answer says nothing of the others:
 * the row joins by what was told of them before.
 */
function movedAt(ops: readonly Op[], list: List, floor: number): number | undefined {
  const isMove = (op: Op): boolean =>
    isConfirmed(op) && (op.fate === 'brief' || op.fate === 'silent') && expects(op, list) === 'perhaps';
  return ops.filter(isMove).flatMap(({ handledAt = -1 }) => (handledAt >= floor ? [handledAt] : []))[0];
}

/** Whether its answer has come, and is good. */
function isConfirmed({ state, outcome }: Op): boolean {
  return state === 'done' || (state === 'answering' && outcome === 'done');
}

/** Whether a pending write may be why its row is in a list, or is not: one that names one of two filters may put it there. */
function isExpected(op: Op, list: List, isThere: boolean): boolean {
  const isPlaced = expects(op, list);
  return isPlaced === isThere || (isThere && isPlaced === 'perhaps');
}

/** Whether a write expects its row in a list, or not in it; undefined where it does not care. */
function expects(op: Op, list: List): boolean | 'perhaps' | undefined {
  if (op.asked.is === 'delete') return false;
  const filters = Object.entries(list.filter);
  const named = filters.filter(([field]) => valueIn(op, field as Field) !== undefined);
  if (named.some(([field, value]) => valueIn(op, field as Field) !== value)) return false;
  if (named.length === filters.length && (isCreate(op) || named.length > 0)) return true;
  return named.length > 0 ? 'perhaps' : undefined;
}

/** Whether what is pending last for a row is not to be seen in a list that was shown. */
function isHidden(op: Op, list: List, isThere: boolean, ops: readonly Op[]): boolean {
  if (!isDue(op) || !op.before.lists[list.name]) return false;
  if (ops.some((other) => other.number > op.number || other.state === 'answering')) return false;
  return op.asked.is === 'delete' ? isThere : isCreate(op) && expects(op, list) === true && !isThere;
}

/** Whether its client does not know yet which row it has become. */
function isUnanswered(op: Op): boolean {
  return isCreate(op) && op.state === 'pending';
}

/** Rows never change places; what is still to be made comes last, or first. */
function judgeOrder(ledger: Ledger, rows: readonly ShownRow[]): void {
  const ranks = rows.flatMap(({ origin, id }) => {
    const op = ledger.opsOn(origin).find(isCreate);
    if (op && isGhost(ledger, op)) return [];
    const rank = ledger.server.rankOf(origin);
    // What is shown as being made stands where it was put, for no answer has told its place.
    if (rank !== undefined) return typeof id === 'string' ? [] : rank;
    // What the server has refused, or never gets, stands nowhere.
    if (!op || op.handledAt !== undefined || isOvertaken(ledger, op)) return [];
    return op.isAtStart ? -1e6 - op.number : 1e6 + op.number;
  });
  const isWrong = ranks.some((rank, i) => rank < (ranks[i - 1] ?? -Infinity));
  if (isWrong) ledger.find('order', rows.map(({ origin }) => origin).join());
}

/** Whether the server has made something that was asked for later: where this one will stand nobody knows. */
function isOvertaken(ledger: Ledger, { number }: Op): boolean {
  return ledger.ops.some((op) => isCreate(op) && op.number > number && op.handledAt !== undefined);
}

/** Whether another has deleted what was made before whoever made it was told: no answer says which came first. */
function isGhost(ledger: Ledger, { origin = '', deliveredAt = Infinity }: Op): boolean {
  const last = ledger.server.log(origin, 'all').at(-1);
  const hasDeleted = ledger.opsOn(origin).some(({ asked, state }) => asked.is === 'delete' && state === 'done');
  return last?.value === false && last.at <= deliveredAt && !hasDeleted;
}
