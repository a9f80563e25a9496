import fc from 'fast-check';
import { bodyOf, isCreate, isWrite, type Asked, type Target, type View } from './notes.js';

/** What rows are told by. */
export type Field = 'text' | 'color' | 'folder';
const fields: readonly Field[] = ['text', 'color', 'folder'];
type Told = Readonly<Partial<Record<Field, string>>>;

/** What the server makes of a request: it does it and tells, does it in silence, refuses it; or the answer gets lost. */
type Fate = 'fine' | 'silent' | 'refused' | 'lost on the way' | 'answer lost';

/** When the server does what it is asked to. */
type Moment = 'at arrival' | 'later';

interface Draw {
  readonly is: 'list' | 'get' | 'patch' | 'push' | 'unshift' | 'delete';
  /** One of two rows, or what was created last. */
  readonly row: number;
  readonly named: readonly Field[];
  readonly isQuiet: boolean;
  readonly fate: Fate;
  /** The fields that its answer speaks of. */
  readonly says: readonly Field[];
  readonly moment: Moment;
}

export type Step =
  | { readonly does: 'start'; readonly draw: Draw }
  | { readonly does: 'serve' | 'settle'; readonly which: number }
  | { readonly does: 'other'; readonly row: number; readonly named: readonly Field[] };

const some = fc.subarray([...fields], { minLength: 1 });
const draw = fc.record<Draw>({
  is: fc.constantFrom('list', 'list', 'list', 'get', 'patch', 'patch', 'patch', 'push', 'unshift', 'delete'),
  row: fc.constantFrom(0, 0, 0, 1, 2, 2),
  named: fc.subarray([...fields], { minLength: 1, maxLength: 2 }),
  isQuiet: fc.boolean(),
  fate: fc.constantFrom('fine', 'fine', 'fine', 'fine', 'silent', 'refused', 'lost on the way', 'answer lost'),
  says: fc.oneof(fc.constant(fields), some),
  moment: fc.constantFrom('at arrival', 'later'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: draw.map((drawn) => ({ does: 'start' as const, draw: drawn })) },
  { weight: 4, arbitrary: fc.nat(5).map((which) => ({ does: 'settle' as const, which })) },
  { weight: 1, arbitrary: fc.nat(5).map((which) => ({ does: 'serve' as const, which })) },
  // Without a name it takes the row away.
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(2), fc.oneof({ weight: 7, arbitrary: some }, { weight: 1, arbitrary: fc.constant([]) }))
      .map(([row, named]) => ({ does: 'other' as const, row, named })),
  },
);

/** What two clients and a server do; where it is in order, the server does at once what arrives. */
export function stories(maxLength: number, isInOrder: boolean): fc.Arbitrary<readonly Step[]> {
  const first: Step = {
    does: 'start',
    draw: { is: 'list', row: 0, named: [], isQuiet: false, fate: 'fine', says: fields, moment: 'at arrival' },
  };
  return fc
    .tuple(fc.boolean(), fc.array(step, { minLength: 1, maxLength, size: 'max' }))
    .map(([isFetched, steps]) => (isFetched ? [first, { does: 'settle' as const, which: 0 }, ...steps] : steps))
    .map((steps) => (isInOrder ? steps.flatMap(served) : steps));
}

function served(one: Step): readonly Step[] {
  if (one.does === 'serve') return [];
  return [one.does === 'start' ? { ...one, draw: { ...one.draw, moment: 'at arrival' } } : one];
}

/** Who asks, and shows what it has been told: a store, or the rules alone. */
export interface Client {
  start(number: number, asked: Asked): Promise<void>;
  /** Whether a request has reached the server. */
  isSent(number: number): boolean;
  /** An answer comes, undefined for one without content; gives the requests that fail with it. */
  answer(number: number, response: unknown): Promise<readonly number[]>;
  fail(number: number, isUnknown: boolean): Promise<readonly number[]>;
  /** The address of what is about to be made, or was. */
  pkOf(target: Target): string;
  /** What was to see since the last look, in order. */
  sights(): readonly View[];
}

/** A request, from its start to its end. */
interface Request {
  readonly number: number;
  readonly asked: Asked;
  readonly draw: Draw;
  /** What the server says, once it has served it; undefined for a refusal. */
  reply?: { readonly status: number; readonly json?: unknown };
  end?: 'done' | 'failed' | 'lost';
}

