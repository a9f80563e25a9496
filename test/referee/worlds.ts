/** What a row is told by; of `folder` and `state` there are two values each, every value of the others is written once. */
export type Field = 'text' | 'color' | 'folder' | 'state';
export type Folder = 'a' | 'b';
export type State = 'open' | 'closed';

/** What a row says of itself, as far as its world has the field. */
export type Values = Readonly<Partial<Record<Field, string>>>;

/** A list of the server: the rows that have these values. */
export interface List {
  readonly name: string;
  readonly filter: Values;
  /** How its pages are asked for; a list without pages is answered as a whole. */
  readonly pages?: 'by number' | 'by cursor';
  /** How many rows a page has. */
  readonly size?: number;
  /** How many pages the client keeps at most. */
  readonly maxPages?: number;
  /** Whether the list comes inside of its board, and not by itself. */
  readonly isNested?: boolean;
}

/** A row that is there from the beginning. */
interface Seed {
  readonly folder: Folder;
  readonly state?: State;
  readonly type?: string;
}

/** What there is on a server, and how it can be read. */
export interface World {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly lists: readonly List[];
  readonly seeds: readonly Seed[];
  /** The kinds of rows, where there are two of them. */
  readonly types?: readonly string[];
  /** Whether a `mockServer` is its server. */
  readonly isMocked?: boolean;
}

const byFolder: readonly List[] = [
  { name: 'all', filter: {} },
  { name: 'a', filter: { folder: 'a' } },
  { name: 'b', filter: { folder: 'b' } },
];
const abc: readonly Seed[] = [{ folder: 'a' }, { folder: 'b' }, { folder: 'a' }];

/** Rows, and lists of them by one field. */
export const plain: World = { name: 'plain', fields: ['text', 'color', 'folder'], lists: byFolder, seeds: abc };

/** Lists by two fields, and by both at once; an edit may change either. */
const filters: World = {
  name: 'filters',
  fields: ['text', 'color', 'folder', 'state'],
  lists: [
    ...byFolder,
    { name: 'open', filter: { state: 'open' } },
    { name: 'closed', filter: { state: 'closed' } },
    { name: 'a open', filter: { folder: 'a', state: 'open' } },
    { name: 'b closed', filter: { folder: 'b', state: 'closed' } },
  ],
  seeds: [
    { folder: 'a', state: 'open' },
    { folder: 'b', state: 'closed' },
    { folder: 'a', state: 'closed' },
    { folder: 'b', state: 'open' },
  ],
};

/** A list by page numbers, and two by cursors that lead both ways; of one of them the client keeps two pages. */
const pages: World = {
  name: 'pages',
  fields: ['text', 'color', 'folder'],
  lists: [
    { name: 'all', filter: {}, pages: 'by number', size: 2 },
    { name: 'a', filter: { folder: 'a' }, pages: 'by cursor', size: 1, maxPages: 2 },
    { name: 'b', filter: { folder: 'b' }, pages: 'by cursor', size: 1 },
  ],
  seeds: (['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'] as const).map((folder) => ({ folder })),
};

/** The lists of folders come inside of boards, too. */
const nested: World = {
  name: 'nested',
  fields: ['text', 'color', 'folder'],
  lists: [
    ...byFolder,
    { name: 'a in its board', filter: { folder: 'a' }, isNested: true },
    { name: 'b in its board', filter: { folder: 'b' }, isNested: true },
  ],
  seeds: abc,
};

/** The rows of the lists are of two classes. */
const unions: World = {
  name: 'unions',
  fields: ['text', 'color', 'folder'],
  lists: byFolder,
  seeds: [
    { folder: 'a', type: 'note' },
    { folder: 'b', type: 'task' },
    { folder: 'a', type: 'task' },
  ],
  types: ['note', 'task'],
};

export const worlds: readonly World[] = [plain, filters, pages, nested, unions];

/** The worlds whose definitions say what a server does; of pages, that of `pages` gives an address two forms. */
export const mockedWorlds: readonly World[] = [plain, filters, nested, unions].map((world) => ({
  ...world,
  name: world.name,
  isMocked: true,
}));

/** The names of the lists that every client shows. */
export const plainLists: readonly string[] = plain.lists.map(({ name }) => name);

export function isIn({ filter }: List, row: Values): boolean {
  return Object.entries(filter).every(([field, value]) => row[field as Field] === value);
}

/** The list that an address reads, be it the whole or a page of it. */
export function listAt({ lists }: World, { pathname, searchParams }: URL): List | undefined {
  const [, kind, board, of] = pathname.split('/');
  const isNested = kind === 'boards' && of === undefined;
  if (kind === 'notes' && board !== undefined) return undefined;
  const folder = kind === 'boards' ? board : searchParams.get('folder');
  const state = searchParams.get('state');
  return lists.find(
    (list) =>
      (list.isNested ?? false) === isNested &&
      (list.filter.folder ?? null) === folder &&
      (list.filter.state ?? null) === state,
  );
}
