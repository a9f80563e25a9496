import fc from 'fast-check';
import { createResource, Entity, isTemporary, NetworkError } from 'rtk-resource';
import { folders, isCreate, Naive, type Asked, type Fields, type Sent, type Target, type View } from './naive.js';
import { setup, type RootState } from './store.js';

/** When the server does what it is asked to, and makes its answer: as the request arrives, or as it replies. */
type Moment = 'at once' | 'late';
/** How a request ends: with an answer (an edit or a deletion: also without content), or not. */
type Outcome = 'answer' | 'empty' | 'refuse' | 'lose' | 'abort';

/** A step as it is generated: what it is about is found when it is its turn. */
export type Step =
  | { readonly does: 'start'; readonly asked: Asked; readonly about: number; readonly moment: Moment }
  | { readonly does: 'settle'; readonly which: number; readonly outcome: Outcome }
  | { readonly does: 'set'; readonly about: number; readonly fields: Fields }
  | { readonly does: 'remote'; readonly id: number; readonly fields: Fields | undefined }
  | { readonly does: 'reset' };

/** A step as it was played; requests have numbers. */
export type Event =
  | { readonly does: 'start'; readonly number: number; readonly asked: Asked; readonly moment: Moment }
  | { readonly does: 'settle'; readonly number: number; readonly outcome: Outcome }
  | { readonly does: 'set'; readonly target: Target; readonly fields: Fields }
  | { readonly does: 'remote'; readonly id: number; readonly fields: Fields | undefined }
  | { readonly does: 'reset' };

// Mostly the same list, so that much happens to it.
const folder = fc.constantFrom(undefined, undefined, undefined, ...folders);
const body = fc
  .record(
    { text: fc.constantFrom('t1', 't2', 't3'), color: fc.constantFrom('c1', 'c2'), folder: fc.constantFrom('a', 'b') },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).length > 0);
// Which one, is found when it is known which there are.
const target: Target = { id: 0 };

const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('list' as const), folder }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('page' as const), folder, page: fc.constantFrom(2, 3) }) },
  { weight: 1, arbitrary: fc.constant<Asked>({ is: 'get', target }) },
  { weight: 3, arbitrary: body.map((fields): Asked => ({ is: 'patch', target, body: fields })) },
  { weight: 1, arbitrary: body.map((fields): Asked => ({ is: 'replace', target, body: fields })) },
  { weight: 2, arbitrary: fc.constant<Asked>({ is: 'delete', target }) },
  {
    weight: 4,
    arbitrary: fc
      .record({ is: fc.constantFrom('push' as const, 'unshift' as const), folder, body })
      .map((create): Asked => {
        const { folder: _, ...rest } = create.body;
        return create.folder === undefined ? create : { ...create, body: rest };
      }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('start' as const),
      asked,
      about: fc.nat(9),
      moment: fc.constantFrom<Moment>('at once', 'late'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      which: fc.nat(9),
      outcome: fc.constantFrom<Outcome>('answer', 'answer', 'answer', 'empty', 'refuse', 'lose', 'abort'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('set' as const), about: fc.nat(9), fields: body }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('remote' as const),
      id: fc.integer({ min: 1, max: 4 }),
      fields: fc.option(body, { nil: undefined, freq: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'reset' }) },
);

/** Mostly there is a list already. */
const fetched: readonly Step[] = [
  { does: 'start', asked: { is: 'list' }, about: 0, moment: 'at once' },
  { does: 'settle', which: 0, outcome: 'answer' },
];

/** What happens to a store, from the start. */
export function histories(maxLength: number): fc.Arbitrary<readonly Step[]> {
  const steps = fc.array(step, { minLength: 1, maxLength, size: 'max' });
  const first = fc.constantFrom<readonly Step[]>([], fetched, fetched);
  return fc.tuple(first, steps).map((parts) => parts.flat());
}

class Note extends Entity {
  id: number | string = 0;
  text = '';
  color = '';
  folder = '';
  static override key = 'Note';
}

/** What the server says; null for no content. */
interface Reply {
  readonly status: number;
  readonly json: unknown;
}

const PAGE = 2;

/** Other people's notes, and ours. */
class Notebook {
  readonly #removed = new Set<number>();
  #notes: readonly Sent[] = [1, 2, 3].map((id) => ({
    id,
    text: `n${id}`,
    color: 'red',
    folder: id === 2 ? 'b' : 'a',
  }));

  reply(number: number, asked: Asked, id: number): Reply {
    switch (asked.is) {
      case 'list':
      case 'page': {
        const start = asked.is === 'list' ? 0 : (asked.page - 1) * PAGE;
        const found = this.#notes.filter((note) => asked.folder === undefined || note.folder === asked.folder);
        return ok(found.slice(start, start + PAGE));
      }
      case 'get':
        return this.#found(id);
      case 'patch':
      case 'replace':
        this.edit(id, asked.body);
        return this.#found(id);
      case 'delete':
        this.remove(id);
        return ok({ id });
      default: {
        const note = {
          id: 100 + number,
          text: 'made',
          color: 'made',
          folder: '',
          ...(asked.folder !== undefined && { folder: asked.folder }),
          ...asked.body,
        };
        this.#notes = asked.is === 'push' ? [...this.#notes, note] : [note, ...this.#notes];
        return ok(note);
      }
    }
  }

  edit(id: number, fields: Fields): void {
    this.#notes = this.#notes.map((note) => (note.id === id ? { ...note, ...fields } : note));
  }

  remove(id: number): void {
    this.#removed.add(id);
    this.#notes = this.#notes.filter((note) => note.id !== id);
  }

  /** Somebody else adds or edits a note, or takes it away. */
  remote(id: number, fields: Fields | undefined): void {
    // No id is given twice.
    if (this.#removed.has(id)) return;
    if (!fields) this.remove(id);
    else if (this.#notes.some((note) => note.id === id)) this.edit(id, fields);
    else this.#notes = [...this.#notes, { id, text: 'remote', color: 'remote', folder: '', ...fields }];
  }

  #found(id: number): Reply {
    const note = this.#notes.find((one) => one.id === id);
    return note ? ok(note) : { status: 404, json: { title: 'Not found' } };
  }
}

