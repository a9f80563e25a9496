/**
 * A server in the page, whose answers the reader releases. A read is handled as it is sent, so that a late answer is an old one; a write as it is released, in the
 * order in which writes were sent.
 */
import type { Todo } from '../../../../bench/comparison/App.js';

/** How a request ends: answered, refused, or done by the server and its answer lost. */
export type Ending = 'answer' | 'refuse' | 'lose';

/** A request that waits for its answer. */
export interface Held {
  readonly label: string;
  readonly end: (how: Ending) => void;
}

interface Sent {
  readonly method: string;
  /** Of a write to one todo, else NaN. */
  readonly id: number;
  readonly body: Partial<Todo>;
  state: 'pending' | 'done' | 'refused';
}

const first: readonly Todo[] = ['apples', 'bread', 'cheese'].map((title, i) => ({
  id: i + 1,
  title,
  userId: 1,
  done: false,
}));

export class Server {
  readonly url: string;
  /** While true, answers come at once. */
  isOpen = true;
  held: readonly Held[] = [];
  readonly #log: Sent[] = [];
  readonly #changed: () => void;
  #waiting: (() => void)[] = [];

  constructor(url: string, changed: () => void) {
    this.url = url;
    this.#changed = changed;
  }

  /** What it has of all that it has handled. */
  get todos(): readonly Todo[] {
    return this.#todosAt(this.#log.length);
  }

  /** Another client writes. */
  write(id: number, body: Partial<Todo>): void {
    this.#log.push({ method: 'PATCH', id, body, state: 'done' });
    this.#changed();
  }

  /** Waits until the list has been asked for. */
  async holding(): Promise<never> {
    const isAsked = (): boolean => this.held.some(({ label }) => label === 'GET /todos');
    while (!isAsked()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return undefined as never;
  }

  async fetch(request: Request): Promise<Response> {
    const path = request.url.slice(this.url.length).replace(/\?$/, '');
    const text = await request.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Partial<Todo>;
    const sent: Sent = { method: request.method, id: Number(path.split('/')[2]), body, state: 'pending' };
    const place = this.#log.push(sent) - 1;
    const read = this.todos;
    const how = this.isOpen ? 'answer' : await this.#hold(`${request.method} ${path} ${text}`.trim(), request.signal);
    sent.state = how === 'refuse' ? 'refused' : 'done';
    this.#changed();
    if (how === 'lose') throw new TypeError('The connection was lost.');
    return how === 'refuse' ? Response.json({ message: 'No.' }, { status: 500 }) : this.#answer(sent, place, read);
  }

  #hold(label: string, signal: AbortSignal): Promise<Ending> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        label,
        end: (how) => {
          leave();
          resolve(how);
        },
      };
      const leave = (): void => {
        this.held = this.held.filter((one) => one !== held);
        this.#changed();
      };
      signal.addEventListener('abort', () => {
        leave();
        reject(signal.reason as Error);
      });
      this.held = [...this.held, held];
      this.#changed();
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  #answer({ method, id }: Sent, place: number, read: readonly Todo[]): Response {
    const todos = method === 'GET' ? read : this.#todosAt(place + 1);
    const wanted = method === 'POST' ? idAt(place) : id;
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (Number.isNaN(wanted)) return Response.json(todos);
    const todo = todos.find((one) => one.id === wanted);
    return todo ? Response.json(todo) : Response.json({ message: `There is no ${String(wanted)}.` }, { status: 404 });
  }

  /** What those come to that it has done, of so many requests. */
  #todosAt(count: number): readonly Todo[] {
    let todos = first;
    this.#log.slice(0, count).forEach((sent, place) => {
      const { method, id, body, state } = sent;
      if (state !== 'done') return;
      if (method === 'PATCH') todos = todos.map((todo) => (todo.id === id ? { ...todo, ...body } : todo));
      if (method === 'DELETE') todos = todos.filter((todo) => todo.id !== id);
      if (method === 'POST') todos = [...todos, { id: idAt(place), title: '', userId: 1, done: false, ...body }];
    });
    return todos;
  }
}

/** The id of what was created by the request at a place. */
function idAt(place: number): number {
  return place + 10;
}
