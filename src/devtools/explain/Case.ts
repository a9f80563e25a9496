import { Deletion } from '../../schema/Deletion.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import {
  isAbsent,
  isUnionRef,
  none,
  own,
  type Definition,
  type Ref,
  type Row,
  type RowSchema,
  type Schema,
} from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { AnyEndpoint } from '../../store/endpoint.js';
import { allRowSchemas, requestsShowing } from '../../store/lifetime/mentions.js';
import type { Intent } from '../../store/order/intent.js';
import { rowsOf } from '../../store/order/lists.js';
import { refsIn } from '../../tables/members.js';
import { readerOf } from '../../store/reading/StoreReader.js';
import type { KeptEntry } from '../../store/outbox.js';
import type { RequestRecord, ResourcesState } from '../../store/state.js';
import { currentPk, keptPk } from '../../tables/aliases.js';
import { Places, type Place } from '../../tables/Places.js';
import { partsOf } from '../../tables/Reach.js';
import { eachRow, listFrom, rowFrom, rowOf, type Tables } from '../../tables/tables.js';
import type { EventMeta, ResourceEvent } from '../record/events.js';
import type { Names } from '../record/Names.js';
import type { Redact } from '../record/redact.js';
import { readerInWire, type Put } from './wire.js';

/** What an explanation is made of. */
export interface Evidence {
  readonly slice: ResourcesState;
  readonly events: readonly ResourceEvent[];
  /** There were events before these, for which there was no room. */
  readonly isCut: boolean;
  /** The endpoint of a request, by what the request is kept under. */
  readonly endpointOf: (name: string) => AnyEndpoint | undefined;
  /** What describes the data that the store has met. */
  readonly definitions: () => readonly Definition[];
  readonly redact: Redact;
  readonly names: Names;
}

/** One question with all that is known: what is shown, what is confirmed, and what was recorded. Rows are in wire form; nothing is made of them. */
export class Case {
  readonly slice: ResourcesState;
  readonly shown: Tables;
  readonly events: readonly ResourceEvent[];
  readonly isCut: boolean;
  readonly endpointOf: Evidence['endpointOf'];
  readonly redact: Redact;
  readonly names: Names;
  readonly #definitions: Evidence['definitions'];
  #known: ReadonlySet<RowSchema> | undefined;
  #begun: readonly ResourceEvent[] | undefined;

  constructor({ slice, events, isCut, endpointOf, definitions, redact, names }: Evidence) {
    this.#definitions = definitions;
    this.slice = slice;
    this.shown = readerOf(slice).shown(slice);
    this.events = events;
    this.isCut = isCut;
    this.endpointOf = endpointOf;
    this.redact = redact;
    this.names = names;
  }

  record(name: string): RequestRecord | undefined {
    return rowOf(this.slice.requests, name);
  }

  /** The schemas of all rows and lists that the store has met. */
  schemas(): ReadonlySet<RowSchema> {
    return (this.#known ??= allRowSchemas(this.#definitions()));
  }

  /** The class of the rows of a table: of several, one that has a certain field; undefined where no request has met it. */
  schemaOf(table: string, field?: string): EntitySchema | undefined {
    let first: EntitySchema | undefined;
    for (const schema of this.schemas()) {
      if (schema.table !== table || !(schema instanceof EntitySchema)) continue;
      if (field === undefined || schema.declares(field)) return schema;
      first ??= schema;
    }
    return first;
  }

  /** What a field refers to. */
  nestedIn(table: string, field: string): Schema | undefined {
    return this.schemaOf(table, field)?.nested.find(([name]) => name === field)?.[1];
  }

  /** Whether selectors show a row, or a list: it is there, and what a row cannot be without, too. */
  isShown(table: string, pk: string): boolean {
    return this.#lackOf({ table, pk }, new Set()) === undefined;
  }

  /** The row or list for want of which selectors do not show one: itself, or one that it cannot be without. */
  #lackOf(place: Place, seen: Set<string>): Place | undefined {
    const row = rowFrom(this.shown, place.table, place.pk);
    const name = `${place.table} ${place.pk}`;
    if (!row || seen.has(name)) return row ? undefined : place;
    seen.add(name);
    return this.lackIn(place.table, row, seen)?.place;
  }

  /** The first field that keeps a row from being shown, and what it lacks: it is required, and what it refers to is not shown. */
  lackIn(
    table: string,
    row: Row,
    seen = new Set<string>(),
  ): { readonly field: string; readonly place: Place } | undefined {
    const schema = this.schemaOf(table);
    for (const [field, inner] of schema?.nested ?? none) {
      const ref = own(row, field);
      const isNeeded = ('table' in inner || isUnionRef(ref)) && Boolean(own(schema?.defaults, field));
      const place = isNeeded ? this.awayIn(inner, ref, seen) : undefined;
      if (place) return { field, place };
    }
    return undefined;
  }

  /** The first row or list for want of which selectors do not show all that is referred to. */
  awayIn(schema: Schema | undefined, ref: unknown, seen = new Set<string>()): Place | undefined {
    const parts = !schema || isAbsent(ref) ? none : partsOf(schema, ref);
    for (const part of parts) {
      const place = this.#lackOf(part, seen);
      if (place) return place;
    }
    return undefined;
  }

  /** The pk that selectors show of a row. */
  readonly told = (table: string, pk: string): string => currentPk(this.shown, table, pk);

  readonly #pkIfShown: Put = (table, pk) => (this.isShown(table, pk) ? this.told(table, pk) : undefined);

