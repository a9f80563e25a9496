import { orElse } from '../../errors.js';
import { listKey, tablesOfLists } from '../../schema/listKey.js';
import { isUnionRef, own, pick, type Ref, type Row } from '../../schema/Schema.js';
import { isTemporary } from '../../schema/temporary.js';
import { isTotal } from '../../schema/Total.js';
import { addPlaces, flatMapRows, noChanges, rowIn, rowsWhere, type Changes } from '../../tables/changes.js';
import { type ListChange, identity, refsIn } from '../../tables/members.js';
import { sameValue } from '../../tables/same.js';
import { Overlay } from '../../tables/Overlay.js';
import { answersTable, Places, type Place } from '../../tables/Places.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { rowsWith, type FindRow } from '../../tables/wireRow.js';
import type { FollowedLists } from './FollowedLists.js';
import type { Intent } from './intent.js';
import type { Landing } from './Landing.js';
import { creatorOf, rowsOf } from './lists.js';
import { listedIn } from './inPaths.js';
import { isNamedAfter, noRecord } from './rowRecord.js';
import { changeOf, editBy, isMoved, Membership } from './membership.js';
import { showIntents } from './shown.js';
import { countedAs, countingOf, guessed } from './counting.js';

/** How the guess of a request is found anew. */
export interface Recipe {
  /** Finds what a request is expected to change, on top of given tables. Throws what the user's code throws. */
  readonly find: (base: Tables) => Changes | undefined;
  /** It depends on nothing but which lists there are, as a create does: of many that overlap, none has to be found anew when one settles. */
  readonly onLists: boolean;
  /** The fields that a create sends. */
  readonly sends: ReadonlySet<string>;
  /** The rows and lists that it has looked at last: where these are as they were, it would find the same. Absent where nobody knows. */
  readonly looked?: () => Places;
}

/** What an action lands, and the guesses beside it. */
export interface Rebasing {
  readonly intents: readonly Intent[];
  /** What was pending before. */
  readonly earlier: readonly Intent[];
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly changes: Changes;
  readonly landing: Landing;
  /** Intents whose arguments have become others. */
  readonly renamed: ReadonlySet<string>;
  /** The rows that a create has turned out to have made. */
  readonly made: Places;
  /** The answer that lands, and what its request is kept under. */
  readonly answer?: { readonly name: string; readonly result: unknown } | undefined;
}

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
  const touched = touchedBy(rebasing);
  const membership = new Membership(followed, hasNewLists ? base() : tables);
  const strangers = strangersIn(rebasing);
  const hasStrangers = strangers.tables().length > 0;
  const found = (intent: Intent): Changes => {
    const { requestId, changes } = intent;
    const recipe = recipes.get(requestId);
    const isNew = recipe && (renamed.has(requestId) || isOutdated(recipe, changes, touched, hasNewLists));
    // Of many pending requests, an answer is about few; what is new may be what one of them creates.
    if (!isNew && !hasNewLists && isApart(intent, touched, landing))
      return hasStrangers ? withDoubles(intent, changes, rebasing, strangers) : changes;
    const open = visible(intent, isNew ? again(recipe, base()) : changes, rebasing);
    const isCounted = (total: Place): boolean => hasCounted(rebasing, total, requestId);
    const moving = { base, followed, known: membership, earlier: changes.lists, isCounted };
    return withDoubles(intent, withMoves(open, moving), rebasing, strangers);
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
  if (onLists) return hasNewLists || lists.some(isMerged);
  const places = looked?.();
  // A recipe mostly looks at few rows, however many an answer brings.
  return !places || places.all().some(({ table, pk }) => touched.has(table, pk));
}

