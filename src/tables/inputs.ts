import { pick, setOwn, type NestingSchema, type Row } from '../schema/Schema.js';
import { differs, sameValue } from './changes.js';
import type { Preview } from './NormalizeOptions.js';
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

/** After a table's name: where it is kept when its rows came about; only for classes that ask. */
export const metaSuffix = ' meta';

export function mergeRows(existing: Row, incoming: Row): Row {
  return { ...existing, ...incoming };
}

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
    let place = nested.length - 1;
    while (place >= 0 && nested[place]?.[0] !== field) place--;
    const incoming = place < 0 ? value : refs[place];
    if (incoming !== kept[field] && !(Object.hasOwn(kept, field) && sameValue(kept[field], incoming))) return true;
  }
  return false;
}
