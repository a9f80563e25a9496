import {
  filterFields,
  filtersOf,
  matches,
  tableOf,
  tables,
  type Asked,
  type Body,
  type Filters,
  type ListName,
  type Sent,
  type Table,
} from './notes.js';

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
  /** Counted up by each write; sent only where notes have versions. */
  readonly version: number;
}

/** A target as the address or the body of a request names it. */
type Id = number | string;

/** The server: other people's notes, and ours. */
export class Notebook {
  readonly #world: World;
  readonly #isVersioned: boolean;
  readonly #removed = new Set<string>();
  readonly #rows: Record<Table, readonly Kept[]>;
  /** All ids that there ever were, as lists have them, so that a cursor stays good when its row is gone. */
  readonly #order: Record<Table, readonly number[]>;

  constructor(world: World, isVersioned = false) {
    this.#world = world;
    this.#isVersioned = isVersioned;
    const note = (_: unknown, i: number): Kept => ({
      id: i + 1,
      text: `n${i + 1}`,
      color: i % 4 === 2 ? 'blue' : 'red',
      folder: i % 3 === 1 ? 'b' : 'a',
      votes: 0,
      by: (i % 2) + 1,
      version: 1,
    });
    const people = [1, 2].map((id) => ({ id, text: `p${id}`, color: 'pink', version: 1 }));
    this.#rows = { notes: Array.from({ length: world.notes }, note), people };
    this.#order = { notes: this.#rows.notes.map(({ id }) => id), people: people.map(({ id }) => id) };
  }

  /** Does what is asked of it, but to give lists, and answers; `id` is that of the target, and what is created gets an id of its number. */
  reply(number: number, asked: Asked<Id>, table: Table, id: number): Reply {
    switch (asked.is) {
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
        const note = this.#rows.notes.find((one) => one.id === id);
        const shared = filterFields.filter((field) => note?.[field] === filtersOf(asked.list)[field]);
        if (table === 'notes') this.edit(table, id, Object.fromEntries(shared.map((field) => [field, ''])));
        return this.#found(table, id);
      }
      case 'delete':
        this.remove(table, id);
        return ok({ id });
      case 'push':
      case 'unshift': {
        const made = { ...blank(table, 'made'), ...filtersOf(asked.list), ...kept(asked.body), id: 100_000 + number };
        this.#add(table, made, asked.is === 'unshift');
        return ok(this.#send(made));
      }
      default:
        return { status: 405, json: {} };
    }
  }

  /** A page of a list, as it is sent, by what its address has beside the filters; of folder b it is a summary. */
  list(list: ListName, args = ''): readonly Sent[] {
    const table = tableOf(list);
    const byId = new Map(this.#rows[table].map((row) => [row.id, row]));
    const found = this.#order[table].flatMap((id) => byId.get(id) ?? []).filter((row) => matches(list, bare(row)));
    const { page } = this.#world;
    const [name, value] = args.split('=');
    const at = (id: number): number => this.#order[table].indexOf(id);
    const from = Number(value);
    const items =
      name === 'after'
        ? found.filter(({ id }) => at(id) > at(from)).slice(0, page)
        : name === 'before'
          ? found.filter(({ id }) => at(id) < at(from)).slice(-page)
          : found.slice(((from || 1) - 1) * page, (from || 1) * page);
    const sent = items.map((row) => this.#send(row));
    return list === 'b' ? sent.map(({ text: _, ...summary }) => summary) : sent;
  }

  /** Somebody else adds or edits something, or takes it away. */
  remote(table: Table, id: number, body: Body<number> | undefined): void {
    // No id is given twice.
    if (this.#removed.has(`${table} ${id}`)) return;
    const fields = body && kept(body);
    if (!fields) this.remove(table, id);
    else if (this.#rows[table].some((row) => row.id === id)) this.edit(table, id, fields);
    else this.#add(table, { ...blank(table, 'remote'), ...fields, id });
  }

  #add(table: Table, row: Kept, isFirst = false): void {
    this.#rows[table] = [...this.#rows[table], row];
    this.#order[table] = isFirst ? [row.id, ...this.#order[table]] : [...this.#order[table], row.id];
  }

  edit(table: Table, id: number, fields: Partial<Kept>): void {
    this.#rows[table] = this.#rows[table].map((row) =>
      row.id === id ? { ...row, ...fields, version: row.version + 1 } : row,
    );
  }

  remove(table: Table, id: number): void {
    this.#removed.add(`${table} ${id}`);
    this.#rows[table] = this.#rows[table].filter((row) => row.id !== id);
  }

  #found(table: Table, id: number): Reply {
    const row = this.#rows[table].find((one) => one.id === id);
    return row ? ok(this.#send(row)) : { status: 404, json: { title: 'Not found' } };
  }

  #send({ by, version, ...rest }: Kept): Sent {
    if (by === undefined) return rest;
    const fields = this.#isVersioned ? { ...rest, version } : rest;
    const person = this.#rows.people.find(({ id }) => id === by);
    return { ...fields, by: person ? this.#send(person) : null };
  }
}

function kept({ by, ...fields }: Body<Id>): Omit<Kept, 'id' | 'version'> {
  return by === undefined ? fields : { ...fields, by: Number(by) };
}

function blank(table: Table, text: string): Omit<Kept, 'id'> {
  const row = { text, color: text, version: 1 };
  return table === 'people' ? row : { ...row, folder: '', votes: 0, by: 1 };
}

/** What of a row lists may be filtered by. */
function bare({ folder = '', color = '' }: Kept): Filters {
  return { folder, color };
}

function ok(json: unknown): Reply {
  return { status: 200, json };
}

/** A few of everything, so that much happens to the same. */
export const small: World = { notes: 5, page: 2, targets: [1, 2, 3, 6] };

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