/** The rows and answers that are others than when the guesses were found: confirmed ones, and those of guesses that are none any more. */
function touchedBy({ changes, intents, earlier, answer }: Rebasing): Places {
  const touched = new Places();
  addPlaces(touched, changes);
  if (answer) touched.set(answersTable, answer.name, true);
  const still = new Set(intents);
  for (const intent of earlier) if (!still.has(intent)) addPlaces(touched, intent.changes);
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
        .filter(({ isIn, shifts, isUnsure }) => !isUnsure && !(isIn && shifts === 'window'))
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
  return guessed({ ...changes, rows: changes.rows.filter(isCreated) }, open);
}

/** On a later run, a guess whose recipe fails shows nothing, and its request goes on. */
function again({ find }: Recipe, base: Tables): Changes {
  return orElse(() => find(base) ?? noChanges, noChanges);
}

/** What a guess shows: of one whose own answer has come, only the fields that wait. */
function visible(intent: Intent, changes: Changes, rebasing: Rebasing): Changes {
  const { landing } = rebasing;
  const { waiting } = landing.rows;
  const open = openChanges(intent, changes, rebasing);
  if (!intent.settled) return open;
  const rows = open.rows.flatMap((change) =>
    rowsWhere(change, (pk, row) => {
      const place = { table: change.table, pk };
      const fields = waiting.of(intent.requestId, place)?.row;
      const isOpen = (field: string): boolean =>
        own(fields, field) !== undefined && landing.rows.isAhead(intent.requestId, place, field) !== false;
      return fields && row && some(row, isOpen);
    }),
  );
  return { rows, lists: [] };
}

/** Nothing over fields that a write has named which was asked for later and has landed (else the edit would flicker from the later to the earlier and back), nothing of what is deleted since, and no created item in a list that was first answered after the create was sent. */
function openChanges(intent: Intent, { rows, lists }: Changes, rebasing: Rebasing): Changes {
  const { landing } = rebasing;
  const { sentAt } = landing.beside;
  const { requestId } = intent;
  const uncovered = rows.flatMap((change) =>
    rowsWhere(change, (pk, row) => {
      if (!isTotal(change.table)) return openRow(intent, landing, { table: change.table, pk }, row);
      return hasCounted(rebasing, { table: change.table, pk }, requestId) ? undefined : row;
    }),
  );
  const isKnownFirst = ({ table, pk, list, follows }: ListChange): boolean => {
    const creator = follows ? undefined : creatorOf(list);
    const first = landing.lists.record(table, pk)?.first ?? 0;
    return creator === undefined || (sentAt(creator) ?? Infinity) > first;
  };
  return { rows: uncovered, lists: lists.filter(isKnownFirst) };
}

/** Whether a total has counted a write: it was asked for after the write was sent. */
function hasCounted({ landing }: Rebasing, { table, pk }: Place, requestId: string): boolean {
  return (landing.beside.sentAt(requestId) ?? Infinity) < Number(landing.rows.row(table, pk)?.['at'] ?? 0);
}

/** What a guess shows of a row; undefined where the row was deleted since. */
function openRow(
  { requestId, seq, isPatch, settled }: Intent,
  { rows }: Landing,
  { table, pk }: Place,
  row: Row | null,
): Row | null | undefined {
  const record = rows.record(table, pk);
  if (record === noRecord || row === null) return row;
  if ((record.gone ?? 0) > seq) return undefined;
  // What a write has named of a row that is not there yet waits for the row. A patch by hand lies over whatever arrives.
  if (isPatch || !rows.row(table, pk)) return row;
  const isAhead = (field: string): boolean => rows.isAhead(requestId, { table, pk }, field) === true;
  const isOpen = (field: string): boolean => !isNamedAfter(record, field, seq) || (settled === true && isAhead(field));
  // A row without fields shows nothing, and is told to be pending still.
  return some(row, isOpen) ?? {};
}

/** Some fields of a row; undefined where none is left. */
function some(row: Row, counts: (field: string) => boolean): Row | undefined {
  const fields = Object.keys(row);
  const kept = fields.filter(counts);
  if (kept.length === 0) return undefined;
  return kept.length === fields.length ? row : pick(row, counts);
}

