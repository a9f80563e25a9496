import { createNextState } from '@reduxjs/toolkit';
import { resourceError } from '../../../errors.js';
import { EntitySchema, isPk } from '../../../schema/EntitySchema.js';
import { isLists, isMembers, type MembersSchema } from '../../../schema/ListsSchema.js';
import { ObjectSchema } from '../../../schema/Object.js';
import {
  getOrMake,
  isRecord,
  isUnionRef,
  none,
  own,
  type Definition,
  type Reader,
  type Row,
  type RowSchema,
  type Schema,
} from '../../../schema/Schema.js';
import { schemaOf } from '../../../schema/schemaOf.js';
import { keptPk } from '../../../tables/aliases.js';
import type { Place, Places } from '../../../tables/Places.js';
import { offsetOf, pageOf } from '../../../tables/slots.js';
import { rowAt, rowFrom, slotOf, tableOf, type Tables } from '../../../tables/tables.js';
import { copyOf, ListHandler, RecordHandler, type Giver, type ListDraft, type RecordDraft } from './handlers.js';

/** A row that is meant, whether it is there or not. */
export class Reference {
  readonly schema: EntitySchema;
  readonly pk: string;

  constructor(schema: EntitySchema, pk: string) {
    this.schema = schema;
    this.pk = pk;
  }

  toJSON(): string {
    return this.pk;
  }
}

/** The tables as immer gives them to be written. */
interface Writable {
  readonly tables: Readonly<Record<string, { readonly rows: readonly (readonly Record<string, unknown>[])[] }>>;
  readonly answer: unknown;
}

/** What is known of a row or a shape when its draft is made. */
type Recording = Pick<RecordDraft, 'base' | 'schemaOf' | 'row'> & { readonly open?: RecordDraft['open'] | undefined };

/** What drafts are made over. */
export interface Over {
  readonly tables: Tables;
  /** Notes the rows and lists that are looked at, there or not. */
  readonly looked?: Places;
}

const finished = new Error('finished');

/**
 * Rows and lists as a recipe sees them: drafts of immer's over the tables themselves, with what a row refers to in its place. A row that two others
 * refer to is one draft, and what nobody looks at costs nothing: to change one row of a list of 10 000 takes 0.1 ms, a draft of all of it 30.
 */
export class Drafts implements Reader, Giver {
  readonly resolve = schemaOf;
  readonly isTracing = true;
  readonly tables: Tables;
  /** The drafts that were given out. */
  readonly records = new Map<unknown, RecordDraft>();
  readonly lists = new Map<unknown, ListDraft>();
  readonly #known = new Map<object, Map<string, object>>();
  readonly #writable: Writable;
  readonly #name: string;
  readonly #looked: Places | undefined;
  #isOver = false;

  private constructor(name: string, { tables, looked }: Over, writable: Writable) {
    this.#name = name;
    this.#looked = looked;
    this.tables = tables;
    this.#writable = writable;
  }

  /** Gives out drafts for as long as a function runs. Throws what the function throws. */
  static use<Result>(name: string, over: Over, answer: unknown, use: (drafts: Drafts) => Result): Result {
    const { tables } = over;
    let result: { readonly of: Result } | undefined;
    try {
      createNextState({ tables, answer }, (writable: unknown) => {
        const drafts = new Drafts(name, over, writable as Writable);
        try {
          result = { of: use(drafts) };
        } finally {
          drafts.#isOver = true;
        }
        // What has changed is known by now: immer need not put the tables together, nor freeze them.
        throw finished;
      });
    } catch (error) {
      if (error !== finished) throw error;
    }
    // It was set, or something was thrown.
    return (result as { readonly of: Result }).of;
  }

  /** The value that immer makes the draft of. */
  get value(): unknown {
    return this.#writable.answer;
  }

  /** What stands for a value, as a draft. */
  read(definition: Definition, ref: unknown, open?: () => Record<string, unknown>): unknown {
    const schema = schemaOf(definition);
    if (!schema || ref === undefined || ref === null) return ref;
    if (schema.isLazy) return this.read(schema.children?.()[0], ref);
    if (isMembers(schema)) return this.#membersOf(schema, ref);
    if (schema instanceof ObjectSchema && isRecord(ref))
      return this.#record({ base: ref, schemaOf: (field) => schemaOf(own(schema.fields, field)), open });
    return schema.denormalize(ref, this);
  }

