import type { Shown, ShownRow } from './Client.js';
import { PageLog } from './PageLog.js';
import type { Reply } from './answers.js';
import type { About, Finding, Floor, Kind } from './findings.js';
import type { Op } from './Match.js';
import type { Era, Server } from './Server.js';
import type { Field, World } from './worlds.js';

/** What a referee has to go by: what the server did, what was asked for, what answers have told, and what was shown before. */
export class Ledger {
  readonly server: Server;
  readonly ops: readonly Op[];
  /** Whether the server serves in the order of sending, so that what was asked for earlier was done earlier. */
  readonly isInOrder: boolean;
  readonly pages: PageLog;
  readonly #story: readonly string[];
  readonly #found = new Map<string, Finding>();
  /** What each view has shown, by `view origin what`; what a confirmed write binds all views to, by `origin what`. */
  readonly #floors = new Map<string, Floor>();
  readonly #told = new Set<string>();
  /** The answers to requests that have sent for more, by their labels. */
  readonly #coming = new Map<string, readonly Reply[]>();
  readonly #known = new Set<string>();
  /** The votes that may not be lost: likewise by view and row, and by row. */
  readonly #votes = new Map<string, ReadonlySet<string>>();

  constructor(server: Server, ops: readonly Op[], story: readonly string[], isInOrder: boolean) {
    this.server = server;
    this.ops = ops;
    this.#story = story;
    this.isInOrder = isInOrder;
    this.pages = new PageLog(server, ops, (origin, list) => this.floorOf(list, origin, list).at);
  }

  get world(): World {
    return this.server.world;
  }

  get findings(): readonly Finding[] {
    return [...this.#found.values()];
  }

  find(kind: Kind, text: string, about: About = {}): void {
    const name = `${kind}: ${text}`;
    if (!this.#found.has(name)) this.#found.set(name, { kind, text, after: this.#story.length, ...about });
  }

  /** An answer is delivered, with these rows. */
  tell({ rows }: Reply): void {
    for (const row of rows) {
      if (row.origin !== undefined) this.#known.add(row.origin);
      for (const field of this.world.fields) {
        const value = row[field];
        if (value !== undefined) this.#told.add(`${row.origin} ${field} ${value}`);
      }
      for (const vote of votesOf(row)) this.#told.add(`${row.origin} votes ${vote}`);
    }
  }

  /** An answer has been delivered. Pages that are read again show when the last of them has come; an empty answer does not say of what it confirms. */
  land(reply: Reply, label = '', isGoingOn: boolean): void {
    const replies = [...(this.#coming.get(label) ?? []), reply];
    this.#coming.set(label, isGoingOn ? replies : []);
    if (isGoingOn) return;
    const rows = replies.flatMap(({ status, rows }) => (status === 204 ? [] : rows));
    for (const row of rows)
      for (const field of this.world.fields) if (row[field] !== undefined) this.#told.add(`${row.origin} ${field}`);
  }

  /** Whether an answer has told this of a row; without a value, whether one that has landed has told anything of the field. */
  isTold(origin: string, what: Field | 'votes', value?: string): boolean {
    return this.#told.has(value === undefined ? `${origin} ${what}` : `${origin} ${what} ${value}`);
  }

  /** The rows of which an answer has told by now. */
  known(): ReadonlySet<string> {
    return new Set(this.#known);
  }

  /** What a view may not fall behind; nobody knows yet which row something is that is still being made, so other views do not bind it. */
  floorOf(view: string, origin: string, what: string, isNew = false): Floor {
    const seen = this.#floors.get(`${view} ${origin} ${what}`) ?? { at: -1 };
    const own = (isNew ? undefined : this.#floors.get(`${origin} ${what}`)) ?? { at: -1 };
    return own.at >= seen.at ? own : seen;
  }

  /** From now on a view shows nothing older of a row. */
  raise(view: string, origin: string, what: string, floor: Floor): void {
    this.#raise(`${view} ${origin} ${what}`, floor);
  }

  /** From now on no view shows anything older of a row. */
  raiseAll(origin: string, what: string, floor: Floor): void {
    this.#raise(`${origin} ${what}`, floor);
  }

  #raise(key: string, floor: Floor): void {
    if (floor.at > (this.#floors.get(key)?.at ?? -1)) this.#floors.set(key, floor);
  }

  /** The votes that a view has to count; likewise. */
  votesIn(view: string, origin: string, isNew: boolean): readonly string[] {
    return [...((isNew ? undefined : this.#votes.get(origin)) ?? []), ...(this.#votes.get(`${view} ${origin}`) ?? [])];
  }

  /** From now on these votes are counted, by one view or by all. */
  count(votes: readonly string[], origin: string, view?: string): void {
    const key = view === undefined ? origin : `${view} ${origin}`;
    this.#votes.set(key, new Set([...(this.#votes.get(key) ?? []), ...votes]));
  }

  opsOn(origin: string): readonly Op[] {
    return this.ops.filter((op) => op.origin === origin);
  }

  /** Whether a row is what somebody meant: one that has been made by now is known by its real id. */
  isAddressed({ asked, origin = '' }: Op, { id }: ShownRow): boolean {
    if (!('id' in asked)) return typeof id === 'string';
    return asked.id === id || this.opsOn(origin).some((op) => isCreate(op) && op.state === 'done');
  }
}

export function isCreate({ asked }: Op): boolean {
  return asked.is === 'push' || asked.is === 'unshift';
}

export function isOptimistic({ asked }: Op): boolean {
  return !('isQuiet' in asked) || !asked.isQuiet;
}

/** Whether what is expected of it may be shown. */
export function isShowing(op: Op): boolean {
  return isOptimistic(op) && (op.state === 'pending' || op.state === 'answering');
}

/** Whether what is expected of it is to be shown by now. */
export function isDue(op: Op): boolean {
  return isOptimistic(op) && op.isStarted && op.state === 'pending';
}

/** What an edit, or the making of a row, asks for. */
export function valueIn({ asked }: Op, field: Field): string | undefined {
  return 'body' in asked ? asked.body[field] : undefined;
}

/** The row that a write is about, as it was shown when it was asked. */
export function rowBefore({ before, origin }: Pick<Op, 'before' | 'origin'>): ShownRow | undefined {
  return everyRow(before).find((row) => row.origin === origin);
}

export function votesOf({ votes = '' }: Partial<ShownRow>): readonly string[] {
  return votes.split('+').slice(1);
}

export function everyRow({ lists, rows }: Shown): readonly ShownRow[] {
  return [...Object.values(lists), Object.values(rows)].flat().filter((row) => row !== undefined);
}

/** From when on, after `floor`, something was so; undefined if it never was. */
export function earliest(log: readonly Era<unknown>[], value: unknown, floor: number): number | undefined {
  const era = log.find((one, i) => one.value === value && (log[i + 1]?.at ?? Infinity) > floor);
  return era && Math.max(era.at, floor);
}