/**
 * What a pending create changes, and what it hides: a row that nobody had told of when the create was made, that no other
 * create has made, and that is more like what was sent than unlike it, may be what is being created. It is not shown beside
 * the pending item; when the create settles, it is.
 */
function withDoubles(
  intent: Intent,
  changes: Changes,
  { landing, recipes, made }: Rebasing,
  strangers: Places,
): Changes {
  const hidden = intent.changes.lists.filter(({ hides }) => hides);
  if (strangers.tables().length === 0 && hidden.length === 0) return changes;
  const lists = changes.lists.filter(({ hides }) => !hides);
  const hiding = lists.flatMap((change): readonly ListChange[] => {
    if (change.follows || creatorOf(change.list) !== intent.requestId) return [];
    const { table, pk } = change;
    const before = hidden.filter((one) => one.table === table && one.pk === pk).flatMap(({ list }) => refsIn(list));
    const candidates = refsIn(change.list).flatMap((ref) => candidatesFor(table, ref as Ref, strangers));
    const doubles = [...new Map([...before, ...candidates].map((ref) => [identity(ref), ref as Ref])).values()];
    const { sends } = recipes.get(intent.requestId) ?? {};
    const likenessOf = (ref: Ref): number =>
      Math.max(
        ...rowsOf(table, ref).map(([name, rowPk]) => {
          const row = made.has(name, rowPk) ? undefined : landing.rows.row(name, rowPk);
          return row ? likeness(row, name, changes, { list: pk, sends }) : 0;
        }),
      );
    const alike = doubles.map((ref) => ({ ref, by: likenessOf(ref) })).filter(({ by }) => by > 0);
    // Each pending item is one row.
    const list = alike
      .sort((one, other) => other.by - one.by)
      .slice(0, refsIn(change.list).length)
      .map(({ ref }) => ref);
    return list.length > 0 ? [{ table, pk, operation: 'remove', list, hides: true }] : [];
  });
  return hiding.length === 0 && hidden.length === 0 ? changes : { rows: changes.rows, lists: [...lists, ...hiding] };
}

/** The rows that nobody had told of before, and that are not what the create made whose answer has come. */
function strangersIn({ landing, made }: Rebasing): Places {
  const strangers = new Places();
  for (const [table, pks] of landing.rows.fresh.tables())
    for (const pk of pks.keys()) if (!made.has(table, pk)) strangers.set(table, pk, true);
  return strangers;
}

/** These rows, as a list refers to them. */
function candidatesFor(list: string, ref: Ref, strangers: Places): readonly Ref[] {
  const tables = isUnionRef(ref) ? [ref.table] : tablesOfLists(list);
  return tables.flatMap((table) =>
    [...strangers.in(table).keys()].map((pk) => (isUnionRef(ref) ? { ...ref, pk } : pk)),
  );
}

/**
 * In how many more of the fields that a create sent a row agrees with an item of it than it differs in; 1 where it has none of them. What a list is filtered by
 * tells nothing.
 */
function likeness(
  row: Row,
  table: string,
  { rows }: Changes,
  { list, sends }: { readonly list: string; readonly sends: ReadonlySet<string> | undefined },
): number {
  const filters = listKey(list);
  const items = rows.flatMap((change) =>
    change.table === table ? change.pks.filter(isTemporary).map((pk) => rowIn({ rows: [change] }, table, pk)) : [],
  );
  const each = items.map((item) => {
    const sent = Object.keys(item ?? {}).filter((field) => sends?.has(field) && !Object.hasOwn(filters, field));
    const told = sent.filter((field) => Object.hasOwn(row, field));
    const alike = told.filter((field) => sameValue(row[field], item?.[field]));
    if (told.length === 0) return Number(sent.length > 0);
    return 2 * alike.length - told.length;
  });
  return Math.max(0, ...each);
}
