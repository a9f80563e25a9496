import { current, isDraft } from '@reduxjs/toolkit';
import { resourceError, show } from '../../../errors.js';
import { EntitySchema, isPk } from '../../../schema/EntitySchema.js';
import { isLists, isMembers } from '../../../schema/ListsSchema.js';
import { ObjectSchema } from '../../../schema/Object.js';
import {
  getOrMake,
  none,
  isRecord,
  own,
  setOwn,
  type Definition,
  type List,
  type Ref,
  type Row,
  type Schema,
} from '../../../schema/Schema.js';
import { schemaOf } from '../../../schema/schemaOf.js';
import type { Changes } from '../../../tables/changes.js';
import { type ListChange, among, isDone } from '../../../tables/members.js';
import { hasNoOthers, newsIn, sameValue } from '../../../tables/same.js';
import { keptPk } from '../../../tables/aliases.js';
import { normalize } from '../../../tables/normalize.js';
import type { Place } from '../../../tables/Places.js';
import { listFrom, rowFrom } from '../../../tables/tables.js';
import { copyToWire, isWire } from '../plain.js';
import { Reference, type Drafts } from './Drafts.js';
import { defaultIn, fill, Put, type ListDraft, type RecordDraft } from './handlers.js';

/** What a recipe has changed, taken back from its drafts into what tables keep. */
export class DraftChanges {
  readonly #drafts: Drafts;
  readonly #name: string;
  readonly #rows = new Map<string, { table: string; pks: string[]; rows: Row[] }>();
  readonly #lists: ListChange[] = [];

  constructor(drafts: Drafts, name: string) {
    this.#drafts = drafts;
    this.#name = name;
  }

