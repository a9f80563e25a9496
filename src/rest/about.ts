import { warnOnce } from '../errors.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { Deletion } from '../schema/Deletion.js';
import { EntitySchema, toldPk } from '../schema/EntitySchema.js';
import { ObjectSchema } from '../schema/Object.js';
import {
  isAbsent,
  isRecord,
  merged,
  none,
  own,
  pick,
  resolved,
  type Definition,
  type Row,
  type Schema,
} from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { subjectOf } from '../schema/subject.js';
import type { About, AnyEndpoint } from '../store/endpoint.js';
import { queryTables } from '../store/reading/finder.js';
import type { Tables } from '../tables/tables.js';
import { editOf, resourceOf, type Effect } from './internal.js';
import { compilePath } from './path.js';

/** What makes a write what it is. */
export type Write = Pick<AnyEndpoint, 'name' | 'schema'> & { readonly method: string; readonly path: string };

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

/** What describes the one thing that an answer is about, or has in its shape: a class, or a Union of classes; undefined where it is about none, or several. */
export function subjectIn(definition: Definition): Schema | undefined {
  const schema = schemaOf(definition);
  if (schema instanceof CollectionOperation) return subjectOf(schema.collection.inner.member);
  return subjectOf(schema instanceof Deletion ? schema.children()[0] : schema);
}

/** The fields that lead to the one entity of a shape, where that is all there is; none for an entity, undefined for what is no such shape. */
export function envelopeOf(definition: Definition): readonly string[] | undefined {
  const schema = schemaOf(resolved(definition));
  if (schema instanceof EntitySchema) return none;
  if (!(schema instanceof ObjectSchema)) return undefined;
  const [[name, field] = [], ...others] = Object.entries(schema.fields).filter(([, one]) => isDescribed(one));
  const inner = others.length === 0 ? envelopeOf(field) : undefined;
  return inner && name !== undefined ? [name, ...inner] : undefined;
}

/** Whether there are entities or lists in a part of a shape. */
function isDescribed(definition: Definition): boolean {
  const schema = schemaOf(definition);
  return schema instanceof ObjectSchema ? Object.values(schema.fields).some(isDescribed) : schema !== undefined;
}

/** The class of that one thing; of a Union, the one that a reference or a value chooses. */
export function entityIn(definition: Definition, by?: unknown): EntitySchema | undefined {
  const subject = subjectIn(definition);
  const schema = by === undefined ? subject : (subject?.chosen?.(by, schemaOf) ?? subject);
  return schema instanceof EntitySchema ? schema : undefined;
}

/** The classes that it may be of; none where it may be something else. */
export function entitiesIn(definition: Definition): readonly EntitySchema[] {
  const subject = subjectIn(definition);
  const all = subject?.chosen ? (subject.children?.() ?? none).map(schemaOf) : [subject];
  const entities = all.filter((one) => one instanceof EntitySchema);
  return entities.length === all.length ? entities : none;
}

/** What a write is about: one row, which its arguments may not name by its pk; undefined for what creates or lists items. */
export function aboutOf(
  endpoint: Write & { url(params?: never): string },
  params: unknown,
  body: unknown,
  tables: Tables = {},
): About | undefined {
  const effect = effectOf(endpoint);
  const isOfList = effect === 'list' || isCreating(endpoint);
  const subject = isOfList ? undefined : subjectIn(endpoint.schema);
  if (!subject) return undefined;
  const known = paramsOfRow(endpoint, params);
  const sent = effect === 'delete' ? undefined : body;
  // Of a Union, the tables tell of which class the row is.
  const find = (fields: Row): unknown => queryTables(tables, subject, [fields]);
  const ref = subject.chosen && (find(known) ?? find(merged(...[sent, known].filter(isRecord))));
  const entity = entityIn(endpoint.schema, ref);
  const pk = entity && pkIn(entity, known, sent);
  // What makes a row of its own may send what looks like the key of another.
  const { names, isItem } = compilePath(endpoint.path);
  const inPath = pick(known, (name) => names.has(name));
  const named = entity && pkParams(entity, inPath);
  // Several items tell which each is; what is sent to the address of one, as `PUT /todos/1/tags` is, is about that.
  if (Array.isArray(body) && !named) return undefined;
  // In one piece: what a warning calls is in each bundle.
  warnOnce(() => {
    const [field = ''] = names;
    const isGiven = isRecord(params) && !isAbsent(params[field]);
    // What stands alone may mean anything by its parameters.
    const isOwn = endpoint.path === resourceOf(endpoint)?.path && isItem && names.size === 1;
    if (!entity || pk !== undefined || !isOwn || !isGiven) return undefined;
    if (entity.declares(field) || entity.indexes.includes(field)) return undefined;
    return [
      `nameless ${endpoint.name}`,
      `${endpoint.name} names its item by "${field}", which is no field of ${entity.table}, so nothing tells before the answer which item it is. Call the parameter in the path as the field is called whose value it is: that of the pk, as in "/docs/:_id", or one that static indexes of the class name, as in "/users/:login".`,
    ];
  });
  const schema = schemaOf(endpoint.schema);
  const isMove = schema instanceof CollectionOperation && schema.verb === 'move';
  const isOne = schema === subject || envelopeOf(endpoint.schema) !== undefined;
  const renames = isMove || (editOf(endpoint) !== undefined && isOne);
  return {
    entity,
    pk,
    params: known,
    inPath,
    body: effect === 'create' ? undefined : body,
    renames,
    path: endpoint.path,
    named,
  };
}

