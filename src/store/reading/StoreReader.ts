import { EntitySchema } from '../../schema/EntitySchema.js';
import { isLists } from '../../schema/ListsSchema.js';
import { getOrMake, type Definition, type Schema } from '../../schema/Schema.js';
import { isShallowSame } from '../../schema/sameShape.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { RowChanges } from '../../tables/changes.js';
import { hasAliases } from '../../tables/aliases.js';
import { sameValue } from '../../tables/same.js';
import { Memory, type Named } from '../../tables/Memory.js';
import { Overlay, type Touched } from '../../tables/Overlay.js';
import { answersTable } from '../../tables/Places.js';
import { rowFrom, rowOf, tableOf, type Tables } from '../../tables/tables.js';
import type { Value } from '../../tables/values.js';
import { queryTables } from './finder.js';
import { KnownIds } from './KnownIds.js';
import { isPartialIn } from './partial.js';
import { listRecordOf } from '../order/journal.js';
import { showIntents } from '../order/shown.js';
import type { OpenLifetimes } from '../endpoint.js';
import { type Answer, type RequestRecord, type ResourcesState } from '../state.js';

export interface Question {
  /** What distinguishes it from others; of a request, what that is kept under. */
  readonly name: string;
  readonly definition: Definition;
  /** The arguments by which the tables may have it. */
  readonly args: readonly unknown[];
  /** Its reference, where that is known. */
  readonly ref?: unknown;
  /** Whether what other answers have brought is at most a part of it. */
  readonly isVariant?: boolean;
  /** The endpoint that is asked, if one is; it says how long data lasts. */
  readonly endpoint?: OpenLifetimes;
}

/** What was read for a question, and the value of it. */
export interface Reading {
  readonly definition: Definition;
  /** Which of the slices it was read from last. */
  version: number;
  readonly value: unknown;
  /** What the value is remembered as; undefined where there is none. */
  readonly source: Value | undefined;
  /** What the source was made by; somebody else may have made it anew meanwhile. */
  readonly schema: Schema | undefined;
  readonly record: RequestRecord | undefined;
  /** What a patch by hand shows in place of its answer. */
  readonly patched: unknown;
  /** When it is as good as missing, in ms since the epoch; Infinity for never. */
  readonly droppedAt: number;
  readonly isDropped: boolean;
  /** Whether its reference stays the same as long as the value is there. */
  readonly isLasting: boolean;
  /** Whether the tables lack some of it; undefined until it is asked. */
  isPartial: boolean | undefined;
  readonly weight: number;
}

/** What is read is remembered up to this weight; then what nobody has read for the longest time goes. */
const MOST = 100_000;
const ENOUGH = 90_000;

/** Reads one store, and remembers what was read, so that the same data is the same object. */
export class StoreReader {
  readonly #memory = new Memory();
  readonly #overlay = new Overlay();
  /** What was read, the latest last. With a reading goes all else that is kept under its name. */
  readonly #readings = new Map<string, Reading>();
  #weight = 0;
  readonly #states = new Map<string, object>();
  /** The ids of what was created here. */
  readonly ids = new KnownIds();
  #shown: Shown | undefined;
  /** Where it was looked for renamed rows last, and whether there are any. */
  #looked: Tables | undefined;
  #hasAliases = false;

  /** The slice that was read last: one, however much was read of earlier ones. */
  #slice: ResourcesState | undefined;
  #version = 0;
  /** How far the clock was in the newest slice that was read. */
  #newest = 0;

  /** Tells of what others have brought when it is as good as missing for an endpoint, in ms since the epoch; never in a store without a middleware. */
  droppedAt: (slice: ResourcesState, endpoint: OpenLifetimes, definition: Definition, ref: unknown) => number = () =>
    Infinity;

  /** Whether any row was renamed: asked by thousands of selectors, and looked for once. */
  hasAliases(tables: Tables): boolean {
    if (this.#looked !== tables) {
      this.#looked = tables;
      this.#hasAliases = hasAliases(tables);
    }
    return this.#hasAliases;
  }

  /** What is shown: the confirmed tables with the pending intents applied. */
  shown(slice: ResourcesState): Tables {
    return slice.intents.length === 0 ? slice.tables : this.#show(slice).shown;
  }

