import { assertPlain } from '../schema/json.js';
import { own, pick, type AnswerMeta, type List, type NestingSchema, type Row } from '../schema/Schema.js';
import { rowsWhere, type RowChanges } from './changes.js';
import { differs, isGreater, sameValue } from './same.js';
import { bringsNews, countingFields, metaSuffix, rowOfInput, visitorOf, type Visitor } from './inputs.js';
import type { IncomingRow, Normalized, NormalizeOptions } from './NormalizeOptions.js';
import { aliasSuffix } from './aliases.js';
import { Places } from './Places.js';
import { RowsDraft } from './RowsDraft.js';
import { emptyTable, tableOf, type Table, rowFrom } from './tables.js';

/** The rows that a response brings: what is new of each, by the rules of its class. */
export class RowsOfAnswer {
  /** Rows that do not lie inside others. */
  readonly outermost = new Places();
  /** Rows as they came of which their class has said that this answer is late. */
  readonly behind = new Places<Row>();
  /** Rows of which their class has said that this answer is in time. */
  readonly ordered = new Places();
  readonly #options: NormalizeOptions;
  /** Whether rows are told that bring nothing new. */
  readonly #tellsAll: boolean;
  readonly #drafts = new Map<string, RowsDraft>();
  readonly #visitors = new Map<NestingSchema, Visitor>();

  constructor(options: NormalizeOptions) {
    this.#options = options;
    this.#tellsAll = options.preview !== undefined || options.complete !== undefined;
  }

