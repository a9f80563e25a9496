import type { EntityClass } from '../../schema/Entity.js';
import type { Definition } from '../../schema/Schema.js';
import { unusedIn, type Described, type Unused, type Uses } from './collect.js';
import { isPast, LONGEST } from '../reading/freshness.js';
import { entityOf } from '../reading/selectors.js';
import { readerOf } from '../reading/StoreReader.js';
import type { SliceActions } from '../actions.js';
import type { Lifetimes } from '../endpoint.js';
import type { ResourcesState } from '../state.js';
import { noChanges } from '../../tables/changes.js';
import { Places } from '../../tables/Places.js';
import { rowFrom, rowOf } from '../../tables/tables.js';
import { inheritedBy, type Subscriptions } from './subscriptions.js';

/** The store whose data lives and ends. */
export interface Living {
  readonly slice: ResourcesState;
  /** Undefined where its reducer was taken out. */
  sliceIfThere(): ResourcesState | undefined;
  readonly actions: SliceActions;
  readonly defaults: Lifetimes;
  dispatch(type: string, rest: object): unknown;
}

interface Collected {
  readonly store: Living;
  readonly endpointOf: Uses['endpointOf'];
  readonly subscriptions: Pick<Subscriptions, 'all' | 'has'>;
  /** Lists of which a page is under way, by what their requests are kept under. */
  readonly awaited: () => ReadonlySet<string>;
  /** Told of the requests that are collected. */
  readonly forgotten: (requests: readonly string[]) => void;
}

/** When to look again, in ms, at what was left and is needed by a request that is under way. */
const AGAIN = 5_000;
/** How long it is looked before others get their turn, in ms: a frame has 16. */
const TASK = 8;
/** How often it is begun anew because something has happened. */
const TRIES = 3;

/** Collects what nobody reads any more, some time after the last one has left, when there is nothing else to do. */
export class Collector {
  readonly #parts: Collected;
  /** When what was left may go, by what requests are kept under: so long (ms) after a time (ms since the epoch). */
  readonly #left = new Map<string, { readonly since: number; readonly after: number }>();
  /** Requests that hold nothing by themselves. */
  readonly #weak = new Set<string>();
  /** The rows that were written without a request, and so are led to by none; when that was, in ms since the epoch. */
  #given = new Places<{ readonly definitions: ReadonlySet<Definition>; readonly at: number }>();
  /** Whether anything ever was subscribed to or left: else what is there stays, but for the records of writes. */
  #isUsed = false;
  /** Grows when something is needed that was not. */
  #stirred = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next = Infinity;
  /** When it was looked last, in ms since the epoch. */
  #looked = Date.now();

  constructor(parts: Collected) {
    this.#parts = parts;
  }

  /** Nobody needs a request from now on; after this time (ms) it may go. */
  leave(name: string, after: number): void {
    this.#isUsed = true;
    // A page that was read by itself is left as any read is.
    this.#weak.delete(name);
    this.#left.set(name, { since: Date.now(), after });
    this.collectAfter(after);
  }

