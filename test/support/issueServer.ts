/** What lists are filtered by. */
export interface Filters {
  readonly status?: string;
  readonly owner?: string;
}

export interface IssueRow extends Required<Filters> {
  readonly id: number;
  readonly title: string;
}

export type IssueBody = Partial<Omit<IssueRow, 'id'>>;

/** A page of a list, as the server gives it. */
interface PageOfIssues {
  readonly rows: readonly IssueRow[];
  /** What the next page is asked for with; empty where there is none. */
  readonly next: string;
}

export const statuses = ['open', 'done'];
export const owners = ['ann', 'bob'];

/** No filter, each value of one, and all pairs of both. */
export const allFilters: readonly Filters[] = [
  {},
  ...statuses.map((status) => ({ status })),
  ...owners.map((owner) => ({ owner })),
  ...statuses.flatMap((status) => owners.map((owner) => ({ status, owner }))),
];

/** What a list is called here. */
export function nameOf({ status = '*', owner = '*' }: Filters): string {
  return `${status}/${owner}`;
}

export function matches({ status, owner }: Filters, row: Filters): boolean {
  return (status === undefined || row.status === status) && (owner === undefined || row.owner === owner);
}

/** A server with lists of issues. It does one thing after the other; its moments tell in which order. */
export class IssueServer {
  readonly rows = new Map<number, IssueRow>();
  readonly pageSize: number;
  /** All that there ever were, in the order of lists, so that a cursor stays good when its issue is gone. */
  #order: readonly number[] = [];
  #last = 0;

  constructor(pageSize: number, count: number) {
    this.pageSize = pageSize;
    for (let i = 0; i < count; i++) this.create({ status: statuses[i % 2] ?? '', owner: owners[(i >> 1) % 2] ?? '' });
  }

  matching(filters: Filters): readonly IssueRow[] {
    return this.#order.flatMap((id) => this.rows.get(id) ?? []).filter((row) => matches(filters, row));
  }

  /** A page by its number, or what comes behind an issue. */
  page(filters: Filters, { page = '1', cursor }: { readonly page?: string; readonly cursor?: string }): PageOfIssues {
    const all = this.matching(filters);
    const isBehind = ({ id }: IssueRow): boolean => this.#order.indexOf(id) > this.#order.indexOf(Number(cursor));
    const rest = cursor === undefined ? all.slice((Number(page) - 1) * this.pageSize) : all.filter(isBehind);
    const rows = rest.slice(0, this.pageSize);
    return { rows, next: rest.length > rows.length ? String(rows.at(-1)?.id) : '' };
  }

  /** A new issue, at the end of all lists or at their start. */
  create({ status = 'open', owner = 'ann', title }: IssueBody, isFirst = false): IssueRow {
    const id = ++this.#last;
    const row = { id, status, owner, title: title ?? `issue ${id}` };
    this.rows.set(id, row);
    this.#order = isFirst ? [id, ...this.#order] : [...this.#order, id];
    return row;
  }

  /** The issue as it is then; undefined where it is gone. */
  edit(id: number, body: IssueBody): IssueRow | undefined {
    const row = this.rows.get(id);
    if (!row) return undefined;
    const next = { ...row, ...body };
    this.rows.set(id, next);
    return next;
  }
}
