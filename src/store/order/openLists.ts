import type { ListsSchema } from '../../schema/ListsSchema.js';
import { none, type Row } from '../../schema/Schema.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, tableOf, type Tables } from '../../tables/tables.js';
import { knownIn } from '../../tables/wireRow.js';
import type { FollowedLists } from './FollowedLists.js';

/** A row that lists are asked about: as a Collection sees it, where anything is known of it, and what the call says that has made it. */
export interface Candidate {
  readonly table: string;
  readonly as?: (collection: ListsSchema) => unknown;
  readonly call?: readonly unknown[];
}

/** What lists a row is looked for in: those that are there, and those that are under way. */
interface Beside {
  readonly followed: FollowedLists;
  readonly tables: Tables;
  readonly expected?: readonly Place[];
}

/** A row that is kept, as lists are asked about it. */
export function candidateOf(table: string, row: Row, tables: Tables): Candidate {
  const known = knownIn(tables);
  return { table, as: (collection) => known.wireRow(collection, table, row) };
}

/** The lists that a row may belong to: those of which nothing says that it does not. */
export function listsOpenTo(
  { table, as, call = none }: Candidate,
  { followed, tables, expected = none }: Beside,
  isMeant: (collection: ListsSchema, pk: string) => boolean = () => true,
): readonly Place[] {
  const known = knownIn(tables);
  const open: Place[] = [];
  for (const collection of followed.judgesOf(table)) {
    const item = as?.(collection);
    const ask = (pk: string): void => {
      const judge = followed.judgeOf(collection, pk);
      if (isMeant(judge, pk) && (!as || judge.judge(item, pk, known, call) !== false))
        open.push({ table: collection.table, pk });
    };
    eachRow(tableOf(tables, collection.table), (_, pk) => {
      ask(pk);
    });
    for (const { table: lists, pk } of expected) if (lists === collection.table) ask(pk);
  }
  return open;
}
