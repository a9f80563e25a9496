import { listPk } from './listKey.js';
import type { ArgumentKind } from './listKey.js';
import { isPlain, type Normalizer, type Reader, type Row, type RowSchema } from './Schema.js';

/** The lists whose items are counted; a Collection is. */
interface Counted {
  readonly table: string;
  argsKey(...args: readonly unknown[]): object;
  argumentKind(key: string, value: unknown): ArgumentKind;
}

/** A row that has joined what is counted, or left it, since the number was told. */
export type Moved = readonly [was: 0 | 1, is: 0 | 1, sent: number, came: number];

/** A number that the server has told, and the rows that have joined and left since; each under its table and pk. */
export interface TotalRow extends Row {
  readonly count: number;
  /** When the read was sent that told it, and when its answer came. */
  readonly at: number;
  readonly until: number;
}

/** The table of the numbers that count the items of lists. */
export function totalTable(lists: string): string {
  return `${lists} total`;
}

/** Whether a table holds such numbers. */
export function isTotal(table: string): boolean {
  return table.endsWith('] total');
}

/**
 * How many items belong to a list, as a server tells it beside a part of the list; what is created, deleted and moved since is counted, too.
 *
 * @example
 * const todos = new Collection([Todo]);
 * const getPage = new RestEndpoint({ path: '/todos', schema: { results: todos, count: todos.total } });
 */
export class TotalSchema implements RowSchema<number> {
  declare readonly wire?: number;
  readonly #lists: Counted;

  constructor(lists: Counted) {
    this.#lists = lists;
  }

  /** The table of the lists whose items it counts. */
  get lists(): string {
    return this.#lists.table;
  }

  get table(): string {
    return totalTable(this.lists);
  }

  get kind(): object {
    return this;
  }

  normalize(input: unknown, _parent: unknown, _key: string, into: Normalizer): unknown {
    if (typeof input !== 'number') return input;
    const pk = this.#pk(into.args);
    into.count(this.table, pk, input);
    return pk;
  }

  /** Parts of one list have the same number. */
  #pk(args: readonly unknown[]): string {
    const key: unknown = this.#lists.argsKey(...args);
    const filters = Object.entries(isPlain(key) ? key : {}).filter(
      ([name, value]) => this.#lists.argumentKind(name, value) === 'filter',
    );
    return listPk(Object.fromEntries(filters));
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
    const { count, at: _, until: __, ...moved } = row as TotalRow;
    // A slice from elsewhere may hold anything.
    const moves = Object.values(moved).filter(Array.isArray) as unknown as readonly Moved[];
    Object.assign(value, { total: moves.reduce((sum, [was, is]) => sum + is - was, count) });
    return true;
  }

  isSame(one: unknown, other: unknown): boolean {
    return (one as { readonly total: number }).total === (other as { readonly total: number }).total;
  }
}
