import { Collection } from '../schema/Collection.js';
import { argumentKind, listKey, listPk } from '../schema/listKey.js';
import {
  fieldOf,
  filterOf,
  fits,
  isField,
  judged,
  unknownField,
  type Filter,
  type Params,
  type PlainParams,
} from './filters.js';
import { plainName, roleOf, type Role } from './names.js';
import { partOf, type Part, type Window } from './pages.js';
import { Problem } from './problem.js';
import { isDirection, ordersOf } from './sort.js';
import type { Entry, Table } from './Table.js';

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

/** What a request says of a list. */
export interface Terms {
  readonly path: Params;
  readonly search: Params;
  /** Both, as the user's own functions have them. */
  readonly params: PlainParams;
  readonly columns: Readonly<Record<string, string>>;
}

/** A list as a request asks for it. */
export interface Listed extends Part, Excerpt {
  /** How many there are on all pages. */
  readonly total: number;
  /** How many pages there are. */
  readonly pages: number;
  /** The number of the page, if it has one. */
  readonly page: number | undefined;
}

/** What a request says of the part of a list that it asks for; without a window, it is the whole. */
interface Excerpt {
  readonly window: Window | undefined;
  /** The parameter that asks for another page. */
  readonly pageName: string;
  /** The parameter that says where a page ends. */
  readonly endName: string | undefined;
}

/** The parameter that says where a page begins. */
interface Start {
  readonly name: string;
  readonly text: string;
  readonly style: Window['style'];
}

/** What the parameters of a request ask for; each is read by its name, and by whether rows have such a field. */
class Asked {
  readonly filters: Filter[] = [];
  readonly sorts: (readonly string[])[] = [];
  readonly directions: string[] = [];
  /** How many rows lie before the end of the page. */
  end: { name: string; text: string } | undefined;
  isBackward = false;
  readonly #kind: ListKind;
  #size: number | undefined;
  #at: Start | undefined;

  constructor(kind: ListKind, { search, columns }: Terms) {
    this.#kind = kind;
    for (const [name, given] of Object.entries(search)) {
      const texts = given.filter((text) => text !== '');
      if (texts.length > 0 && !this.#readRole(name, texts)) this.#filter(name, fieldOf(columns, name), texts);
    }
  }

  /** Where the page begins; what is asked for by its end alone, begins with the list. */
  get at(): Start | undefined {
    const { end } = this;
    return this.#at ?? (end && { name: end.name.replace('end', 'start'), text: '0', style: 'offset' });
  }

  get size(): number | undefined {
    return this.#size ?? (this.end && Math.max(0, Number(this.end.text) - Number(this.at?.text)));
  }

  /** Reads an order, a size or a place; false where the name is that of a filter. */
  #readRole(name: string, texts: readonly string[]): boolean {
    const role = this.#roleOf(name, texts);
    if (!role) return false;
    // What cannot be read by what its name is known for filters, where rows have it.
    if (!this.#readers[role](name, texts)) return !isField(this.#kind.tables, name);
    this.isBackward ||= /^(?:last|before|endingbefore)$/.test(plainName(name));
    return true;
  }

  #filter(name: string, field: string, texts: readonly string[]): void {
    const { tables, ignoresUnknown, collection } = this.#kind;
    // The user's own rule holds also for fields of rows; what is known by its name alone is a filter where rows have it.
    const isOpen = !hasOwnRule(collection) && isField(tables, field);
    if (!isOpen && collection?.nonFilterArgumentKeys(name) === true) return;
    const filter = filterOf(tables, field, texts);
    if (filter) this.filters.push(filter);
    else if (!ignoresUnknown && !collection?.options.belongs) throw unknownField(tables, name, field);
  }

