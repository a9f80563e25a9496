import { tablesOfLists } from '../schema/listKey.js';
import {
  isUnionRef,
  refersTo,
  pick,
  setOwn,
  type List,
  type NestingSchema,
  type Ref,
  type Row,
} from '../schema/Schema.js';
import { differs, sameValue } from './same.js';
import { onlyThose } from './members.js';
import type { Preview } from './NormalizeOptions.js';
import type { Places } from './Places.js';
import type { RowsDraft } from './RowsDraft.js';

type Nested = NestingSchema['nested'];

/** How the entities of one class are visited. */
export interface Visitor {
  readonly entity: NestingSchema;
  readonly nested: NestingSchema['nested'];
  /** Whether a list can be inside, which is known by its place. */
  readonly holdsLists: boolean;
  /** What was met already, where an entity can be found inside itself. */
  readonly seen: Set<unknown> | undefined;
  readonly draft: RowsDraft;
  /** Whether rows are merged over those that are there, and nothing else is asked. */
  readonly isPlain: boolean;
  /** The references of the entity that is visited, where it cannot lie inside itself: one array for all. */
  readonly refs: unknown[] | undefined;
}

/** How the entities of a class are visited in one response; `isNamed` where it matters which of them lie inside others, as what a write names. */
export function visitorOf(entity: NestingSchema, draft: RowsDraft, isNamed: boolean): Visitor {
  const { nested } = entity;
  const isRecursive = nested.length > 0 && entity.recursive;
  return {
    entity,
    nested,
    // What is no entity may be a list, or have one inside.
    holdsLists: nested.some(([, schema]) => !('nested' in schema)),
    seen: isRecursive ? new Set() : undefined,
    draft,
    isPlain: !draft.whole && !isNamed && !entity.order && entity.version === undefined,
    refs: isRecursive ? undefined : [],
  };
}

/** After a table's name: where it is kept when its rows came about; only for classes that ask. */
export const metaSuffix = ' meta';

/** A row as its table keeps it. What came is kept as it is where nothing inside it is a reference: no copy. */
export function rowOfInput(
  nested: Nested,
  input: Row,
  refs: readonly unknown[],
  counts?: (field: string) => boolean,
): Row {
  if (nested.length === 0 && !counts) return input;
  const row: Record<string, unknown> = counts ? pick(input, counts) : { ...input };
  for (let i = 0; i < nested.length; i++) {
    const ref = refs[i];
    const field = (nested[i] as Nested[number])[0];
    if (ref !== undefined && (!counts || counts(field))) setOwn(row, field, ref);
  }
  return row;
}

/** Which fields of the outermost entity of an expected response are taken; undefined for all. */
export function countingFields(
  preview: Preview | undefined,
  entity: NestingSchema,
  kept: Row | undefined,
  input: Row,
): ((field: string) => boolean) | undefined {
  if (!preview) return undefined;
  const { fields, existing, declared } = preview;
  // A row that is made needs all that is known of it.
  const isMade = kept === undefined && !existing;
  const counts = (field: string): boolean =>
    (isMade || !fields || fields.has(field)) &&
    (!declared || (kept !== undefined && Object.hasOwn(kept, field)) || entity.declares(field));
  return Object.keys(input).every(counts) ? undefined : counts;
}

/** Whether an input differs from the row that is kept; finds it out without building a row. */
export function bringsNews(nested: Nested, kept: Row, input: Row, refs: readonly unknown[]): boolean {
  if (nested.length === 0) return differs(kept, input);
  for (const field in input) {
    const value = input[field];
    if (value === kept[field]) continue;
    const place = placeOf(field, nested);
    const incoming = place < 0 ? value : refs[place];
    if (incoming !== kept[field] && !(Object.hasOwn(kept, field) && sameValue(kept[field], incoming))) return true;
  }
  return false;
}

/** Which of the nested fields one is, or -1. */
function placeOf(field: string, nested: Nested): number {
  let place = nested.length - 1;
  while (place >= 0 && nested[place]?.[0] !== field) place--;
  return place;
}

/** A list without the rows that the same answer says are gone. */
export function withoutRemoved(table: string, list: List, removed: Places | undefined): List {
  const tables = removed ? tablesOfLists(table).filter((name) => removed.in(name).size > 0) : [];
  if (!removed || tables.length === 0) return list;
  const isLeft = (ref: unknown): boolean =>
    !tables.some((name) => removed.has(name, isUnionRef(ref) && ref.table === name ? ref.pk : String(ref)));
  return onlyThose(list, isLeft);
}

/** The member of a list that refers to a row; undefined where none does. */
export function memberOf(list: List, table: string, pk: string): Ref | undefined {
  if (!Array.isArray(list)) return undefined;
  const refs = list as readonly (Ref | null | undefined)[];
  // Looked for as it is, a string is found in a tenth of the time.
  if (refs.includes(pk)) return pk;
  const isOfUnion = typeof refs[0] === 'object';
  return isOfUnion ? (refs.find((ref) => refersTo(ref, table, pk)) ?? undefined) : undefined;
}
