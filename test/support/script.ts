import fc from 'fast-check';
import { createResource, Entity, isTemporary, type Entity as Row } from 'rtk-resource';
import { setup, type RootState } from './store.js';

type Field = 'text' | 'color';

/** What is asked for; `row` is one of those that are there at first. */
export interface Order {
  readonly is: 'list' | 'get' | 'patch' | 'push' | 'unshift' | 'delete';
  readonly row: number;
  readonly named: readonly Field[];
  readonly isQuiet: boolean;
  readonly isRefused: boolean;
}

/** Something is asked for, or the answer comes that has been waited for longest, or second longest; of all, or of those about one row. */
export type Event = { readonly order: Order } | { readonly answer: 0 | 1; readonly row?: number };

const fields: readonly Field[] = ['text', 'color'];
const order = (...is: readonly Order['is'][]): fc.Arbitrary<Order> =>
  fc.record<Order>({
    is: fc.constantFrom(...is),
    row: fc.nat(2),
    named: fc.subarray([...fields], { minLength: 1 }),
    isQuiet: fc.boolean(),
    isRefused: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
  });
const answer: fc.Arbitrary<Event> = fc.constantFrom<Event>({ answer: 0 }, { answer: 1 });

export function scripts(...is: readonly Order['is'][]): fc.Arbitrary<readonly Event[]> {
  const asked = order(...is).map((drawn) => ({ order: drawn }));
  return fc.array(fc.oneof(asked, answer), { minLength: 1, maxLength: 20, size: 'max' });
}

/** What happens to one row. */
export function lives(row: number): fc.Arbitrary<readonly Event[]> {
  return scripts('get', 'patch', 'patch', 'delete').map((events) =>
    events.map((event) => ('order' in event ? { order: { ...event.order, row } } : { ...event, row })),
  );
}

export const everything = ['list', 'get', 'patch', 'patch', 'push', 'unshift', 'delete'] as const;

interface Options {
  /** What the rows that are there at first are called. */
  readonly ids?: readonly (number | string)[];
  /** What the one that is made by request n is called. */
  readonly made?: (n: number) => number | string;
  readonly table?: string;
  /** The numbers of the requests, which are in the values that they send. */
  readonly numbers?: readonly number[];
  /** Whether the list is fetched as two pages. */
  readonly isPaged?: boolean;
}

interface Waiting {
  readonly respond: () => void;
  readonly ended: PromiseLike<unknown>;
  readonly isList: boolean;
  readonly row: number;
}

type Kept = Readonly<Record<Field, string>> & { readonly id: number | string };

/** A store, and a server that does at once what arrives, and answers when it is told to. */
export class Script {
  readonly #tools = setup();
  readonly #options: Required<Options>;
  readonly #Note: ReturnType<typeof noteNamed>;
  readonly #loud;
  readonly #quiet;
  #rows: readonly Kept[];
  #asked = 0;
  #waiting: readonly Waiting[] = [];
  /** Answers the request that was sent last. */
  #last: (() => void) | undefined;
  /** What the answer with the list told that has come last. */
  #told: readonly Kept[] | undefined;
  #isRefused = false;
  #isFirst = false;
  /** Each state that was shown, once. */
  readonly seen: string[] = [];

