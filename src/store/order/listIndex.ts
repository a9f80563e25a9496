import { getOrMake, none } from '../../schema/Schema.js';
import { apart, isSought, listKey, valuesOf } from '../../schema/listKey.js';
import type { Table } from '../../tables/tables.js';

/** The lists of one page of their table, by the name and the value of each of their arguments. */
type ListIndex = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** The index of each page of pks of a table of lists: where a list is added, one page is looked through again. */
const indexes = new WeakMap<readonly string[], ListIndex>();
/** The names of all arguments of the lists of a table, by its pks. */
const namesOf = new WeakMap<Table['pks'], readonly string[]>();

/** An argument that has more values in a page of lists is an id, and no word of the server's. */
const WORDS = 64;
/** A word with more letters is no name of a field. */
const LONGEST = 64;

/** The lists of one page of their table. */
export function indexOf(pks: readonly string[]): ListIndex {
  return getOrMake(indexes, pks, () => {
    const index = new Map<string, Map<string, string[]>>();
    eachArgument(pks, (pk, name, value) => {
      const byValue = getOrMake(index, name, () => new Map<string, string[]>());
      for (const one of valuesOf(value)) getOrMake(byValue, one, () => []).push(pk);
    });
    return index;
  });
}

/** Looks at each argument of lists. */
function eachArgument(pks: readonly string[], look: (pk: string, name: string, value: string) => void): void {
  // A freed place has no pk.
  for (const pk of pks) if (pk !== '') for (const [name, value] of Object.entries(listKey(pk))) look(pk, name, value);
}

/** The names of all arguments that tell the lists of a table apart. */
export function argumentNames({ pks }: Table): readonly string[] {
  return getOrMake(namesOf, pks, () => [...new Set(pks.flatMap((page) => [...indexOf(page).keys()]))]);
}

/** The lists of a page of their table that have a field for an argument, where its values may be words of the server's: to look at the rows of 5 000 lists takes 10 ms. */
export function listsByWord(pks: readonly string[], field: string): readonly string[] {
  const byValue = indexOf(pks).get(field);
  return byValue && byValue.size <= WORDS ? [...byValue.values()].flat() : none;
}

/** A list, and its argument that has a word: in its name or its value, or as all of its name. */
export type Mention = readonly [pk: string, name: string];

/** The words of the arguments of the lists of a page of pks. */
interface Words {
  /** In names and values. */
  readonly all: ReadonlyMap<string, readonly Mention[]>;
  /** In names, each as one of many would be called: `tags` is `tag`. */
  readonly names: ReadonlyMap<string, readonly Mention[]>;
}

const words = new WeakMap<readonly string[], Words>();

/** Words in the name of a field that do not say what it is of. */
const BARE = /(?:^|_)(?:id|at|is|has|on|by|of)(?=_|$)/gi;
const DATED = /_(?:date|time)$/i;

/**
 * The lists of a page of their table that name a field otherwise than `field=value`: in an order, as `sort=-price`; compared in a way of the server's, as
 * `price_lte=5`; or, where the argument is no other field of its row, by what the field is of, as `project=4` and `tag=red` of `projectId` and `tags`.
 */
export function listsNaming(pks: readonly string[], field: string, others: readonly string[]): readonly Mention[] {
  const { all, names } = getOrMake(words, pks, () => wordsOf(pks));
  // Most tables have few lists, and these no arguments.
  if (all.size === 0) return none;
  const fields = new Set(others.map(wordOf));
  const parts = apart(field);
  const stem = stemOf(parts.replace(DATED, '').replace(BARE, ''));
  // One letter, or none, is of nothing.
  const like = (stem.length > 1 && names.get(stem)) || none;
  // `orderBy` and `orderId` are no `orderDate`.
  const isDated = DATED.test(parts);
  const guessed = like.filter(([, name]) => (!isDated || isSought(name)) && !fields.has(wordOf(name)));
  return [...(all.get(wordOf(field)) ?? none), ...guessed].filter(([, name]) => name !== field);
}

function wordsOf(pks: readonly string[]): Words {
  const [all, names] = [new Map<string, Mention[]>(), new Map<string, Mention[]>()];
  const note = (of: Map<string, Mention[]>, found: ReadonlySet<string>, mention: Mention): void => {
    for (const word of found) getOrMake(of, word, () => []).push(mention);
  };
  eachArgument(pks, (pk, name, value) => {
    note(all, partsOf(`${name} ${value}`), [pk, name]);
    note(names, new Set([...partsOf(name)].map(stemOf)), [pk, name]);
  });
  return { all, names };
}

/** A name as it is compared: `dueDate` and `due_date` are one. */
function wordOf(name: string): string {
  return name.replace(/_/g, '').toLowerCase();
}

/** Whether two names are of one relation, of which one tells the id: `owner` and `ownerId`. */
export function areOfOne(field: string, name: string): boolean {
  return field !== name && bareOf(field) === bareOf(name);
}

function bareOf(name: string): string {
  return stemOf(apart(name).replace(/_ids?$/i, ''));
}

/** A name, whether it is called as one or as many. */
function stemOf(name: string): string {
  return wordOf(name)
    .replace(/(?:e?s)*e?$/, '')
    .replace(/y$/, 'i');
}

/** The words of a text, and what each begins or ends with: `min_price` and `priceMin` mention the price. What is too long is no name. */
function partsOf(text: string): ReadonlySet<string> {
  const words: readonly string[] = text.match(/\p{L}[\p{L}\p{N}_]*/gu) ?? none;
  const within = words.flatMap((word) => {
    const parts = word.length > LONGEST ? none : apart(word).split(/_+/);
    return parts.flatMap((_, i) => [parts.slice(0, i + 1).join(''), parts.slice(i).join('')]);
  });
  return new Set(within.map(wordOf));
}
