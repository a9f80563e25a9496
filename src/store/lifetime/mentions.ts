import { getOrMake, type Definition, type Row, type RowSchema, type Schema } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { eachRow, rowFrom, tableOf, type Tables } from '../../tables/tables.js';
import { Places } from '../../tables/Places.js';
import type { AnyEndpoint } from '../endpoint.js';
import { mentions } from '../../tables/values.js';
import type { ResourcesState } from '../state.js';

/**
 * The requests whose answers show some rows or lists. Looked for upwards, from what is meant to what refers to it: a look
 * through a list of 100 000 references takes 0.1 ms, where to follow all that an answer is made of takes 100. `news` is
 * an answer that is about to be written.
 */
export function requestsShowing(
  { requests, tables }: Pick<ResourcesState, 'requests' | 'tables'>,
  meant: Places,
  endpointOf: (name: string) => AnyEndpoint | undefined,
  news?: { readonly name: string; readonly result: unknown },
): readonly string[] {
  const names: string[] = [];
  if (meant.tables().length === 0) return names;
  // There may be thousands of one endpoint.
  const answers = new Map<Definition, Map<string, unknown>>();
  eachRow(requests, ({ answer }, name) => {
    const result = name === news?.name ? news.result : answer?.result;
    const endpoint = result === undefined ? undefined : endpointOf(name);
    // Of an endpoint that nobody knows, nobody knows what its answers show.
    if (endpoint) getOrMake(answers, endpoint.schema, () => new Map<string, unknown>()).set(name, result);
    else if (answer) names.push(name);
  });
  const shown = showing(tables, meant, allRowSchemas(answers.keys()));
  for (const [definition, all] of answers) {
    const pks = meantBy(definition, shown);
    for (const [name, result] of all)
      if (pks.size > 0 && (schemaOf(definition)?.showsAll || mentions(result, pks))) names.push(name);
  }
  return names;
}

/** The rows that are meant, as far as they are there, and all that refer to them, of these schemas. */
function showing(tables: Tables, meant: Places, schemas: ReadonlySet<RowSchema>): Places {
  const shown = new Places();
  for (const { table, pk } of meant.all()) if (rowFrom(tables, table, pk) !== undefined) shown.set(table, pk, true);
  let isNews = true;
  while (isNews) {
    isNews = false;
    for (const schema of schemas) {
      const known = shown.in(schema.table);
      const { size } = known;
      for (const [field, inner] of fieldsOf(schema)) {
        const pks = meantBy(inner, shown);
        eachRow(pks.size > 0 ? tableOf(tables, schema.table) : undefined, (row, pk) => {
          if (mentions(field === undefined ? row : (row as Row)[field], pks)) known.set(pk, true);
        });
      }
      isNews ||= known.size > size;
    }
  }
  return shown;
}

/** The schemas of all rows and lists that answers may be made of. */
export function allRowSchemas(definitions: Iterable<Definition>): ReadonlySet<RowSchema> {
  const schemas = new Set([...definitions].flatMap((definition) => rowSchemasIn(definition)));
  for (const schema of schemas)
    for (const [, inner] of fieldsOf(schema)) for (const one of rowSchemasIn(inner)) schemas.add(one);
  return schemas;
}

/** The schemas of rows and lists that a value may refer to by itself, and not through another row. */
export function rowSchemasIn(definition: Definition, seen = new Set<Definition>()): readonly RowSchema[] {
  const schema = schemaOf(definition);
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  // What has a table makes its values of rows.
  if ('table' in schema) return [schema as RowSchema];
  return childrenOf(schema).flatMap((inner) => rowSchemasIn(inner, seen));
}

/** What a row is made of: the fields of an entity, or, without a field, all of a list. */
function fieldsOf(schema: RowSchema): readonly (readonly [field: string | undefined, inner: Definition])[] {
  if ('nested' in schema) return schema.nested as readonly (readonly [string, Schema])[];
  return childrenOf(schema).map((inner) => [undefined, inner]);
}

function childrenOf(schema: Schema): readonly Definition[] {
  return schema.children?.() ?? [];
}

/** The pks that a value of this definition may refer to. */
function meantBy(definition: Definition, shown: Places): ReadonlySet<string> {
  return new Set(rowSchemasIn(definition).flatMap(({ table }) => [...shown.in(table).keys()]));
}
