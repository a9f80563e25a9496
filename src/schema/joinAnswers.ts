import { isLists } from './ListsSchema.js';
import { ObjectSchema } from './Object.js';
import { isRecord, own, setOwn, type Definition, type Schema } from './Schema.js';
import { schemaOf } from './schemaOf.js';

/** One answer of those to several pages: the items of a list one after the other, and beside it what the last page says. */
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
          answers.map((answer) => fieldOf(answer, field)),
        ),
      );
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
