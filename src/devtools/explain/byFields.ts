import { Collection } from '../../schema/Collection.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { fits, listKey } from '../../schema/listKey.js';
import { own, type Schema } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { Case } from './Case.js';
import type { Reason } from './question.js';
import { quoted } from './sentences.js';

/** Why a row that is there does not join a list by itself, by what the list is filtered by. Nobody is asked: no code of the user's runs. */
export function byFields(
  the: Case,
  place: { readonly table: string; readonly pk: string; readonly schema: Schema } | undefined,
  pk: string,
): readonly Reason[] {
  if (!(place?.schema instanceof Collection)) return [];
  const { schema } = place;
  const { belongs: rule, nonFilterArgumentKeys, windowArgumentKeys } = schema.options;
  const member = schemaOf(schema.inner.member);
  if (!(member instanceof EntitySchema)) return [];
  const row = the.row(the.shown, member.table, pk);
  if (!row) return [];
  if (rule)
    return [belongs('Which rows are in this list, `belongs` of its Collection says, and not their fields alone.')];
  if ([nonFilterArgumentKeys, windowArgumentKeys].some((keys) => typeof keys === 'function')) return [];
  for (const [name, value] of Object.entries(listKey(place.pk))) {
    if (schema.argumentKind(name, value) !== 'filter') continue;
    const has = own(row, name);
    if (has === undefined || (has !== null && typeof has === 'object')) {
      const what = has === undefined ? 'field' : 'single value in';
      return [belongs(`The row has no ${what} \`${name}\`, so only the server knows whether it is in this list.`)];
    }
    if (!fits(typeof has === 'string' ? has : JSON.stringify(has), value)) {
      const is = quoted(the.redact(has, `${member.table}/${pk}/${name}`));
      return [
        belongs(
          `This list is of \`${name}\` ${quoted(the.names.argument(place.table, name, value))}, and the row has ${is}.`,
        ),
      ];
    }
  }
  return [];
}

function belongs(text: string): Reason {
  return { kind: 'belongs', text };
}