  /** What selectors show in place of a reference, in wire form; `put` says what stands for a row: its pk where it is shown, unless given. */
  wire(schema: Schema | undefined, ref: unknown, put = this.#pkIfShown): unknown {
    return ref === undefined || !schema ? ref : schema.denormalize(ref, readerInWire(this.shown, put), true);
  }

  /** A row as it is shown, in wire form. */
  wireRow(table: string, pk: string, tables = this.shown, put?: Put): Row | undefined {
    const row = rowFrom(tables, table, pk);
    const wire = ([name, ref]: [string, unknown]) => [name, this.wire(this.nestedIn(table, name), ref, put)];
    return row && (Object.fromEntries(Object.entries(row).map(wire)) as Row);
  }

  /** The pks of the members of a list that are shown, as rows are kept under them, unless told otherwise; undefined where there is no such list. */
  members(
    table: string,
    pk: string,
    tables = this.shown,
    put = (_: string, one: string): string => one,
  ): readonly string[] | undefined {
    return this.#refs(tables, table, pk)?.flatMap((ref) => {
      const place = rowsOf(table, ref).find(([name, one]) => this.isShown(name, one));
      return place ? [put(...place)] : [];
    });
  }

  #refs(tables: Tables, table: string, pk: string): readonly (Ref | null | undefined)[] | undefined {
    const list = listFrom(tables, table, pk);
    return list && refsIn(list);
  }

  /** The rows that a list names by a pk, shown or not. */
  named(table: string, list: string, pk: string): readonly { readonly table: string; readonly pk: string }[] {
    const places = (this.#refs(this.shown, table, list) ?? []).flatMap((ref) => rowsOf(table, ref));
    return places.flatMap(([name, one]) => (one === pk ? [{ table: name, pk }] : []));
  }

  /** The newest event that is so. */
  newest(isSo: (event: ResourceEvent) => boolean): ResourceEvent | undefined {
    return this.events.findLast(isSo);
  }

  /** The events with which requests, and patches by hand, began, in order; what the outbox has brought from another time began then. */
  get beginnings(): readonly ResourceEvent[] {
    return (this.#begun ??= this.events
      .flatMap((event) => {
        const { begins } = event.meta;
        return begins?.map((meta) => ({ ...event, at: meta.startedTimeStamp ?? event.at, meta })) ?? event;
      })
      .filter(({ meta }) => !isEnd(meta)));
  }

  begun(requestId: string): ResourceEvent | undefined {
    return this.beginnings.find(({ meta }) => meta.requestId === requestId);
  }

  /** The event with which a request ended. */
  ended(requestId: string): ResourceEvent | undefined {
    return this.newest(({ meta }) => meta.requestId === requestId && isEnd(meta));
  }

  /** A write in the outbox. */
  kept(requestId: string): KeptEntry | undefined {
    return this.slice.outbox?.entries.find(({ id }) => id === requestId);
  }

  /** The event of a request or a write by its place on the clock of the store. */
  at(seq: number): ResourceEvent | undefined {
    return (
      this.newest(({ meta }) => meta.seq === seq && meta.requestStatus !== 'pending') ??
      this.newest(({ meta }) => meta.seq === seq)
    );
  }

  /** The guesses that are shown still, the newest first. */
  get guesses(): readonly Intent[] {
    return [...this.slice.intents].reverse();
  }

  /** What the request that a guess is of is called, as in the state. */
  nameOf(requestId: string): string | undefined {
    const event = this.begun(requestId) ?? this.ended(requestId);
    if (event?.meta.arg) return event.meta.arg.key;
    let found: string | undefined;
    eachRow(this.slice.requests, ({ pending, answer }, name) => {
      if (answer?.requestId === requestId || pending.some((one) => one.requestId === requestId))
        found ??= this.keyOf(name);
    });
    const kept = this.kept(requestId);
    return found ?? (kept && this.names.keyOf(kept.endpointName, kept.key, this.slice));
  }

  /** The key in what a request is kept under. */
  keyOf(name: string): string {
    return this.names.key(name, this.slice);
  }

  /** The pks that a row has had: the one it is kept under, and those it had before. */
  pksOf(table: string, pk: string): ReadonlySet<string> {
    const earlier = this.#renamed(table).filter((renamed) => renamed.pk === pk);
    return new Set([pk, ...earlier.map(({ temporary }) => temporary)]);
  }

  /** The pk that a row is kept under which was asked for by the temporary one that it had, or by the one that it was given since. */
  realPk(table: string, pk: string): string {
    const found = this.#renamed(table).find(({ temporary }) => temporary === pk);
    return keptPk(this.slice.tables, table, found?.pk ?? pk);
  }

  /** The rows of a table that were created, with the pks that they had before. */
  #renamed(table: string): NonNullable<EventMeta['renamed']> {
    return this.events.flatMap(({ meta }) => meta.renamed ?? []).filter((renamed) => renamed.table === table);
  }

  /** The newest request whose answer shows a row or a list, as the state tells it. */
  bringer(table: string, pk: string): { readonly name: string; readonly at: number } | undefined {
    const meant = new Places();
    meant.set(table, pk, true);
    let newest: { readonly name: string; readonly at: number } | undefined;
    for (const name of requestsShowing(this.slice, meant, this.endpointOf)) {
      const at = this.record(name)?.answer?.fulfilledTimeStamp;
      const endpoint = this.endpointOf(name);
      // A deletion names a row, and brings nothing of it.
      if (endpoint && schemaOf(endpoint.schema) instanceof Deletion) continue;
      if (at !== undefined && at > (newest?.at ?? -1)) newest = { name, at };
    }
    return newest;
  }
}

/** Whether a request has ended with an event. */
export function isEnd({ requestStatus }: EventMeta): boolean {
  return requestStatus === 'fulfilled' || requestStatus === 'rejected';
}