  /** Whether a list is known to have nothing twice: it has the rows that were brought, as they came. To look for it costs ten times as much. */
  isDistinct(list: List): boolean {
    if (Array.isArray(list)) for (const draft of this.#drafts.values()) if (draft.holdsInOrder(list)) return true;
    return false;
  }

  changes(): readonly RowChanges[] {
    const drafts = [...this.#drafts.values()].filter(({ pks }) => pks.length > 0);
    for (const draft of drafts) draft.finish();
    // Rows that stand as they are come first: what other classes of the table bring is merged over them.
    const ordered = [...drafts.filter(({ whole }) => whole), ...drafts.filter(({ whole }) => !whole)];
    return ordered.flatMap(({ table, pks, rows, whole }) =>
      this.#edited({ table, pks, rows, ...(whole && { whole }) }),
    );
  }

  /** What an edit changes of rows: it makes none of the row that it is about, where that is not there, but those that lie inside one that is. */
  #edited(change: RowChanges): readonly RowChanges[] {
    const { preview, tables = {} } = this.#options;
    // Only a row that is there is given another pk.
    if (!preview?.existing || change.table.endsWith(aliasSuffix)) return [change];
    const isThere = this.outermost.all().some(({ table, pk }) => rowFrom(tables, table, pk) !== undefined);
    // What has nothing but a pk refers to a row, and tells nothing of it.
    const isMade = (pk: string, row: Row | null): boolean =>
      isThere && !this.outermost.has(change.table, pk) && Object.keys(row ?? {}).length > 1;
    return [
      ...rowsWhere({ ...change, existing: true }, (pk, row) => (isMade(pk, row) ? undefined : row)),
      ...rowsWhere(change, (pk, row) => (isMade(pk, row) ? row : undefined)),
    ];
  }

  told(): Normalized['told'] {
    return [...this.#drafts.values()].flatMap(({ table, told }) => (told ? { table, rows: told } : []));
  }

  /** How the entities of a class are visited in this response: looked up once each, and worked out once. */
  visitorOf(entity: NestingSchema): Visitor {
    let visitor = this.#visitors.get(entity);
    if (!visitor) {
      const { preview, complete, meta } = this.#options;
      const isNamed = preview !== undefined || (complete !== undefined && meta?.kind === 'write');
      visitor = visitorOf(entity, this.draft(entity.table, entity.merge !== undefined), isNamed);
      this.#visitors.set(entity, visitor);
    }
    return visitor;
  }

  /** Writes a row; gives its pk, as the tables have that string. */
  write(visitor: Visitor, pk: string, input: Row, refs: readonly unknown[], outermost: boolean): string {
    const { entity, draft, nested } = visitor;
    // What is nested in it is looked at by itself.
    if (entity.processes) assertPlain(rowOfInput(nested, input, refs), 'process', entity.table);
    if (!visitor.isPlain) return this.#writeByRules(visitor, pk, input, refs, outermost);
    const kept = draft.find(pk);
    if (kept === undefined) draft.set(pk, rowOfInput(nested, input, refs));
    else if (this.#tellsAll || bringsNews(nested, kept, input, refs)) draft.add(pk, rowOfInput(nested, input, refs));
    const own = draft.own(pk);
    draft.note(own, input);
    return own;
  }

  /** Writes a row of a guess, or of a class that has rules of its own, or one whose fields an event names. */
  #writeByRules(visitor: Visitor, pk: string, input: Row, refs: readonly unknown[], outermost: boolean): string {
    const { entity, draft, nested } = visitor;
    const kept = draft.find(pk);
    const order = this.#order(entity, pk, kept, input);
    if (order === 'keep') return pk;
    const { preview, meta, complete } = this.#options;
    const counts = outermost ? countingFields(preview, entity, kept, input) : undefined;
    const told = rowOfInput(nested, input, refs, counts);
    const isBehind = order === 'behind' && !entity.merge;
    // A row is older in a field than it is as a whole, where a newer answer waits with that.
    const isOpen = (field: string): boolean =>
      !Object.hasOwn(kept ?? {}, field) || complete?.waits(entity.table, pk, field) === true;
    const row = isBehind ? pick(told, isOpen) : told;
    if (outermost && meta?.kind !== 'read') this.outermost.set(entity.table, pk, true);
    draft.note(pk, row);
    const { table } = entity;
    const incoming = { table, pk, row, isOutermost: outermost, isOrdered: this.ordered.has(table, pk) };
    if (entity.merge) this.#merge(visitor, incoming, kept, order);
    else if (this.#tellsAll || !kept || differs(kept, row)) draft.add(pk, row);
    return pk;
  }

  /** Writes a row as its class merges it; where others overlap, of what the row takes from them. */
  #merge({ entity, draft }: Visitor, incoming: IncomingRow, kept: Row | undefined, order: string): void {
    const { table, merge } = entity;
    const { complete, preview } = this.#options;
    const { pk } = incoming;
    const taken = complete ? complete.take(incoming) : incoming.row;
    if (!taken || !merge) return;
    // A row that is new is what it is.
    const merged = !kept ? taken : order === 'behind' ? merge(taken, kept) : merge(kept, taken);
    assertPlain(merged, 'merge', table);
    if (preview || !kept || !sameValue(kept, merged)) draft.set(pk, merged);
  }

  /** Asks the class whether an answer is in time, and remembers when it came about for the next time. */
  #order(entity: NestingSchema, pk: string, kept: Row | undefined, input: Row): 'over' | 'behind' | 'keep' {
    const { meta, complete } = this.#options;
    const { table, version } = entity;
    let order: 'over' | 'behind' | 'keep' = 'over';
    if (!meta) return order;
    if (version !== undefined) {
      // Where others overlap, it is decided later, field by field.
      if (!complete && isGreater(own(input, version), own(kept, version)) === false) order = 'keep';
    } else if (entity.order) {
      const metas = this.draft(`${table}${metaSuffix}`, true);
      // What is kept in a table of this name was put there below.
      const known = metas.find(pk) as AnswerMeta | undefined;
      if (kept && known) order = entity.order(known, meta, kept, input);
      if (order === 'over') {
        metas.set(pk, { ...meta });
        this.ordered.set(table, pk, true);
      }
    }
    if (order !== 'over') this.behind.set(table, pk, input);
    return order;
  }

  /** The rows of a table that are brought so far: merged over those that are there, or whole. */
  draft(table: string, whole = false): RowsDraft {
    // What no name of a table can hold keeps the two apart.
    const name = whole ? `${table}\u0000` : table;
    let draft = this.#drafts.get(name);
    if (!draft) {
      const { tables = {}, notes } = this.#options;
      const known = tableOf(tables, table) ?? emptyTable;
      // A table of this name holds rows: names of list tables are in brackets.
      this.#drafts.set(name, (draft = new RowsDraft(table, known as Table<Row>, { whole, notes })));
    }
    return draft;
  }
}