  all(): Changes {
    const changed = [...this.#drafts.records.values()].flatMap(
      (record): readonly (readonly [table: string, pk: string, fields: Row])[] => {
        const { schema: entity, pk } = record.row ?? {};
        if (!entity || pk === undefined || (!record.written && record.nested.size === 0)) return none;
        const fields = this.#fieldsOf(record);
        if (Object.keys(fields).length === 0) return none;
        if (entity.pk({ ...record.base, ...fields }) !== entity.pk(record.base))
          throw resourceError('R31', this.#name, entity.table);
        return [[entity.table, pk, fields]];
      },
    );
    for (const list of this.#drafts.lists.values()) if (list.place) this.#changeList(list.place, list);
    // What a recipe has put in is noted by now: what it has changed lies over that.
    for (const row of changed) this.#note(...row);
    return { rows: [...this.#rows.values()], lists: this.#lists };
  }

  #note(table: string, pk: string, row: Row): void {
    const { pks, rows } = getOrMake(this.#rows, table, () => ({ table, pks: [], rows: [] }));
    pks.push(pk);
    rows.push(row);
  }

  /** What stands for a value that a recipe has left, by the schema that it has. */
  refOf(definition: Definition, value: unknown, was?: unknown): unknown {
    const schema = schemaOf(definition);
    if (!schema || value === undefined || value === null) return value;
    if (schema.isLazy) return this.refOf(schema.children?.()[0], value, was);
    if (this.#isToBeMade(value)) return was;
    const row = this.#rowOf(value);
    if (row) return schema.refOf ? schema.refOf(row.schema.table, row.pk, row.base, schemaOf) : row.pk;
    return this.#refOfOther(schema, value, was);
  }

  /** What stands for a value that is no draft of a row. */
  #refOfOther(schema: Schema, value: unknown, was: unknown): unknown {
    // A list that lies in another row changes by itself.
    if (isLists(schema)) return was;
    if (isMembers(schema)) {
      const list = this.#drafts.lists.get(value);
      return list ? this.#refsOf(list) : this.#membersOf(() => schema.member, value);
    }
    if (schema instanceof ObjectSchema) return this.#membersOf((field) => own(schema.fields, field), value);
    return this.#refOfRow(schema, value, was);
  }

  /** What is to be created has no pk yet, by which another row could refer to it. */
  #isToBeMade(value: unknown): boolean {
    const row = this.#drafts.records.get(value)?.row;
    return row !== undefined && row.pk === undefined;
  }

  #rowOf(value: unknown): (Required<NonNullable<RecordDraft['row']>> & Pick<RecordDraft, 'base'>) | undefined {
    const { row: { schema, pk } = {}, base = {} } = this.#drafts.records.get(value) ?? {};
    if (schema && pk !== undefined) return { schema, pk, base };
    return value instanceof Reference ? { schema: value.schema, pk: value.pk, base } : undefined;
  }

  /** A row that is told in place of its pk; it is made where it is not there, and changed where it is a copy of what is there. */
  #refOfRow(schema: Schema, value: unknown, was: unknown): unknown {
    if (schema instanceof EntitySchema && isPk(value)) return keptPk(this.#drafts.tables, schema.table, String(value));
    if (!isRecord(value)) return was;
    const { tables } = this.#drafts;
    const { result, changes, unplaced } = normalize(schema, copyToWire(value, this.#name), {
      tables,
      name: this.#name,
      preview: {},
    });
    const [entity] = unplaced;
    if (entity !== undefined) throw resourceError('R33', this.#name, entity);
    for (const { table, pks, rows } of changes.rows)
      pks.forEach((pk, i) => {
        const brought = broughtBy(rows[i], rowFrom(tables, table, pk));
        if (brought) this.#note(table, pk, brought);
      });
    // What a copy has left as it was, others may change meanwhile.
    this.#lists.push(...changes.lists.filter((change) => !isDone(listFrom(tables, change.table, change.pk), change)));
    return result;
  }

  #membersOf(definitionOf: (field: string) => Definition, value: unknown): unknown {
    if (Array.isArray(value)) return value.flatMap((member: unknown) => this.refOf(definitionOf(''), member) ?? []);
    if (!isRecord(value)) return value;
    const shape = this.#drafts.records.get(value);
    if (shape) {
      const fields = this.#fieldsOf(shape);
      return Object.keys(fields).length === 0 ? shape.base : { ...shape.base, ...fields };
    }
    const refs: Record<string, unknown> = {};
    for (const field of Object.keys(value)) setOwn(refs, field, this.refOf(definitionOf(field), value[field]));
    return copyToWire(refs, this.#name);
  }

  #refsOf({ members, refs: all, base, hidden, now, given }: ListDraft): readonly unknown[] {
    const refOf = (member: unknown): unknown => {
      if (member instanceof Put)
        return member.value === undefined || this.#isToBeMade(member.value) ? undefined : put(member.value);
      const value = isRecord(member) ? given.get(member) : undefined;
      return value === undefined ? member : put(value, member);
    };
    const put = (value: unknown, was?: unknown): unknown => this.refOf(members.member, value, was) ?? null;
    const refs = now.map(refOf).filter((ref) => ref !== undefined);
    return sameValue(refs, base) ? all : [...refs, ...hidden];
  }

  #changeList(place: Place, list: ListDraft): void {
    // What a list is kept as.
    const before = list.refs as readonly Ref[];
    const after = this.#refsOf(list) as readonly Ref[];
    if (after === before) return;
    const [isBefore, isAfter] = [among(before), among(after)];
    const gone = before.filter((ref) => !isAfter(ref));
    const kept = before.filter(isAfter);
    const at = after.findIndex(isBefore);
    const first = at < 0 ? none : after.slice(0, at);
    const last = after.slice(first.length + (at < 0 ? 0 : kept.length));
    const change = (operation: ListChange['operation'], refs: List): void => {
      this.#lists.push({ ...place, operation, list: refs });
    };
    // Where those that stay stand as they stood, what comes and goes is told alone.
    if (!sameValue(after, [...first, ...kept, ...last])) {
      change('set', after);
      return;
    }
    if (gone.length > 0) change('remove', gone);
    if (first.length > 0) change('unshift', first);
    if (last.length > 0) change('push', last);
  }

  /** The fields of a row or of a shape that are others now. What was deleted stays as it was. */
  #fieldsOf(record: RecordDraft): Record<string, unknown> {
    const { base, written, nested } = record;
    const fields: Record<string, unknown> = {};
    const note = (field: string, value: unknown, was: unknown): void => {
      if (value !== undefined && !sameValue(was, value)) setOwn(fields, field, value);
    };
    for (const [field, value] of Object.entries(written ?? {})) {
      // A list or a shape that the row lacks is there as soon as somebody looks at it.
      const isLooked = !Object.hasOwn(base, field) && typeof value === 'object';
      if (!nested.has(field))
        note(field, this.#plain(field, value), isLooked ? defaultIn(record, field) : own(base, field));
    }
    for (const [field, { schema, ref, value }] of nested) {
      if (isLists(schema) && Array.isArray(value)) this.#fillList({ table: schema.table, pk: String(ref) }, value);
      note(field, this.refOf(schema, value, ref), ref);
    }
    return fields;
  }

  /** A list in place of what a list of its own has held. */
  #fillList({ table, pk }: Place, value: readonly unknown[]): void {
    for (const [draft, { place, now }] of this.#drafts.lists)
      if (place?.pk === pk && place.table === table && draft !== value) fill(now, Put.all(value));
  }

  /** A plain value without drafts, which nobody can read after the recipe: `current` leaves none in a draft, a copy none in what the recipe has put together. */
  #plain(field: string, value: unknown): unknown {
    const isPlainDraft = isDraft(value) && !(isRecord(value) && this.#drafts.records.has(value));
    const given: unknown = isPlainDraft ? current(value) : value;
    if ((isPlainDraft || typeof given !== 'object') && isWire(given)) return given;
    const name = `The recipe of ${this.#name}`;
    const type = typeof given;
    if (type === 'number' || type === 'function' || type === 'symbol')
      throw resourceError('R19', name, `${show(given)} at ${field}`);
    // The path to what is refused begins with the field.
    return (copyToWire({ [field]: given }, name) as Row)[field];
  }
}

/** What a row brings that a recipe has put in: all where it is new; of a copy of what is there, what differs. With just some of the fields it is a reference. */
function broughtBy(row: Row | null | undefined, there: Row | undefined): Row | undefined {
  if (!row || !there) return row ?? undefined;
  return hasNoOthers(there, row) ? newsIn(row, there) : undefined;
}