function ok(json: unknown): Reply {
  return { status: 200, json };
}

/** A request on its way. */
interface Flight {
  readonly number: number;
  readonly asked: Asked;
  readonly moment: Moment;
  readonly key: string;
  readonly promise: PromiseLike<unknown> & { readonly requestId: string; abort(reason?: string): void };
}

/** A request that has reached the server. */
interface Arrival {
  /** Known from the start, where it is made at once. */
  reply?: Reply;
  readonly respond: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

/** What a selector gives of one note. */
type Shown = Note | undefined;

/** What there is to see of a store, as the selectors give it. */
export interface Sight {
  readonly rows: ReadonlyMap<string, Shown>;
  readonly lists: readonly (readonly Note[] | undefined)[];
}

const searchParams: { folder?: string | undefined } = {};

/** A store, the server it talks to, and what a naive mind expects of it. */
export class Play {
  readonly events: Event[] = [];
  /** The numbers of the requests that failed or were cancelled. */
  readonly failed = new Set<number>();
  readonly #states: RootState[] = [];
  readonly naive = new Naive();
  readonly #tools = setup();
  readonly #notebook = new Notebook();
  readonly #flights: Flight[] = [];
  readonly #arrivals = new Map<string, Arrival>();
  readonly #pks = new Set(['1', '2', '3', '4']);
  readonly #creates: (readonly [number: number, requestId: string])[] = [];
  readonly #ids = new Map<number, number>();
  #numbers = 0;

