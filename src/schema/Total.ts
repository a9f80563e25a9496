import type { ListsSchema } from './ListsSchema.js';
import { isAbsent, type Finder, type Normalizer, type Reader, type Row, type RowSchema } from './Schema.js';

/** A row that has joined what is counted, or left it, since the number was told. */
export type Moved = readonly [was: 0 | 1, is: 0 | 1, sent: number, came: number];

/** A number that the server has told, and the rows that have joined and left since; each under its table and pk. */
export interface TotalRow extends Row {
  readonly count: number;
  /** When the read was sent that told it, and when its answer came. */
  readonly at: number;
  readonly until: number;
}

const suffix = ' total';

/** The rows that have joined and left since a number was told, by what they are counted under. */
export function movesIn({ count: _, at: __, until: ___, ...moved }: TotalRow): readonly (readonly [string, Moved])[] {
  // A slice from elsewhere may hold anything.
  return Object.entries(moved).filter((entry): entry is [string, Moved & unknown[]] => Array.isArray(entry[1]));
}

/** The number that was told, with what has joined and left since. */
export function totalIn(row: TotalRow): number {
  return movesIn(row).reduce((sum, [, [was, is]]) => sum + is - was, row.count);
}

/** The table of the numbers that count the items of lists. */
export function totalTable(lists: string): string {
  return `${lists}${suffix}`;
}

/** Whether a table holds such numbers. */
export function isTotal(table: string): boolean {
  return table.endsWith(`]${suffix}`);
}

/** The table of the lists whose items such numbers count. */
export function listsOfTotal(table: string): string {
  return table.slice(0, -suffix.length);
}

/**
 * How many items belong to a list, as a server tells it beside a part of the list; what is created, deleted and moved since is counted, too.
 *
 * @example
 * const todos = new Collection([Todo]);
 * const getPage = new RestEndpoint({ path: '/todos', schema: { results: todos, count: todos.total } });
 */
export class TotalSchema implements RowSchema<number> {
  /** The type of the response alone. */
  declare readonly wire?: number;
  readonly kind: object = this;
  readonly #lists: ListsSchema;

  constructor(lists: ListsSchema) {
    this.#lists = lists;
  }

  /** The table of the lists whose items it counts. */
  get lists(): string {
    return this.#lists.table;
  }

  get table(): string {
    return totalTable(this.lists);
  }

  normalize(input: unknown, _parent: unknown, key: string, into: Normalizer): unknown {
    // A row in wire form has the pk of the number in its place.
    if (isAbsent(input) || (typeof input === 'string' && into.kept(this.table, input))) return input;
    // SQL drivers give a COUNT as text.
    const count = typeof input === 'string' && input !== '' ? Number(input) : input;
    if (typeof count !== 'number' || Number.isNaN(count)) return into.misfit('how many items there are', input);
    // The list stands in another field of the same row.
    const [field] = into.owner?.entity.nested.find(([, schema]) => schema === this.#lists) ?? [key];
    // Parts of one list have the same number.
    const pk = this.#lists.totalOf(this.#lists.pk(field, into));
    into.count(this.table, pk, count);
    return pk;
  }

  query(args: readonly unknown[], from: Finder): string | undefined {
    const pk = this.#lists.totalOf(this.#lists.pkOfArgs(args));
    return from.has(this.table, pk) ? pk : undefined;
  }

  denormalize(ref: unknown, from: Reader): number | undefined {
    if (typeof ref !== 'string') return ref as number | undefined;
    const total = from.row(this, ref) as { readonly total?: number } | undefined;
    return total?.total;
  }

  begin(): object {
    return {};
  }

  fill(value: object, row: unknown): boolean {
    Object.assign(value, { total: totalIn(row as TotalRow) });
    return true;
  }

  isSame(one: unknown, other: unknown): boolean {
    return (one as { readonly total: number }).total === (other as { readonly total: number }).total;
  }
}