/** A server, one that asks, and others; told is what must never be seen. */
export class Drama {
  readonly #client: Client;
  readonly #isInOrder: boolean;
  readonly #requests: Request[] = [];
  readonly #rows = new Map<number, Told>();
  #order: number[] = [];
  readonly #removed = new Set<number>();
  /** The rows that others have written to. */
  readonly #touched = new Set<number>();
  #moments = 0;
  /** When the server took each value, and who wrote it. */
  readonly #taken = new Map<string, number>();
  readonly #writers = new Map<string, Request>();
  readonly story: string[] = [];

  /** The values that were shown of each field of each row, and the edits of them that were confirmed. */
  readonly #shown = new Map<string, Set<string>>();
  readonly #edits = new Map<string, string>();
  /** The rows whose deletion was confirmed, and those that lists have shown, and show no more. */
  readonly #deleted = new Set<string>();
  readonly #listed = new Map<string, 'in' | 'out'>();

  /** What was shown last. */
  #last: View | undefined;

  constructor(client: Client, isInOrder: boolean) {
    this.#client = client;
    this.#isInOrder = isInOrder;
    for (const id of [1, 2]) {
      this.#order.push(id);
      this.#take(id, Object.fromEntries(fields.map((field) => [field, `old ${field} ${id}`])), 0);
    }
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const one of steps) await this.#step(one);
    for (let [next] = this.#flying(); next; [next] = this.#flying()) await this.#settle(next);
  }

