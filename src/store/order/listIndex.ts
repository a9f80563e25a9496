import { listKey, valuesOf } from '../../schema/listKey.js';
import type { Table } from '../../tables/tables.js';

/** The lists of one page of their table, by the name and the value of each of their arguments. */
type ListIndex = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** The index of each page of pks of a table of lists: where a list is added, one page is looked through again. */
const indexes = new WeakMap<readonly string[], ListIndex>();
/** The names of all arguments of the lists of a table, by its pks. */
const namesOf = new WeakMap<Table['pks'], readonly string[]>();

const none: readonly never[] = [];

/** The lists of one page of their table. */
export function indexOf(pks: readonly string[]): ListIndex {
  let index = indexes.get(pks);
  if (!index) indexes.set(pks, (index = makeIndex(pks)));
  return index;
}

function makeIndex(pks: readonly string[]): ListIndex {
  const index = new Map<string, Map<string, string[]>>();
  for (const pk of pks) {
    // A freed place has no pk.
    for (const [name, value] of pk === '' ? none : Object.entries(listKey(pk))) {
      const byValue = index.get(name) ?? new Map<string, string[]>();
      index.set(name, byValue);
      for (const one of valuesOf(value)) {
        const lists = byValue.get(one);
        if (lists) lists.push(pk);
        else byValue.set(one, [pk]);
      }
    }
  }
  return index;
}

/** The names of all arguments that tell the lists of a table apart. */
export function argumentNames({ pks }: Table): readonly string[] {
  let names = namesOf.get(pks);
  if (!names) namesOf.set(pks, (names = [...new Set(pks.flatMap((page) => [...indexOf(page).keys()]))]));
  return names;
}
