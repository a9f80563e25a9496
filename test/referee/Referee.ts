import type { Shown, ShownRow } from './Client.js';
import { fields, lists, type ListName } from './history.js';
import { everyRow, isOf, Ledger, rowBefore, valueIn, votesOf } from './Ledger.js';
import { judgeList } from './lists.js';
import type { Op } from './Match.js';
import type { Reply } from './Network.js';
import { judgeRow } from './rows.js';
import type { Server } from './Server.js';
import type { Finding } from './findings.js';

/** Judges what a client shows by what the server did and what its users asked for, and by nothing else. */
export class Referee {
  readonly #ledger: Ledger;

  constructor(server: Server, ops: readonly Op[], story: readonly string[], isInOrder: boolean) {
    this.#ledger = new Ledger(server, ops, story, isInOrder);
  }

  get findings(): readonly Finding[] {
    return this.#ledger.findings;
  }

  /** An answer is delivered. */
  tell(reply: Reply): void {
    this.#ledger.tell(reply);
  }

  /** A write has been confirmed: from now on nothing older is shown. */
  confirm(op: Op): void {
    const { asked, origin = '', handledAt: at = 0 } = op;
    const ledger = this.#ledger;
    for (const field of fields) {
      const value = asked.is === 'patch' ? valueIn(op, field) : undefined;
      if (value !== undefined) ledger.raiseAll(origin, field, { at, by: op, value });
    }
    if (asked.is === 'vote') ledger.count([String(op.number)], origin);
    for (const list of lists) {
      const isThere = this.#expected(op, list);
      if (isThere !== undefined) ledger.raiseAll(origin, list, { at, by: op, value: isThere });
    }
  }

  /** Whether a confirmed write has put its row into a list, or taken it out. */
  #expected(op: Op, list: ListName): boolean | undefined {
    const folder = valueIn(op, 'folder');
    switch (op.asked.is) {
      case 'delete':
        return false;
      case 'push':
      case 'unshift':
        return isOf(list, folder) || undefined;
      default:
        // Only an edit that is seen to change it makes a row join a list, or leave one.
        return folder === undefined || list === 'all' || isSame(rowBefore(op)?.folder, folder)
          ? undefined
          : folder === list;
    }
  }

  /** A read that nothing overlapped is shown as it is. */
  refresh({ pathname, searchParams }: URL, { at, rows }: Reply, shown: Shown): void {
    const ledger = this.#ledger;
    const isList = pathname === '/notes';
    const list = (searchParams.get('folder') ?? 'all') as ListName;
    const view = isList ? list : `row ${rows[0]?.id ?? ''}`;
    for (const row of rows) {
      const { origin = '' } = row;
      for (const field of fields) ledger.raise(view, origin, field, { at, value: row[field] });
      ledger.count(votesOf(row), origin, view);
    }
    if (isList) for (const origin of ledger.server.origins()) ledger.raise(view, origin, list, { at });
    this.look(shown);
  }

  /** This is shown. */
  look(shown: Shown): void {
    for (const list of lists) {
      const rows = shown.lists[list];
      if (!rows) continue;
      judgeList(this.#ledger, list, rows);
      for (const row of rows) judgeRow(this.#ledger, list, row);
    }
    for (const [id, row] of Object.entries(shown.rows)) {
      if (!row) continue;
      judgeRow(this.#ledger, `row ${id}`, row);
      const { origin } = row;
      const isDeleted = this.#ledger
        .opsOn(origin)
        .some(({ asked, state }) => asked.is === 'delete' && state === 'done');
      if (isDeleted) this.#ledger.find('row returns', `${origin} is shown, and was deleted`, { origin });
    }
    this.#compare(everyRow(shown));
  }

  /** A request names a row that cannot be. */
  meet(path: string): void {
    this.#ledger.find('temporary id', path);
  }

  /** No write is pending: nothing may say that one is. */
  atRest(marks: readonly string[]): void {
    for (const mark of marks) this.#ledger.find('mark', mark);
  }

  /** Nothing is under way: nothing is still to be made. */
  atPeace(shown: Shown): void {
    for (const { id, origin } of everyRow(shown)) {
      if (typeof id === 'string') this.#ledger.find('mark', `${origin} still has a temporary id`, { origin });
    }
  }

  /** All has been asked for anew: what is shown is what the server has. */
  atEnd(shown: Shown, thrown: readonly string[]): void {
    for (const error of thrown) this.#ledger.find('thrown', error);
    for (const list of lists) {
      const is = JSON.stringify((shown.lists[list] ?? []).map(plain));
      const expected = JSON.stringify(this.#ledger.server.list(list).map(plain));
      if (is !== expected) this.#ledger.find('not converged', `${list} is ${is} in place of ${expected}`);
    }
  }

  #compare(rows: readonly ShownRow[]): void {
    const first = new Map<string, ShownRow>();
    for (const row of rows) {
      // Nobody knows yet that what is being made, and what has been made, are one.
      const key = `${row.origin} ${row.id}`;
      const other = first.get(key) ?? row;
      first.set(key, other);
      for (const field of [...fields, 'votes'] as const) {
        if (row[field] === other[field]) continue;
        const text = `${field} of ${row.origin} is ${other[field]} and ${row[field]}`;
        this.#ledger.find('two values', text, { origin: row.origin, what: field });
      }
    }
  }
}

/** Whether nobody saw a folder change, be it the same or not known before. */
function isSame(before: string | undefined, folder: string): boolean {
  return !before || before === folder;
}

function plain({ id, origin, text, color, folder, votes }: ShownRow): ShownRow {
  return { id, origin, text, color, folder, votes };
}
