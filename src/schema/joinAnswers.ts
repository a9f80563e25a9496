import { isLists } from './ListsSchema.js';
import { ObjectSchema } from './Object.js';
import { isRecord, own, setOwn, type Definition, type Schema } from './Schema.js';
import { schemaOf } from './schemaOf.js';

/** One answer of those to several pages: the items of a list one after the other, and beside it what the last page says; of what has a schema, the last that mentions it. */
export function joinAnswers(definition: Definition, answers: readonly unknown[]): unknown {
  const schema = contentOf(definition);
  if (isLists(schema)) return schema.inner.isByName ? Object.assign({}, ...answers) : answers.flatMap(itemsOf);
  const last = answers.at(-1);
  if (!(schema instanceof ObjectSchema) || !isRecord(last)) return last;
  const joined: Record<string, unknown> = { ...last };
  for (const [field, inner] of Object.entries(schema.fields)) {
    const isThere = answers.some((answer) => fieldOf(answer, field) !== undefined);
    if (isThere)
      setOwn(
        joined,
        field,
        joinAnswers(
          inner,
          answers.map((answer) => fieldOf(answer, field)).filter((told) => told !== undefined || !schemaOf(inner)),
        ),
      );
  }
  return joined;
}

/** What a page tells beside its items, with what only those before it have told of schemas: a server may count, or send the parent, with the first page alone. */
export function besideEarlier(definition: Definition, earlier: unknown, told: unknown): unknown {
  if (told === undefined) return earlier;
  const schema = contentOf(definition);
  if (!(schema instanceof ObjectSchema) || !isRecord(earlier) || !isRecord(told)) return told;
  const joined: Record<string, unknown> = { ...told };
  for (const [field, inner] of Object.entries(schema.fields)) {
    const value = schemaOf(inner) && besideEarlier(inner, fieldOf(earlier, field), fieldOf(told, field));
    if (value !== undefined) setOwn(joined, field, value);
  }
  return joined;
}

/** How many items an answer has in its list. */
export function countItems(definition: Definition, answer: unknown): number {
  const schema = contentOf(definition);
  if (isLists(schema)) return itemsOf(answer).length;
  for (const [field, inner] of Object.entries(schema instanceof ObjectSchema ? schema.fields : {})) {
    const count = countItems(inner, fieldOf(answer, field));
    if (count > 0) return count;
  }
  return 0;
}

function itemsOf(list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list;
  return isRecord(list) ? Object.values(list) : [];
}

/** What describes an answer: that of which a Query is computed, and what a Lazy stands for. */
function contentOf(definition: Definition): Schema | undefined {
  const schema = schemaOf(definition);
  return isLists(schema) || schema instanceof ObjectSchema || !schema?.map ? schema : contentOf(schema.children?.()[0]);
}

function fieldOf(answer: unknown, field: string): unknown {
  return isRecord(answer) ? own(answer, field) : undefined;
}