  /** The answer of an endpoint, as a draft. */
  answer(definition: Definition, ref: unknown): unknown {
    // Without a schema, nothing in it is a row.
    if (!schemaOf(definition)) return this.value;
    return this.read(definition, ref, () => this.#writable.answer as Record<string, unknown>);
  }

  /** What is to be created, as a draft over one of immer's: rows that are there stand in place of their pks. */
  made(definition: Definition, value: unknown, at: unknown): unknown {
    const over = at as Record<string, unknown>;
    if (Array.isArray(value)) return value.map((one, i) => this.made(definition, one, over[i]));
    const schema = schemaOf(definition);
    if (!schema || !isRecord(value)) return at;
    const one = schema.chosen ? schema.chosen(value, schemaOf) : schema;
    if (one instanceof EntitySchema) {
      // What stands there whole is no reference, nor is a list of the item's own.
      const inner = (field: string): Schema | undefined => {
        const nested = nestedIn(one, field);
        return isLists(nested) || [own(value, field)].flat().some(isRecord) ? undefined : nested;
      };
      return this.#record({ base: value, schemaOf: inner, open: () => over, row: { schema: one } });
    }
    if (!(one instanceof ObjectSchema)) return this.made(one?.children?.()[0], value, at);
    for (const field of Object.keys(value)) over[field] = this.made(own(one.fields, field), value[field], over[field]);
    return at;
  }

  /** A row, or what stands for one that is not there. */
  ref(schema: EntitySchema, id: unknown): object {
    if (id instanceof Reference) return this.ref(schema, id.pk);
    const told = isRecord(id) ? schema.pk(id) : String(id);
    const pk = keptPk(this.tables, schema.table, told ?? '');
    return this.row(schema, pk) ?? new Reference(schema, pk);
  }

  absent(schema: Schema, ref: unknown): unknown {
    if (schema instanceof EntitySchema && isPk(ref)) return this.ref(schema, ref);
    return ref === null ? ref : undefined;
  }

  row(schema: RowSchema, pk: string): object | undefined {
    this.#looked?.set(schema.table, pk, true);
    const known = getOrMake(this.#known, schema, () => new Map<string, object>());
    let draft = known.get(pk);
    if (!draft) {
      const table = tableOf(this.tables, schema.table);
      const slot = table ? slotOf(table, pk) : -1;
      // A table of this name holds rows, or lists.
      const kept = table && slot >= 0 ? (rowAt(table, slot) as object | undefined) : undefined;
      draft = kept && this.#draftOf(schema, pk, kept, slot);
      if (draft) known.set(pk, draft);
    }
    return draft;
  }

  rows(): readonly unknown[] {
    return [];
  }

  computed(_by: unknown, _value: unknown, _args: unknown, compute: () => unknown): unknown {
    return compute();
  }

  #draftOf(schema: RowSchema, pk: string, kept: object, slot: number): object {
    const { table } = schema;
    if ('nested' in schema) {
      // What has fields that nest is an entity.
      const entity = schema as EntitySchema;
      return this.#record({
        base: kept as Row,
        schemaOf: (field) => nestedIn(entity, field),
        open: () => this.#writable.tables[table]?.rows[pageOf(slot)]?.[offsetOf(slot)] ?? {},
        row: { schema: entity, pk },
      });
    }
    if (isLists(schema)) return this.#membersOf(schema.inner, kept, { table, pk }) as object;
    const value = schema.begin(kept);
    schema.fill(value, kept, this);
    return value;
  }

  #membersOf(members: MembersSchema, refs: unknown, place?: Place): unknown {
    if (Array.isArray(refs)) {
      const isHere = (ref: unknown): boolean => isThere(this.tables, members, ref);
      const base: readonly unknown[] = refs.filter(isHere);
      const hidden = base.length === refs.length ? none : refs.filter((ref) => !isHere(ref));
      return this.#list({ members, refs, base, hidden, now: [...base], given: new Map(), ...(place && { place }) });
    }
    return isRecord(refs) ? this.#record({ base: refs, schemaOf: () => schemaOf(members.member) }) : refs;
  }

  assertOpen(): void {
    if (this.#isOver) throw resourceError('R32', this.#name);
  }

  /** What is part of an answer or a row, and not opened by immer, is copied. */
  #record({ open, ...known }: Recording): object {
    const { base } = known;
    const record = { ...known, written: undefined, nested: new Map(), open: open ?? (() => copyOf(base)) };
    const draft = new Proxy<object>({}, new RecordHandler(this, record));
    this.records.set(draft, record);
    return draft;
  }

  #list(list: ListDraft): object {
    const draft = new Proxy(list.now, new ListHandler(this, list));
    this.lists.set(draft, list);
    return draft;
  }
}

function nestedIn(entity: EntitySchema, field: string): Schema | undefined {
  return entity.nested.find(([name]) => name === field)?.[1];
}

/** Whether what a list refers to is there. */
function isThere(tables: Tables, members: MembersSchema, ref: unknown): boolean {
  const table = isUnionRef(ref) ? ref.table : (schemaOf(members.member) as Partial<RowSchema> | undefined)?.table;
  const pk = isUnionRef(ref) ? ref.pk : ref;
  return !isPk(pk) || table === undefined || rowFrom(tables, table, String(pk)) !== undefined;
}
