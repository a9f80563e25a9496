import type { Other } from './history.js';
import type { ShownRow } from './Client.js';
import { isIn, type Field, type List, type Values, type World } from './worlds.js';

/** What the server holds of a row. */
export type Row = ShownRow & { readonly id: number; readonly version: number };

/** A row that is still to be made. */
export type NewRow = Omit<Row, 'version'>;

/** What something was, and from when on. */
export interface Era<Value> {
  readonly at: number;
  readonly value: Value;
}

/** What somebody wants changed. */
export type Write =
  | { readonly is: 'patch'; readonly fields: Values }
  | { readonly is: 'vote'; readonly by: string }
  | { readonly is: 'delete' };

/** Does one thing after the other, and keeps a log of all that ever was. */
export class Server {
  readonly world: World;
  /** How much has been done. */
  now = 0;
  #rows: readonly Row[] = [];
  readonly #ranks = new Map<string, number>();
  readonly #logs = new Map<string, Era<unknown>[]>();
  readonly #ids = new Map<number, string>();

  constructor(world: World) {
    this.world = world;
    for (const [i, seed] of world.seeds.entries()) {
      const origin = `s${i + 1}`;
      this.add({ id: i + 1, origin, text: `text ${origin}`, color: `color ${origin}`, votes: '', ...seed }, 'end');
    }
  }

  row(id: number): Row | undefined {
    return this.#rows.find((row) => row.id === id);
  }

  list(list: List): readonly Row[] {
    return this.#rows.filter((row) => isIn(list, row));
  }

  /** All rows that there are now. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** The ids that ever were. */
  ids(): readonly number[] {
    return [...this.#ids.keys()];
  }

  /** The rows that ever were, by who made them. */
  origins(): readonly string[] {
    return [...this.#ids.values()];
  }

  originOf(id: number): string | undefined {
    return this.#ids.get(id);
  }

  /** Where a row stands beside others; a row that is still to be made stands nowhere. */
  rankOf(origin: string): number | undefined {
    return this.#ranks.get(origin);
  }

  /** Since when a field of a row, or its being in a list, was what. */
  log(origin: string, what: string): readonly Era<unknown>[] {
    return this.#logs.get(`${origin} ${what}`) ?? [];
  }

  make(row: NewRow, place: 'start' | 'end'): Row {
    this.now += 1;
    return this.add(row, place);
  }

  /** Does a write to a row; gives the row as it then is, undefined where there is none. */
  write(id: number, write: Write): Row | undefined {
    const row = this.row(id);
    if (!row) return undefined;
    this.now += 1;
    if (write.is === 'delete') return this.drop(row);
    return this.change(row, write.is === 'vote' ? { votes: `${row.votes}+${write.by}` } : write.fields);
  }

  /** What another client does; tells it in words. */
  other(other: Other): string {
    const { is, row, isFirst = false } = other;
    const by = `x${this.now + 1}`;
    if (is === 'create') {
      const values = valuesOf(this.world.fields, other, by);
      const { folder, type } = other;
      const made = { ...values, id: 2000 + this.now, origin: by, folder, votes: '', ...(type && { type }) };
      this.make(made as NewRow, isFirst ? 'start' : 'end');
      return `another makes ${by} in ${folder}${isFirst ? ', before all' : ''}`;
    }
    const target = this.#rows[row % this.#rows.length];
    if (!target) return 'another finds nothing';
    if (is === 'delete') this.write(target.id, { is });
    else if (is === 'vote') this.write(target.id, { is, by });
    else this.write(target.id, { is: 'patch', fields: valuesOf(other.named, other, by) });
    return `another ${is}s ${target.origin}: ${JSON.stringify(this.row(target.id) ?? 'gone')}`;
  }

  /** The rank of a row that comes before all others, or after them. */
  rankAt(place: 'start' | 'end'): number {
    const ranks = [0, ...this.#ranks.values()];
    return place === 'end' ? Math.max(...ranks) + 1 : Math.min(...ranks) - 1;
  }

  protected add(made: NewRow, place: 'start' | 'end'): Row {
    const row = { ...made, version: this.now };
    this.#ids.set(row.id, row.origin);
    this.#ranks.set(row.origin, this.rankAt(place));
    this.#rows = place === 'end' ? [...this.#rows, row] : [row, ...this.#rows];
    this.#noteAll(row);
    return row;
  }

  protected change(row: Row, fields: Partial<NewRow>): Row {
    const next = { ...row, ...fields, version: this.now };
    this.#rows = this.#rows.map((one) => (one === row ? next : one));
    this.#noteAll(next);
    return next;
  }

  protected drop(row: Row): Row {
    this.#rows = this.#rows.filter((one) => one !== row);
    for (const { name } of this.world.lists) this.#note(row.origin, name, false);
    return row;
  }

  #noteAll(row: Row): void {
    for (const field of [...this.world.fields, 'votes'] as const) this.#note(row.origin, field, row[field]);
    for (const list of this.world.lists) this.#note(row.origin, list.name, isIn(list, row));
  }

  #note(origin: string, what: string, value: unknown): void {
    const key = `${origin} ${what}`;
    const log = this.#logs.get(key) ?? [];
    this.#logs.set(key, log);
    if (log.at(-1)?.value !== value) log.push({ at: this.now, value });
  }
}

/** What is written, so that every text and color is written once. */
export function valuesOf(named: readonly Field[], { folder, state = 'open' }: Values, by: string): Values {
  return Object.fromEntries(
    named.map((field) => [field, field === 'folder' ? folder : field === 'state' ? state : `${field} ${by}`]),
  );
}
