import { orElse } from '../../errors.js';
import { own, type Row } from '../../schema/Schema.js';
import { isTotal } from '../../schema/Total.js';
import { addPlaces, flatMapRows, noChanges, rowsWhere, type Changes } from '../../tables/changes.js';
import type { ListChange } from '../../tables/members.js';
import { sameValue, some } from '../../tables/same.js';
import { Overlay } from '../../tables/Overlay.js';
import { answersTable, Places, type Place } from '../../tables/Places.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { rowsWith, type FindRow } from '../../tables/wireRow.js';
import type { FollowedLists } from './FollowedLists.js';
import type { Intent } from './intent.js';
import type { Landing } from './Landing.js';
import { Doubles } from './doubles.js';
import { creatorOf } from './lists.js';
import type { Rebasing, Recipe } from './rebasing.js';
import { listedIn } from './inPaths.js';
import { isNamedAfter, noRecord } from './rowRecord.js';
import { changeOf, editBy, isMoved, Membership } from './membership.js';
import { showIntents } from './shown.js';
import { countedAs, countingOf, guessed } from './counting.js';

/** Finds anew, in order, what the guesses change; gives those that are others now. */
export function rebase(rebasing: Rebasing): Record<string, Changes> {
  const { intents, recipes, changes, landing, renamed } = rebasing;
  const { tables, followed } = landing.beside;
  const rebased: Record<string, Changes> = {};
  if (intents.length === 0) return rebased;
  const hasNewLists = changes.lists.some(({ table, pk }) => rowFrom(tables, table, pk) === undefined);
  const done: Intent[] = [];
  const overlay = new Overlay();
  let confirmed: Tables | undefined;
  const base = (): Tables => {
    confirmed ??= new Overlay().show(tables, [changes, ...answerChanges(rebasing)]);
    return showIntents(confirmed, done, (table, pk) => landing.lists.record(table, pk), overlay);
  };
  const still = new Set(intents);
  const over = rebasing.earlier.filter((intent) => !still.has(intent));
  const touched = touchedBy(rebasing, over);
  const membership = new Membership(followed, hasNewLists ? base() : tables);
  const doubles = new Doubles(rebasing, over);
  const found = (intent: Intent): Changes => {
    const { requestId, changes } = intent;
    const recipe = recipes.get(requestId);
    const isNew = recipe && (renamed.has(requestId) || isOutdated(recipe, changes, touched, hasNewLists));
    // Of many pending requests, an answer is about few; what is new may be what one of them creates.
    if (!isNew && !hasNewLists && isApart(intent, touched, landing)) return doubles.beside(intent, changes);
    // On a later run, a guess whose recipe fails shows nothing, and its request goes on.
    const anew = isNew ? orElse(() => recipe.find(base()) ?? noChanges, noChanges) : changes;
    const open = visible(intent, anew, rebasing);
    const isCounted = (total: Place): boolean => hasCounted(rebasing, total, requestId);
    const moving = { base, followed, known: membership, earlier: changes.lists, isCounted };
    return doubles.beside(intent, withMoves(open, moving));
  };
  for (const intent of intents) {
    const next = found(intent);
    if (next === intent.changes || sameValue(next, intent.changes)) done.push(intent);
    else {
      rebased[intent.requestId] = next;
      addPlaces(touched, intent.changes);
      addPlaces(touched, next);
      done.push({ ...intent, changes: next });
    }
  }
  return rebased;
}

/** The answer that lands, where a patch by hand is about it: tables do not hold it. */
function answerChanges({ answer, recipes }: Rebasing): readonly Changes[] {
  if (!answer || ![...recipes.values()].some(({ looked }) => looked?.().has(answersTable, answer.name))) return [];
  const { name, result } = answer;
  return [{ rows: [{ table: answersTable, pks: [name], rows: [{ result }], whole: true }], lists: [] }];
}

/** Whether a recipe is to be run again. */
function isOutdated({ onLists, looked }: Recipe, { lists }: Changes, touched: Places, hasNewLists: boolean): boolean {
  // A list that a rule of the user's own has merged depends on what stood in it.
  const isMerged = ({ operation, table, pk }: ListChange): boolean => operation === 'merge' && touched.has(table, pk);
  if (onLists && (hasNewLists || lists.some(isMerged))) return true;
  const places = looked?.();
  // A recipe mostly looks at few rows, however many an answer brings.
  return places ? places.all().some(({ table, pk }) => touched.has(table, pk)) : !onLists;
}

/** The rows and answers that are others than when the guesses were found: confirmed ones, and those of guesses that are none any more. */
function touchedBy({ changes, answer }: Rebasing, over: readonly Intent[]): Places {
  const touched = new Places();
  addPlaces(touched, changes);
  if (answer) touched.set(answersTable, answer.name, true);
  for (const intent of over) addPlaces(touched, intent.changes);
  return touched;
}

/** Whether an answer is about nothing that a guess is about. */
function isApart({ changes, settled }: Intent, touched: Places, { rows, lists }: Landing): boolean {
  return (
    !settled &&
    changes.rows.every(
      ({ table, pks }) => !isTotal(table) && pks.every((pk) => !touched.has(table, pk) && !rows.isTold(table, pk)),
    ) &&
    changes.lists.every(({ table, pk, hides }) => !hides && lists.record(table, pk)?.first === undefined)
  );
}

/** What the moves of a guess are found with. */
interface Moving {
  readonly base: () => Tables;
  readonly followed: FollowedLists;
  /** Knows the lists that there are. */
  readonly known?: Membership;
  /** What was expected of lists before. */
  readonly earlier?: Changes['lists'];
  /** Lists that are under way. */
  readonly expected?: readonly Place[];
  /** Whether a total has counted the write. */
  readonly isCounted?: ((total: Place) => boolean) | undefined;
}

