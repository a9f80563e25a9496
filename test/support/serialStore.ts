import { createResource, Entity, isTemporary, NetworkError } from 'rtk-resource';
import { bodyOf, isCreate, type Asked, type Target, type View } from './notes.js';
import type { Client } from './serial.js';
import { setup, type RootState } from './store.js';

class Note extends Entity {
  id: number | string = 0;
  text = '';
  color = '';
  folder = '';
  static override key = 'Note';
}

const body: { readonly text?: string; readonly color?: string; readonly folder?: string } = {};

/** A request on its way. */
type Flight = PromiseLike<unknown> & { readonly requestId: string };

/** A request that has reached the server. */
interface Arrival {
  readonly respond: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

/** A store that asks for notes, and shows them. */
export class StoreClient implements Client {
  readonly #tools = setup();
  readonly #flights = new Map<number, Flight>();
  readonly #ended = new Set<number>();
  /** The pks of what was created, temporary at first. */
  readonly #created = new Map<number, string>();
  readonly #arrivals = new Map<string, Arrival>();
  readonly #pks = new Set<string>(['1', '2']);
  #states: RootState[] = [];

  readonly #loud = createResource({ ...this.#common(), optimistic: true });
  readonly #quiet = createResource({ ...this.#common(), optimistic: false });

  constructor() {
    this.#tools.store.subscribe(() => this.#states.push(this.#tools.store.getState()));
  }

  async start(number: number, asked: Asked): Promise<void> {
    const flight = this.#dispatch(asked);
    this.#flights.set(number, flight);
    if (isCreate(asked)) {
      this.#created.set(number, `~${flight.requestId}`);
      this.#pks.add(`~${flight.requestId}`).add(String(100_000 + number));
    }
    await idle();
  }

  isSent(number: number): boolean {
    return this.#arrivals.has(this.#flights.get(number)?.requestId ?? '');
  }

  async answer(number: number, response: unknown): Promise<readonly number[]> {
    const id = (response as { readonly id?: number } | undefined)?.id;
    this.#arrival(number)?.respond(
      response === undefined ? new Response(null, { status: 204 }) : Response.json(response),
    );
    await this.#flights.get(number);
    if (this.#created.has(number) && id !== undefined) this.#created.set(number, String(id));
    return this.#ends(number);
  }

  async fail(number: number, isUnknown: boolean): Promise<readonly number[]> {
    const response = Response.json({}, { status: 422 });
    const error = isUnknown
      ? new NetworkError('fetch failed', { url: '' })
      : new NetworkError('Status 422', { url: '', response });
    this.#arrival(number)?.fail(error);
    await this.#flights.get(number);
    return [number, ...(await this.#ends(number))];
  }

  pkOf(target: Target): string {
    return 'id' in target ? String(target.id) : (this.#created.get(target.created) ?? '');
  }

  sights(): readonly View[] {
    const states = [...this.#states, this.#tools.store.getState()];
    this.#states = [];
    return states.map((state) => this.#sight(state));
  }

  #sight(state: RootState): View {
    const rows = [...this.#pks].flatMap((pk) => {
      const note = this.#tools.resources.selectEntity(Note, pk)(state);
      return note ? [[`notes ${pk}`, { text: note.text, color: note.color, folder: note.folder }]] : [];
    });
    const all = this.#loud.getList
      .select()(state)
      ?.map(({ id }) => String(id));
    return { rows: Object.fromEntries(rows) as View['rows'], lists: all ? { all } : {} };
  }

  #arrival(number: number): Arrival | undefined {
    return this.#arrivals.get(this.#flights.get(number)?.requestId ?? '');
  }

  /** What has ended beside the request that was to end. */
  async #ends(number: number): Promise<readonly number[]> {
    this.#ended.add(number);
    await idle();
    const rejected = new Set(this.#tools.actions.filter(({ type }) => type.endsWith('/rejected')).map(requestIdOf));
    const orphans = [...this.#flights]
      .filter(([other, { requestId }]) => !this.#ended.has(other) && rejected.has(requestId))
      .map(([other]) => other);
    for (const other of orphans) this.#ended.add(other);
    return orphans;
  }

  #common() {
    return {
      urlPrefix: 'http://notes.test',
      path: '/notes/:id' as const,
      schema: Note,
      body,
      getHeaders: (headers: HeadersInit, api: { readonly requestId: string } | undefined) => ({
        ...(headers as Readonly<Record<string, string>>),
        'x-request': api?.requestId ?? '',
      }),
      fetchResponse: (_input: unknown, init: RequestInit) =>
        new Promise<Response>((respond, fail) => {
          this.#arrivals.set(new Headers(init.headers).get('x-request') ?? '', { respond, fail });
        }),
    };
  }

  #dispatch(asked: Asked): Flight {
    const { store } = this.#tools;
    const { get, getList, partialUpdate, delete: remove } = 'quiet' in asked ? this.#quiet : this.#loud;
    const pk = 'target' in asked ? this.pkOf(asked.target) : '';
    const id = isTemporary(pk) ? pk : Number(pk);
    // There are no people here.
    const sent = bodyOf(asked) as typeof body;
    switch (asked.is) {
      case 'get':
        return store.dispatch(get({ id }));
      case 'patch':
        return store.dispatch(partialUpdate({ id }, sent));
      case 'delete':
        return store.dispatch(remove({ id }));
      case 'push':
      case 'unshift':
        return store.dispatch(getList[asked.is](sent));
      default:
        return store.dispatch(getList());
    }
  }
}

function requestIdOf(action: object): unknown {
  return (action as { readonly meta?: { readonly requestId?: unknown } }).meta?.requestId;
}

/** Lets all go on that can. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
