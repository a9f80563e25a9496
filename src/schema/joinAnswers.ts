import { isLists } from './ListsSchema.js';
import { ObjectSchema } from './Object.js';
import { isPlain, isRecord, own, setOwn, type Definition } from './Schema.js';

/** One answer of those to several pages: the items of a list one after the other, and beside it what the last page says. */
export function joinAnswers(definition: Definition, answers: readonly unknown[]): unknown {
  if (isLists(definition)) return definition.inner.isByName ? Object.assign({}, ...answers) : answers.flatMap(itemsOf);
  const last = answers.at(-1);
  const fields = fieldsOf(definition);
  if (!fields || !isRecord(last)) return last;
  const joined: Record<string, unknown> = { ...last };
  for (const [field, inner] of Object.entries(fields)) {
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
  if (isLists(definition)) return itemsOf(answer).length;
  for (const [field, inner] of Object.entries(fieldsOf(definition) ?? {})) {
    const count = countItems(inner, fieldOf(answer, field));
    if (count > 0) return count;
  }
  return 0;
}

function itemsOf(list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list;
  return isRecord(list) ? Object.values(list) : [];
}

function fieldsOf(definition: Definition): Readonly<Record<string, Definition>> | undefined {
  if (definition instanceof ObjectSchema) return definition.fields;
  return isPlain(definition) ? definition : undefined;
}

function fieldOf(answer: unknown, field: string): unknown {
  return isRecord(answer) ? own(answer, field) : undefined;
}