/** What is expected, with the lists that its rows leave, join, or stay in, on top of given tables. */
export function withMoves(changes: Changes, { base, followed, expected, isCounted, ...before }: Moving): Changes {
  const { known = new Membership(followed, base(), expected), earlier = changes.lists } = before;
  const hasMoves = changes.lists.some(({ follows }) => follows);
  const counts = changes.rows.some(({ table }) => followed.counts(table));
  const isFiltered = changes.rows.some(({ table, rows }) => rows.some((row) => row && known.areFilters(table, row)));
  if (!hasMoves && !isFiltered && !counts) return changes;
  const tables = base();
  const findAfter = rowsWith(tables, changes.rows);
  const membership = new Membership(followed, tables, expected, findAfter);
  const named = changes.lists.filter(({ follows }) => !follows);
  const has = listedIn(tables);
  // A guess keeps its row in a list though an answer comes without it.
  const isKept: typeof has = (list, ref) => isMoved(earlier, list, ref, true) || has(list, ref);
  const moves = flatMapRows(changes.rows, (table, pk, row): readonly ListChange[] => {
    const before = row && rowFrom(tables, table, pk);
    if (!before) return [];
    return (
      membership
        .moves(editBy({ table, pk }, before, row), isKept)
        // Nobody knows yet what a part of a list will have in place of the row, nor where only the server decides.
        .filter((move) => !move.isLeftToServer)
        // What is taken out by name does not come back by its fields.
        .filter((move) => !move.isIn || !isMoved(named, move, move.ref, false))
        .map(changeOf)
    );
  });
  const recounted = counts ? withCounts(changes, tables, { followed, isCounted }, findAfter) : changes;
  if (!hasMoves && moves.length === 0) return recounted;
  return { rows: recounted.rows, lists: [...named, ...moves] };
}

/** What is expected, with what its edits and deletions mean for numbers that count items; what creates mean for them is known. */
function withCounts(
  changes: Changes,
  tables: Tables,
  { followed, isCounted }: Pick<Moving, 'followed' | 'isCounted'>,
  findAfter: FindRow,
): Changes {
  const countings = flatMapRows(changes.rows, (table, pk, row) => {
    const before = followed.counts(table) ? rowFrom(tables, table, pk) : undefined;
    const after = row ? { ...before, ...row } : undefined;
    return before ? countingOf(followed, tables, { table, pk, before, after }, findAfter) : [];
  });
  const isThere = ({ table, pk }: Place): boolean => rowFrom(tables, table, pk) !== undefined;
  const isCreated = ({ table, rows }: Changes['rows'][number]): boolean =>
    !isTotal(table) || rows.some((row) => row && Object.keys(row).some((name) => !isThere(countedAs(name))));
  const open = countings.filter(({ total }) => !isCounted?.(total));
  return guessed({ ...changes, rows: changes.rows.filter(isCreated) }, open, tables);
}

/** What a guess shows of what it changes. Of one whose own answer has come, only the fields that wait. */
function visible(intent: Intent, { rows, lists }: Changes, rebasing: Rebasing): Changes {
  const { landing } = rebasing;
  const { requestId, settled } = intent;
  const uncovered = rows.flatMap((change) =>
    rowsWhere(change, (pk, row) => {
      const place = { table: change.table, pk };
      if (isTotal(place.table)) return settled || hasCounted(rebasing, place, requestId) ? undefined : row;
      const open = openRow(intent, landing, place, row);
      if (!settled) return open;
      return open ? waitingIn(intent, landing, place, open) : undefined;
    }),
  );
  // A list that was first answered after a create was sent never shows the pending item.
  const isKnownFirst = ({ table, pk, list, follows }: ListChange): boolean => {
    const creator = follows ? undefined : creatorOf(list);
    const first = landing.lists.record(table, pk)?.first ?? -1;
    return creator === undefined || (landing.beside.sentAt(creator) ?? Infinity) > first;
  };
  return { rows: uncovered, lists: settled ? [] : lists.filter(isKnownFirst) };
}

/** The fields of a row that wait in the answer to a guess. */
function waitingIn({ requestId }: Intent, { rows }: Landing, place: Place, row: Row): Row | undefined {
  const fields = rows.waiting.of(requestId, place)?.row;
  const isOpen = (field: string): boolean => own(fields, field) !== undefined;
  return some(row, isOpen);
}

/** Whether a total has counted a write: it was asked for after the write was sent. */
function hasCounted({ landing }: Rebasing, { table, pk }: Place, requestId: string): boolean {
  return (landing.beside.sentAt(requestId) ?? Infinity) < Number(landing.rows.row(table, pk)?.['at'] ?? 0);
}

/** What a guess shows of a row: nothing over fields that a later write has named and been answered for, or the row would flicker from the later to the earlier and back; undefined where the row was deleted since. */
function openRow(
  { seq, isPatch }: Intent,
  { rows }: Landing,
  { table, pk }: Place,
  row: Row | null,
): Row | null | undefined {
  const record = rows.record(table, pk);
  if (record === noRecord || row === null) return row;
  if ((record.gone ?? 0) > seq) return undefined;
  // What a write has named of a row that is not there yet waits for the row. A patch by hand lies over whatever arrives.
  if (isPatch || !rows.row(table, pk)) return row;
  const isOpen = (field: string): boolean => !isNamedAfter(record, field, seq);
  // A row without fields shows nothing, and is told to be pending still.
  return some(row, isOpen) ?? {};
}