  async #step(one: Step): Promise<void> {
    switch (one.does) {
      case 'start':
        await this.#start(one.draw);
        break;
      case 'serve': {
        const sent = this.#flying().filter(({ reply }) => !reply);
        const request = sent[one.which % sent.length];
        if (!request) return;
        this.#serve(request);
        this.story.push(`the server serves ${request.number}`);
        break;
      }
      case 'settle': {
        const sent = this.#flying();
        const request = sent[one.which % sent.length];
        if (request) await this.#settle(request);
        break;
      }
      case 'other':
        this.#other(one.row, one.named);
    }
  }

  async #start(drawn: Draw): Promise<void> {
    const number = this.#requests.length;
    const target = this.#target(drawn.row);
    const values = (): Told => Object.fromEntries(drawn.named.map((field) => [field, `t${number} ${field}`]));
    const quiet = drawn.isQuiet ? { quiet: true as const } : {};
    const askedOf = (): Asked => {
      switch (drawn.is) {
        case 'list':
          return { is: 'list', list: 'all' };
        case 'push':
        case 'unshift':
          return { is: drawn.is, list: 'all', body: values(), ...quiet };
        case 'patch':
          return { is: 'patch', target, body: values(), ...quiet };
        default:
          return { is: drawn.is, target };
      }
    };
    const asked = askedOf();
    const isSame = (other: Request): boolean =>
      !other.end && !isWrite(other.asked) && JSON.stringify(other.asked) === JSON.stringify(asked);
    // It would join.
    if (this.#requests.some(isSame)) return;
    const request: Request = { number, asked, draw: drawn };
    for (const value of Object.values('body' in asked ? values() : {})) this.#writers.set(value, request);
    this.#requests.push(request);
    await this.#client.start(number, asked);
    const { fate, says, moment } = drawn;
    this.story.push(`${number}: ${JSON.stringify(asked)} ${isWrite(asked) ? fate : ''} ${says.join()} ${moment}`);
    this.#arrive();
    this.#look();
  }

  /** What has arrived is served, if it is to be served at once. */
  #arrive(): void {
    for (const request of this.#flying()) {
      if (!request.reply && request.draw.moment === 'at arrival') this.#serve(request);
    }
  }

  #flying(): readonly Request[] {
    return this.#requests.filter(({ number, end }) => !end && this.#client.isSent(number));
  }

  async #settle(request: Request): Promise<void> {
    const { number, asked, draw: drawn } = request;
    if (!request.reply) this.#serve(request);
    const { status = 500, json } = request.reply ?? {};
    const isLost = isWrite(asked) && (drawn.fate === 'lost on the way' || drawn.fate === 'answer lost');
    this.story.push(`${number} ends: ${isLost ? 'lost' : `${status} ${JSON.stringify(json)}`}`);
    const isSilent = isCreate(asked) && status === 204;
    request.end = isLost || isSilent ? 'lost' : status < 300 ? 'done' : 'failed';
    if (isCreate(asked) && request.end === 'done') this.#born(number);
    const failed =
      isLost || status >= 300
        ? await this.#client.fail(number, isLost)
        : await this.#client.answer(number, status === 204 ? undefined : json);
    for (const other of failed) {
      const orphan = this.#requests[other];
      if (orphan && !orphan.end) orphan.end = 'failed';
    }
    if (asked.is === 'delete' && request.end === 'done') this.#deleted.add(this.#client.pkOf(asked.target));
    this.#look(request);
    this.#arrive();
  }

  /** What was shown of a row that was being made was shown of the row. */
  #born(number: number): void {
    const temporary = this.#client.pkOf({ created: number });
    for (const field of fields) {
      const shown = this.#shown.get(`${temporary} ${field}`) ?? [];
      this.#shown.set(`${100_000 + number} ${field}`, new Set([...this.#shownOf(100_000 + number, field), ...shown]));
    }
    const listed = this.#listed.get(temporary);
    this.#listed.delete(temporary);
    if (listed) this.#listed.set(String(100_000 + number), listed);
  }

  #shownOf(pk: number | string, field: string): ReadonlySet<string> {
    return this.#shown.get(`${pk} ${field}`) ?? new Set();
  }

  #target(row: number): Target {
    if (row < 2) return { table: 'notes', id: row + 1 };
    const made = this.#requests.filter(({ asked, end }) => isCreate(asked) && (!end || end === 'done')).at(-1);
    return made ? { created: made.number } : { table: 'notes', id: 1 };
  }

  #serve(request: Request): void {
    const { number, asked, draw: drawn } = request;
    const { says } = drawn;
    // A write is told at least what it named.
    const told = fields.filter((field) => says.includes(field) || field in bodyOf(asked));
    const send = (id: number): object => ({ id, ...pick(this.#rows.get(id) ?? {}, told) });
    if (!isWrite(asked)) {
      if (asked.is === 'list') request.reply = { status: 200, json: this.#order.map(send) };
      else if (asked.is === 'get') {
        const id = Number(this.#client.pkOf(asked.target));
        request.reply = this.#rows.has(id) ? { status: 200, json: send(id) } : { status: 404, json: {} };
      }
      return;
    }
    if (drawn.fate === 'refused' || drawn.fate === 'lost on the way') {
      request.reply = { status: 422, json: {} };
      return;
    }
    const id = isCreate(asked) ? 100_000 + number : Number(this.#client.pkOf(asked.target));
    if (isCreate(asked)) {
      this.#order = asked.is === 'push' ? [...this.#order, id] : [id, ...this.#order];
      const blank = Object.fromEntries(fields.map((field) => [field, `made ${field} ${number}`]));
      this.#take(id, { ...blank, ...asked.body }, ++this.#moments);
    } else if (!this.#rows.has(id)) {
      request.reply = { status: 404, json: {} };
      return;
    } else if (asked.is === 'delete') this.#remove(id);
    else if (asked.is === 'patch') this.#take(id, asked.body, ++this.#moments);
    const isSilent = drawn.fate === 'silent' && asked.is !== 'delete';
    request.reply = isSilent ? { status: 204 } : { status: 200, json: asked.is === 'delete' ? { id } : send(id) };
  }

  #other(row: number, named: readonly Field[]): void {
    const target = this.#target(row);
    const id = 'id' in target ? target.id : 100_000 + target.created;
    if (!this.#rows.has(id)) return;
    const moment = ++this.#moments;
    this.#touched.add(id);
    if (named.length === 0) this.#remove(id);
    else this.#take(id, Object.fromEntries(named.map((field) => [field, `x${moment} ${field}`])), moment);
    this.story.push(`another ${named.length ? `writes x${moment} to ${named.join()} of` : 'deletes'} ${id}`);
  }

  #take(id: number, told: Told, moment: number): void {
    this.#rows.set(id, { ...this.#rows.get(id), ...told });
    for (const value of Object.values(told)) this.#taken.set(value, moment);
  }

  #remove(id: number): void {
    this.#rows.delete(id);
    this.#order = this.#order.filter((one) => one !== id);
    this.#removed.add(id);
  }

  /** What is on its way to the server is newer than all that is there. */
  #momentOf(value: string): number {
    return this.#taken.get(value) ?? Infinity;
  }

  /** Nobody knows, or nobody is to know, what became of it. */
  #isExempt(value: string): boolean {
    const writer = this.#writers.get(value);
    if (!writer) return false;
    const { fate } = writer.draw;
    return fate === 'refused' || fate === 'lost on the way' || writer.end === 'lost' || writer.end === 'failed';
  }

  #look(settled?: Request): void {
    const views = this.#client.sights();
    for (const view of views) {
      for (const [key, row] of Object.entries(view.rows)) this.#lookAt(key.split(' ')[1] ?? '', row, settled);
      if (view.lists.all) this.#lookThrough(view.lists.all);
    }
    const before = this.#last;
    this.#last = views.at(-1) ?? before;
    if (settled?.end !== 'done' || !('body' in settled.asked)) return;
    const { asked, number } = settled;
    const pk = this.#client.pkOf('target' in asked ? asked.target : { created: number });
    const row = this.#last?.rows[`notes ${pk}`] as Told | undefined;
    for (const field of fields) {
      const value = (asked.body as Told)[field];
      if (value === undefined) continue;
      const shown = row?.[field];
      const wasShown = (before?.rows[`notes ${pk}`] as Told | undefined)?.[field] === value;
      // A later edit has decided it already, or one is under way.
      const isDecided = shown !== undefined && (this.#writers.get(shown)?.number ?? -1) > number;
      if (wasShown && shown && !isDecided && this.#momentOf(shown) < this.#momentOf(value)) {
        throw new Error(`${field} of ${pk} was shown as ${value}, is confirmed, and is ${shown}`);
      }
      if (shown === value) this.#edits.set(`${pk} ${field}`, value);
      else this.#edits.delete(`${pk} ${field}`);
    }
  }

  #lookAt(pk: string, row: Told, settled: Request | undefined): void {
    if (this.#deleted.has(pk)) throw new Error(`${pk} is back, and was deleted`);
    for (const field of fields) {
      const value = row[field];
      if (!value) continue;
      const name = `${pk} ${field}`;
      const shown = this.#shown.get(name) ?? new Set();
      this.#shown.set(name, shown);
      const moment = this.#momentOf(value);
      if (this.#isInOrder && !this.#isExempt(value)) {
        for (const earlier of shown) {
          if (this.#isExempt(earlier) || this.#momentOf(earlier) <= moment) continue;
          throw new Error(`${field} of ${pk} goes back from ${earlier} to ${value}`);
        }
      }
      const edit = this.#edits.get(name);
      const writer = this.#writers.get(value);
      const isGuess = writer && !writer.end && !('quiet' in writer.asked);
      const isNamed = isGuess || this.#isNamedBy(settled, pk, field);
      if (edit !== undefined && !isNamed && moment < this.#momentOf(edit)) {
        throw new Error(`${field} of ${pk} was confirmed as ${edit}, and is ${value}`);
      }
      // The last is what is shown now.
      shown.delete(value);
      shown.add(value);
    }
  }

  #isNamedBy(settled: Request | undefined, pk: string, field: string): boolean {
    if (settled?.end !== 'done' || !('body' in settled.asked) || !('target' in settled.asked)) return false;
    return field in settled.asked.body && this.#client.pkOf(settled.asked.target) === pk;
  }

  /** What was made is shown once, and stays; what went stays away. */
  #lookThrough(list: readonly string[]): void {
    const made = (pk: string): Request | undefined =>
      this.#requests.find(
        ({ number, asked }) =>
          isCreate(asked) && (pk === String(100_000 + number) || pk === this.#client.pkOf({ created: number })),
      );
    const seen = new Set<unknown>();
    for (const pk of list) {
      const request = made(pk);
      const item = request ?? pk;
      // What another has changed beyond likeness nobody can tell for the item, until its create is answered.
      const isExcused = request && !request.end && this.#touched.has(100_000 + request.number);
      if (seen.has(item) && !isExcused) throw new Error(`${pk} is there twice: ${list.join()}`);
      seen.add(item);
    }
    const deletions = (pk: string): readonly Request[] =>
      this.#requests.filter(({ asked }) => asked.is === 'delete' && this.#client.pkOf(asked.target) === pk);
    for (const pk of list) {
      const isExcused = deletions(pk).some(({ end }) => end === 'failed' || end === 'lost') || made(pk)?.end === 'lost';
      if (this.#listed.get(pk) === 'out' && !isExcused) throw new Error(`${pk} is back in the list: ${list.join()}`);
      this.#listed.set(pk, 'in');
    }
    for (const [pk, where] of this.#listed) {
      if (where === 'out' || list.includes(pk)) continue;
      const request = made(pk);
      const isExcused =
        this.#removed.has(Number(pk)) ||
        deletions(pk).length > 0 ||
        (request && (request.end === 'failed' || request.end === 'lost')) ||
        // Its temporary stands for it.
        (request && list.includes(this.#client.pkOf({ created: request.number })));
      if (!isExcused) throw new Error(`${pk} has left the list: ${list.join()}`);
      // Whether it was made, and taken away by another, or has not been made yet, cannot be told before it is answered.
      if (request && !request.end) this.#listed.delete(pk);
      else this.#listed.set(pk, 'out');
    }
  }
}

function pick(row: Told, names: readonly Field[]): Told {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}
