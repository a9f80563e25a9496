import { resourceError, show } from '../errors.js';
import { assertPlain } from '../schema/json.js';
import { tablesOfLists } from '../schema/listKey.js';
import {
  own,
  pick,
  withoutGaps,
  type AnswerMeta,
  type Created,
  type Definition,
  type Identified,
  type List,
  type ListOperation,
  type NestingSchema,
  type Normalizer,
  type Owner,
  type Row,
  type Schema,
} from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import {
  differs,
  isDone,
  isGreater,
  once,
  sameValue,
  type Changes,
  type ListChange,
  type RowChanges,
} from './changes.js';
import {
  bringsNews,
  countingFields,
  isDistinct,
  metaSuffix,
  memberOf,
  rowOfInput,
  visitorOf,
  withoutRemoved,
  type Visitor,
} from './inputs.js';
import type {
  Complete,
  IncomingRow,
  Normalized,
  NormalizeOptions,
  Preview,
  Renamed,
  Target,
} from './NormalizeOptions.js';
import { aliasOf, aliasSuffix, hasAliases, keptPk } from './aliases.js';
import { Places, type Place } from './Places.js';
import { RowsDraft } from './RowsDraft.js';
import { eachRow, emptyTable, rowOf, tableOf, type Table, type Tables } from './tables.js';
import { inPlace } from './wireRow.js';

export type { NormalizeOptions, Normalized } from './NormalizeOptions.js';

const none: readonly never[] = [];

/** Inputs nested deeper than this wait in a queue, so that a chain of any length leaves the stack alone. */
const MAX_DEPTH = 100;

/**
 * Takes a response apart: entities into rows, lists into references. Throws a ResourceError when it does not fit.
 *
 * @example
 * const { result, changes } = normalize(Todo, { id: 5, title: 'Read' });
 */
export function normalize(definition: Definition, input: unknown, options: NormalizeOptions = {}): Normalized {
  const schema = schemaOf(definition);
  const run = new Normalization(options);
  const result = schema ? run.start(schema, input) : input;
  return {
    result,
    changes: run.changes(),
    told: run.told(),
    outermost: run.outermost,
    ordered: run.ordered,
    behind: run.behind,
    unplaced: run.unplaced,
    created: run.creations,
    renamed: run.renamed,
    ...(run.outdated && { outdated: run.outdated }),
  };
}

/** One response on its way into the tables. */
class Normalization implements Normalizer {
  readonly resolve = schemaOf;
  readonly args: readonly unknown[];
  owner: Owner | undefined;
  path: string[] = [];
  readonly #tables: Tables;
  readonly #name: string;
  readonly #preview: Preview | undefined;
  readonly #meta: AnswerMeta | undefined;
  readonly #complete: Complete | undefined;
  readonly #notes: boolean;
  readonly #arrange: NormalizeOptions['arrange'];
  readonly #expected: readonly Place[];
  /** Whether rows and lists are told that bring nothing new. */
  readonly #tellsAll: boolean;
  readonly outermost = new Places();
  /** Rows as they came of which their class has said that this answer is late. */
  readonly behind = new Places<Row>();
  /** Rows of which their class has said that this answer is in time. */
  readonly ordered = new Places();
  /** Lists that have become others, of which the answer does not tell. */
  outdated: Places | undefined;
  /** The tables of entities of which nothing tells which rows they are. */
  readonly unplaced = new Set<string>();
  /** What was created. */
  readonly creations: Created[] = [];
  /** The row that was given another pk. */
  renamed: Renamed | undefined;
  readonly #target: Target | undefined;
  readonly #hasAliases: boolean;
  readonly #sent: number;
  readonly #isWrite: boolean;
  readonly #drafts = new Map<string, RowsDraft>();
  readonly #visitors = new Map<NestingSchema, Visitor>();
  readonly #lists: ListChange[] = [];
  /** What this answer says is gone. */
  #removed: Places | undefined;
  readonly #queue: (() => void)[] = [];
  /** What the entity that is visited next refers to as it is kept. */
  #likely: unknown;
  #depth = -1;
  #outermost = true;
  #temporaries = 0;

  constructor({
    args = [],
    tables = {},
    name = 'the request',
    preview,
    meta,
    complete,
    notes = false,
    arrange,
    expected = [],
    target,
    isWrite = false,
    sent = 0,
  }: NormalizeOptions) {
    this.args = args;
    this.#tables = tables;
    this.#name = name;
    this.#preview = preview;
    this.#meta = meta;
    this.#complete = complete;
    this.#notes = notes;
    this.#arrange = arrange;
    this.#expected = expected;
    this.#target = target;
    this.#hasAliases = hasAliases(tables);
    this.#sent = sent;
    this.#isWrite = isWrite;
    this.#tellsAll = preview !== undefined || complete !== undefined;
  }

