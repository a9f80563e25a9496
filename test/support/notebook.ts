import { folderOf, tableOf, tables, type Asked, type Body, type ListName, type Sent, type Table } from './naive.js';

/** What the server says. */
export interface Reply {
  readonly status: number;
  readonly json: unknown;
}

/** How much there is on the server. */
export interface World {
  readonly notes: number;
  /** How many items a page has; a list shows the first. */
  readonly page: number;
  /** The notes that things happen to; the last is not there at first. */
  readonly targets: readonly number[];
}

/** A row on the server; a note is by one of the people. */
interface Kept extends Omit<Body<number>, 'by'> {
  readonly id: number;
  readonly by?: number | undefined;
}

/** A target as the address or the body of a request names it. */
type Id = number | string;

/** The server: other people's notes, and ours. */
export class Notebook {
  readonly #world: World;
  readonly #removed = new Set<string>();
  readonly #rows: Record<Table, readonly Kept[]>;

  constructor(world: World) {
    this.#world = world;
    const note = (_: unknown, i: number): Kept => ({
      id: i + 1,
      text: `n${i + 1}`,
      color: 'red',
      folder: i % 3 === 1 ? 'b' : 'a',
      votes: 0,
      by: (i % 2) + 1,
    });
    const people = [1, 2].map((id) => ({ id, text: `p${id}`, color: 'pink' }));
    this.#rows = { notes: Array.from({ length: world.notes }, note), people };
  }

  /** Does what is asked, and answers; `id` is that of the target, and what is created gets an id of its number. */
  reply(number: number, asked: Asked<Id>, table: Table, id: number): Reply {
    switch (asked.is) {
      case 'list':
        return ok(this.list(asked.list));
      case 'page':
        return ok(this.#page(asked.list, asked.page));
      case 'get':
        return this.#found(table, id);
      case 'patch':
      case 'replace':
      case 'move':
        this.edit(table, id, kept(asked.body));
        return this.#found(table, id);
      case 'vote': {
        const note = this.#rows.notes.find((one) => one.id === id);
        this.edit(table, id, { votes: (note?.votes ?? 0) + 1 });
        return this.#found(table, id);
      }
      case 'remove': {
        const folder = folderOf(asked.list);
        const note = this.#rows.notes.find((one) => one.id === id);
        if (table === 'notes' && folder && note?.folder === folder) this.edit(table, id, { folder: '' });
        return this.#found(table, id);
      }
      case 'delete':
        this.remove(table, id);
        return ok({ id });
      case 'push':
      case 'unshift': {
        const made = { ...blank(table, 'made'), ...filed(asked.list), ...kept(asked.body), id: 100_000 + number };
        const rows = this.#rows[table];
        this.#rows[table] = asked.is === 'push' ? [...rows, made] : [made, ...rows];
        return ok(this.#send(made));
      }
    }
  }

  /** The first page of a list, as it is sent; of folder b it is a summary. */
  list(list: ListName): readonly Sent[] {
    return this.#page(list, 1);
  }

  /** Somebody else adds or edits something, or takes it away. */
  remote(table: Table, id: number, body: Body<number> | undefined): void {
    // No id is given twice.
    if (this.#removed.has(`${table} ${id}`)) return;
    const fields = body && kept(body);
    if (!fields) this.remove(table, id);
    else if (this.#rows[table].some((row) => row.id === id)) this.edit(table, id, fields);
    else this.#rows[table] = [...this.#rows[table], { ...blank(table, 'remote'), ...fields, id }];
  }

  edit(table: Table, id: number, fields: Partial<Kept>): void {
    this.#rows[table] = this.#rows[table].map((row) => (row.id === id ? { ...row, ...fields } : row));
  }

  remove(table: Table, id: number): void {
    this.#removed.add(`${table} ${id}`);
    this.#rows[table] = this.#rows[table].filter((row) => row.id !== id);
  }

  #page(list: ListName, number: number): readonly Sent[] {
    const folder = folderOf(list);
    const found = this.#rows[tableOf(list)].filter((row) => !folder || row.folder === folder);
    const { page } = this.#world;
    const items = found.slice((number - 1) * page, number * page).map((row) => this.#send(row));
    return list === 'b' ? items.map(({ color: _, ...summary }) => summary) : items;
  }

  #found(table: Table, id: number): Reply {
    const row = this.#rows[table].find((one) => one.id === id);
    return row ? ok(this.#send(row)) : { status: 404, json: { title: 'Not found' } };
  }

  #send({ by, ...fields }: Kept): Sent {
    if (by === undefined) return fields;
    const person = this.#rows.people.find(({ id }) => id === by);
    return { ...fields, by: person ? this.#send(person) : null };
  }
}

function kept({ by, ...fields }: Body<Id>): Omit<Kept, 'id'> {
  return by === undefined ? fields : { ...fields, by: Number(by) };
}

function blank(table: Table, text: string): Omit<Kept, 'id'> {
  return table === 'people' ? { text, color: text } : { text, color: text, folder: '', votes: 0, by: 1 };
}

function filed(list: ListName): Partial<Kept> {
  const folder = folderOf(list);
  return folder === undefined ? {} : { folder };
}

function ok(json: unknown): Reply {
  return { status: 200, json };
}

/** A few of everything, so that much happens to the same. */
export const small: World = { notes: 3, page: 2, targets: [1, 2, 3, 4] };

/** Tables and lists of several pages: there are 256 places to a page. */
export const large: World = {
  notes: 600,
  page: 560,
  targets: [1, 2, 255, 256, 257, 511, 512, 513, 599, 600, 601],
};

/** The people that things happen to; the last is not there at first. */
const peopleTargets: readonly number[] = [1, 2, 3];

export function targetsIn(world: World, table: Table): readonly number[] {
  return table === 'people' ? peopleTargets : world.targets;
}

export function allTargets(world: World): readonly { readonly table: Table; readonly id: number }[] {
  return tables.flatMap((table) => targetsIn(world, table).map((id) => ({ table, id })));
}
