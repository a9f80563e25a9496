import type { ListsSchema } from '../../schema/ListsSchema.js';
import { none, type Row } from '../../schema/Schema.js';
import type { Place } from '../../tables/Places.js';
import { pksOf, tableOf } from '../../tables/tables.js';
import { knownIn } from '../../tables/wireRow.js';
import type { Beside } from './beside.js';

/** A row that lists are asked about: as it is kept, or as it came, where anything is known of it; and what the call says that has made it. */
interface Candidate {
  readonly table: string;
  readonly row?: Row | undefined;
  readonly item?: unknown;
  readonly call?: readonly unknown[] | undefined;
}

/** The lists that a row may belong to: those of which nothing says that it does not. */
export function listsOpenTo(
  { table, row, item, call = none }: Candidate,
  { followed, tables, expected = none }: Pick<Beside, 'followed' | 'tables'> & Partial<Pick<Beside, 'expected'>>,
  isMeant: (collection: ListsSchema, pk: string) => boolean = () => true,
): readonly Place[] {
  const known = knownIn(tables);
  return followed.judgesOf(table).flatMap((collection) => {
    const one = row ? known.wireRow(collection, table, row) : item;
    const isOpen = ({ pk }: Place): boolean => {
      const judge = followed.judgeOf(collection, pk);
      return isMeant(judge, pk) && (one === undefined || judge.judge(one, pk, known, call) !== false);
    };
    const there = pksOf(tableOf(tables, collection.table)).map((pk) => ({ table: collection.table, pk }));
    return [...there, ...expected.filter((list) => list.table === collection.table)].filter(isOpen);
  });
}
