import { orElse } from '../errors.js';
import { findCollection } from '../schema/collections.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { Deletion } from '../schema/Deletion.js';
import { EntitySchema, toldPk } from '../schema/EntitySchema.js';
import { isMembers } from '../schema/ListsSchema.js';
import { ObjectSchema } from '../schema/Object.js';
import {
  isAbsent,
  isPlain,
  isRecord,
  isScalar,
  merged,
  none,
  own,
  pick,
  resolved,
  setOwn,
  type Definition,
  type Row,
  type Schema,
} from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { isSoughtBy } from '../schema/told.js';
import { isForm } from '../schema/json.js';
import { describe, hasFields, isFile, toBody } from '../store/running/plain.js';
import { normalize } from '../tables/normalize.js';
import { rowFrom, type Tables } from '../tables/tables.js';
import type { Expectation, Sent } from '../store/endpoint.js';
import {
  effectOf,
  entitiesIn,
  entityIn,
  envelopeOf,
  isCreating,
  isPkOf,
  paramsOfRow,
  subjectIn,
  type Write,
} from './about.js';
import { resourceOf } from './internal.js';
import { compilePath } from './path.js';

/** Bundlers replace `process.env.NODE_ENV`, and leave out of production what stands behind it: what a warning calls is else in each bundle. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * The response that a write would have, if the server did just what it is asked to: in the envelope that the answer has around its one entity. Undefined
 * where nothing tells before the answer where in its shape the entity stands.
 */
export function expectation(endpoint: Write, params: unknown, body: unknown, held?: Row): Expectation | undefined {
  const expected = expectedOf(endpoint, params, body, held);
  const { schema } = endpoint;
  if (!(schemaOf(resolved(schema)) instanceof ObjectSchema) || !isForeign(schema, expected.response)) return expected;
  const envelope = envelopeOf(schema);
  return envelope && { ...expected, response: enveloped(expected.response, envelope) };
}

/** A value in an envelope: in place of what stands there, beside what else is in it. */
function enveloped(value: unknown, [field, ...others]: readonly string[], around?: unknown): unknown {
  if (field === undefined) return value;
  const outer = isRecord(around) ? around : {};
  return { ...outer, [field]: enveloped(value, others, own(outer, field)) };
}

/** What stands in an envelope. */
function inEnvelope(answer: unknown, envelope: readonly string[]): unknown {
  return envelope.reduce((outer, field) => (isRecord(outer) ? own(outer, field) : undefined), answer);
}

/** The same, without an envelope. */
function expectedOf(endpoint: Write, params: unknown, body: unknown, held: Row | undefined): Expectation {
  const { name, schema: definition } = endpoint;
  const effect = effectOf(endpoint);
  const schema = schemaOf(definition);
  const entity = entityIn(definition);
  const known = paramsOfRow(endpoint, params);
  // What is an entity for certain, no table need tell.
  if (effect === 'delete') return { response: known, constant: entity !== undefined };
  if (effect === 'list') return { response: toBody(body, name) };
  const { names } = compilePath(endpoint.path);
  // An action does not give the row that its path names another pk: `POST /issues/1/labels { id: 2 }`.
  const isOther = (field: string): boolean => !names.has(field) || !Object.hasOwn(known, field);
  const sent = names.size > 0 && endpoint.method === 'POST' && isPlain(body) ? pick(body, isOther) : body;
  if (effect === 'create') return { ...said(endpoint, paramsOfNew(endpoint, params), sent, held), creates: true };
  const fields = new Set(fieldsOf(sent));
  const existing = effect === 'patch';
  // A class that merges by itself must be asked again whenever the row has changed; what makes a row, whether it is there.
  const constant = existing && schema instanceof EntitySchema && !schema.merge;
  return { ...said(endpoint, known, Array.isArray(sent) ? undefined : sent, held), fields, existing, constant };
}

/**
 * What a write says of its rows, field by field, as their class describes them: of what it sends, all that fits. Of a form, a text says something where the
 * field is one; a file says nothing. What nobody can tell before the answer is `unsaid`.
 */
