import { createResource, Entity, isTemporary, NetworkError, RestEndpoint, type Row } from 'rtk-resource';
import { vi } from 'vitest';
import type { Event, Moment, Outcome, Step, Draw } from './histories.js';
import { Naive } from './naive.js';
import {
  bodyOf,
  cursorBefore,
  cursorBehind,
  filtersOf,
  isCreate,
  isListRead,
  isWrite,
  lists,
  tableOf,
  tables,
  type Asked,
  type Body,
  type Fields,
  type Filters,
  type Key,
  type ListName,
  type Paging,
  type Sent,
  type Table,
  type Target,
  type ToldPage,
  type View,
} from './notes.js';
import { allTargets, Notebook, small, targetsIn, type Reply, type World } from './notebook.js';
import { setup, type RootState } from './store.js';

class Person extends Entity {
  id: number | string = 0;
  text = '';
  color = '';
  static override key = 'Person';
}

class Note extends Entity {
  id: number | string = 0;
  text = '';
  color = '';
  folder = '';
  votes = 0;
  version = 0;
  by: Person | null | undefined = undefined;
  static override key = 'Note';
  static override schema = { by: Person };
}

/** A note whose versions tell which of two answers is newer, as guarantees.md teaches. */
class VersionedNote extends Note {
  static override shouldReorder(_existingMeta: unknown, _incomingMeta: unknown, existing: Row, incoming: Row): boolean {
    // What is expected of a pending write has no version yet.
    if (incoming['version'] === undefined) return false;
    return Number(existing['version']) > Number(incoming['version']);
  }
}

/** What a play is played with. */
export interface Setting {
  readonly world?: World;
  /** Whether somebody looks at the store whenever it changes. */
  readonly isAttentive?: boolean;
  readonly paging?: Paging;
  readonly isVersioned?: boolean;
}

/** A request on its way. */
interface Flight {
  readonly number: number;
  readonly asked: Asked;
  readonly moment: Moment;
  readonly key: string;
  readonly promise: PromiseLike<unknown> & { readonly requestId: string; abort(reason?: string): void };
}

/** A request that has reached the server; all pages of a list are several, which share an id. */
interface Arrival {
  /** What its address has beside the filters of a list. */
  readonly args: string;
  /** Known from the start, where it is made at once. */
  reply?: Reply;
  readonly respond: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

type Shown = Note | Person;
type Selector<Value> = (state: RootState) => Value;

/** The ways to one row. */
interface Watched {
  readonly pk: string;
  readonly entity: Selector<Shown | undefined>;
  readonly get: Selector<Shown | undefined>;
  readonly pending: Selector<readonly string[]>;
  readonly request: Selector<{ readonly isStale: boolean }>;
}

/** What there is to see of a store, as the selectors give it. */
export interface Sight {
  readonly rows: ReadonlyMap<Key, Shown>;
  readonly lists: ReadonlyMap<ListName, readonly Shown[]>;
}

/** Nothing grows old by itself: time goes by for what waits only. */
const untimed = { dataExpiryLength: 1e9, errorExpiryLength: 0, unusedDataExpiryLength: 1e9 };
/** How long an answer waits for a guess at most, in milliseconds. */
const holdTimeout = 10_000;

interface Connection {
  readonly urlPrefix: string;
  readonly getHeaders: (
    headers: HeadersInit,
    api: { readonly requestId: string } | undefined,
  ) => Readonly<Record<string, string>>;
  readonly fetchResponse: (input: unknown, init: RequestInit) => Promise<Response>;
}

interface Options extends Connection {
  readonly note: typeof Note;
  readonly paging: Paging;
  readonly pageSize: number;
  readonly optimistic: boolean;
}

/** What talks to the server. */
function resourcesThat({ note, paging, pageSize, ...options }: Options) {
  const common = { ...options, searchParams, body, paginationField: 'page' as const };
  const notes = createResource({ ...common, path: '/notes/:id', schema: note });
  const people = createResource({ ...common, path: '/people/:id', schema: Person });
  const byNumber = {
    notes: { ...notes, getPage: notes.getList.getPage },
    people: { ...people, getPage: people.getList.getPage },
  };
  if (paging === 'number') return byNumber;
  const turns = {
    next: (items: unknown, args: unknown) => turned(args, cursorBehind(items as readonly Sent[], pageSize)),
    previous: (items: unknown, args: unknown) => turned(args, cursorBefore(items as readonly Sent[])),
    ...(paging === 'two by cursor' && { maxPages: 2 }),
  };
  return {
    notes: { ...byNumber.notes, getList: notes.getList.paginated(turns) },
    people: { ...byNumber.people, getList: people.getList.paginated(turns) },
  };
}

/** Lets a play decide how time goes by. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
}

interface Search extends Filters {
  readonly page?: number;
  readonly after?: string;
  readonly before?: string;
}
const searchParams: Search = {};
const body: Body<number | string> & { readonly id?: number | string } = {};

/** A store, the server it talks to, and what a naive mind expects of it. */
export class Play {
  readonly events: Event[] = [];
  /** The numbers of the requests that failed or were cancelled. */
  readonly failed = new Set<number>();
  readonly naive: Naive;
  /** What a subscriber sees, there and then; or the states, to look at later. */
  readonly #seen: (Sight | RootState)[] = [];
  readonly #tools = setup(untimed);
  readonly #world: World;
  readonly #notebook: Notebook;
  readonly #flights: Flight[] = [];
  readonly #arrivals = new Map<string, readonly Arrival[]>();
  /** What there is to look at, by ways that a component keeps, too. */
  readonly #watched = new Map<Key, Watched>();
  /** The rows beside them, which are seen in passing. */
  readonly #others = new Map<Key, Selector<Shown | undefined>>();
  readonly #creates: { readonly number: number; readonly table: Table; readonly requestId: string }[] = [];
  readonly #answered = new Set<number>();
  #numbers = 0;

