import type { Reply } from './answers.js';
import type { Shown, ShownRow } from './Client.js';
import { everyRow, isCreate, Ledger, rowBefore, valueIn, votesOf } from './Ledger.js';
import { judgeList } from './lists.js';
import type { Op } from './Match.js';
import type { PageLog } from './PageLog.js';
import { judgeBeside, judgePages } from './judgePages.js';
import { judgeRow } from './rows.js';
import type { Server } from './Server.js';
import type { Finding } from './findings.js';
import { isIn, type Field, type List, type Values } from './worlds.js';

/** Judges what a client shows by what the server did and what its users asked for, and by nothing else. */
export class Referee {
  readonly ledger: Ledger;

  constructor(server: Server, ops: readonly Op[], story: readonly string[], isInOrder: boolean) {
    this.ledger = new Ledger(server, ops, story, isInOrder);
  }

  get findings(): readonly Finding[] {
    return this.ledger.findings;
  }

  /** An answer is delivered. */
  tell(reply: Reply): void {
    this.ledger.tell(reply);
  }

  /** An answer has been delivered, and shows unless its request has sent for more. */
  land(reply: Reply, label: string | undefined, isGoingOn: boolean): void {
    this.ledger.land(reply, label, isGoingOn);
  }

  /** A write has been confirmed: from now on nothing older is shown. */
  confirm(op: Op): void {
    const { asked, origin = '', handledAt: at = 0 } = op;
    const ledger = this.ledger;
    for (const field of ledger.world.fields) {
      const value = asked.is === 'patch' ? valueIn(op, field) : undefined;
      if (value !== undefined) ledger.raiseAll(origin, field, { at, by: op, value });
    }
    if (asked.is === 'vote') ledger.count([String(op.number)], origin);
    for (const list of ledger.world.lists) {
      const isThere = this.#expected(op, list);
      if (isThere !== undefined) ledger.raiseAll(origin, list.name, { at, by: op, value: isThere });
    }
  }

  /** Whether a confirmed write has put its row into a list, or taken it out. */
  #expected(op: Op, list: List): boolean | undefined {
    if (op.asked.is === 'delete') return false;
    const filters = Object.entries(list.filter) as [Field, string][];
    const named = filters.filter(([field]) => valueIn(op, field) !== undefined);
    const before = rowBefore(op);
    const isOut = named.filter(([field, value]) => valueIn(op, field) !== value);
    if (isCreate(op)) return isOut.length > 0 ? undefined : true;
    // Only an edit that is seen to change it makes a row join a list, or leave one.
    if (isOut.length > 0) return isOut.some(([field, value]) => before?.[field] === value) ? false : undefined;
    const isMove = named.some(([field, value]) => before?.[field] && before[field] !== value);
    const isWhole = named.length === filters.length || this.#isTold(op, list, before);
    return isMove && isWhole ? true : undefined;
  }

  /** Whether what an edit does not name of what a list asks for was so when it was asked, and was told so by its answer. */
  #isTold(op: Op, list: List, before: ShownRow | undefined): boolean {
    const { fate, origin = '', handledAt = 0 } = op;
    const there = this.ledger.server.log(origin, list.name).findLast(({ at }) => at <= handledAt);
    return fate === 'fine' && there?.value === true && before !== undefined && isIn(list, { ...before, ...bodyOf(op) });
  }

  /** A read that nothing overlapped is shown as it is; of a list with pages that says which rows are there, not which are not. */
  refresh({ at, rows, list }: Reply, shown: Shown): void {
    const ledger = this.ledger;
    const view = list?.name ?? `row ${rows[0]?.id ?? ''}`;
    for (const row of rows) {
      const { origin = '' } = row;
      for (const field of ledger.world.fields) ledger.raise(view, origin, field, { at, value: row[field] });
      ledger.count(votesOf(row), origin, view);
    }
    const told = list?.pages ? rows.map(({ origin = '' }) => origin) : ledger.server.origins();
    if (list) for (const origin of told) ledger.raise(view, origin, view, { at });
    this.look(shown);
  }

  /** This is shown. */
  look(shown: Shown): void {
    for (const list of this.ledger.world.lists) {
      const rows = shown.lists[list.name];
      if (!rows) continue;
      const origins = rows.map(({ origin }) => origin);
      if (list.pages) this.pages.cut(list, origins);
      judgeList(this.ledger, list, rows);
      if (list.pages) {
        judgePages(this.ledger, list, rows);
        this.pages.keep(list, origins);
      }
      for (const row of rows) judgeRow(this.ledger, list.name, row);
    }
    for (const [id, row] of Object.entries(shown.rows)) {
      if (!row) continue;
      judgeRow(this.ledger, `row ${id}`, row);
      const { origin } = row;
      const isDeleted = this.ledger.opsOn(origin).some(({ asked, state }) => asked.is === 'delete' && state === 'done');
      if (isDeleted) this.ledger.find('row returns', `${origin} is shown, and was deleted`, { origin });
    }
    this.#compare(everyRow(shown));
  }

  /** What a referee has to know of lists that are read page by page. */
  get pages(): PageLog {
    return this.ledger.pages;
  }

  /** The rows of which an answer has told by now. */
  known(): ReadonlySet<string> {
    return this.ledger.known();
  }

  /** A request names a row that cannot be. */
  meet(path: string): void {
    this.ledger.find('temporary id', path);
  }

  /** No write is pending: nothing may say that one is. */
  atRest(marks: readonly string[]): void {
    for (const mark of marks) this.ledger.find('mark', mark);
  }

  /** Of these lists with pages nothing is under way. */
  rest(shown: Shown, resting: readonly List[]): void {
    judgeBeside(this.ledger, shown, resting);
  }

  /** Nothing is under way: nothing is still to be made. */
  atPeace(shown: Shown): void {
    for (const { id, origin } of everyRow(shown)) {
      if (typeof id === 'string') this.ledger.find('mark', `${origin} still has a temporary id`, { origin });
    }
  }

  /** All has been asked for anew: what is shown is what the server has. */
  atEnd(shown: Shown, thrown: readonly string[]): void {
    for (const error of thrown) this.ledger.find('thrown', error);
    const { server, world } = this.ledger;
    for (const list of world.lists) {
      // Of a list of which only some pages are kept, those that are there have been compared.
      if (list.maxPages !== undefined) continue;
      const { name } = list;
      const is = JSON.stringify((shown.lists[name] ?? []).map(plain));
      const expected = JSON.stringify(server.list(list).map(plain));
      if (is !== expected) this.ledger.find('not converged', `${name} is ${is} in place of ${expected}`);
    }
  }

  #compare(rows: readonly ShownRow[]): void {
    const first = new Map<string, ShownRow>();
    for (const row of rows) {
      // Nobody knows yet that what is being made, and what has been made, are one.
      const key = `${row.origin} ${row.id}`;
      const other = first.get(key) ?? row;
      first.set(key, other);
      for (const field of [...this.ledger.world.fields, 'votes'] as const) {
        if (row[field] === other[field]) continue;
        const text = `${field} of ${row.origin} is ${other[field] ?? ''} and ${row[field] ?? ''}`;
        this.ledger.find('two values', text, { origin: row.origin, what: field });
      }
    }
  }
}

function bodyOf({ asked }: Op): Values {
  return 'body' in asked ? asked.body : {};
}

function plain(row: ShownRow): unknown {
  const { id, origin, text, color, folder, state, votes, type } = row;
  return { id, origin, text, color, folder, state, votes, type };
}