  /** A write or a page has settled: it goes with what it brought, but not sooner than after this time (ms). */
  settle(name: string, after: number): void {
    this.#weak.add(name);
    if (!this.#parts.subscriptions.has(name)) this.#left.set(name, { since: Date.now(), after });
  }

  isLeft(name: string): boolean {
    return this.#left.has(name);
  }

  join(name: string): void {
    this.#isUsed = true;
    this.#stirred++;
    this.#left.delete(name);
  }

  /** A row of an entity was written without a request; what others have brought, these keep. */
  give(definition: EntityClass, pk: string, isNew: boolean): void {
    this.#stirred++;
    const table = entityOf(definition)?.table ?? '';
    const known = this.#given.get(table, pk);
    // Classes of one table may nest different rows: each keeps its own.
    const definitions = known?.definitions.has(definition)
      ? known.definitions
      : new Set([...(known?.definitions ?? []), definition]);
    if (isNew || known) this.#given.set(table, pk, { definitions, at: Date.now() });
  }

  /** What was written without a request. */
  given(): readonly Described[] {
    const all = this.#given.tables().flatMap(([, rows]) => [...rows]);
    return all.flatMap(([ref, { definitions }]) => [...definitions].map((definition) => ({ definition, ref })));
  }

  /** When a row was written without a request, in ms since the epoch; undefined where it was not. */
  givenAt(table: string, pk: string): number | undefined {
    return this.#given.get(table, pk)?.at;
  }

  /** Looks for what is unused, not later than after this time (ms). */
  collectAfter(time: number): void {
    const at = Date.now() + time;
    if (at >= this.#next) return;
    clearTimeout(this.#timer);
    this.#next = at;
    // Held weakly, for nobody may need the store any more.
    const self = new WeakRef(this);
    const timer: unknown = (this.#timer = setTimeout(
      () => {
        whenIdle(() => {
          const collector = self.deref();
          if (collector) collector.#collect();
        });
      },
      Math.min(time, LONGEST),
    ));
    // Nothing waits for it, so it is no reason for a process to go on.
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref();
  }

  /** Looks for what is unused when this is called so much later (ms). */
  collectWith(time: number): void {
    if (!isPast(this.#looked, time)) return;
    whenIdle(() => {
      this.#collect();
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#next = Infinity;
    this.#left.clear();
    this.#weak.clear();
    this.#given = new Places();
  }

  /** What was written without a request, and is there still: what is gone is forgotten. */
  #givenIn({ tables }: ResourcesState): readonly Described[] {
    for (const { table, pk } of this.#given.all())
      if (rowFrom(tables, table, pk) === undefined) this.#given.in(table).delete(pk);
    return this.given();
  }

  #letGo(names: readonly string[]): void {
    for (const name of names) {
      this.#left.delete(name);
      this.#weak.delete(name);
    }
  }

  #collect(tries = 0): void {
    this.#next = Infinity;
    const { store, endpointOf, subscriptions, awaited } = this.#parts;
    const slice = store.sliceIfThere();
    if (!slice) return;
    const now = (this.#looked = Date.now());
    const coming = awaited();
    const left = new Set<string>();
    const dropped: string[] = [];
    for (const [name, { since, after }] of this.#left) {
      // A page that is under way is to join its list.
      if (!isPast(since, after, now) || coming.has(name)) continue;
      const record = rowOf(slice.requests, name);
      if (record?.pending.length === 0) left.add(name);
      else if (!record) dropped.push(name);
    }
    this.#letGo(dropped);
    readerOf(slice).forget(dropped, []);
    // What subscribers read that have no answer of their own.
    const read = subscriptions.all().map((one) => ({ definition: one.endpoint.schema, ref: inheritedBy(slice, one) }));
    const held = [...read.filter(({ ref }) => ref !== undefined), ...this.#givenIn(slice)];
    const weak = new Set([...this.#weak].filter((name) => !subscriptions.has(name)));
    const stirred = this.#stirred;
    const finding = unusedIn(slice, { endpointOf, left, weak, held });
    const lookOn = (): void => {
      // What was found by then may be of use again; who is always stirred is looked at in one go.
      if (store.sliceIfThere() !== slice || this.#stirred !== stirred) {
        this.#collect(tries + 1);
        return;
      }
      const found = runFor(tries < TRIES ? TASK : Infinity, finding);
      if (found) this.#forget(this.#isUsed ? found : { ...found, changes: noChanges }, now);
      else whenIdle(lookOn, setTimeout);
    };
    lookOn();
  }

  #forget(unused: Unused, now: number): void {
    const { store, forgotten } = this.#parts;
    const { requests, changes } = unused;
    let isDone = false;
    try {
      if (requests.length > 0 || changes.rows.length > 0) {
        const reader = readerOf(store.slice);
        store.dispatch(store.actions.collect.type, { payload: unused });
        reader.forget(requests, changes.rows);
        forgotten(requests);
      }
      this.#letGo(requests);
      isDone = true;
    } finally {
      let next = Infinity;
      for (const { since, after } of this.#left.values()) {
        // What something beside ours throws at is tried again soon; what is of use still, when it has been left once more for its time.
        const again = Math.max(AGAIN, isDone ? after : 0);
        next = Math.min(next, isPast(since, after, now) ? again : since + after - now);
      }
      if (this.#isUsed) this.collectAfter(next);
    }
  }
}

/** What a search has found, if it comes to its end in this time (ms). */
function runFor(time: number, finding: Generator<void, Unused>): Unused | undefined {
  const until = Date.now() + time;
  for (;;) {
    const step = finding.next();
    if (step.done) return step.value;
    if (Date.now() >= until) return undefined;
  }
}

/** Runs something when there is nothing else to do; where nobody knows when that is, at once, or as is said. */
function whenIdle(run: () => void, otherwise?: (run: () => void) => unknown): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run);
  else if (otherwise) otherwise(run);
  else run();
}