  #show({ tables, intents, journal }: ResourcesState): Shown {
    const last = this.#shown;
    if (last?.tables === tables && last.intents === intents && last.journal === journal) return last;
    const shown = showIntents(tables, intents, (table, pk) => listRecordOf(journal, table, pk), this.#overlay);
    return (this.#shown = { tables, intents, journal, shown, touched: this.#overlay.touched });
  }

  /**
   * A question with its value. Whoever gives back what it was given last finds it without looking: 15 ns where
   * nothing has changed, 40 ns where nothing of it has.
   */
  reading(slice: ResourcesState, question: Question, last?: Reading): Reading {
    const memory = this.#sync(slice);
    if (last && this.#holds(last, slice, question)) return last;
    const { name, definition } = question;
    const known = this.#readings.get(name);
    if (known && known.definition === definition && this.#holds(known, slice, question)) {
      // The latest last.
      this.#readings.delete(name);
      this.#readings.set(name, known);
      return known;
    }
    // It may have been forgotten, but not by who asks.
    if (!known && last?.source) memory.bringBack(name, last.source);
    return this.#remember(name, this.#readAnew(slice, question));
  }

  #readAnew(slice: ResourcesState, question: Question): Reading {
    const { name, definition } = question;
    const record = rowOf(slice.requests, name);
    const found = this.#refOf(question, record, this.shown(slice));
    const droppedAt = this.#endOf(slice, question, record, found);
    const isDropped = isOver(droppedAt);
    const ref = isDropped ? undefined : found;
    const schema = ref === undefined ? undefined : schemaOf(definition);
    const source = schema && this.#memory.source(name, schema, ref);
    const value = source ? source.value : ref;
    // In one piece: what is added to an object later costs over 100 bytes, in each of up to 100 000.
    return {
      definition,
      version: this.#version,
      value,
      source,
      schema,
      record,
      patched: this.#patchOf(slice, name),
      droppedAt,
      isDropped,
      isLasting: hasAnswer(record) || (droppedAt === Infinity && isKnownByPk(question)),
      weight: weightOf(source, value),
      isPartial: question.isVariant === true ? true : undefined,
    };
  }

  /** When a reference is as good as missing: the answer of its request, or what others have brought of it. */
  #endOf(slice: ResourcesState, question: Question, record: RequestRecord | undefined, ref: unknown): number {
    if (record?.answer) return endOf(record.answer);
    const { endpoint, definition } = question;
    return endpoint && ref !== undefined ? this.droppedAt(slice, endpoint, definition, ref) : Infinity;
  }

  #remember(name: string, reading: Reading): Reading {
    this.#weight += reading.weight - (this.#readings.get(name)?.weight ?? 0);
    this.#readings.delete(name);
    this.#readings.set(name, reading);
    if (this.#weight <= MOST) return reading;
    // Many at once: a Map passes over what was deleted at its front whenever it is asked for the first.
    for (const oldest of this.#readings.keys()) {
      if (this.#weight <= ENOUGH || oldest === name) break;
      this.#drop(oldest);
    }
    return reading;
  }

  #drop(name: string): void {
    this.#weight -= this.#readings.get(name)?.weight ?? 0;
    this.#readings.delete(name);
    this.#states.delete(name);
    this.#memory.forget(name);
  }

  /** Whether a reading holds for this slice, too; if so, that is noted in it. */
  #holds(last: Reading, slice: ResourcesState, question: Question): boolean {
    if (isOver(last.droppedAt) !== last.isDropped) return false;
    if (last.version === this.#version) return true;
    const { record, source } = last;
    if (source ? !last.isLasting || !isSourced(last) : last.value !== undefined) return false;
    if (!('ref' in question) && rowOf(slice.requests, question.name) !== record) return false;
    if (this.#patchOf(slice, question.name) !== last.patched) return false;
    // What was missing may be there now.
    if (!source && this.#refOf(question, record, this.shown(slice)) !== undefined) return false;
    last.version = this.#version;
    return true;
  }

  /** The value of a definition, read from what is shown. */
  read(slice: ResourcesState, definition: Definition, ref: unknown): unknown {
    return this.#sync(slice).answer('', definition, ref);
  }

  /** Whether the value that is shown was made of a row or a list that is not what is confirmed; asked while something is pending. */
  isOptimistic(slice: ResourcesState, question: Question, { source, value, record, isDropped }: Reading): boolean {
    if (isDropped) return false;
    const confirmed = this.#refOf(question, record, slice.tables);
    if (!source) return value !== confirmed;
    return !sameValue(source.row, confirmed) || this.#memory.isOptimistic(source);
  }

  /** Whether the value was brought by other answers than its own, and some of it is not there. */
  isPartial(slice: ResourcesState, reading: Reading): boolean {
    const { record, value, source, definition } = reading;
    if (record?.answer || value === undefined || !source) return false;
    const isPartial = reading.isPartial ?? isPartialIn(this.shown(slice), definition, source.row, slice.tables);
    // What a guess shows may come to be confirmed in part, with nothing shown otherwise.
    if (slice.intents.length === 0) reading.isPartial = isPartial;
    return isPartial;
  }

  /** The server has given rows their pks: they are those that were shown under temporary ones. */
  named(slice: ResourcesState, rows: readonly Named[]): void {
    this.#memory.named(rows, slice.tables);
  }

  /** The reference of a question: the one given, the answer of its request, or what the tables have for the arguments. */
  #refOf(question: Question, record: RequestRecord | undefined, tables: Tables): unknown {
    if ('ref' in question) return question.ref;
    if (hasAnswer(record)) return resultIn(tables, question.name, record.answer.result);
    if (record?.answer || record?.invalid) return undefined;
    return queryTables(tables, question.definition, question.args);
  }

  #patchOf(slice: ResourcesState, name: string): unknown {
    return slice.intents.length === 0 ? undefined : rowOf(tableOf(this.shown(slice), answersTable), name);
  }

