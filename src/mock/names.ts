/**
 * What the names in a query string are known for: the size of a page, which page, an order. Names in any case, with or without `_` or `$`;
 * `page[size]` is `size`, and `sort[]` is `sort`. Which names filter nothing, the core says.
 */

/** What a parameter is read as. */
export type Role = 'size' | 'page' | 'offset' | 'end' | 'cursor' | 'sort' | 'direction';

const names: Readonly<Record<Role, string>> = {
  size: 'limit perpage pagesize size count maxresults take first last top',
  page: 'page pagenumber pageindex',
  offset: 'offset skip start startat',
  end: 'end',
  cursor:
    'after before startingafter endingbefore idafter cursor startcursor continue pageinfo pagetoken nextpagetoken skiptoken',
  sort: 'sort sortby order orderby ordering',
  direction: 'sortorder orderdirection sortdirection',
};

const roles = new Map(
  Object.entries(names).flatMap(([role, words]) => words.split(' ').map((word) => [word, role as Role])),
);

/** A name without its case, its signs, and its brackets; `page[size]` is `size`. */
export function plainName(name: string): string {
  const [, stem = '', inner = ''] = /^(\$?\w*)(?:\[(.*)\])?$/.exec(name) ?? [];
  const known = /^pag(?:e|ination)$/.test(stem) && inner !== 'number' && inner !== '' ? inner : stem;
  return known.replace(/[_$]/g, '').toLowerCase();
}

/** What a name is known for. */
export function roleOf(name: string): Role | undefined {
  return roles.get(plainName(name));
}

/** Those that are most like a name, the nearest first. */
export function nearest(name: string, known: Iterable<string>): readonly string[] {
  const ranked = [...known].map((one) => [distance(name, one), one] as const);
  return ranked.sort(([one], [other]) => one - other).map(([, one]) => one);
}

/** The same in words, the three nearest. */
export function nearestText(name: string, known: Iterable<string>): string {
  return `The nearest: ${nearest(name, known).slice(0, 3).join(', ')}`;
}

/** How many letters must be put in, taken out or changed to make one text of another (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const [left = 0, up = 0, corner = 0] = [next[j], row[j + 1], row[j]];
      next.push(Math.min(left + 1, up + 1, corner + (one[i] === other[j] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