function said(
  { name, schema }: Write,
  params: Row,
  body: unknown,
  held: Row = {},
  entity = entityIn(schema),
): Pick<Expectation, 'response' | 'unsaid'> {
  const unsaid: string[] = [];
  /** A row with the fields that say something; the others are noted. */
  const saying = (row: Row, says: (field: string) => boolean): Row =>
    pick(row, (field) => {
      const isSaid = says(field);
      if (!isSaid && (entity?.declares(field) || Object.hasOwn(held, field))) unsaid.push(field);
      return isSaid;
    });
  // A default of null does not tell of what type its field is.
  const isText = (field: string): boolean =>
    typeof (entity?.defaults[field] ?? held[field] ?? (entity?.defaults[field] === null ? null : '')) === 'string';
  const isNested = (field: string): boolean => entity?.nested.some(([one]) => one === field) === true;
  const fits = (row: Row): boolean =>
    !entity?.nested.length ||
    // To take apart what has nothing inside takes half the time of a write of many.
    (!entity.processes && !Object.keys(row).some(isNested)) ||
    orElse(
      () => normalize(entity, row, { args: [params, body], preview: { temporaryPk: String } }).unplaced.size,
      1,
    ) === 0;
  const rowOf = (plain: unknown, sent: unknown): Row => {
    if (!isRecord(plain)) return params;
    const told = saying(plain, (field) => {
      // The plain form of a form has a description of a file, and a list of several texts.
      if (isForm(sent)) return sent.get(field) === plain[field] && isText(field);
      return !isFile((sent as Row | undefined)?.[field]);
    });
    const row = merged(params, told);
    if (fits(row)) return row;
    const flat = pick(row, (field) => !isNested(field));
    return saying(row, (field) => !isNested(field) || fits({ ...flat, [field]: row[field] }));
  };
  const plain = toBody(body, name);
  const all = body as readonly unknown[];
  return { response: Array.isArray(plain) ? plain.map((one, i) => rowOf(one, all[i])) : rowOf(plain, body), unsaid };
}

/** Whether nothing of an expected response is known to its schema. */
export function isForeign(definition: Definition, response: unknown): boolean {
  if (Array.isArray(response)) return response.length > 0 && response.every((item) => isForeign(definition, item));
  if (!isRecord(response)) return false;
  const schema = schemaOf(resolved(definition));
  if (schema instanceof ObjectSchema)
    return !Object.keys(schema.fields).some((field) => Object.hasOwn(response, field));
  const entities = entitiesIn(definition);
  return entities.length > 0 && !entities.some((one) => one.fits(response));
}

/**
 * Whether an answer to a write says nothing of the row that the write is about, as `{ ok: true }` does: beside a pk, it has no field that its schema knows,
 * and none that the row has, or nothing stands in its envelope.
 */
export function isAcknowledgement(endpoint: Write, answer: unknown, row: Row | undefined): boolean {
  const described = itemIn(endpoint.schema);
  // What a deletion is answered with may be the row, and a list by name has any names.
  const isOfAny = schemaOf(described) instanceof Deletion || effectOf(endpoint) === 'list';
  if (described === endpoint.schema && isOfAny) return false;
  // A word: `true`, `"ok"`, or how many rows it was.
  if (!isRecord(answer)) return isScalar(answer) && entitiesIn(described).length > 0;
  const envelope = envelopeOf(described);
  if (envelope?.length) return isAbsent(inEnvelope(answer, envelope));
  const isOfRow = (field: string): boolean => row !== undefined && Object.hasOwn(row, field);
  const says = Object.keys(answer).some(isOfRow) || !isForeign(described, answer);
  return !says || (row !== undefined && saysPkAlone(schemaOf(described), answer, row));
}

/**
 * Whether an answer has a pk, and beside it nothing that the class knows, as `{ id: 1, success: true }` of the row, and `{ id: 77, status: 'queued' }` of a
 * job. Another pk alone may be the new one of the row.
 */
function saysPkAlone(entity: Schema | undefined, answer: Row, row: Row): boolean {
  if (!(entity instanceof EntitySchema)) return false;
  const [told, own] = [toldPk(entity, answer), toldPk(entity, row)];
  if (told === undefined || own === undefined) return false;
  const whole = told === own ? row : answer;
  const isKnown = (field: string): boolean => Object.hasOwn(row, field) || entity.fits({ [field]: answer[field] });
  const known = Object.keys(answer).filter(isKnown);
  return Object.keys(whole).some(isBesidePk(entity, whole)) && !known.some(isBesidePk(entity, answer));
}

/** An answer to a write of many rows; where it says nothing of any but its pk, as `[{ id: 1, success: true }]`, with these alone. */
export function withoutNotes(endpoint: Write, answer: readonly unknown[], tables: Tables): readonly unknown[] {
  const entity = entityIn(itemIn(endpoint.schema));
  const named: Row[] = [];
  for (const one of answer) {
    const row = entity && isRecord(one) && rowFrom(tables, entity.table, toldPk(entity, one) ?? '');
    if (!row || !saysPkAlone(entity, one, row)) return answer;
    named.push(pick(one, (field) => Object.hasOwn(row, field)));
  }
  return named;
}

/** Tells the fields of a row that its pk is not made of: without one of the others, it would have another pk, or none. */
function isBesidePk(entity: EntitySchema, row: Row): (field: string) => boolean {
  const told = toldPk(entity, row);
  return (field) => toldPk(entity, { ...row, [field]: undefined }) === told;
}

/** What describes one item of an answer, where that is an array. */
export function itemIn(definition: Definition): Definition {
  const schema = schemaOf(definition);
  return schema && isMembers(schema) && !schema.isByName ? schema.member : definition;
}

