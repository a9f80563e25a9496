import { orElse } from '../errors.js';
import { findCollection } from '../schema/collections.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { Deletion } from '../schema/Deletion.js';
import { EntitySchema, toldPk } from '../schema/EntitySchema.js';
import { isMembers } from '../schema/ListsSchema.js';
import { ObjectSchema } from '../schema/Object.js';
import { isPlain, isRecord, merged, pick, setOwn, type Definition, type Row } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { describe, hasFields, isFile, isForm, toBody } from '../store/running/plain.js';
import { normalize } from '../tables/normalize.js';
import type { About, Expectation, AnyEndpoint } from '../store/endpoint.js';
import { editOf, resourceOf, type Effect } from './internal.js';
import { compilePath } from './path.js';

/** What makes a write what it is. */
type Write = Pick<AnyEndpoint, 'name' | 'schema'> & { readonly method: string; readonly path: string };

/** What a write does: what the member of its resource is for, else what its method says. */
export function effectOf(endpoint: Write): Effect {
  const { method } = endpoint;
  const schema = schemaOf(endpoint.schema);
  if (schema instanceof Deletion || method === 'DELETE') return 'delete';
  // What is added in a way of its own is what its method says.
  if (schema instanceof CollectionOperation && schema.verb !== 'append') {
    if (schema.verb === 'push' || schema.verb === 'unshift') return 'create';
    return schema.verb === 'assign' ? 'list' : 'patch';
  }
  const edit = editOf(endpoint);
  if (edit) return edit;
  if (method === 'PUT') return 'replace';
  return method === 'PATCH' ? 'patch' : 'create';
}

/**
 * The response that a write would have, if the server did just what it is asked to: in the envelope that the answer has around its one entity. Undefined
 * where nothing tells before the answer where in its shape the entity stands.
 */
export function expectation(endpoint: Write, params: unknown, body: unknown, held?: Row): Expectation | undefined {
  const expected = expectedOf(endpoint, params, body, held);
  const schema = schemaOf(endpoint.schema);
  if (!(schema instanceof ObjectSchema) || !isForeign(endpoint.schema, expected.response)) return expected;
  const [[name, field] = [], ...others] = Object.entries(schema.fields).filter(([, one]) => isDescribed(one));
  const isAround = others.length === 0 && schemaOf(field) instanceof EntitySchema;
  return isAround ? { ...expected, response: { [String(name)]: expected.response } } : undefined;
}

