import { listKey, tablesOfLists } from '../../schema/listKey.js';
import { isUnionRef, type Ref, type Row } from '../../schema/Schema.js';
import { isTemporary } from '../../schema/temporary.js';
import { rowIn, type Changes } from '../../tables/changes.js';
import { identity, refsIn, type ListChange } from '../../tables/members.js';
import { Places } from '../../tables/Places.js';
import { sameValue } from '../../tables/same.js';
import type { Intent } from './intent.js';
import { creatorOf, rowsOf } from './lists.js';
import type { Rebasing } from './rebasing.js';

/**
 * What pending creates hide, while one action lands: rows that nobody had told of when a create was made, that no other create has made, and that are more
 * like what was sent than unlike it, may be what is being created. Each pending item hides the one that is most alike, and that no other hides; and all that
 * tell nothing of what was sent. When its create settles, it is shown.
 */
export class Doubles {
  /** Whether there may be others than those that are hidden. */
  readonly #areNew: boolean;
  readonly #rebasing: Rebasing;
  /** The rows that nobody had told of before, and that are not what the create made whose answer has come. */
  readonly #strangers = new Places();
  /** What those have hidden that are over. */
  readonly #left: readonly ListChange[];
  /** What is the item of one of them by now, by list. */
  readonly #taken = new Set<unknown>();

  /** `over`: the guesses that are none any more. */
  constructor(rebasing: Rebasing, over: readonly Intent[]) {
    const { landing, made } = rebasing;
    this.#rebasing = rebasing;
    for (const [table, pks] of landing.rows.fresh.tables())
      for (const pk of pks.keys()) if (!made.has(table, pk)) this.#strangers.set(table, pk, true);
    this.#left = over.flatMap(({ changes }) => changes.lists.filter(({ hides }) => hides));
    this.#areNew = this.#left.length > 0 || this.#strangers.tables().length > 0;
  }

  /** What a guess changes, with what it hides. */
  beside(intent: Intent, changes: Changes): Changes {
    const hidden = intent.changes.lists.filter(({ hides }) => hides);
    return this.#areNew || hidden.length > 0 ? this.#anew(intent, changes, hidden) : changes;
  }

  #anew(intent: Intent, { rows, lists }: Changes, hidden: readonly ListChange[]): Changes {
    const shown = lists.filter(({ hides }) => !hides);
    const hiding = shown.flatMap((change): readonly ListChange[] => {
      if (change.follows || creatorOf(change.list) !== intent.requestId) return [];
      const { table, pk } = change;
      const isHere = (one: ListChange): boolean => one.table === table && one.pk === pk;
      const before = [...hidden, ...this.#left].filter(isHere).flatMap((one) => refsIn(one.list));
      const fresh = refsIn(change.list).flatMap((ref) => candidatesFor(table, ref as Ref, this.#strangers));
      const all = [...new Map([...before, ...fresh].map((ref) => [identity(ref), ref as Ref])).values()];
      const alike = all.flatMap((ref) => {
        const by = this.#likenessOf(ref, change, { rows, lists }, intent.requestId);
        return by > 0 && (by === Infinity || !this.#taken.has(nameOf(table, pk, ref))) ? [{ ref, by }] : [];
      });
      if (alike.length === 0) return [];
      // Of a row that tells nothing of what was sent, nobody knows whose it is.
      const open = alike.filter(({ by }) => by === Infinity);
      const told = alike.filter(({ by }) => by < Infinity).sort((one, other) => other.by - one.by);
      const best = told.slice(0, refsIn(change.list).length);
      for (const { ref } of best) this.#taken.add(nameOf(table, pk, ref));
      const list = [...open, ...best].map(({ ref }) => ref);
      return [{ table, pk, operation: 'remove', list, hides: true }];
    });
    return { rows, lists: [...shown, ...hiding] };
  }

  #likenessOf(ref: Ref, { table, pk }: ListChange, changes: Changes, requestId: string): number {
    const { landing, made, recipes } = this.#rebasing;
    const { sends } = recipes.get(requestId) ?? {};
    return Math.max(
      ...rowsOf(table, ref).map(([name, rowPk]) => {
        const row = made.has(name, rowPk) ? undefined : landing.rows.row(name, rowPk);
        return row ? likeness(row, name, changes, { list: pk, sends }) : 0;
      }),
    );
  }
}

function nameOf(table: string, pk: string, ref: Parameters<typeof identity>[0]): string {
  return `${table} ${pk} ${String(identity(ref))}`;
}

/** These rows, as a list refers to them. */
function candidatesFor(list: string, ref: Ref, strangers: Places): readonly Ref[] {
  const tables = isUnionRef(ref) ? [ref.table] : tablesOfLists(list);
  return tables.flatMap((table) =>
    [...strangers.in(table).keys()].map((pk) => (isUnionRef(ref) ? { ...ref, pk } : pk)),
  );
}

/** In how many more of the sent fields a row agrees with an item of a create than it differs in, but for filters; Infinity where it has none of them. */
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
    if (told.length === 0) return sent.length > 0 ? Infinity : 0;
    return 2 * alike.length - told.length;
  });
  return Math.max(0, ...each);
}
