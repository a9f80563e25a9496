import { argumentKind, isOrder, listKey, valuesOf } from '../../schema/listKey.js';
import type { Table } from '../../tables/tables.js';

/** The lists of one page of their table, by the name and the value of each of their arguments. */
type ListIndex = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** The index of each page of pks of a table of lists: where a list is added, one page is looked through again. */
const indexes = new WeakMap<readonly string[], ListIndex>();
/** The names of all arguments of the lists of a table, by its pks. */
const namesOf = new WeakMap<Table['pks'], readonly string[]>();

const none: readonly never[] = [];
/** An argument with more values is an id, and no word of the server's. */
const WORDS = 64;

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

/** The lists of a page of their table that have a field for an argument, where its values may be words of the server's: to look at the rows of 5 000 lists takes 10 ms. */
export function listsByWord(pks: readonly string[], field: string): readonly string[] {
  const byValue = indexOf(pks).get(field);
  return byValue && byValue.size <= WORDS ? [...byValue.values()].flat() : none;
}

/** A list, and the name of its argument where a word is all of that. */
type Mention = readonly [pk: string, name?: string];

/** The lists of each page of pks of a table of lists that mention a word. */
const mentions = new WeakMap<readonly string[], ReadonlyMap<string, readonly Mention[]>>();

/** The lists of a page of their table that name a field otherwise than `field=value`: in an order, as `sort=-price`, or compared in a way of the server's, as `price_lte=5`. */
export function listsNaming(pks: readonly string[], field: string): readonly string[] {
  let words = mentions.get(pks);
  if (!words) mentions.set(pks, (words = wordsOf(pks)));
  const naming: readonly Mention[] = words.get(wordOf(field)) ?? none;
  return naming.filter(([, name]) => name !== field).map(([pk]) => pk);
}

function wordsOf(pks: readonly string[]): ReadonlyMap<string, readonly Mention[]> {
  const words = new Map<string, Mention[]>();
  const note = (word: string, mention: Mention): void => {
    const known = words.get(word);
    if (known) known.push(mention);
    else words.set(word, [mention]);
  };
  for (const pk of pks)
    for (const [name, value] of pk === '' ? none : Object.entries(listKey(pk))) {
      if (argumentKind(name) !== 'filter' && !isOrder(name)) continue;
      note(wordOf(name), [pk, name]);
      for (const word of partsOf(`${name} ${value}`)) if (word !== wordOf(name)) note(word, [pk]);
    }
  return words;
}

/** A name as it is compared: `dueDate` and `due_date` are one. */
function wordOf(name: string): string {
  return name.replace(/_/g, '').toLowerCase();
}

/** The words of a text, and what each begins or ends with: `min_price` and `priceMin` mention the price. */
function partsOf(text: string): ReadonlySet<string> {
  const words: readonly string[] = text.match(/[A-Za-z]\w*/g) ?? none;
  const within = words.flatMap((word) => {
    const parts = word.split(/_+|(?<=[a-z0-9])(?=[A-Z])/);
    return parts.flatMap((_, i) => [parts.slice(0, i + 1).join(''), parts.slice(i).join('')]);
  });
  return new Set(within.map(wordOf));
}