  start(schema: Schema, input: unknown): unknown {
    const result = this.visit(schema, input, undefined, '');
    // What waited was nested, though it is visited from here.
    this.#depth++;
    for (const step of this.#queue) step();
    return result;
  }

  changes(): Changes {
    const merged: RowChanges[] = [];
    // Rows that stand as they are come first: what other classes of the table bring is merged over them.
    const whole: RowChanges[] = [];
    const existing = this.#preview?.existing ? { existing: true as const } : undefined;
    for (const draft of this.#drafts.values()) {
      const { table, pks, rows } = draft;
      if (pks.length === 0) continue;
      draft.finish();
      if (draft.whole) whole.push({ table, pks, rows, whole: true, ...existing });
      else merged.push({ table, pks, rows, ...existing });
    }
    return { rows: whole.length > 0 ? [...whole, ...merged] : merged, lists: this.#lists };
  }

  told(): Normalized['told'] {
    return [...this.#drafts.values()].flatMap(({ table, told = [], partly }) =>
      told.length + partly.length > 0 ? [{ table, pks: told, partly }] : [],
    );
  }

  get atTop(): boolean {
    return this.#depth === 0;
  }

  get isGuess(): boolean {
    return this.#preview !== undefined;
  }

  get isEdit(): boolean {
    return this.#outermost && (this.#preview?.existing ?? false);
  }

  pkOf(table: string, told: string): string {
    const alias = this.#hasAliases ? aliasOf(this.#tables, table, told) : undefined;
    if (!alias) return told;
    if (alias.at === undefined || this.#sent <= alias.at) return alias.of;
    // Who was asked after the row was given another pk means another row. What no server gives keeps the two apart.
    const of = `${told}\u0000${String(alias.at)}`;
    this.#draft(`${table}${aliasSuffix}`, true).set(told, { of });
    return of;
  }

  target(entity: Identified, input: Row, told: string | undefined): string | undefined {
    const target = this.#target;
    const { table } = entity;
    if (!this.#outermost || target?.table !== table) return told === undefined ? undefined : this.pkOf(table, told);
    // What is expected is expected of the row that is meant, and what an answer says of itself is believed.
    if (this.#preview || told === undefined) return target.pk;
    const isSame = keptPk(this.#tables, table, told) === target.pk;
    if (isSame && (told === target.told || target.told === undefined)) return target.pk;
    const pk = isSame ? target.pk : this.pkOf(table, told);
    if (!target.renames) return pk;
    if (isSame || (this.kept(table, target.pk) !== undefined && this.kept(table, pk) === undefined)) {
      this.#rename(entity, target, input, told);
      return target.pk;
    }
    this.outdate(table, target.pk);
    return pk;
  }

  /** The row is kept under the pk that it had first: all that refers to it goes on doing so. */
  #rename(entity: Identified, target: Target, input: Row, now: string): void {
    const { table, pk: of, told = of, path, name } = target;
    const kept = this.kept(table, of) as Row | undefined;
    const isInPk = (field: string): boolean =>
      kept !== undefined && Object.hasOwn(kept, field) && entity.pk({ ...input, [field]: kept[field] }) !== now;
    this.renamed = { target, now, fields: Object.keys(input).filter(isInPk) };
    const aliases = this.#draft(`${table}${aliasSuffix}`, true);
    aliases.set(told, withoutGaps({ of, at: this.#meta?.settledSeq ?? this.#sent, now, path, name }));
    aliases.set(now, { of });
  }

  takeTemporaryPk(): string | undefined {
    return this.#outermost ? this.#preview?.temporaryPk?.(this.#temporaries++) : undefined;
  }

  visit(schema: Schema, input: unknown, parent: unknown, key: string): unknown {
    this.#depth++;
    this.path.push(key);
    // Where it throws, the whole response is given up.
    const result = schema.normalize(input, parent, key, this);
    this.path.pop();
    this.#depth--;
    return result;
  }

  enter(entity: NestingSchema, told: string, input: Row, came: unknown = input): string {
    const outermost = this.#outermost;
    const visitor = this.#visitorOf(entity);
    // Equal text, but the string that the table has: its hash is known, and it is compared by reference.
    const pk = this.#likely === told ? this.#likely : told;
    this.#likely = undefined;
    if (visitor.nested.length === 0) return this.#write(visitor, pk, input, none, outermost);
    if (visitor.seen) {
      if (visitor.seen.has(came)) return pk;
      visitor.seen.add(came);
    }
    if (this.#depth < MAX_DEPTH) return this.#nest(visitor, pk, input, outermost);
    this.#queue.push(() => {
      this.#nest(visitor, pk, input, outermost);
    });
    return pk;
  }

  #nest(visitor: Visitor, pk: string, input: Row, outermost: boolean): string {
    // What is there already tells what is likely to come.
    const kept = visitor.isPlain ? visitor.draft.find(pk) : undefined;
    const { nested, refs = new Array<unknown>(nested.length) } = visitor;
    const { owner, path } = this;
    if (visitor.holdsLists) {
      this.path = [];
      this.owner = { table: visitor.entity.table, pk, input };
    }
    this.#outermost = false;
    this.#depth++;
    for (let i = 0; i < nested.length; i++) {
      // Read by position: to take a pair apart is to iterate over it.
      const pair = nested[i] as Visitor['nested'][number];
      const field = pair[0];
      const schema = pair[1];
      const value = own(input, field);
      this.#likely = kept?.[field];
      if (value === undefined || value === null) refs[i] = value;
      else if (visitor.holdsLists) {
        this.path.push(field);
        refs[i] = schema.normalize(value, input, field, this);
        this.path.pop();
      } else refs[i] = schema.normalize(value, input, field, this);
    }
    this.#depth--;
    this.owner = owner;
    this.path = path;
    this.#outermost = outermost;
    this.#likely = undefined;
    return this.#write(visitor, pk, input, refs, outermost);
  }

  /** How the entities of a class are visited in this response: looked up once each, and worked out once. */
  #visitorOf(entity: NestingSchema): Visitor {
    let visitor = this.#visitors.get(entity);
    if (!visitor) {
      const draft = this.#draft(entity.table, entity.merge !== undefined);
      visitor = visitorOf(
        entity,
        draft,
        this.#preview !== undefined || (this.#complete !== undefined && this.#meta?.kind === 'write'),
      );
      this.#visitors.set(entity, visitor);
    }
    return visitor;
  }

  #write(visitor: Visitor, pk: string, input: Row, refs: readonly unknown[], outermost: boolean): string {
    // What is nested in it is looked at by itself.
    if (visitor.entity.processes) assertPlain(rowOfInput(visitor.nested, input, refs), 'process', visitor.entity.table);
    if (!visitor.isPlain) return this.#writeByRules(visitor, pk, input, refs, outermost);
    const { draft, nested } = visitor;
    const kept = draft.find(pk);
    if (kept === undefined) draft.set(pk, rowOfInput(nested, input, refs));
    else if (this.#tellsAll || bringsNews(nested, kept, input, refs)) draft.add(pk, rowOfInput(nested, input, refs));
    const own = draft.own(pk);
    draft.note(own, kept, input);
    return own;
  }

  /** Writes a row of a guess, or of a class that has rules of its own, or one whose fields an event names. */
  #writeByRules(visitor: Visitor, pk: string, input: Row, refs: readonly unknown[], outermost: boolean): string {
    const { entity, draft, nested } = visitor;
    const kept = draft.find(pk);
    const order = this.#order(entity, pk, kept, input);
    if (order === 'keep') return pk;
    const counts = outermost ? countingFields(this.#preview, entity, kept, input) : undefined;
    const told = rowOfInput(nested, input, refs, counts);
    const row = order === 'behind' && kept && !entity.merge ? pick(told, (field) => !Object.hasOwn(kept, field)) : told;
    if (outermost && this.#meta?.kind !== 'read') this.outermost.set(entity.table, pk, true);
    draft.note(pk, kept, row);
    if (entity.merge) this.#merge(visitor, pk, { kept, row, order, outermost });
    else if (this.#tellsAll || !kept || differs(kept, row)) draft.add(pk, row);
    return pk;
  }

  /** Writes a row as its class merges it; where others overlap, of what the row takes from them. */
  #merge(
    { entity, draft }: Visitor,
    pk: string,
    {
      kept,
      row,
      order,
      outermost,
    }: Pick<IncomingRow, 'row'> & { kept: Row | undefined; order: string; outermost: boolean },
  ): void {
    const { table, merge } = entity;
    const isOrdered = this.ordered.has(table, pk);
    const taken = this.#complete ? this.#complete.take({ table, pk, row, isOutermost: outermost, isOrdered }) : row;
    if (!taken || !merge) return;
    // A row that is new is what it is.
    const merged = !kept ? taken : order === 'behind' ? merge(taken, kept) : merge(kept, taken);
    assertPlain(merged, 'merge', entity.table);
    if (this.#preview || !kept || !sameValue(kept, merged)) draft.set(pk, merged);
  }

  /** Asks the class whether an answer is in time, and remembers when it came about for the next time. */
  #order(entity: NestingSchema, pk: string, kept: Row | undefined, input: Row): 'over' | 'behind' | 'keep' {
    const meta = this.#meta;
    if (!meta) return 'over';
    if (entity.version !== undefined) return this.#orderByVersion(entity, entity.version, { pk, kept, input });
    if (!entity.order) return 'over';
    const metas = this.#draft(`${entity.table}${metaSuffix}`, true);
    // What is kept in a table of this name was put there below.
    const known = metas.find(pk) as AnswerMeta | undefined;
    const order = kept && known ? entity.order(known, meta, kept, input) : 'over';
    if (order === 'over') {
      metas.set(pk, { ...meta });
      this.ordered.set(entity.table, pk, true);
    } else this.behind.set(entity.table, pk, input);
    return order;
  }

  /** An answer with a smaller version is too late. Where others overlap, that is decided later, field by field. */
  #orderByVersion(
    { table }: NestingSchema,
    counter: string,
    { pk, kept, input }: { readonly pk: string; readonly kept: Row | undefined; readonly input: Row },
  ): 'over' | 'keep' {
    if (this.#complete || isGreater(own(input, counter), own(kept, counter)) !== false) return 'over';
    this.behind.set(table, pk, input);
    return 'keep';
  }

  #draft(table: string, whole = false): RowsDraft {
    // What no name of a table can hold keeps the two apart.
    const name = whole ? `${table}\u0000` : table;
    let draft = this.#drafts.get(name);
    if (!draft) {
      const known = tableOf(this.#tables, table) ?? emptyTable;
      // A table of this name holds rows: names of list tables are in brackets.
      this.#drafts.set(name, (draft = new RowsDraft(table, known as Table<Row>, { whole, notes: this.#notes })));
    }
    return draft;
  }

  remove(table: string, pk: string): void {
    if (this.#complete?.removes(table, pk) === false) return;
    (this.#removed ??= new Places()).set(table, pk, true);
    this.#draft(table).set(pk, null);
    // A preview may be taken back, and then the lists must have kept the place.
    if (this.#preview) return;
    for (const name of Object.keys(this.#tables)) {
      const lists = tablesOfLists(name).includes(table) ? (tableOf(this.#tables, name) as Table<List>) : undefined;
      if (!lists) continue;
      eachRow(lists, (list, key) => {
        const gone = memberOf(list, table, pk);
        if (gone !== undefined) this.change(name, key, 'remove', [gone]);
      });
    }
  }

  change(table: string, pk: string, operation: ListOperation, came: List, moves = false): void {
    const list = operation === 'remove' ? came : withoutRemoved(table, came, this.#removed);
    const change: ListChange = { table, pk, operation, list, ...(moves && { moves }) };
    const arranged = this.#arrange?.(change);
    const kept =
      this.#tellsAll || this.#notes ? undefined : (rowOf(tableOf(this.#tables, table), pk) as List | undefined);
    const { list: next } = arranged ?? change;
    // What is as it is kept has nothing twice; to look for that costs more than to compare.
    if (isDone(kept, arranged ?? change)) return;
    const distinct = operation === 'set' && !isDistinct(next, this.#drafts.values()) ? once(next) : next;
    if (distinct !== next && isDone(kept, { operation, list: distinct })) return;
    this.#lists.push({ ...change, ...arranged, list: distinct });
  }

  outdate(table: string, pk: string): void {
    (this.outdated ??= new Places()).set(table, pk, true);
  }

  lists(table: string): readonly string[] {
    const pks: string[] = [];
    const lists = tableOf(this.#tables, table);
    if (lists) eachRow(lists, (_, pk) => pks.push(pk));
    for (const list of this.#expected) if (list.table === table && !pks.includes(list.pk)) pks.push(list.pk);
    return pks;
  }

  kept(table: string, pk: string): unknown {
    return rowOf(tableOf(this.#tables, table), pk);
  }

  some(table: string, isSo: (row: unknown) => boolean): boolean {
    let is = false;
    eachRow(tableOf(this.#tables, table), (row) => {
      is ||= isSo(row);
    });
    return is;
  }

  inPlace(member: Definition, item: unknown): unknown {
    return inPlace(member, item, this.#tables);
  }

  count(table: string, pk: string, count: number): void {
    this.#draft(table).set(pk, { count });
  }

  created(created: Created): void {
    this.creations.push(created);
  }

  misfit(expected: string, came: unknown): never {
    throw resourceError('R6', this.#name, expected, show(came));
  }

  pkMissing(entity: string, came: unknown): void {
    if (this.#preview || this.#isWrite) this.unplaced.add(entity);
    else throw resourceError('R7', entity, this.#name, show(came));
  }
}
