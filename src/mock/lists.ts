import type { Collection } from '../schema/Collection.js';
import { argumentKind } from '../schema/listKey.js';
import { own } from '../schema/Schema.js';
import { filterOf, fits, isField, judged, unknownField, type Filter, type Params } from './filters.js';
import { plainName, roleOf } from './names.js';
import { partOf, type Part, type Window } from './pages.js';
import { isDirection, ordersOf } from './sort.js';
import type { Entry, Table } from './tables.js';

/** What lists of one address are like. */
export interface ListKind {
  readonly tables: readonly Table[];
  readonly collection: Collection | undefined;
  /** The parameter that asks for a page. */
  readonly paginationField: string | undefined;
  /** Whether a list is a page also where a request does not say so. */
  readonly isPaged: boolean;
  /** Whether pages are told from each other by a cursor, where nothing else says. */
  readonly isByCursor: boolean;
  readonly pageSize: number;
  readonly ignoresUnknown: boolean;
}

/** A list as a request asks for it. */
export interface Listed extends Part {
  /** How many there are on all pages. */
  readonly total: number;
  readonly isWhole: boolean;
  /** The parameter that asks for another page. */
  readonly pageName: string;
}

/** What the parameters of a request ask for; each is read by its name, and by whether rows have such a field. */
class Asked {
  readonly filters: Filter[] = [];
  readonly sorts: [name: string, texts: readonly string[]][] = [];
  readonly directions: string[] = [];
  size: number | undefined;
  at: { name: string; text: string; style: Window['style'] } | undefined;
  isBackward = false;
  readonly #kind: ListKind;

  constructor(kind: ListKind, params: Params, columns: Readonly<Record<string, string>>) {
    this.#kind = kind;
    for (const [name, given] of Object.entries(params)) {
      const texts = given.filter((text) => text !== '');
      if (texts.length > 0 && !this.#readRole(name, texts)) this.#filter(name, own(columns, name) ?? name, texts);
    }
  }

  #filter(name: string, field: string, texts: readonly string[]): void {
    const { tables, ignoresUnknown, collection } = this.#kind;
    // The user's own rule holds also for fields of rows; what is known by its name alone is a filter where rows have it.
    const isOpen = collection?.options.nonFilterArgumentKeys === undefined && isField(tables, field);
    if (!isOpen && collection?.nonFilterArgumentKeys(name) === true) return;
    const filter = filterOf(tables, field, texts);
    if (filter) this.filters.push(filter);
    else if (!ignoresUnknown && !collection?.options.belongs) throw unknownField(tables, name, field);
  }

  /** Reads an order, a size or a place; false where the name is that of a filter. */
  #readRole(name: string, texts: readonly string[]): boolean {
    const { tables, paginationField, collection } = this.#kind;
    const [text = ''] = texts;
    const isOwn = isField(tables, name);
    const isNumber = /^\d+$/.test(text);
    const isWindow = collection?.argumentKind(name, text) === 'window';
    const kind = argumentKind(name, (field) => isField(tables, field));
    if (name !== paginationField && kind === 'filter' && !isWindow) return false;
    const known = roleOf(name) ?? (isWindow ? (isNumber ? 'offset' : 'cursor') : undefined);
    const role = name === paginationField ? 'page' : known;
    if (role === 'size' && Number(text) > 0) this.size = Number(text);
    else if (role === 'page' && (isNumber || !isOwn || name === paginationField))
      this.at = { name, text, style: isNumber ? 'page' : 'cursor' };
    else if (role === 'offset' && isNumber) this.at = { name, text, style: 'offset' };
    else if (role === 'cursor' && !isOwn) this.at = { name, text, style: 'cursor' };
    else if ((role === 'sort' || role === 'direction') && texts.every(isDirection)) this.directions.push(...texts);
    else if (role === 'sort' && (!isOwn || isOrder(tables, texts))) this.sorts.push([name, texts]);
    else return !isOwn;
    if (/^(?:last|before|endingbefore)$/.test(plainName(name))) this.isBackward = true;
    return true;
  }
}

/** Whether texts can be read as an order of fields that there are. */
function isOrder(tables: readonly Table[], texts: readonly string[]): boolean {
  return texts.every((text) => isField(tables, text.replace(/^[-+]|[: ,.].*$/g, '')));
}

/** The rows of a list, those of its path alone, its filters, its order, its page. */
export function listOf(
  kind: ListKind,
  path: Params,
  search: Params,
  columns: Readonly<Record<string, string>>,
): Listed {
  const { tables, collection, paginationField, pageSize } = kind;
  const asked = new Asked(kind, search, columns);
  const inPath = Object.entries(path).map(([name, texts]) => {
    const field = own(columns, name) ?? name;
    if (!isField(tables, field) && !kind.ignoresUnknown) throw unknownField(tables, name, field);
    return [field.split('.'), texts] as const;
  });
  const plain = plainParams({ ...search, ...path });
  const isIn = (entry: Entry): boolean =>
    inPath.every(([field, texts]) => fits(entry.row, field, texts)) &&
    (judged(collection?.options.belongs, entry, plain) ?? asked.filters.every((filter) => filter(entry)));

  const found = tables.flatMap(({ rows }) => [...rows.values()].filter(isIn));
  const orders = asked.sorts.flatMap(([name, texts]) =>
    ordersOf(tables, name, texts, asked.directions, kind.ignoresUnknown),
  );
  const { at, size, isBackward } = asked;
  const style = at?.style ?? (kind.isByCursor || isBackward ? 'cursor' : 'page');
  const isWhole = at === undefined && size === undefined && !kind.isPaged;
  const window = isWhole ? undefined : { style, size: size ?? pageSize, at: at?.text, isBackward };
  const pageName = at?.name ?? paginationField ?? style;
  return { ...partOf(tables, found, orders, window), total: found.length, isWhole, pageName };
}

/** Parameters as a function of the user's has them: one text, or several where a name is repeated. */
export function plainParams(params: Params): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, texts]) => [name, texts.length > 1 ? texts : (texts[0] ?? '')]),
  );
}
