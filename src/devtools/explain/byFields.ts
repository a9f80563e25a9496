import { Collection } from '../../schema/Collection.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { fits, listKey } from '../../schema/listKey.js';
import { none, own } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { Place } from '../../tables/Places.js';
import { rowFrom } from '../../tables/tables.js';
import type { Case } from './Case.js';
import type { Asked } from './listNews.js';
import type { Reason } from './question.js';
import { quoted, reason } from './sentences.js';

/** Why a row that is there does not join a list by itself, by what the list is filtered by. Nobody is asked: no code of the user's runs. */
export function byFields(the: Case, { place }: Asked, pk: string): readonly Reason[] {
  const text = place && place.schema instanceof Collection && filterTold(the, place, place.schema, pk);
  return text ? [reason('belongs', text)] : none;
}

function filterTold(the: Case, list: Place, schema: Collection, pk: string): string | undefined {
  const { belongs, nonFilterArgumentKeys, windowArgumentKeys } = schema.options;
  const member = schemaOf(schema.inner.member);
  if (!(member instanceof EntitySchema)) return undefined;
  const row = rowFrom(the.shown, member.table, pk);
  if (!row) return undefined;
  if (belongs) return 'Which rows are in this list, `belongs` of its Collection says, and not their fields alone.';
  if ([nonFilterArgumentKeys, windowArgumentKeys].some((keys) => typeof keys === 'function')) return undefined;
  for (const [name, value] of Object.entries(listKey(list.pk))) {
    if (schema.argumentKind(name, value) !== 'filter') continue;
    const has = own(row, name);
    if (has === undefined || (has !== null && typeof has === 'object')) {
      const what = has === undefined ? 'field' : 'single value in';
      return `The row has no ${what} \`${name}\`, so only the server knows whether it is in this list.`;
    }
    if (fits(typeof has === 'string' ? has : JSON.stringify(has), value)) continue;
    const is = quoted(the.redact(has, `${member.table}/${pk}/${name}`));
    return `This list is of \`${name}\` ${quoted(the.names.argument(list.table, name, value))}, and the row has ${is}.`;
  }
  return undefined;
}