  /** Forgets what was read of requests and rows that are collected. */
  forget(requests: readonly string[], rows: readonly RowChanges[]): void {
    const names = [...requests, ...rows.flatMap(({ table, pks }) => pks.map((pk) => entityName(table, pk)))];
    for (const name of names) this.#drop(name);
  }

  /** The same object, as long as it says the same. */
  state<State extends object>(name: string, next: State): State {
    // What is kept under a name is of one kind.
    const last = this.#states.get(name) as State | undefined;
    if (last && isShallowSame(last, next)) return last;
    this.#states.set(name, next);
    return next;
  }

  /** Remembers values of this slice from now on, as it is shown. */
  #sync(slice: ResourcesState): Memory {
    if (slice !== this.#slice) {
      this.#slice = slice;
      this.#version++;
      const pending = slice.intents.length > 0 ? this.#show(slice) : undefined;
      this.#newest = Math.max(this.#newest, slice.seq);
      this.#memory.sync(pending?.shown ?? slice.tables, pending?.touched, slice.seq < this.#newest);
    }
    return this.#memory;
  }
}

/** Whether a reading is made of what is remembered still: what is kept under its name may have been read anew by somebody else meanwhile. */
function isSourced({ source, value, schema }: Reading): boolean {
  return source?.isFresh === true && source.value === value && source.schema === schema;
}

/** What stands for an answer: what a patch by hand shows, or what came. */
export function resultIn(tables: Tables, name: string, result: unknown): unknown {
  const patched = rowFrom(tables, answersTable, name) as { readonly result: unknown } | undefined;
  return patched ? patched.result : result;
}

/** What is shown of a slice, and which of its rows and lists are not what is confirmed. */
interface Shown extends Pick<ResourcesState, 'tables' | 'intents' | 'journal'> {
  readonly shown: Tables;
  readonly touched: Touched;
}

/** What is read of one entity is remembered under its table and pk. */
export function entityName(table: string, pk: string): string {
  return `entity ${table} ${pk}`;
}

/** How much is kept for a value: about one for each row. */
function weightOf(source: Value | undefined, value: unknown): number {
  return 1 + (source?.reads ?? 0) + (Array.isArray(value) ? value.length : 0);
}

/** Whether what the tables have for a question depends on nothing but whether a certain row is there. */
function isKnownByPk(question: Question): boolean {
  if ('ref' in question) return true;
  const schema = schemaOf(question.definition);
  return isLists(schema) || (schema instanceof EntitySchema && schema.indexes.length === 0);
}

/** Whether there is an answer that counts. */
export function hasAnswer(record: RequestRecord | undefined): record is RequestRecord & { readonly answer: Answer } {
  return record?.answer !== undefined && !record.invalid && !isOver(endOf(record.answer));
}

/** When an answer is as good as missing by growing stale, in ms since the epoch; Infinity for never. */
function endOf({ invalidIfStale, expiresAt }: Answer): number {
  return invalidIfStale ? expiresAt : Infinity;
}

/** Whether a time (ms since the epoch) has come. */
function isOver(time: number): boolean {
  return time < Infinity && Date.now() >= time;
}

const readers = new WeakMap<object, StoreReader>();

/** The reader of the store that a slice belongs to. */
export function readerOf(slice: ResourcesState): StoreReader {
  return getOrMake(readers, slice.anchor, () => new StoreReader());
}
