import { resourceError, show } from '../errors.js';
import { keyValue, tablesOfLists } from '../schema/listKey.js';
import {
  none,
  own,
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
import { type ListChange, isDone, once } from './members.js';
import { memberOf, withoutRemoved, type Visitor } from './inputs.js';
import type { Normalized, NormalizeOptions, Preview, Renamed, Target } from './NormalizeOptions.js';
import { aliasOf, aliasSuffix, hasAliases, isAbout, keptPk, reusedPk } from './aliases.js';
import { Places } from './Places.js';
import { RowsOfAnswer } from './RowsOfAnswer.js';
import { eachRow, pksOf, rowFrom, tableOf, type Table, type Tables } from './tables.js';
import { inPlace, rowsIn, valuesIn } from './wireRow.js';

export type { NormalizeOptions, Normalized } from './NormalizeOptions.js';

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
  const { rows, changed: lists } = run;
  return {
    result,
    changes: { rows: rows.changes(), lists },
    told: rows.told(),
    outermost: rows.outermost,
    ordered: rows.ordered,
    behind: rows.behind,
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
  readonly params: unknown;
  owner: Owner | undefined;
  path: string[] = [];
  readonly rows: RowsOfAnswer;
  readonly changed: ListChange[] = [];
  readonly #options: NormalizeOptions;
  readonly #tables: Tables;
  readonly #name: string;
  readonly #preview: Preview | undefined;
  readonly #hasAliases: boolean;
  /** Whether its answer is what has been created; what acts on many rows may tell one as it was called before. */
  #creates = false;
  /** Lists that have become others, of which the answer does not tell. */
  outdated: Places | undefined;
  /** The tables of entities of which nothing tells which rows they are. */
  readonly unplaced = new Set<string>();
  /** What was created. */
  readonly creations: Created[] = [];
  /** The row that was given another pk. */
  renamed: Renamed | undefined;
  /** What this answer says is gone. */
  #removed: Places | undefined;
  readonly #queue: (() => void)[] = [];
  /** What the entity that is visited next refers to as it is kept. */
  #likely: unknown;
  #depth = -1;
  #outermost = true;
  #temporaries = 0;

  constructor(options: NormalizeOptions) {
    const { args = none, params = args[0], tables = {}, name = 'the request', preview } = options;
    this.#options = options;
    this.args = args;
    this.params = params;
    this.#tables = tables;
    this.#name = name;
    this.#preview = preview;
    this.#hasAliases = hasAliases(tables);
    this.rows = new RowsOfAnswer(options);
  }

  start(schema: Schema, input: unknown): unknown {
    this.#creates = schema.addsItems === true;
    const result = this.visit(schema, input, undefined, '');
    // What waited was nested, though it is visited from here.
    this.#depth++;
    for (const step of this.#queue) step();
    return result;
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

  get isWritten(): boolean {
    return this.#outermost && (this.isGuess || this.#options.isWrite === true);
  }

  get meant(): Target | undefined {
    return this.#outermost ? this.#options.target : undefined;
  }

  pkOf(table: string, told: string): string {
    const alias = this.#hasAliases ? aliasOf(this.#tables, table, told) : undefined;
    if (!alias) return told;
    const { sent = 0, target } = this.#options;
    if (isAbout(alias, sent, this.isWritten && !target && this.#creates)) return alias.of;
    const of = reusedPk(told, alias.at ?? 0);
    this.rows.draft(`${table}${aliasSuffix}`, true).set(told, { of });
    return of;
  }

  target(entity: Identified, input: Row, told: string | undefined): string | undefined {
    const { target } = this.#options;
    const { table } = entity;
    if (!this.#outermost || target?.table !== table) return told === undefined ? undefined : this.pkOf(table, told);
    if (told === undefined || this.#isExpectedOf(target, told)) return target.pk;
    return this.#targetTold(entity, target, input, told);
  }

  /** Whether what tells a pk is expected of the row that is meant; what an answer says of itself is believed: an empty one says what was sent. */
  #isExpectedOf(target: Target, told: string): boolean {
    const isConfirmed = this.#preview?.isConfirmed && target.renames && told !== target.told;
    return this.#preview !== undefined && !isConfirmed;
  }

  /** The row that an answer is about which tells its pk: the one that is meant, renamed where the answer gives that another pk, or another one. */
  #targetTold(entity: Identified, target: Target, input: Row, told: string): string {
    const { table } = entity;
    const isSame = keptPk(this.#tables, table, told) === target.pk;
    // Of an address that means a row, and does not tell its pk (`/users/me`), the answer tells no new one.
    const isPkMeant = target.told !== undefined && keptPk(this.#tables, table, target.told) === target.pk;
    if (isSame && (told === target.told || !isPkMeant)) return target.pk;
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
    const { table, pk: of, told = of, path, named: was } = target;
    const kept = this.kept(table, of) as Row | undefined;
    const isInPk = (field: string): boolean =>
      kept !== undefined && Object.hasOwn(kept, field) && entity.pk({ ...input, [field]: kept[field] }) !== now;
    const params = was && paramsNow(entity, was, input, now);
    this.renamed = { target, now: params, fields: Object.keys(input).filter(isInPk) };
    const { meta, sent = 0 } = this.#options;
    const aliases = this.rows.draft(`${table}${aliasSuffix}`, true);
    const isNamed = params && path !== undefined;
    aliases.set(told, { of, at: meta?.settledSeq ?? sent, sent, ...(isNamed && { path, was, now: params }) });
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
    const visitor = this.rows.visitorOf(entity);
    // Equal text, but the string that the table has: its hash is known, and it is compared by reference.
    const pk = this.#likely === told ? this.#likely : told;
    this.#likely = undefined;
    if (visitor.nested.length === 0) return this.rows.write(visitor, pk, input, none, outermost);
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
      this.owner = { entity: visitor.entity, pk, input, isOutermost: outermost };
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
    return this.rows.write(visitor, pk, input, refs, outermost);
  }

  remove(table: string, pk: string): void {
    if (this.#options.complete?.removes(table, pk) === false) return;
    (this.#removed ??= new Places()).set(table, pk, true);
    this.rows.draft(table).set(pk, null);
    // A preview may be taken back, and then the lists must have kept the place.
    if (this.#preview) return;
    for (const name of Object.keys(this.#tables).filter((one) => tablesOfLists(one).includes(table)))
      eachRow(tableOf(this.#tables, name) as Table<List> | undefined, (list, key) => {
        const gone = memberOf(list, table, pk);
        if (gone !== undefined) this.change(name, key, 'remove', [gone]);
      });
  }

  change(table: string, pk: string, operation: ListOperation, came: List, moves = false): void {
    const list = operation === 'remove' ? came : withoutRemoved(table, came, this.#removed);
    const isTold = operation === 'set' && this.#options.isWrite;
    const change: ListChange = { table, pk, operation, list, ...(moves && { moves }), ...(isTold && this.#within()) };
    this.#add({ ...change, ...this.#options.arrange?.(change) });
  }

  /** Takes up a change of a list: one that makes no difference only where all is to be told. */
  #add(change: ListChange): void {
    const { table, pk, operation, list } = change;
    const { complete, notes } = this.#options;
    const tellsAll = this.#preview ?? complete ?? notes;
    const kept = this.kept(table, pk) as List | undefined;
    const isKept = isDone(kept, change);
    // A rule of the user's own, that merges one, may be given what stands in it already.
    const isWhole = operation === 'set' || operation === 'merge';
    // What is as it is kept has nothing twice; to look for that costs more than to compare.
    const isTwice = !isKept && isWhole && !this.rows.isDistinct(list);
    const next = isTwice ? { ...change, list: once(list) } : change;
    if (tellsAll || !(isTwice ? isDone(kept, next) : isKept)) this.changed.push(next);
  }

  /** Where the list stands that is being taken apart; nothing for one that stands in no row. */
  #within(): Pick<ListChange, 'within'> {
    const { owner, path } = this;
    const [field] = path;
    if (!owner || field === undefined) return {};
    return { within: { table: owner.entity.table, pk: owner.pk, field, isOutermost: owner.isOutermost } };
  }

  outdate(table: string, pk: string): void {
    (this.outdated ??= new Places()).set(table, pk, true);
  }

  lists(table: string): readonly string[] {
    const pks = pksOf(tableOf(this.#tables, table));
    for (const list of this.#options.expected ?? none)
      if (list.table === table && !pks.includes(list.pk)) pks.push(list.pk);
    return pks;
  }

  kept(table: string, pk: string): unknown {
    return rowFrom(this.#tables, table, pk);
  }

  shownBefore(table: string, pk: string): unknown {
    return rowFrom(this.#options.before ?? {}, table, pk);
  }

  values(table: string, field: string): ReadonlyMap<string | undefined, unknown> {
    return valuesIn(tableOf(this.#tables, table), field);
  }

  inPlace(member: Definition, item: unknown): unknown {
    return inPlace(member, item, rowsIn(this.#tables));
  }

  count(table: string, pk: string, count: number): void {
    this.rows.draft(table).set(pk, { count });
  }

  created(created: Created): void {
    this.creations.push(created);
  }

  misfit(expected: string, came: unknown): never {
    throw resourceError('R6', this.#name, expected, show(came));
  }

  pkMissing(entity: string, came: unknown): void {
    if (this.#preview || this.#options.isWrite) this.unplaced.add(entity);
    else throw resourceError('R7', entity, this.#name, show(came));
  }
}

/** The parameters by which addresses name a row that was given another pk; undefined where its answer does not tell them. */
function paramsNow(entity: Identified, was: Row, input: Row, now: string): Row | undefined {
  const names = Object.keys(was);
  const [name] = names;
  // One parameter may be called otherwise than the field.
  if (names.length === 1 && name !== undefined) return { [name]: now };
  const params = Object.fromEntries(names.map((one) => [one, keyValue(input, one)]));
  return entity.pk(params) === now ? params : undefined;
}