  /** What a parameter is read as; undefined where it is a filter. */
  #roleOf(name: string, [text = '']: readonly string[]): Role | 'none' | undefined {
    const { tables, paginationField, collection } = this.#kind;
    const role = roleOf(name);
    // A number is a page, but the row behind which, or before which, a page is.
    if (name === paginationField && role !== 'offset')
      return /(?:after|before)$/.test(plainName(name)) ? 'cursor' : 'page';
    const isWindow = collection?.argumentKind(name, text) === 'window';
    // An order is told by its texts, also where rows have a field of that name.
    const isFilter = role !== 'sort' && argumentKind(name, (field) => isField(tables, field)) === 'filter';
    if (!isWindow && isFilter) return undefined;
    return role ?? (isWindow ? (isNumber(text) ? 'offset' : 'cursor') : 'none');
  }

  /** Reads a parameter by its role; false where its texts cannot be read so. */
  readonly #readers: Readonly<Record<Role | 'none', (name: string, texts: readonly string[]) => boolean>> = {
    size: (_, [text]) => {
      const size = Number(text);
      if (size > 0) this.#size = size;
      return size > 0;
    },
    page: (name, [text = '']) =>
      (isNumber(text) || this.#isFree(name)) && this.#turnTo(name, text, isNumber(text) ? 'page' : 'cursor'),
    offset: (name, [text = '']) => isNumber(text) && this.#turnTo(name, text, 'offset'),
    end: (name, [text = '']) => {
      if (isNumber(text)) this.end = { name, text };
      return isNumber(text);
    },
    cursor: (name, [text = '']) => this.#isFree(name) && this.#turnTo(name, text, 'cursor'),
    direction: (_, texts) => {
      const said = texts.flatMap((text) => text.split(','));
      const isSaid = said.every(isDirection);
      if (isSaid) this.directions.push(...said);
      return isSaid;
    },
    sort: (name, given) => {
      // `order[price]=desc` is `order=price:desc`.
      const [, field = ''] = /\[(.+)\]$/.exec(name) ?? [];
      const texts = field !== '' && given.every(isDirection) ? given.map((text) => `${field}:${text}`) : given;
      if (this.#readers.direction(name, texts)) return true;
      // Texts are an order of fields that there are.
      const isOrder = texts.every((text) => isField(this.#kind.tables, text.replace(/^[-+]|[: ,.].*$/g, '')));
      const isSaid = this.#isFree(name) || isOrder;
      if (isSaid) this.sorts.push(texts);
      return isSaid;
    },
    none: () => false,
  };

  /** Whether a name cannot be that of a field. */
  #isFree(name: string): boolean {
    return name === this.#kind.paginationField || !isField(this.#kind.tables, name);
  }

  #turnTo(name: string, text: string, style: Window['style']): true {
    this.#at = { name, text, style };
    return true;
  }
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** The rows of a list, those of its path alone, its filters, its order, its page. */
export function listOf(kind: ListKind, terms: Terms): Listed {
  const { tables, collection, ignoresUnknown } = kind;
  const { path, params, columns } = terms;
  const asked = new Asked(kind, terms);
  const inPath = Object.entries(path).map(([name, texts]) => {
    const field = fieldOf(columns, name);
    if (!isField(tables, field) && !ignoresUnknown) throw unknownField(tables, name, field);
    return [field.split('.'), texts] as const;
  });
  // As a store keeps them.
  const kept = listKey(listPk(params));
  const isIn = (entry: Entry): boolean =>
    inPath.every(([field, texts]) => fits(entry, field, texts)) &&
    (judged(collection?.options.belongs, entry, kept) ?? asked.filters.every((filter) => filter(entry)));

  const found = tables.flatMap(({ rows }) => [...rows.values()].filter(isIn));
  const orders = asked.sorts.flatMap((texts) => ordersOf(tables, texts, asked.directions, ignoresUnknown));
  const excerpt = excerptOf(kind, asked);
  const { window } = excerpt;
  const { length: total } = found;
  const pages = Math.ceil(total / (window?.size ?? total)) || 0;
  const page = window?.style === 'page' ? Number(window.at ?? window.first) : undefined;
  return { ...partOf(tables, found, orders, window), ...excerpt, total, pages, page };
}

/** The part of a list that is asked for, and the parameters that ask for another. */
function excerptOf(kind: ListKind, asked: Asked): Excerpt {
  const { isPaged, paginationField, pageSize } = kind;
  const { at, size, end, isBackward } = asked;
  const style = at?.style ?? styleOf(kind, isBackward);
  const pageName = at?.name ?? paginationField ?? style;
  const first = style === 'page' && plainName(pageName) !== 'pageindex' ? 1 : 0;
  if (Number(at?.text) < first && roleOf(pageName) === 'page')
    throw new Problem(400, `There is no ${pageName}=0: pages count from 1, and from 0 as pageIndex`);
  const isPart = isPaged || at !== undefined || size !== undefined;
  const window = isPart ? { style, size: size ?? pageSize, at: at?.text, first, isBackward } : undefined;
  return { window, pageName, endName: end?.name };
}

/** What tells the pages of a list from each other where a request does not say it. */
function styleOf({ isByCursor, paginationField = '' }: ListKind, isBackward: boolean): Window['style'] {
  if (isByCursor || isBackward) return 'cursor';
  return roleOf(paginationField) === 'offset' ? 'offset' : 'page';
}

/** Parameters as a function of the user's has them. */
export function plainParams(params: Params): PlainParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, texts]) => [name, texts.length > 1 ? texts : (texts[0] ?? '')]),
  );
}

/** Whether a list has a rule of the user's own for what filters it. */
function hasOwnRule(collection: Collection | undefined): boolean {
  if (!collection) return false;
  const { nonFilterArgumentKeys } = Collection.prototype;
  return (
    collection.options.nonFilterArgumentKeys !== undefined || collection.nonFilterArgumentKeys !== nonFilterArgumentKeys
  );
}
