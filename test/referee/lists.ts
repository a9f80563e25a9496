import type { ShownRow } from './Client.js';
import type { ListName } from './history.js';
import { earliest, isCreate, isDue, isOf, isShowing, valueIn, type Ledger } from './Ledger.js';
import type { Op } from './Match.js';

/** Judges which rows a list shows, and in which order. */
export function judgeList(ledger: Ledger, list: ListName, rows: readonly ShownRow[]): void {
  const origins = rows.map(({ origin }) => origin);
  for (const [i, { origin, folder }] of rows.entries()) {
    const about = { origin, what: list };
    if (origins.indexOf(origin) < i) {
      const isUnnamed = ledger.opsOn(origin).some(isUnanswered);
      ledger.find('row twice', `${origin} in ${list}: ${origins.join()}`, { ...about, isUnnamed });
    }
    if (!isOf(list, folder)) ledger.find('wrong list', `${origin} of ${folder} in ${list}`, about);
  }
  const created = ledger.ops.filter(isCreate).flatMap(({ origin = [] }) => origin);
  for (const origin of new Set([...ledger.server.origins(), ...created, ...origins])) {
    judgeMember(ledger, list, origin, origins.includes(origin));
  }
  if (list === 'all') judgeOrder(ledger, origins);
}

/** Whether a row may be in a list, or may be missing in it. */
function judgeMember(ledger: Ledger, list: ListName, origin: string, isThere: boolean): void {
  const ops = ledger.opsOn(origin);
  const text = `${origin} is ${isThere ? '' : 'not '}in ${list}`;
  const floor = ledger.floorOf(list, origin, list);
  const about = { origin, what: list, value: isThere, floor, isUnnamed: ops.some(isUnanswered) };
  const hidden = ops.find((op) => isHidden(op, list, isThere, ops));
  if (hidden) ledger.find('hidden write', `${text}, though ${hidden.number} is pending`, about);
  if (ops.some((op) => isShowing(op) && expects(op, list) === isThere)) return;
  const log = [{ at: -1, value: false }, ...ledger.server.log(origin, list)];
  const at = earliest(log, isThere, floor.at);
  if (at !== undefined) ledger.raise(list, origin, list, { at, value: isThere });
  else if (!log.some(({ value }) => value === isThere)) ledger.find('unexplained', text, about);
  else if (floor.by && !isThere) ledger.find('read your writes', `${text}, after ${floor.by.number}`, about);
  else ledger.find(isThere ? 'row returns' : 'row vanishes', text, about);
}

/** Whether a write expects its row in a list, or not in it; undefined where it does not care. */
function expects(op: Op, list: ListName): boolean | undefined {
  if (op.asked.is === 'delete') return false;
  const folder = valueIn(op, 'folder');
  if (folder === undefined || (list === 'all' && !isCreate(op))) return undefined;
  return isOf(list, folder);
}

/** Whether what is pending last for a row is not to be seen in a list that was shown. */
function isHidden(op: Op, list: ListName, isThere: boolean, ops: readonly Op[]): boolean {
  if (!isDue(op) || !op.before.lists[list]) return false;
  if (ops.some((other) => other.number > op.number || other.state === 'answering')) return false;
  return op.asked.is === 'delete' ? isThere : isCreate(op) && expects(op, list) === true && !isThere;
}

/** Whether its client does not know yet which row it has become. */
function isUnanswered(op: Op): boolean {
  return isCreate(op) && op.state === 'pending';
}

/** Rows never change places; what is still to be made comes last, or first. */
function judgeOrder(ledger: Ledger, origins: readonly string[]): void {
  const ranks = origins.flatMap((origin) => {
    const op = ledger.opsOn(origin).find(isCreate);
    if (op && isGhost(ledger, op)) return [];
    const rank = ledger.server.rankOf(origin);
    if (rank !== undefined) return rank;
    // What the server has refused, or never gets, stands nowhere.
    if (!op || op.handledAt !== undefined || isOvertaken(ledger, op)) return [];
    return op.isAtStart ? -1e6 - op.number : 1e6 + op.number;
  });
  const isWrong = ranks.some((rank, i) => rank < (ranks[i - 1] ?? -Infinity));
  if (isWrong) ledger.find('order', origins.join());
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
