import { own, pick, type Row } from '../../schema/Schema.js';
import { addRows, noChanges, rowsWhere, sameValue, type Changes, type RowChanges } from '../../tables/changes.js';
import { Overlay } from '../../tables/Overlay.js';
import { Places } from '../../tables/Places.js';
import { rowOf, tableOf, type Tables } from '../../tables/tables.js';
import { namedIn } from './admission.js';
import type { Intent } from './intent.js';
import type { Waiting } from './journal.js';
import type { FollowedLists } from './FollowedLists.js';
import { Moves } from './moves.js';
import type { Settlement } from './settle.js';
import { refsIn } from './lists.js';
import { showIntents } from './shown.js';

/** How the changes of an intent are found anew. */
export interface Recipe {
  /** Finds what a request is expected to change, on top of given tables. Throws what the user's code throws. */
  readonly find: (base: Tables) => Changes | undefined;
  /** It depends on nothing but which lists there are, as a create does: of many that overlap, none has to be found anew when one settles. */
  readonly onLists: boolean;
}

/** What an action lands, and the intents beside it. */
export interface Rebasing {
  readonly tables: Tables;
  readonly intents: readonly Intent[];
  /** What was pending before. */
  readonly earlier: readonly Intent[];
  readonly followed: FollowedLists;
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly changes: Changes;
  readonly settlement: Settlement;
  /** Intents whose arguments have become others. */
  readonly renamed: ReadonlySet<string>;
}

/** Finds anew, in order, what the intents change; gives those that are others now. */
export function rebase(rebasing: Rebasing): Record<string, Changes> {
  const { tables, intents, recipes, changes, settlement, renamed, followed } = rebasing;
  const rebased: Record<string, Changes> = {};
  const hasNewLists = changes.lists.some(({ table, pk }) => rowOf(tableOf(tables, table), pk) === undefined);
  const done: Intent[] = [];
  const overlay = new Overlay();
  let confirmed: Tables | undefined;
  const base = (): Tables => {
    confirmed ??= new Overlay().show(tables, [changes]);
    return showIntents(confirmed, done, settlement.lists, overlay);
  };
  const touched = touchedBy(rebasing);
  const known = new Moves(followed, hasNewLists ? base() : tables);
  for (const intent of intents) {
    const { requestId } = intent;
    const recipe = recipes.get(requestId);
    let next = intent.changes;
    if (recipe && (renamed.has(requestId) || hasNewLists || !recipe.onLists)) {
      next = again(recipe, base());
    }
    next = visible(intent, next, settlement);
    if (next !== intent.changes || hasNewLists || touches(next, touched)) next = withMoves(next, base, followed, known);
    if (next === intent.changes || sameValue(next, intent.changes)) done.push(intent);
    else {
      rebased[requestId] = next;
      addRows(touched, intent.changes);
      addRows(touched, next);
      done.push({ ...intent, changes: next });
    }
  }
  return rebased;
}

/** The rows that are others than when the intents were found: confirmed ones, and those of intents that are none any more. */
function touchedBy({ changes, intents, earlier }: Rebasing): Places {
  const touched = new Places();
  addRows(touched, changes);
  const still = new Set(intents);
  for (const intent of earlier) if (!still.has(intent)) addRows(touched, intent.changes);
  return touched;
}

function touches({ rows }: Changes, places: Places): boolean {
  return rows.some(({ table, pks }) => pks.some((pk) => places.has(table, pk)));
}

/** What is expected, with the moves of rows that follow from it on top of given tables; `known` knows the lists that there are. */
export function withMoves(
  changes: Changes,
  base: () => Tables,
  followed: FollowedLists,
  known = new Moves(followed, base()),
): Changes {
  const hasMoves = changes.lists.some(({ follows }) => follows);
  if (!hasMoves && !known.areFiltered(changes)) return changes;
  const lists = hasMoves ? changes.lists.filter(({ follows }) => !follows) : changes.lists;
  const all = new Moves(followed, base());
  const moves = [...all.of(changes), ...all.staying(changes)];
  return !hasMoves && moves.length === 0 ? changes : { rows: changes.rows, lists: [...lists, ...moves] };
}

/** On a later run, an intent whose recipe fails shows nothing, and its request goes on. */
function again({ find }: Recipe, base: Tables): Changes {
  try {
    return find(base) ?? noChanges;
  } catch {
    return noChanges;
  }
}

/**
 * What an intent shows: nothing over fields that a write named which was asked for later and has settled (else the edit
 * would flicker from the later to the earlier and back), and nothing of what is deleted since. Where its own answer has
 * come, only what of that waits still.
 */
function visible(intent: Intent, changes: Changes, settlement: Settlement): Changes {
  // Changes that were not found anew were filtered before; only rows that this action names or deletes are looked at again.
  const isDecided =
    changes !== intent.changes ||
    changes.rows.some(({ table, pks }) => pks.some((pk) => settlement.decided.has(table, pk)));
  const open = isDecided ? openChanges(intent, changes, settlement) : changes;
  const isOwn = ({ requestId }: Waiting): boolean => requestId === intent.requestId;
  return intent.settled ? stillWaiting(open, settlement.waiting.find(isOwn)) : open;
}

/** Without fields that a later write has named, and without rows that are deleted since, in lists, too. */
function openChanges(intent: Intent, { rows, lists }: Changes, settlement: Settlement): Changes {
  return {
    rows: rows.flatMap((change) => uncovered(intent, change, settlement)),
    lists: lists.flatMap((change) => {
      const list = settlement.lists.withoutGone(change.table, change.list, intent.seq);
      if (list === change.list || change.operation === 'remove') return [change];
      return refsIn(list).length > 0 ? [{ ...change, list }] : [];
    }),
  };
}

function uncovered({ seq }: Intent, change: RowChanges, settlement: Settlement): readonly RowChanges[] {
  const { table } = change;
  return rowsWhere(change, (pk, row) => {
    const clock = settlement.clock(table, pk);
    if (!clock || row === null) return row;
    if ((clock.goneSeq ?? 0) >= seq) return undefined;
    // A row without fields shows nothing, and is told to be pending still.
    return some(row, (field) => (namedIn(clock, field)?.askedSeq ?? 0) <= seq) ?? {};
  });
}

/** What of a guess is shown on while the answer waits. */
function stillWaiting({ rows, lists }: Changes, waiting: Waiting | undefined): Changes {
  if (!waiting) return noChanges;
  const waits = (table: string, pk: string): Row | undefined =>
    waiting.rows.find((row) => row.table === table && row.pk === pk)?.row;
  return {
    rows: rows.flatMap((change) =>
      rowsWhere(change, (pk, row) => {
        const fields = waits(change.table, pk);
        return fields && row && some(row, (field) => own(fields, field) !== undefined);
      }),
    ),
    lists: lists.filter(({ table, pk }) => waiting.lists.some((list) => list.table === table && list.pk === pk)),
  };
}

/** Some fields of a row; undefined where none is left. */
function some(row: Row, counts: (field: string) => boolean): Row | undefined {
  const fields = Object.keys(row);
  const kept = fields.filter(counts);
  if (kept.length === 0) return undefined;
  return kept.length === fields.length ? row : pick(row, counts);
}