/** Whether there are entities or lists in a part of a shape. */
function isDescribed(definition: Definition): boolean {
  const schema = schemaOf(definition);
  return schema instanceof ObjectSchema ? Object.values(schema.fields).some(isDescribed) : schema !== undefined;
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
  if (effect === 'create') return { ...said(endpoint, paramsOfNew(endpoint, params), body, held), creates: true };
  const fields = new Set(fieldsOf(body));
  const existing = effect === 'patch';
  // A class that merges by itself must be asked again whenever the row has changed; what makes a row, whether it is there.
  const constant = existing && schema instanceof EntitySchema && !schema.merge;
  return { ...said(endpoint, known, Array.isArray(body) ? undefined : body, held), fields, existing, constant };
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
): Pick<Expectation, 'response' | 'unsaid'> {
  const entity = entityIn(schema);
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

/** What tells the entity that a write is about from all others; undefined where that is not known before the answer. */
export function entityOf(endpoint: Write, params: unknown, body: unknown): string | undefined {
  const entity = entityIn(endpoint.schema);
  const pk = entity && pkIn(entity, paramsOfRow(endpoint, params), body);
  return entity && pk !== undefined ? `${entity.table} ${pk}` : undefined;
}

/** Whether nothing of an expected response is known to its schema. */
export function isForeign(definition: Definition, response: unknown): boolean {
  if (Array.isArray(response)) return response.length > 0 && response.every((item) => isForeign(definition, item));
  if (!isRecord(response)) return false;
  const schema = schemaOf(definition);
  if (schema instanceof ObjectSchema)
    return !Object.keys(schema.fields).some((field) => Object.hasOwn(response, field));
  return entityIn(definition)?.fits(response) === false;
}

/**
 * Whether an answer to a write says nothing of the row that the write is about, as `{ ok: true }` does: it has no pk, no field that its schema knows, and
 * none that the row has.
 */
export function isAcknowledgement(endpoint: Write, answer: unknown, row: Row | undefined): boolean {
  const described = itemIn(endpoint.schema);
  // What a deletion is answered with may be the row, and a list by name has any names.
  const isOfAny = schemaOf(described) instanceof Deletion || effectOf(endpoint) === 'list';
  if (!isRecord(answer) || (described === endpoint.schema && isOfAny)) return false;
  const isOfRow = (field: string): boolean => row !== undefined && Object.hasOwn(row, field);
  return !Object.keys(answer).some(isOfRow) && isForeign(described, answer);
}

/** What describes one item of an answer, where that is an array. */
export function itemIn(definition: Definition): Definition {
  const schema = schemaOf(definition);
  return schema && isMembers(schema) && !schema.isByName ? schema.member : definition;
}

/** The envelope that such a response likely has, in words; undefined where it has none. */
export function whyForeign(definition: Definition, response: unknown): string | undefined {
  const fields = isRecord(response) ? Object.entries(response) : [];
  const [envelope] = fields.find(([, value]) => typeof value === 'object' && !isForeign(definition, value)) ?? [];
  return envelope === undefined
    ? undefined
    : `the envelope "${envelope}", which process takes off the answers of the server`;
}

/** The class of the one entity that an answer is, or has in its shape; undefined where it is about none, or several. */
function entityIn(definition: Definition): EntitySchema | undefined {
  const schema = schemaOf(definition);
  if (schema instanceof EntitySchema) return schema;
  if (schema instanceof CollectionOperation) return entityIn(schema.collection.inner.member);
  if (schema instanceof Deletion) return entityIn(schema.children()[0]);
  if (!isPlain(definition)) return undefined;
  const inside = Object.values(definition).flatMap((one) => schemaOf(one) ?? []);
  const entities = inside.filter((one) => one instanceof EntitySchema);
  return entities.length === 1 ? entities[0] : undefined;
}

/** What a write is about: one row, which its arguments may not name by its pk; undefined for what creates or lists items. */
export function aboutOf(
  endpoint: Write & { url(params?: never): string },
  params: unknown,
  body: unknown,
): About | undefined {
  const effect = effectOf(endpoint);
  const isOfList = effect === 'list' || isCreating(endpoint);
  const entity = isOfList || Array.isArray(body) ? undefined : entityIn(endpoint.schema);
  if (!entity) return undefined;
  const known = paramsOfRow(endpoint, params);
  const pk = pkIn(entity, known, effect === 'delete' ? undefined : body);
  const address = (): string => `GET ${endpoint.url(params as never)}`;
  // What makes a row of its own may send what looks like the key of another.
  const { names } = compilePath(endpoint.path);
  const inPath = pick(known, (name) => names.has(name));
  const name = Object.keys(inPath).find((one) => isPkOf(entity, one, inPath[one]));
  const renames = editOf(endpoint) !== undefined && schemaOf(endpoint.schema) instanceof EntitySchema;
  const { path } = endpoint;
  return {
    entity,
    pk,
    params: known,
    inPath,
    body: effect === 'create' ? undefined : body,
    renames,
    path,
    name,
    address,
  };
}

/**
 * The parameters of a call as far as they may tell which row it is about. A pk in a path behind which other segments stand is that of another row, as in
 * `/users/:id/profile` and `/posts/:id/comments/:commentId`; but a write of the class of its resource, below the path of an item, acts on that item.
 */
export function paramsOfRow(endpoint: Write, params: unknown): Row {
  const entity = entityIn(endpoint.schema);
  if (!isRecord(params)) return {};
  const { names, isItem } = compilePath(endpoint.path);
  // Of most paths, every request asks: the one parameter of an item names nothing else.
  if (!entity || names.size === 0 || (isItem && names.size === 1)) return params;
  const isPk = (name: string): boolean => isPkOf(entity, name, params[name]);
  const isKey = (name: string): boolean => isKeyOf(entity, name, params[name]);
  const going = namesGoingBy(endpoint);
  const given = going.names.filter((name) => (params[name] ?? undefined) !== undefined);
  const last = going.isFree ? given.filter(isKey).at(-1) : given.at(-1);
  const isNamed = last !== undefined && isKey(last);
  return pick(params, (name) => !names.has(name) || (isNamed ? name === last || !isPk(name) : !isKey(name)));
}

/** Whether a read of one row has search parameters that neither name the row nor are fields of it: only the server knows what it answers to them. */
export function isVariant(endpoint: Write, params: Row): boolean {
  const { names } = compilePath(endpoint.path);
  const others = Object.keys(params).filter((name) => !names.has(name) && (params[name] ?? undefined) !== undefined);
  if (others.length === 0 || schemaOf(endpoint.schema) instanceof CollectionOperation) return false;
  const entity = entityIn(endpoint.schema);
  return entity !== undefined && !others.every((name) => entity.declares(name) || isKeyOf(entity, name, params[name]));
}

/** The parameters of the path whose last one names the row, none where other segments stand behind it; and whether nobody knows, as of a write that is not below the path of an item. */
function namesGoingBy(endpoint: Write): { readonly names: readonly string[]; readonly isFree: boolean } {
  const { path } = endpoint;
  const base = resourceOf(endpoint)?.path;
  const isBelow = base !== undefined && path.startsWith(base);
  const isDeletion = schemaOf(endpoint.schema) instanceof Deletion && isOfResource(endpoint);
  const isDeletedBelow = isDeletion && isBelow && hasNames(path, base);
  const isOnRow = endpoint.method !== 'GET' && (isDeletedBelow || actsOnItem(endpoint));
  const isFree = isOnRow && !isBelow;
  const { names, isItem } = compilePath(isOnRow && isBelow ? base : path);
  return { names: isItem || isFree ? [...names] : [], isFree };
}

/** Whether a path has no other parameters than another one. */
function hasNames(path: string, than: string): boolean {
  return compilePath(path).names.size === compilePath(than).names.size;
}

/**
 * Whether a write acts on the item that its path names: it is no deletion, adds to no list, and its answer is of the class of its resource. An endpoint
 * that stands alone has no resource to compare with.
 */
function actsOnItem(endpoint: Write): boolean {
  const schema = schemaOf(endpoint.schema);
  return !(schema instanceof CollectionOperation) && !(schema instanceof Deletion) && isOfResource(endpoint);
}

/** Whether what an endpoint is about is of the class of its resource, as far as it has one. */
function isOfResource(endpoint: Write): boolean {
  const known = entityIn(resourceOf(endpoint)?.schema);
  return known === undefined || known === entityIn(endpoint.schema);
}

/** Whether a write makes an item for certain. */
function isCreating(endpoint: Write): boolean {
  return effectOf(endpoint) === 'create' && !actsOnItem(endpoint);
}

/** Whether a parameter is a natural key of a row, or its whole pk. */
function isKeyOf(entity: EntitySchema, name: string, value: unknown): boolean {
  return entity.indexes.includes(name) || isPkOf(entity, name, value);
}

/** Whether a parameter is the whole pk of a row, as the class would name it. */
function isPkOf(entity: EntitySchema, name: string, value: unknown): boolean {
  return toldPk(entity, { [name]: value }) === String(value);
}

function pkIn(entity: EntitySchema, params: unknown, body: unknown): string | undefined {
  return toldPk(entity, merged(...[body, params].filter(isRecord)));
}

/**
 * An answer to a write, with what was sent where the answer says nothing: what it does not mention holds as sent, as far as the
 * class declares it.
 */
export function withSent(
  endpoint: Write,
  params: unknown,
  body: unknown,
  { answer, changed, held }: { readonly answer: unknown; readonly changed: Row; readonly held: Row | undefined },
): unknown {
  const schema = schemaOf(endpoint.schema);
  const isItem = schema instanceof CollectionOperation && /^(push|unshift|move)$/.test(schema.verb);
  const entity = isItem || schema instanceof EntitySchema ? entityIn(endpoint.schema) : undefined;
  // What is sent with a deletion is no field.
  const fields = effectOf(endpoint) === 'delete' ? undefined : body;
  const isSilent = fields === undefined && Object.keys(changed).length === 0;
  if (!entity || isSilent) return answer;
  const shown = isItem && effectOf(endpoint) === 'create' ? paramsOfNew(endpoint, params) : {};
  const known = [...fieldsOf(fields), ...Object.keys({ ...shown, ...changed })].filter((one) => entity.declares(one));
  if (hasFields(answer, known)) return answer;
  const isOfEach = listOf(fields).length === listOf(answer).length;
  const { response } = said(endpoint, { ...shown, ...changed }, isOfEach ? fields : undefined, held);
  const rows = listOf(response);
  const complete = (one: unknown, i: number): unknown => {
    if (!isRecord(one)) return one;
    const silent = pick((rows[i] ?? rows[0]) as Row, (field) => !Object.hasOwn(one, field) && entity.declares(field));
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
  const entity = isCreating(endpoint) ? entityIn(endpoint.schema) : undefined;
  const { names } = compilePath(endpoint.path);
  for (const name of Object.keys(params)) {
    const value = params[name];
    const isFilter = (collection?.argumentKind(name, value) ?? 'filter') === 'filter';
    const isOther = entity && names.has(name) && isPkOf(entity, name, value);
    if (value !== undefined && value !== null && isFilter && !isOther) setOwn(known, name, value);
  }
  return known;
}
