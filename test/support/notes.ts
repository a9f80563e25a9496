/** There are notes, and the people they are by. */
export type Table = 'notes' | 'people';
export const tables: readonly Table[] = ['notes', 'people'];

/** What lists of notes are filtered by. */
export type Filter = 'folder' | 'color';
export const filterFields: readonly Filter[] = ['folder', 'color'];
export type Filters = Readonly<Partial<Record<Filter, string>>>;

const filters = {
  all: {},
  a: { folder: 'a' },
  b: { folder: 'b' },
  red: { color: 'red' },
  'red a': { folder: 'a', color: 'red' },
  people: {},
} satisfies Record<string, Filters>;

/** The lists there are: all notes, those of a folder, of a color, of both, and all people. */
export type ListName = keyof typeof filters;
export const lists = Object.keys(filters) as readonly ListName[];

/** How the pages of all lists follow each other: by number, by cursor, or by cursor and two at most. */
export type Paging = 'number' | 'cursor' | 'two by cursor';

/** What a request is about: something that the server had from the start, or what the nth request creates. */
export type Target = { readonly table: Table; readonly id: number } | { readonly created: number };

type TextField = 'text' | Filter;

/** What a note or a person is told by, without the people in it. */
type Own = Readonly<Partial<Record<TextField, string>>> & { readonly votes?: number };

/** What is sent of a note or a person; a note is by one of the people, and can be voted for. */
export type Body<T = Target> = Own & { readonly by?: T };

/** The fields of a row; `by` is the pk of a person. Where notes have versions, every write to one counts its version up. */
export type Fields = Own & { readonly by?: string | null | undefined; readonly version?: number };

/** What is asked of the server; what is quiet shows nothing before it is answered. */
export type Asked<T = Target> =
  | { readonly is: 'list' | 'again' | 'next' | 'previous'; readonly list: ListName }
  | { readonly is: 'page'; readonly list: ListName; readonly page: number }
  | { readonly is: 'get'; readonly target: T }
  | { readonly is: 'patch'; readonly target: T; readonly body: Body<T>; readonly quiet?: true }
  | { readonly is: 'replace' | 'move'; readonly target: T; readonly body: Body<T> }
  | { readonly is: 'vote'; readonly target: T }
  | { readonly is: 'remove'; readonly list: ListName; readonly target: T }
  | { readonly is: 'delete'; readonly target: T }
  | { readonly is: 'push' | 'unshift'; readonly list: ListName; readonly body: Body<T>; readonly quiet?: true };

export type ListRead = Extract<Asked, { is: 'list' | 'again' | 'next' | 'previous' | 'page' }>;
type Read = ListRead | Extract<Asked, { is: 'get' }>;
export type Create = Extract<Asked, { is: 'push' | 'unshift' }>;
export type Write = Exclude<Asked, Read>;

/** What the server sends: a note has its author inside. */
export interface Sent extends Own {
  readonly id: number;
  readonly by?: Sent | null;
  readonly version?: number;
}

/** A page as it was asked for, by what its address has beside the filters (`page=2`, `after=5`, or nothing), and what came. */
export interface ToldPage {
  readonly args: string;
  readonly items: readonly Sent[];
}

/** Names a row: its table and its pk. */
export type Key = `${Table} ${string}`;

/** What selectors are to show: rows, and the pks of each list that is there. */
export interface View {
  readonly rows: Readonly<Record<Key, Fields>>;
  readonly lists: Readonly<Partial<Record<ListName, readonly string[]>>>;
}

export function tableOf(list: ListName): Table {
  return list === 'people' ? 'people' : 'notes';
}

export function filtersOf(list: ListName): Filters {
  return filters[list];
}

/** The fields that a list is filtered by. */
export function filterNames(list: ListName): readonly Filter[] {
  return filterFields.filter((field) => field in filters[list]);
}

export function isListRead(asked: Asked): asked is ListRead {
  return ['list', 'again', 'next', 'previous', 'page'].includes(asked.is);
}

export function isCreate(asked: Asked): asked is Create {
  return asked.is === 'push' || asked.is === 'unshift';
}

export function isWrite(asked: Asked): asked is Write {
  return asked.is !== 'get' && !isListRead(asked);
}

export function isList(name: string): name is ListName {
  return name in filters;
}

export function bodyOf(asked: Asked): Body {
  return 'body' in asked ? asked.body : {};
}

/** Whether a request names what another is to create. */
export function names(asked: Asked, created: number): boolean {
  const { by } = bodyOf(asked);
  const all = [...('target' in asked ? [asked.target] : []), ...(by ? [by] : [])];
  return all.some((target) => 'created' in target && target.created === created);
}

/** Whether a row, or what else has fields, has the value of each filter of a list. */
export function matches(list: ListName, row: Fields | Body): boolean {
  return filterNames(list).every((field) => row[field] === filtersOf(list)[field]);
}

/** Whether a row is known to have another value than a list is filtered by. */
export function contradicts(list: ListName, row: Fields | Body): boolean {
  return filterNames(list).some((field) => row[field] !== undefined && row[field] !== filtersOf(list)[field]);
}

/** What the next page is asked for with, by cursor: there is one behind each full page. */
export function cursorBehind(items: readonly { readonly id: unknown }[], pageSize: number): string | undefined {
  return items.length < pageSize ? undefined : `after=${String(items.at(-1)?.id)}`;
}

/** What the previous page is asked for with, by cursor: there may be one before each that has items. */
export function cursorBefore([first]: readonly { readonly id: unknown }[]): string | undefined {
  return first && `before=${String(first.id)}`;
}