/**
 * The parameters of a call as far as they may tell which row it is about. A pk in a path behind which other segments stand is that of another row, as in
 * `/users/:id/profile` and `/posts/:id/comments/:commentId`; but a write of the class of its resource, below the path of an item, acts on that item.
 */
export function paramsOfRow(endpoint: Write, all: unknown): Row {
  if (!isRecord(all)) return {};
  const { names, isItem } = compilePath(endpoint.path);
  const params = withTexts(endpoint, all, names);
  // Of most paths, every request asks: the one parameter of an item names nothing else.
  if (names.size === 0 || (isItem && names.size === 1)) return params;
  const entities = entitiesIn(endpoint.schema);
  if (entities.length === 0) return params;
  const isPk = (name: string): boolean => entities.some((one) => isPkOf(one, name, params[name]));
  const isKey = (name: string): boolean => entities.some((one) => isKeyOf(one, name, params[name]));
  const going = namesGoingBy(endpoint);
  const given = going.names.filter((name) => !isAbsent(params[name]));
  const last = going.isFree ? given.filter(isKey).at(-1) : given.at(-1);
  const isNamed = last !== undefined && isKey(last);
  return pick(params, (name) => !names.has(name) || (isNamed ? name === last || !isPk(name) : !isKey(name)));
}

/** The parameters with a text in place of the segments of a wildcard, where the class has one: `/files/*path` of a row with `path: 'docs/a.txt'`. */
function withTexts(endpoint: Write, params: Row, names: ReadonlySet<string>): Row {
  const texts: Record<string, string> = {};
  for (const name of names) {
    const segments = params[name];
    if (!Array.isArray(segments)) continue;
    const isText = entitiesIn(endpoint.schema).some(({ defaults }) => typeof own(defaults, name) === 'string');
    if (isText) texts[name] = segments.join('/');
  }
  return Object.keys(texts).length > 0 ? { ...params, ...texts } : params;
}

/** Whether a read of one row has search parameters that neither name the row nor are fields of it: only the server knows what it answers to them. */
export function isVariant(endpoint: Write, params: Row): boolean {
  const { names } = compilePath(endpoint.path);
  const others = Object.keys(params).filter((name) => !names.has(name) && !isAbsent(params[name]));
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
  const isDeletedBelow = isDeletion && isBelow && compilePath(path).names.size === compilePath(base).names.size;
  const isOnRow = endpoint.method !== 'GET' && (isDeletedBelow || actsOnItem(endpoint));
  const isFree = isOnRow && !isBelow;
  const { names, isItem } = compilePath(isOnRow && isBelow ? base : path);
  return { names: isItem || isFree ? [...names] : [], isFree };
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
  const known = entitiesIn(resourceOf(endpoint)?.schema);
  return known.length === 0 || entitiesIn(endpoint.schema).some((one) => known.includes(one));
}

/** Whether a write makes an item for certain. */
export function isCreating(endpoint: Write): boolean {
  return effectOf(endpoint) === 'create' && !actsOnItem(endpoint);
}

/** Whether a parameter is a natural key of a row, or its whole pk. */
function isKeyOf(entity: EntitySchema, name: string, value: unknown): boolean {
  return entity.indexes.includes(name) || isPkOf(entity, name, value);
}

/** Whether a parameter is the whole pk of a row, as the class would name it. */
export function isPkOf(entity: EntitySchema, name: string, value: unknown): boolean {
  return toldPk(entity, { [name]: value }) === String(value);
}

function pkIn(entity: EntitySchema, params: unknown, body: unknown): string | undefined {
  return toldPk(entity, merged(...[body, params].filter(isRecord)));
}

/** Those of some parameters that make the pk of a row; undefined where they do not. */
function pkParams(entity: EntitySchema, inPath: Row): Row | undefined {
  const name = Object.keys(inPath).find((one) => isPkOf(entity, one, inPath[one]));
  if (name !== undefined) return { [name]: inPath[name] };
  return toldPk(entity, inPath) === undefined ? undefined : inPath;
}

/** What tells the entity that a write is about from all others; undefined where that is not known before the answer. */
export function entityOf(endpoint: Write, params: unknown, body: unknown): string | undefined {
  const entity = entityIn(endpoint.schema);
  const pk = entity && pkIn(entity, paramsOfRow(endpoint, params), body);
  return entity && pk !== undefined ? `${entity.table} ${pk}` : undefined;
}