/** The envelope that such a response likely has, in words; undefined where it has none. Many a thing has an id. */
export function whyForeign(definition: Definition, response: unknown): string | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  const entity = entityIn(itemIn(definition));
  const isOurs = (value: unknown): boolean =>
    isRecord(value) && !isForeign(definition, entity ? pick(value, isBesidePk(entity, value)) : value);
  const fields = isRecord(response) ? Object.entries(response) : [];
  const [envelope] = fields.find(([, value]) => listOf(value).some(isOurs)) ?? [];
  return envelope === undefined ? undefined : `the envelope "${envelope}"`;
}

/**
 * An answer to a write, with what was sent where the answer says nothing: what it does not mention holds as sent, as far as the
 * class declares it.
 */
export function withSent(endpoint: Write, params: unknown, body: unknown, answer: unknown, known: Sent): unknown {
  const envelope = envelopeOf(endpoint.schema) ?? none;
  const inner = inEnvelope(answer, envelope);
  const whole = completed(endpoint, params, body, inner, known);
  return whole === inner ? answer : enveloped(whole, envelope, answer);
}

/** The same, without an envelope. */
function completed(endpoint: Write, params: unknown, body: unknown, answer: unknown, known: Sent): unknown {
  const { changed, held } = known;
  const effect = effectOf(endpoint);
  const isNew = effect === 'create';
  // What is sent with a deletion is no field.
  const fields = effect === 'delete' ? undefined : body;
  const schema = schemaOf(endpoint.schema);
  const isItem = schema instanceof CollectionOperation && /^(push|unshift|move)$/.test(schema.verb);
  // Items that were edited together are told apart by their pks.
  const isByPk = Array.isArray(fields) && !isNew;
  const item = isByPk ? itemIn(endpoint.schema) : endpoint.schema;
  const isDescribed = isItem || envelopeOf(item) !== undefined || schemaOf(item) === subjectIn(item);
  const entity = isDescribed ? (known.entity ?? entityIn(item, isNew ? describe(fields) : undefined)) : undefined;
  const isSilent = fields === undefined && Object.keys(changed).length === 0;
  if (!entity || isSilent) return answer;
  const shown = isItem && isNew ? paramsOfNew(endpoint, params) : {};
  const all = [...fieldsOf(fields), ...Object.keys({ ...shown, ...changed })].filter((one) => entity.declares(one));
  if (hasFields(answer, all)) return answer;
  const isOfEach = isByPk || listOf(fields).length === listOf(answer).length;
  const { response } = said(endpoint, { ...shown, ...changed }, isOfEach ? fields : undefined, held, entity);
  const rows = listOf(response) as readonly Row[];
  const byPk = new Map(isByPk ? rows.map((row) => [toldPk(entity, row), row]) : none);
  const complete = (one: unknown, i: number): unknown => {
    if (!isRecord(one)) return one;
    const pk = toldPk(entity, one);
    const saysSo = isNew && all.some((field) => Object.hasOwn(one, field));
    if (!isByPk && !saysSo && pk !== undefined && known.isOther(entity.table, pk)) return one;
    const row = isByPk ? byPk.get(pk) : (rows[i] ?? rows[0]);
    const silent = pick(row ?? {}, (field) => !Object.hasOwn(one, field) && entity.declares(field));
    return Object.keys(silent).length === 0 ? one : { ...silent, ...one };
  };
  return Array.isArray(answer) ? answer.map(complete) : complete(answer, 0);
}

function listOf(value: unknown): readonly unknown[] {
  return [value].flat();
}

/** The fields that a body names; of several items, those of any. */
export function fieldsOf(body: unknown): readonly string[] {
  const sent = describe(body);
  if (Array.isArray(sent)) return [...new Set(sent.flatMap(fieldsOf))];
  return isRecord(sent) ? Object.keys(sent) : [];
}

/**
 * The parameters that say something of a new item: all but those that order a list, or say where in it an answer lies. What a path calls as the pk is called
 * is the pk of another: `/tasks/:id/notes`.
 */
function paramsOfNew(endpoint: Write, params: unknown): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  if (!isRecord(params)) return known;
  const schema = schemaOf(endpoint.schema);
  const collection = schema instanceof CollectionOperation ? findCollection(schema) : undefined;
  // `PUT /notes/:id` makes the very item that the path of its resource names.
  const isOwn = resourceOf(endpoint)?.path === endpoint.path;
  const entities = isCreating(endpoint) && !isOwn ? entitiesIn(endpoint.schema) : none;
  const { names } = compilePath(endpoint.path);
  for (const name of Object.keys(params)) {
    const value = params[name];
    const isFilter =
      !collection || (collection.argumentKind(name, value) === 'filter' && !isSoughtBy(collection, name));
    const isOther = names.has(name) && entities.some((one) => isPkOf(one, name, value));
    if (value !== undefined && value !== null && isFilter && !isOther) setOwn(known, name, value);
  }
  return known;
}
