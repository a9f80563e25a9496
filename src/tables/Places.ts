/** Where a row or a list is kept. */
export interface Place {
  /** The table. */
  readonly table: string;
  /** The row or list in it. */
  readonly pk: string;
}

/** The table of answers as patches by hand show them, each under the name of its request; no confirmed tables have it. */
export const answersTable = ' answers';

/** Something for each of some rows and lists, by table and pk. */
export class Places<Entry = true> {
  /** Made with the first entry: most stay empty, and a map takes 0.1 µs. */
  #tables: Map<string, Map<string, Entry>> | undefined;

  /** What is kept for a place. */
  get(table: string, pk: string): Entry | undefined {
    return this.#tables?.get(table)?.get(pk);
  }

  /** Whether a place is among them. */
  has(table: string, pk: string): boolean {
    return this.#tables?.get(table)?.has(pk) ?? false;
  }

  /** Keeps something for a place. */
  set(table: string, pk: string, entry: Entry): void {
    this.in(table).set(pk, entry);
  }

  /** Keeps places, of which nothing more is to be told. */
  add(this: Places, all: Iterable<Place>): void {
    for (const { table, pk } of all) this.set(table, pk, true);
  }

  /** Keeps all that others keep. */
  addAll(others: Places<Entry>): void {
    for (const [table, entries] of others.tables()) for (const [pk, entry] of entries) this.set(table, pk, entry);
  }

  /** Those of one table. */
  in(table: string): Map<string, Entry> {
    this.#tables ??= new Map<string, Map<string, Entry>>();
    let entries = this.#tables.get(table);
    if (!entries) this.#tables.set(table, (entries = new Map<string, Entry>()));
    return entries;
  }

  /** All places, as an object each: for few. */
  all(): readonly Place[] {
    return this.tables().flatMap(([table, entries]) => [...entries.keys()].map((pk) => ({ table, pk })));
  }

  /** The tables that have something, each with what it has. */
  tables(): readonly (readonly [table: string, entries: ReadonlyMap<string, Entry>])[] {
    return this.#tables ? [...this.#tables].filter(([, entries]) => entries.size > 0) : [];
  }
}
