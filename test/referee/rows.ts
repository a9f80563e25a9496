import type { ShownRow } from './Client.js';
import type { Floor, Kind } from './findings.js';
import { earliest, isDue, isOptimistic, isShowing, rowBefore, valueIn, votesOf, type Ledger } from './Ledger.js';
import type { Op } from './Match.js';
import type { Field } from './worlds.js';

/** Judges a row as a view shows it; what is being made, and what has been told of, are two until nobody can doubt that they are one. */
export function judgeRow(ledger: Ledger, place: string, row: ShownRow): void {
  const view = typeof row.id === 'string' ? `${place}, being made` : place;
  for (const field of ledger.world.fields) judgeField(ledger, view, row, field);
  judgeVotes(ledger, view, row);
}

function judgeField(ledger: Ledger, view: string, row: ShownRow, field: Field): void {
  const { origin } = row;
  const value = row[field] ?? '';
  const about = { origin, what: field, value };
  const text = `${field} of ${origin} in ${view} is ${JSON.stringify(value)}`;
  const writes = ledger.opsOn(origin).filter((op) => valueIn(op, field) !== undefined);
  const hidden = writes.find((op) => isHidden(ledger, op, row, field, writes));
  if (hidden) ledger.find('hidden write', `${text}, though ${hidden.number} is pending`, about);
  const isNew = typeof row.id === 'string';
  const floor = ledger.floorOf(view, origin, field, isNew);
  const guesses = writes.filter((op) => isShowing(op) && valueIn(op, field) === value);
  if (guesses.some(({ handledAt = Infinity }) => !ledger.isInOrder || handledAt >= floor.at)) return;
  // What is being made has nothing yet but what it was made with; of what was told in part the rest is not known.
  if (value === '' && (isNew || !ledger.isTold(origin, field))) return;
  const log = ledger.server.log(origin, field);
  const isTold = guesses.length > 0 || ledger.isTold(origin, field, value);
  const at = isTold ? earliest(log, value, floor.at) : undefined;
  if (at !== undefined) ledger.raise(view, origin, field, { at, value });
  else if (!isTold || !log.some((era) => era.value === value)) ledger.find('unexplained', text, about);
  else {
    const kind = kindOf(ledger, origin, field, value, floor);
    ledger.find(kind, `${text}, after ${JSON.stringify(floor.value)}`, { ...about, floor });
  }
}

/** Whether a pending optimistic edit of a row that was shown is not to be seen, and nothing newer is. */
function isHidden(ledger: Ledger, op: Op, row: ShownRow, field: Field, writes: readonly Op[]): boolean {
  const value = row[field] ?? '';
  if (!isDue(op) || valueIn(op, field) === value || !rowBefore(op) || !ledger.isAddressed(op, row)) return false;
  const isBusy = writes.some(({ state }) => state === 'answering');
  const isLater = writes.some((other) => other.number > op.number && valueIn(other, field) === value);
  // Where a later edit has been answered, an earlier one does not flicker back; in order of sending it has been done before that.
  const isCovered = !ledger.isInOrder && writes.some((other) => other.number > op.number && other.state === 'done');
  if (isBusy || isLater || isCovered) return false;
  return (
    op.handledAt === undefined || earliest(ledger.server.log(row.origin, field), value, op.handledAt) === undefined
  );
}

/** Which promise is broken where an older value is shown. */
function kindOf(ledger: Ledger, origin: string, field: Field, value: string, floor: Floor): Kind {
  const writes = ledger.opsOn(origin).filter((op) => valueIn(op, field) !== undefined);
  const numberOf = (one: unknown): number | undefined => writes.find((op) => valueIn(op, field) === one)?.number;
  if ((numberOf(value) ?? Infinity) < (numberOf(floor.value) ?? 0)) return 'monotonic writes';
  if (floor.by) {
    const isAlone = writes.length === 1 && isOptimistic(floor.by) && rowBefore(floor.by) !== undefined;
    return isAlone ? 'edit lost to a read' : 'read your writes';
  }
  const hasFollowed = ledger.opsOn(origin).some((op) => op.state === 'done' && rowBefore(op)?.[field] === floor.value);
  return hasFollowed ? 'writes follow reads' : 'monotonic reads';
}

function judgeVotes(ledger: Ledger, view: string, row: ShownRow): void {
  const { origin } = row;
  const votes = votesOf(row);
  const text = `the votes for ${origin} in ${view} are ${row.votes}`;
  const find = (kind: Kind, vote: string): void => {
    ledger.find(kind, `${text}: +${vote}`, { origin, what: 'votes', value: vote });
  };
  const own = ledger.opsOn(origin).filter(({ asked }) => asked.is === 'vote');
  const isGuess = (vote: string): boolean => own.some((op) => String(op.number) === vote && isShowing(op));
  for (const [i, vote] of votes.entries()) {
    if (votes.indexOf(vote) < i) find('vote counted twice', vote);
    if (!isGuess(vote) && !ledger.isTold(origin, 'votes', vote)) find('unexplained', vote);
  }
  const due = own.filter((op) => isDue(op) && rowBefore(op) && ledger.isAddressed(op, row));
  for (const { number } of due) if (!votes.includes(String(number))) find('hidden write', String(number));
  for (const vote of ledger.votesIn(view, origin, typeof row.id === 'string'))
    if (!votes.includes(vote)) find('vote lost', vote);
  ledger.count(
    votes.filter((vote) => !isGuess(vote)),
    origin,
    view,
  );
}