  constructor({ ids = [1, 2, 3], made = (n) => 100 + n, table = 'Note', isPaged = false, numbers = [] }: Options = {}) {
    this.#options = { ids, made, table, isPaged, numbers };
    this.#rows = ids.map((id, i) => ({ id, text: `text ${i}`, color: `color ${i}` }));
    this.#Note = noteNamed(table);
    const definition = {
      urlPrefix: 'http://notes.test',
      path: '/notes/:id' as const,
      schema: this.#Note,
      paginationField: 'page',
      searchParams: {} as { readonly page?: number } | undefined,
      body: {} as Readonly<Partial<Record<Field, string>>>,
      fetchResponse: (input: RequestInfo | URL, init: RequestInit) => this.#serve(new URL(input as string), init),
    };
    this.#loud = createResource({ ...definition, optimistic: true });
    this.#quiet = createResource({ ...definition, optimistic: false });
    this.#tools.store.subscribe(() => {
      this.#look();
    });
    this.#look();
  }

  /** Fetches the whole list, at once or in two pages. */
  async fetch(): Promise<void> {
    const { dispatch } = this.#tools.store;
    const { getList } = this.#loud;
    const first = dispatch(this.#options.isPaged ? getList({ page: 1 }) : getList());
    await this.#answered(first);
    if (this.#options.isPaged) await this.#answered(dispatch(getList.getPage({ page: 2 })));
  }

  async #answered(request: PromiseLike<unknown>): Promise<void> {
    await idle();
    this.#last?.();
    await request;
  }

  async play(events: readonly Event[]): Promise<void> {
    for (const event of events) await this.step(event);
    while (this.#waiting.length > 0) await this.#answer(0);
  }

  async step(event: Event): Promise<void> {
    if ('order' in event) await this.#start(event.order);
    else await this.#answer(event.answer, event.row);
  }

  async #start({ is, row, named, isQuiet, isRefused }: Order): Promise<void> {
    this.#asked += 1;
    const number = this.#options.numbers[this.#asked - 1] ?? this.#asked;
    const id = this.#options.ids[row] ?? 0;
    const body = Object.fromEntries(named.map((field) => [field, `${field} of ${number}`]));
    const { get, getList, partialUpdate, delete: remove } = isQuiet ? this.#quiet : this.#loud;
    const { dispatch } = this.#tools.store;
    this.#isRefused = isRefused;
    this.#last = undefined;
    const requests = {
      list: () => dispatch(getList()),
      get: () => dispatch(get({ id })),
      patch: () => dispatch(partialUpdate({ id }, body)),
      delete: () => dispatch(remove({ id })),
      push: () => dispatch(getList.push(body)),
      unshift: () => dispatch(getList.unshift(body)),
    };
    this.#isFirst = is === 'unshift';
    const ended = requests[is]();
    await idle();
    const respond = this.#last as (() => void) | undefined;
    // One that has joined another ends with it.
    if (respond) this.#waiting = [...this.#waiting, { respond, ended, row, isList: is === 'list' }];
  }

  async #answer(which: 0 | 1, of?: number): Promise<void> {
    const waiting = this.#waiting.filter(({ row }) => of === undefined || row === of);
    const one = waiting[which] ?? waiting[0];
    if (!one) return;
    this.#waiting = this.#waiting.filter((other) => other !== one);
    one.respond();
    await one.ended;
    await idle();
  }

  /** Fetches the list again, unless that told something that has not been told before. */
  async poll(): Promise<void> {
    if (this.#told !== this.#rows || this.#waiting.some(({ isList }) => isList)) return;
    await this.#answered(this.#tools.store.dispatch(this.#loud.getList()));
  }

  #serve(url: URL, init: RequestInit): Promise<Response> {
    const { status, json } = this.#reply(url, init);
    const told = Array.isArray(json) ? this.#rows : undefined;
    return new Promise((resolve) => {
      this.#last = () => {
        this.#told = told ?? this.#told;
        resolve(Response.json(json, { status }));
      };
    });
  }

  #reply(url: URL, { method = 'GET', body }: RequestInit): { readonly status: number; readonly json: unknown } {
    const name = url.pathname.split('/')[2];
    const row = this.#rows.find(({ id }) => String(id) === name);
    if (method === 'GET') return name === undefined ? { status: 200, json: this.#page(url) } : found(row);
    if (this.#isRefused) return { status: 422, json: {} };
    const sent = typeof body === 'string' ? (JSON.parse(body) as Partial<Kept>) : {};
    if (method === 'POST') {
      const made = { text: '', color: '', ...sent, id: this.#options.made(this.#asked) };
      this.#rows = this.#isFirst ? [made, ...this.#rows] : [...this.#rows, made];
      return { status: 201, json: made };
    }
    if (!row) return found(row);
    const edited = { ...row, ...sent };
    this.#rows = this.#rows.flatMap((one) => (one !== row ? one : method === 'DELETE' ? [] : edited));
    return { status: 200, json: { id: row.id, ...sent } };
  }

  #page({ searchParams }: URL): readonly Kept[] {
    const page = searchParams.get('page');
    const half = Math.ceil(this.#rows.length / 2);
    return page === '1' ? this.#rows.slice(0, half) : page === '2' ? this.#rows.slice(half) : this.#rows;
  }

  list(): readonly Row[] | undefined {
    return this.#loud.getList.select()(this.#state());
  }

  /** What is shown, in the names of the order in which things came to be. */
  shown(): string {
    const state = this.#state();
    const { ids, made } = this.#options;
    const numbers = Array.from({ length: this.#asked }, (_, i) => made(i + 1));
    const known = [...ids, ...numbers].map(String);
    const nameOf = (id: number | string): string => (isTemporary(id) ? 'new' : `${known.indexOf(String(id))}`);
    const words = ({ id, text, color }: Kept): string => `${nameOf(id)}(${text}, ${color})`;
    const rows = ids.map((id) => {
      const note = this.#loud.get.select({ id })(state);
      return note ? words(note) : '-';
    });
    const list = this.#loud.getList.select()(state);
    return `${list ? list.map(words).join(' ') : '-'} | ${rows.join(' ')}`;
  }

  /** What one of the rows has shown, each value once. */
  seenOf(row: number): readonly string[] {
    const shown = this.seen.map((state) => state.split(' | ')[1]?.split(/ (?=-|\d+\()/)[row] ?? '');
    return shown.filter((one, i) => one !== shown[i - 1]);
  }

  #state(): RootState {
    return this.#tools.store.getState();
  }

  #look(): void {
    const shown = this.shown();
    if (shown !== this.seen.at(-1)) this.seen.push(shown);
  }
}

function found(row: Kept | undefined): { readonly status: number; readonly json: unknown } {
  return row ? { status: 200, json: row } : { status: 404, json: {} };
}

function noteNamed(table: string) {
  return class Note extends Entity {
    id: number | string = 0;
    text = '';
    color = '';
    static override key = table;
  };
}

/** Lets all go on that can. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