  readonly #entities: { readonly notes: typeof Note; readonly people: typeof Person };
  readonly #resources: ReturnType<typeof resourcesThat>;
  /** The same, showing nothing before they are answered. */
  readonly #quiet: ReturnType<typeof resourcesThat>;
  readonly #vote;
  readonly #requests: readonly (readonly [ListName, Selector<{ readonly isStale: boolean }>])[];
  readonly #lists: readonly (readonly [ListName, Selector<readonly Shown[] | undefined>])[];

  constructor({ world = small, isAttentive = true, paging = 'number', isVersioned = false }: Setting = {}) {
    this.#world = world;
    this.#notebook = new Notebook(world, isVersioned);
    this.naive = new Naive({ paging, pageSize: world.page }, isVersioned);
    this.#entities = { notes: isVersioned ? VersionedNote : Note, people: Person };
    const options = { ...this.#connection(), note: this.#entities.notes, paging, pageSize: world.page };
    this.#resources = resourcesThat({ ...options, optimistic: true });
    this.#quiet = resourcesThat({ ...options, optimistic: false });
    this.#vote = this.#voting();
    const getListOf = (list: ListName) => this.#resources[tableOf(list)].getList;
    this.#requests = lists.map((list) => [list, getListOf(list).selectRequest(filtersOf(list))]);
    this.#lists = lists.map((list) => [list, getListOf(list).select(filtersOf(list))]);
    const { store } = this.#tools;
    for (const { table, id } of allTargets(world)) this.#watch(table, String(id));
    for (let id = 1; id <= world.notes; id++) {
      const key: Key = `notes ${id}`;
      if (!this.#watched.has(key)) this.#others.set(key, this.#tools.resources.selectEntity(this.#entities.notes, id));
    }
    store.subscribe(() => {
      if (isAttentive) this.#watchTemporaries();
      this.#seen.push(isAttentive ? this.sight() : this.state);
    });
  }

  /** Counts one up: what is expected depends on what is there. */
  #voting() {
    const { notes } = this.#entities;
    return new RestEndpoint({
      ...this.#connection(),
      path: '/notes/:id/votes',
      method: 'POST',
      name: 'Note/vote',
      schema: notes,
      body: undefined,
      getOptimisticResponse: (snapshot, params) => {
        const note = snapshot.get(notes, params);
        return note && { id: note.id, votes: note.votes + 1 };
      },
    });
  }

  get state(): RootState {
    return this.#tools.store.getState();
  }

  /** The store that is played with. */
  get store() {
    return this.#tools.store;
  }

  get slice() {
    return this.#tools.slice();
  }

  /** The requests that are under way. */
  get flying(): readonly number[] {
    return this.#flights.map(({ number }) => number);
  }

  /** Finds out what a generated step is about, and plays it. */
  async step(step: Step): Promise<void> {
    const event = this.#eventOf(step);
    if (event) await this.play(event);
  }

  async play(event: Event): Promise<void> {
    this.#seen.length = 0;
    this.#tools.actions.length = 0;
    if (await this.#play(event)) this.events.push(event);
    await idle();
  }

  /** Ends all that is under way, the oldest first. */
  async drain(check: () => void): Promise<void> {
    for (let [number] = this.flying; number !== undefined; [number] = this.flying) {
      await this.play({ does: 'settle', number, outcome: 'answer' });
      check();
    }
  }

  /** Reads all lists again, their first pages or all. */
  async refetch(is: 'list' | 'again', check: () => void): Promise<void> {
    for (const list of lists) {
      await this.play({ does: 'start', number: this.#numbers++, asked: { is, list }, moment: 'at once' });
      await this.drain(check);
    }
  }

  /** The lists as the server has them. */
  truth(): View['lists'] {
    return Object.fromEntries(lists.map((list) => [list, this.#notebook.list(list).map(({ id }) => String(id))]));
  }

  /** What a subscriber has seen during the last step, each time that the store had changed. */
  sights(): readonly Sight[] {
    return this.#seen.map((seen) => ('lists' in seen ? seen : this.sight(seen)));
  }

  /** All that was dispatched during the last step. */
  get actions(): readonly unknown[] {
    return this.#tools.actions;
  }

  /** What the selectors give, now if nothing else is said. */
  sight(state = this.state): Sight {
    const rows = new Map<Key, Shown>();
    for (const [key, { entity }] of this.#watched) {
      const row = entity(state);
      if (row) rows.set(key, row);
    }
    for (const [key, entity] of this.#others) {
      const row = entity(state);
      if (row) rows.set(key, row);
    }
    const shown = new Map<ListName, readonly Shown[]>();
    for (const [list, select] of this.#lists) {
      const members = select(state);
      if (members) shown.set(list, members);
    }
    return { rows, lists: shown };
  }

  /** What selectors of other kinds give for the same rows: one by one where things happen, and all. */
  elsewhere(): { readonly byId: ReadonlyMap<Key, Shown | undefined>; readonly all: ReadonlySet<Shown> } {
    const { read, resources } = this.#tools;
    const byId = new Map<Key, Shown | undefined>();
    for (const [key, { pk, get }] of this.#watched) {
      const row = read(get);
      // An answer that was asked for by a temporary id is found under it for good.
      byId.set(key, pk === String(row?.id) ? row : undefined);
    }
    return {
      byId,
      all: new Set(tables.flatMap((table): readonly Shown[] => read(resources.selectAll(this.#entities[table])))),
    };
  }

  /** The requests that each row waits for. */
  pending(): ReadonlyMap<Key, readonly string[]> {
    return new Map([...this.#watched].map(([key, { pending }]) => [key, this.#tools.read(pending)]));
  }

  /** What the selectors give now; temporary ids are told by the numbers of their requests. */
  named(): View {
    const names = new Map(this.#creates.map(({ number, requestId }) => [`~${requestId}`, `~${number}`]));
    const nameOf = (pk: string): string => names.get(pk) ?? pk;
    const { rows, lists: shown } = viewOf(this.sight());
    const named = Object.entries(rows).map(([key, { by, ...fields }]) => {
      const [table = '', pk = ''] = key.split(' ');
      return [`${table} ${nameOf(pk)}`, by ? { ...fields, by: nameOf(by) } : { ...fields, by }];
    });
    return {
      rows: Object.fromEntries(named) as View['rows'],
      lists: Object.fromEntries(Object.entries(shown).map(([list, pks]) => [list, pks.map(nameOf)])),
    };
  }

  /** The names of all reads there may be. */
  reads(): readonly string[] {
    return [...this.#watched.keys(), ...lists];
  }

  /** The names of those whose answers are stale. */
  stale(): readonly string[] {
    const rows = [...this.#watched].map(([key, { request }]) => [key, request] as const);
    const isStale = this.#tools.read;
    return [...rows, ...this.#requests].flatMap(([name, request]) => (isStale(request).isStale ? [name] : []));
  }

  #connection(): Connection {
    return {
      urlPrefix: 'http://notes.test',
      getHeaders: (headers: HeadersInit, api: { readonly requestId: string } | undefined) => ({
        ...(headers as Readonly<Record<string, string>>),
        'x-request': api?.requestId ?? '',
      }),
      fetchResponse: (input: unknown, init: RequestInit) =>
        this.#receive(new Headers(init.headers).get('x-request') ?? '', pageIn(new URL(String(input)))),
    };
  }

  /** Ids that nobody has been told yet. */
  #watchTemporaries(): void {
    for (const { requestId, changes } of this.slice.intents) {
      for (const { table, pks } of changes.rows) {
        if (pks.includes(`~${requestId}`)) this.#watch(table === Note.key ? 'notes' : 'people', `~${requestId}`);
      }
    }
  }

  #watch(table: Table, pk: string): void {
    if (this.#watched.has(`${table} ${pk}`)) return;
    const { resources } = this.#tools;
    const Class: typeof Note | typeof Person = this.#entities[table];
    this.#watched.set(`${table} ${pk}`, {
      pk,
      entity: resources.selectEntity(Class, pk),
      get: this.#resources[table].get.select({ id: pk }),
      pending: resources.selectPending(Class, pk),
      request: this.#resources[table].get.selectRequest({ id: pk }),
    });
  }

  #eventOf(step: Step): Event | undefined {
    switch (step.does) {
      case 'start': {
        const { asked, moment } = step;
        return { does: 'start', number: this.#numbers++, asked: this.#resolved(asked), moment };
      }
      case 'settle': {
        const flight = this.#flights[step.which % this.#flights.length];
        return flight && { does: 'settle', number: flight.number, outcome: step.outcome };
      }
      case 'set':
        return { does: 'set', target: this.#target(step.target), body: this.#bodyOf(step.body) };
      case 'remote': {
        const { table, draw } = step.target;
        const ids = targetsIn(this.#world, table);
        const target = { table, id: ids[draw % ids.length] ?? 0 };
        const { by, ...fields } = step.body ? this.#bodyOf(step.body) : {};
        // Others know what is there.
        const known = by && ('id' in by || this.#answered.has(by.created)) ? { by } : {};
        return { does: 'remote', target, body: step.body && { ...fields, ...known } };
      }
      case 'expire wait':
      case 'reset':
        return step;
    }
  }

  #resolved(asked: Asked<Draw>): Asked {
    const target = 'target' in asked ? { target: this.#target(asked.target) } : {};
    const sent = 'body' in asked ? { body: this.#bodyOf(asked.body) } : {};
    // What was drawn is replaced by what there is, and all else stays.
    return { ...asked, ...target, ...sent } as Asked;
  }

  #bodyOf({ by, ...fields }: Body<Draw>): Body {
    return by ? { ...fields, by: this.#target(by) } : fields;
  }

  /** Mostly what was there from the start, sometimes what is being created, or was. */
  #target({ table, draw }: Draw): Target {
    const about = draw % 10;
    const created = about < 5 ? undefined : this.#creates.filter((one) => one.table === table).at(about - 10);
    if (created) return { created: created.number };
    const ids = targetsIn(this.#world, table);
    return { table, id: ids[Math.floor(draw / 10) % ids.length] ?? 0 };
  }

  async #play(event: Event): Promise<boolean> {
    const { store, resources } = this.#tools;
    switch (event.does) {
      case 'start':
        return this.#start(event);
      case 'settle':
        return this.#settle(event.number, event.outcome);
      case 'set': {
        const { by } = event.body;
        const id = this.#idOf(event.target);
        // Nobody has the id of what was never created.
        if (typeof id === 'string' || (by && typeof this.#idOf(by) === 'string')) return false;
        if (this.naive.isUnseen(event.target, event.body)) return false;
        // The types want a person, and the wire has an id.
        const fields = { id, ...this.#sent(event.body) } as object;
        store.dispatch(resources.set(this.#entities[this.naive.tableOf(event.target)], fields));
        this.naive.set(event.target, event.body);
        return true;
      }
      case 'remote': {
        if (!('id' in event.target)) return false;
        const { by, ...fields } = event.body ?? {};
        const id = by && this.#idOf(by);
        const told = { ...fields, ...(typeof id === 'number' && { by: id }) };
        this.#notebook.remote(event.target.table, event.target.id, event.body && told);
        return true;
      }
      case 'expire wait':
        await vi.advanceTimersByTimeAsync(holdTimeout);
        this.naive.expire();
        return true;
      case 'reset':
        store.dispatch(resources.reset());
        this.naive.reset();
        for (const { number } of this.#flights) this.failed.add(number);
        this.#flights.length = 0;
        return true;
    }
  }

  #start({ number, asked, moment }: Extract<Event, { does: 'start' }>): boolean {
    const { by } = bodyOf(asked);
    if ('target' in asked && !this.#isReachable(asked.target)) return false;
    if (by && !this.#isReachable(by)) return false;
    // Only notes are voted for.
    if (asked.is === 'vote' && this.naive.tableOf(asked.target) !== 'notes') return false;
    const key = JSON.stringify(asked);
    // It would join.
    if (!isWrite(asked) && asked.is !== 'again' && this.#flights.some((flight) => flight.key === key)) return false;
    if (this.naive.isOpen(asked)) return false;
    const promise = this.#dispatch(asked);
    const { requestId } = promise;
    this.#flights.push({ number, asked, moment, key, promise });
    this.naive.start(number, asked, requestId);
    if (isCreate(asked)) {
      const table = tableOf(asked.list);
      this.#creates.push({ number, table, requestId });
      this.#watch(table, `~${requestId}`);
      this.#watch(table, String(100_000 + number));
    }
    return true;
  }

  /** Whether something is there, or may yet be. */
  #isReachable(target: Target): boolean {
    if ('id' in target) return true;
    if (this.#answered.has(target.created)) return true;
    // Nobody has seen what is made in silence.
    return this.#flights.some(({ number, asked }) => number === target.created && !('quiet' in asked));
  }

  /** A number, as the server has it; or a temporary id, or none. */
  #idOf(target: Target): number | string {
    const pk = this.naive.pkOf(target);
    return isTemporary(pk) || pk === '' ? pk : Number(pk);
  }

  #sent({ by, ...fields }: Body): Body<number | string> {
    return by ? { ...fields, by: this.#idOf(by) } : fields;
  }

  #dispatch(asked: Asked): Flight['promise'] {
    const { store, resources } = this.#tools;
    const table = 'target' in asked ? this.naive.tableOf(asked.target) : tableOf(asked.list);
    const {
      get,
      getList,
      getPage,
      update,
      partialUpdate,
      delete: remove,
    } = ('quiet' in asked ? this.#quiet : this.#resources)[table];
    const id = 'target' in asked ? this.#idOf(asked.target) : 0;
    switch (asked.is) {
      case 'list':
        return store.dispatch(getList(filtersOf(asked.list)));
      case 'again':
        // What is stale is read as a subscriber reads it: with all its pages.
        store.dispatch(resources.expire(getList, filtersOf(asked.list)));
        return store.dispatch(getList.ifStale(filtersOf(asked.list)));
      case 'next':
        return store.dispatch(getList.getNextPage(filtersOf(asked.list)));
      case 'previous':
        return store.dispatch(getList.getPreviousPage(filtersOf(asked.list)));
      case 'page':
        return store.dispatch(getPage({ ...filtersOf(asked.list), page: asked.page }));
      case 'get':
        return store.dispatch(get({ id }));
      case 'patch':
        return store.dispatch(partialUpdate({ id }, this.#sent(asked.body)));
      case 'replace':
        return store.dispatch(update({ id }, this.#sent(asked.body)));
      case 'move':
        return store.dispatch(getList.move({ id }, this.#sent(asked.body)));
      case 'vote':
        return store.dispatch(this.#vote({ id }));
      case 'remove':
        return store.dispatch(getList.remove(filtersOf(asked.list), { id }));
      case 'delete':
        return store.dispatch(remove({ id }));
      default:
        return store.dispatch(getList[asked.is](filtersOf(asked.list), this.#sent(asked.body)));
    }
  }

  #receive(requestId: string, args: string): Promise<Response> {
    return new Promise((respond, fail) => {
      const flight = this.#flights.find(({ promise }) => promise.requestId === requestId);
      const arrival: Arrival = { args, respond, fail };
      this.#arrivals.set(requestId, [...(this.#arrivals.get(requestId) ?? []), arrival]);
      if (flight?.moment === 'at once') arrival.reply = this.#reply(flight, args);
    });
  }

  #reply({ number, asked }: Flight, args: string): Reply {
    if (isListRead(asked)) return { status: 200, json: this.#notebook.list(asked.list, args) };
    const table = 'target' in asked ? this.naive.tableOf(asked.target) : tableOf(asked.list);
    const id = 'target' in asked ? Number(this.naive.pkOf(asked.target)) : 0;
    const sent = 'body' in asked ? { body: this.#sent(asked.body) } : {};
    const target = 'target' in asked ? { target: id } : {};
    // As it arrives, with ids.
    return this.#notebook.reply(number, { ...asked, ...target, ...sent } as Asked<number | string>, table, id);
  }

  async #settle(number: number, outcome: Outcome): Promise<boolean> {
    const at = this.#flights.findIndex((flight) => flight.number === number);
    const flight = this.#flights[at];
    if (!flight) return false;
    const { promise, asked } = flight;
    const arrivals = this.#arrivals.get(promise.requestId);
    if (!arrivals && isListRead(asked)) throw new Error(`Nothing was sent for ${JSON.stringify(asked)}.`);
    // It waits for an id.
    if (!arrivals && outcome !== 'abort') return false;
    const isAnswered = outcome === 'answer' || outcome === 'empty';
    if (isAnswered && isListRead(asked)) return this.#settleList(flight);
    const arrival = arrivals?.[0];
    const reply = isAnswered ? (arrival?.reply ?? this.#reply(flight, '')) : undefined;
    this.#flights.splice(at, 1);
    if (outcome === 'abort') promise.abort();
    else if (outcome === 'lose')
      for (const one of arrivals ?? []) one.fail(new NetworkError('fetch failed', { url: '' }));
    if (reply?.status === 200) {
      // What a guess confirms that has changed since it was made is for others to say.
      const isEmpty = outcome === 'empty' && isWrite(asked) && asked.is !== 'vote';
      if (isEmpty && isCreate(asked)) this.failed.add(number);
      else this.#answered.add(number);
      for (const one of this.naive.answer(number, isEmpty ? undefined : (reply.json as Sent))) this.#fail(one);
      arrival?.respond(isEmpty ? new Response(null, { status: 204 }) : Response.json(reply.json));
    } else {
      const isUnknown = arrival !== undefined && (outcome === 'abort' || outcome === 'lose');
      for (const one of this.naive.fail(number, isUnknown, reply?.status === 404)) this.#fail(one);
      const response = Response.json(reply?.json ?? {}, { status: reply?.status ?? 500 });
      for (const one of arrivals ?? []) one.fail(new NetworkError(`Status ${response.status}`, { url: '', response }));
    }
    await promise;
    return true;
  }

  /** Answers with pages, as long as more of them are asked for. */
  async #settleList(flight: Flight): Promise<boolean> {
    const { number, promise } = flight;
    const told: ToldPage[] = [];
    const over = new AbortController();
    void promise.then(() => {
      over.abort();
    });
    while (!over.signal.aborted) {
      const arrivals = this.#arrivals.get(promise.requestId) ?? [];
      for (const { args, reply = this.#reply(flight, args), respond } of arrivals.slice(told.length)) {
        told.push({ args, items: reply.json as readonly Sent[] });
        respond(Response.json(reply.json));
      }
      await idle();
    }
    this.#fail(number);
    this.failed.delete(number);
    this.#answered.add(number);
    this.naive.answer(number, told);
    return true;
  }

  #fail(number: number): void {
    this.failed.add(number);
    const at = this.#flights.findIndex((flight) => flight.number === number);
    if (at >= 0) this.#flights.splice(at, 1);
  }
}

/** What the address of a page has beside the filters of its list. */
function pageIn({ searchParams: sent }: URL): string {
  const names = ['page', 'after', 'before'].filter((name) => sent.has(name));
  return names.map((name) => `${name}=${sent.get(name)}`).join();
}

/** The arguments of a list with where a page of it begins. */
function turned(args: unknown, cursor: string | undefined): object | undefined {
  const [name = '', value] = cursor?.split('=') ?? [];
  // The filters stay, and one cursor takes the place of another.
  const { after: _after, before: _before, ...rest } = args as Search;
  return cursor === undefined ? undefined : { ...rest, [name]: value };
}

/** A sight, as the naive mind has it. */
export function viewOf({ rows, lists: shown }: Sight): View {
  return {
    rows: Object.fromEntries([...rows].map(([key, row]) => [key, fieldsOf(row)])),
    lists: Object.fromEntries([...shown].map(([list, members]) => [list, members.map(({ id }) => String(id))])),
  };
}

function fieldsOf(row: Shown): Fields {
  const { text, color } = row;
  if (row instanceof Person) return { text, color };
  const { folder, votes, by, version } = row;
  return { text, color, folder, votes, version, by: by && String(by.id) };
}

/** A view as it is read: the class adds what was never told, and who is not known is left out. */
export function asRead({ rows, lists: shown }: View): View {
  const read = Object.entries(rows).map(([key, { by, ...told }]): [string, Fields] => {
    if (key.startsWith('people ')) return [key, { text: '', color: '', ...told }];
    const isKnown = by === null || (by !== undefined && `people ${by}` in rows);
    return [key, { text: '', color: '', folder: '', votes: 0, version: 0, ...told, by: isKnown ? by : undefined }];
  });
  return { rows: Object.fromEntries(read), lists: shown };
}

/** Lets all go on that can. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