  readonly #resource = createResource({
    urlPrefix: 'http://notes.test',
    path: '/notes/:id',
    schema: Note,
    searchParams,
    paginationField: 'page',
    optimistic: true,
    getHeaders: (headers, api) => ({ ...headers, 'x-request': api?.requestId ?? '' }),
    fetchResponse: (_input, init) => this.#receive(new Headers(init.headers).get('x-request') ?? ''),
  });

  constructor() {
    const { store } = this.#tools;
    store.subscribe(() => this.#states.push(store.getState()));
  }

  get slice() {
    return this.#tools.slice();
  }

  /** How many requests are under way. */
  get flying(): readonly number[] {
    return this.#flights.map(({ number }) => number);
  }

  /** Finds out what a generated step is about, and plays it. */
  async step(step: Step): Promise<void> {
    const event = this.#eventOf(step);
    if (event) await this.play(event);
  }

  async play(event: Event): Promise<void> {
    this.#states.length = 0;
    if (await this.#play(event)) this.events.push(event);
    await idle();
  }

  /** What a subscriber has seen during the last step, each time that the store had changed. */
  sights(): readonly Sight[] {
    return this.#states.map((state) => this.sight(state));
  }

  /** What the selectors give, now if nothing else is said. */
  sight(state = this.#tools.store.getState()): Sight {
    const { resources } = this.#tools;
    const read = <Value>(selector: (state: RootState) => Value): Value => selector(state);
    const { getList } = this.#resource;
    return {
      rows: new Map([...this.#pks].map((pk) => [pk, read(resources.selectEntity(Note, pk))])),
      lists: folders.map((one) => read(getList.select(one === undefined ? {} : { folder: one }))),
    };
  }

  /** What was settled by the last step. */
  get settled(): Asked | undefined {
    const event = this.events.at(-1);
    if (event?.does !== 'settle') return undefined;
    const start = this.events.find((one) => one.does === 'start' && one.number === event.number);
    return start?.does === 'start' ? start.asked : undefined;
  }

  /** What selectors of other kinds give for the same notes. */
  elsewhere(): { readonly byId: ReadonlyMap<string, Shown>; readonly all: readonly Note[] } {
    const { read, resources } = this.#tools;
    const { get } = this.#resource;
    return {
      byId: new Map([...this.#pks].map((pk) => [pk, read(get.select({ id: pk }))])),
      all: read(resources.selectAll(Note)),
    };
  }

  /** What the selectors give now; temporary ids are told by the numbers of their requests. */
  named(): View {
    const names = new Map(this.#creates.map(([number, requestId]) => [`~${requestId}`, `~${number}`]));
    const nameOf = (pk: string): string => names.get(pk) ?? pk;
    const { rows, lists } = viewOf(this.sight());
    return {
      rows: Object.fromEntries(Object.entries(rows).map(([pk, row]) => [nameOf(pk), row])),
      lists: lists.map((list) => list?.map(nameOf)),
    };
  }

  #eventOf(step: Step): Event | undefined {
    switch (step.does) {
      case 'start': {
        const { asked, moment, about } = step;
        const resolved = 'target' in asked ? { ...asked, target: this.#target(about) } : asked;
        return { does: 'start', number: this.#numbers++, asked: resolved, moment };
      }
      case 'settle': {
        const flight = this.#flights[step.which % this.#flights.length];
        return flight && { does: 'settle', number: flight.number, outcome: step.outcome };
      }
      case 'set':
        return { does: 'set', target: this.#target(step.about), fields: step.fields };
      default:
        return step;
    }
  }

  /** Mostly a note that was there from the start, sometimes one that is being created, or was. */
  #target(about: number): Target {
    const [made] = (about < 5 ? undefined : this.#creates.at(about - 10)) ?? [];
    return made === undefined ? { id: (about % 4) + 1 } : { created: made };
  }

  async #play(event: Event): Promise<boolean> {
    const { store, resources } = this.#tools;
    switch (event.does) {
      case 'start':
        return this.#start(event);
      case 'settle':
        return this.#settle(event.number, event.outcome);
      case 'set': {
        const pk = this.naive.pkOf(event.target);
        // What a pending update shows of a row that was set since, where nothing else is known of the row, is left open.
        if (this.#isReplaced(pk)) return false;
        // Nobody has the id of what was never created.
        if (pk === '' || pk.startsWith('~')) return false;
        store.dispatch(resources.set(Note, { id: Number(pk), ...event.fields }));
        this.naive.set(event.target, event.fields);
        return true;
      }
      case 'remote':
        this.#notebook.remote(event.id, event.fields);
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
    if ('target' in asked && !this.#isReachable(asked.target)) return false;
    const key = JSON.stringify(asked);
    const isRead = asked.is === 'list' || asked.is === 'page' || asked.is === 'get';
    // It would join.
    if (isRead && this.#flights.some((flight) => flight.key === key)) return false;
    // Who asks for a note that does not exist yet?
    if (asked.is === 'get' && this.naive.pkOf(asked.target).startsWith('~')) return false;
    const promise = this.#dispatch(asked);
    this.#flights.push({ number, asked, moment, key, promise });
    this.naive.start(number, asked, promise.requestId);
    if (isCreate(asked)) {
      this.#creates.push([number, promise.requestId]);
      this.#pks.add(`~${promise.requestId}`).add(String(100 + number));
    }
    return true;
  }

  #isReplaced(pk: string): boolean {
    return this.#flights.some(({ asked }) => asked.is === 'replace' && this.naive.pkOf(asked.target) === pk);
  }

  /** Whether a note is there, or may yet be. */
  #isReachable(target: Target): boolean {
    if ('id' in target) return true;
    return this.#ids.has(target.created) || this.flying.includes(target.created);
  }

  #dispatch(asked: Asked): Flight['promise'] {
    const { store } = this.#tools;
    const { get, getList, update, partialUpdate, delete: remove } = this.#resource;
    const params = 'folder' in asked && asked.folder !== undefined ? { folder: asked.folder } : {};
    const pk = 'target' in asked ? this.naive.pkOf(asked.target) : '';
    const id = isTemporary(pk) ? pk : Number(pk);
    switch (asked.is) {
      case 'list':
        return store.dispatch(getList(params));
      case 'page':
        return store.dispatch(getList.getPage({ ...params, page: asked.page }));
      case 'get':
        return store.dispatch(get({ id }));
      case 'patch':
        return store.dispatch(partialUpdate({ id }, asked.body));
      case 'replace':
        return store.dispatch(update({ id }, asked.body));
      case 'delete':
        return store.dispatch(remove({ id }));
      default:
        return store.dispatch(getList[asked.is](params, asked.body));
    }
  }

  #receive(requestId: string): Promise<Response> {
    return new Promise((respond, fail) => {
      const flight = this.#flights.find(({ promise }) => promise.requestId === requestId);
      const arrival: Arrival = { respond, fail };
      this.#arrivals.set(requestId, arrival);
      if (flight?.moment === 'at once') arrival.reply = this.#reply(flight);
    });
  }

  #reply({ number, asked }: Flight): Reply {
    return this.#notebook.reply(number, asked, 'target' in asked ? Number(this.naive.pkOf(asked.target)) : 0);
  }

  async #settle(number: number, outcome: Outcome): Promise<boolean> {
    const at = this.#flights.findIndex((flight) => flight.number === number);
    const flight = this.#flights[at];
    if (!flight) return false;
    const { promise, asked } = flight;
    const arrival = this.#arrivals.get(promise.requestId);
    // It waits for an id.
    if (!arrival && outcome !== 'abort') return false;
    const isAnswered = outcome === 'answer' || outcome === 'empty';
    const reply = isAnswered ? (arrival?.reply ?? this.#reply(flight)) : undefined;
    this.#flights.splice(at, 1);
    if (outcome === 'abort') promise.abort();
    else if (outcome === 'lose') arrival?.fail(new TypeError('fetch failed'));
    if (reply?.status === 200) {
      const isEmpty = outcome === 'empty' && ['patch', 'replace', 'delete'].includes(asked.is);
      if (isCreate(asked)) this.#ids.set(number, 100 + number);
      this.naive.answer(number, isEmpty ? undefined : reply.json);
      arrival?.respond(isEmpty ? new Response(null, { status: 204 }) : Response.json(reply.json));
    } else {
      for (const one of this.naive.fail(number)) this.#fail(one);
      const response = Response.json(reply?.json ?? {}, { status: reply?.status ?? 500 });
      arrival?.fail(new NetworkError(`Status ${response.status}`, { url: '', response }));
    }
    await promise;
    return true;
  }

  #fail(number: number): void {
    this.failed.add(number);
    const at = this.#flights.findIndex((flight) => flight.number === number);
    if (at >= 0) this.#flights.splice(at, 1);
  }
}

/** The events without what has to do with some requests. */
export function without(events: readonly Event[], numbers: ReadonlySet<number>): readonly Event[] {
  return events.filter((event) => !('number' in event && numbers.has(event.number)));
}

/** A sight, as the naive mind has it. */
export function viewOf({ rows, lists }: Sight): View {
  const fieldsOf = ({ text, color, folder: kept }: Note): Fields => ({ text, color, folder: kept });
  return {
    rows: Object.fromEntries([...rows].flatMap(([pk, note]) => (note ? [[pk, fieldsOf(note)]] : []))),
    lists: lists.map((list) => list?.map(({ id }) => String(id))),
  };
}

/** What the class adds where a field was never told. */
export function complete({ rows, lists }: View): View {
  const blank = { text: '', color: '', folder: '' };
  return { rows: Object.fromEntries(Object.entries(rows).map(([pk, row]) => [pk, { ...blank, ...row }])), lists };
}

/** Lets all go on that can. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
