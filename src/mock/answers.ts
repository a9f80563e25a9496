import type { Collection } from '../schema/Collection.js';
import { findCollection } from '../schema/collections.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { EntitySchema } from '../schema/EntitySchema.js';
import { isMembers, type MembersSchema } from '../schema/ListsSchema.js';
import { ObjectSchema } from '../schema/Object.js';
import type { Definition, Schema } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { TotalSchema } from '../schema/Total.js';
import { UnionSchema } from '../schema/Union.js';
import type { Listed } from './lists.js';
import { entitiesIn } from './relations.js';
import { shown, type Tables } from './tables.js';
import type { Entry } from './Table.js';

/** The list that a definition describes, if it is one, whatever stands for it. */
function listIn(definition: Definition): MembersSchema | undefined {
  let schema: Schema | undefined = schemaOf(definition);
  while (schema) {
    if (isMembers(schema)) return schema;
    if (schema instanceof EntitySchema || schema instanceof UnionSchema || schema instanceof ObjectSchema)
      return undefined;
    const isItem: boolean = schema instanceof CollectionOperation && schema.verb !== 'append';
    schema = isItem ? undefined : schemaOf(schema.children?.()[0]);
  }
  return undefined;
}

/** The definitions in the fields of a shape, its own where it is none. */
function leavesOf(definition: Definition, name = ''): readonly (readonly [name: string, definition: Definition])[] {
  const schema = schemaOf(definition);
  if (!(schema instanceof ObjectSchema)) return [[name, definition]];
  return Object.entries(schema.fields).flatMap(([field, inner]) => leavesOf(inner, field));
}

/** What an answer is about: of a shape, the field with its Collection, its row, or whatever comes first. */
export interface Content {
  readonly definition: Definition;
  readonly isList: boolean;
  /** Whether what asks for the next page is a text there. */
  readonly hasCursor: boolean;
  readonly collection: Collection | undefined;
}

/** Finds what an answer is about; undefined where no entity is in it. */
export function contentOf(definition: Definition, isOne: boolean): Content | undefined {
  const collection = findCollection(definition);
  const leaves = leavesOf(definition);
  const inside = leaves.flatMap(([, leaf]) => (entitiesIn([leaf]).size > 0 ? [leaf] : []));
  const isMeant = (leaf: Definition): boolean => (isOne ? !listIn(leaf) : findCollection(leaf) !== undefined);
  const content = inside.find(isMeant) ?? inside[0];
  const hasCursor = leaves.some(([name, leaf]) => typeof leaf === 'string' && turnOf(name, {}) !== undefined);
  return content === undefined
    ? undefined
    : { definition: content, isList: listIn(content) !== undefined, collection, hasCursor };
}

/** What asks for the pages beside one, or leads there. */
export type Turns<At = number | string> = { readonly [Side in 'next' | 'previous']?: At | undefined };

/** The body of an answer as its schema describes it, and what of a list it tells. */
export function answerOf(
  tables: Tables,
  whole: Definition,
  content: Content,
  about: Entry | Listed,
  links?: Turns,
): { readonly json: unknown; readonly hasTotal: boolean; readonly hasTurns: boolean } {
  const listed = 'entries' in about ? about : undefined;
  let [hasTotal, hasTurns] = [false, false];
  const visit = (definition: Definition, name = ''): unknown => {
    const schema = schemaOf(definition);
    if (schema instanceof ObjectSchema) return mapped(schema.fields, visit);
    if (definition === content.definition) return listed ? itemsOf(definition, listed.entries) : shown(about);
    const counted = listed && countOf(name, definition);
    if (counted === 'total') hasTotal = true;
    if (schema && !counted) return othersOf(tables, definition);
    const none = typeof definition === 'function' ? undefined : definition;
    if (counted) return listed[counted] ?? none;
    const turn = listed && turnOf(name, links && typeof none !== 'number' ? links : listed);
    if (turn) hasTurns = true;
    return turn ? (turn.value ?? none ?? null) : none;
  };
  const json = visit(whole);
  return { json, hasTotal, hasTurns };
}

/** What a field counts of a list, by the words of its name; undefined where it counts nothing. */
function countOf(name: string, definition: Definition): 'total' | 'pages' | 'page' | undefined {
  if (definition instanceof TotalSchema) return 'total';
  if (typeof definition !== 'number') return undefined;
  const words = name.replace(/([a-z])(?=[A-Z])|_/g, '$1 ');
  if (/\bpages\b|\bpage (?:count|total)\b|\blast page\b/i.test(words)) return 'pages';
  if (/^(?:current )?page(?: number| index)?$/i.test(words)) return 'page';
  return /\b(?:total|count)\b/i.test(words) ? 'total' : undefined;
}

/** What a field says of the pages beside one, by its name; undefined where it says nothing. */
function turnOf(name: string, { next, previous }: Turns): { readonly value: unknown } | undefined {
  if (/^has_?(?:more|next)/i.test(name)) return { value: next !== undefined };
  if (/^has_?prev/i.test(name)) return { value: previous !== undefined };
  if (/^(?:@odata\.)?(?:next|end_?cursor)/i.test(name)) return { value: next };
  return /^prev/i.test(name) ? { value: previous } : undefined;
}

/** Rows as the members of a list, or as its values by name. */
function itemsOf(definition: Definition, entries: readonly Entry[]): unknown {
  const list = listIn(definition);
  const item = (entry: Entry): unknown => {
    const member = schemaOf(list?.member);
    if (!(member instanceof ObjectSchema)) return shown(entry);
    return mapped(member.fields, (inner) => (entitiesIn([inner]).size > 0 ? shown(entry) : inner));
  };
  if (!list?.isByName) return entries.map(item);
  return Object.fromEntries(entries.map((entry) => [entry.name ?? entry.pk, item(entry)]));
}

/** What stands beside what an answer is about: all rows of a list, the first row. */
function othersOf(tables: Tables, definition: Definition): unknown {
  const entries = tables.in(definition).flatMap(({ rows }) => [...rows.values()]);
  return listIn(definition) ? itemsOf(definition, entries) : shown(entries[0] ?? null);
}

function mapped(
  fields: Readonly<Record<string, Definition>>,
  visit: (definition: Definition, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, definition]) => [name, visit(definition, name)]));
}
