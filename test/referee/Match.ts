import type { Asked, Asking, Client, OpenClient, Shown, ShownRow } from './Client.js';
import { lists, type Draw, type Serving, type Step } from './history.js';
import { Network, type Flight, type Reply, type Sender } from './Network.js';
import type { Finding } from './findings.js';
import { Referee } from './Referee.js';
import { Server, valuesOf } from './Server.js';

/** What somebody has asked for, and what has become of it. */
export interface Op extends Sender {
  readonly asked: Asked;
  readonly draw: Draw;
  /** The row that it is about. */
  readonly origin: string | undefined;
  /** What was shown when it was asked. */
  readonly before: Shown;
  /** `answering` from when its answer is delivered until whoever asked is told. */
  state: 'pending' | 'answering' | 'done' | 'refused' | 'lost';
  /** Whether all that follows from its being asked has come about. */
  isStarted: boolean;
  hasEnded: boolean;
  /** What becomes of it when it ends. */
  outcome: 'done' | 'refused' | 'lost';
  cancel: (() => void) | undefined;
  /** How much the server had done when its answer was delivered. */
  deliveredAt: number | undefined;
}

/** The end of a match may not take longer. */
const PATIENCE = 300;

/** One client, one server and others play a history; a referee sees all that is shown. */
export class Match {
  readonly #server = new Server();
  readonly #network: Network;
  readonly #client: Client;
  readonly #referee: Referee;
  readonly #ops: Op[] = [];
  readonly #byLabel = new Map<string, Op>();
  /** What has happened, in words. */
  readonly story: string[] = [];

  constructor(open: OpenClient, serving: Serving) {
    const isPromptly = serving === 'in order of sending';
    this.#network = new Network(this.#server, (label) => this.#byLabel.get(label), isPromptly);
    this.#client = open(this.#network.fetch);
    this.#referee = new Referee(this.#server, this.#ops, this.story, isPromptly);
    this.#client.subscribe(() => {
      this.#look();
    });
  }

  /** What was asked for. */
  get ops(): readonly Op[] {
    return this.#ops;
  }

  get server(): Server {
    return this.#server;
  }

  /** Plays to the end, and gives what the referee has found. */
  async play(steps: readonly Step[]): Promise<readonly Finding[]> {
    for (const step of steps) await this.#step(step);
    await this.#drain();
    await this.#askAll();
    this.#referee.atEnd(this.#shown(), this.#client.thrown());
    this.#client.close();
    return this.#referee.findings;
  }

  async #step(step: Step): Promise<void> {
    switch (step.does) {
      case 'ask':
        await this.#ask(step.draw);
        break;
      case 'handle': {
        const flight = this.#network.handleOne(step.which);
        if (flight) this.story.push(`the server handles ${this.#nameOf(flight)}`);
        break;
      }
      case 'deliver': {
        const { flying } = this.#network;
        const flight = flying[step.which % flying.length];
        if (flight) await this.#deliver(flight);
        break;
      }
      case 'cancel':
        await this.#cancel(step.which);
        break;
      case 'other':
        this.story.push(this.#server.other(step.other));
    }
  }

  async #ask(draw: Draw): Promise<void> {
    const before = this.#shown();
    const number = this.#ops.length + 1;
    const known = knownIn(before, this.#client.takesTemporaryIds);
    const target = known[draw.row % known.length];
    if (!target) return;
    const asked = askedOf(draw, target.id, number);
    const isWrite = asked.is !== 'list' && asked.is !== 'get';
    const isCreate = asked.is === 'push' || asked.is === 'unshift';
    // Whoever makes something needs to know what it is called.
    const fate = draw.fate === 'silent' && isCreate ? 'fine' : draw.fate;
    const op: Op = {
      ...{ number, asked, draw, before, fate, isPrompt: draw.isPrompt, isAtStart: asked.is === 'unshift' },
      ...{
        origin: isCreate ? `c${number}` : target.origin,
        state: 'pending',
        handledAt: undefined,
        deliveredAt: undefined,
        cancel: undefined,
        isStarted: false,
        hasEnded: false,
        outcome: 'refused',
      },
    };
    if (isWrite) this.#ops.push(op);
    this.story.push(`${isWrite ? number : 'somebody'} asks ${JSON.stringify(asked)}${isWrite ? `: ${fate}` : ''}`);
    const asking = this.#client.ask(asked, number);
    if (isWrite) this.#byLabel.set(asking.label, op);
    this.#follow(op, asking);
    await idle();
    op.isStarted = true;
    await this.#rest();
  }

  /** Nobody knows what becomes of a write that is cancelled. */
  async #cancel(which: number): Promise<void> {
    const pending = this.#ops.filter(({ state, cancel }) => state === 'pending' && cancel);
    const op = pending[which % pending.length];
    if (!op) return;
    this.story.push(`${op.number} is cancelled`);
    op.outcome = 'lost';
    op.state = 'answering';
    op.cancel?.();
    await idle();
    await this.#rest();
  }

  #follow(op: Op, { ended, cancel }: Asking): void {
    op.cancel = cancel;
    const end = (): void => {
      op.hasEnded = true;
    };
    ended.then(end, end);
  }

  async #deliver(flight: Flight): Promise<void> {
    const op = this.#opOf(flight);
    if (op) {
      op.state = 'answering';
      op.deliveredAt = this.#server.now;
    }
    const isLost = this.#network.isLost(flight);
    const reply = this.#network.deliver(flight);
    if (!isLost) this.#referee.tell(reply);
    const words = isLost ? 'is lost' : `says ${inShort(reply)}`;
    this.story.push(`the answer to ${this.#nameOf(flight)} ${words}`);
    if (op) op.outcome = isLost ? 'lost' : reply.status < 300 ? 'done' : 'refused';
    await this.#rest();
    if (flight.isAlone && flight.method === 'GET' && reply.status === 200) {
      this.#referee.refresh(flight.url, reply, this.#shown());
    }
  }

  #nameOf(flight: Flight): string {
    const { number, method, url } = flight;
    const of = this.#opOf(flight)?.number;
    return of === undefined ? `request ${number} (${method} ${url.pathname}${url.search})` : String(of);
  }

  #opOf({ label }: Flight): Op | undefined {
    return label === undefined ? undefined : this.#byLabel.get(label);
  }

  #end(op: Op): void {
    op.state = op.outcome;
    if (op.state === 'done') this.#referee.confirm(op);
  }

  /** Lets all go on that can, and looks. */
  async #rest(): Promise<void> {
    await idle();
    // Those that are told before their request was answered hear that it was never sent.
    for (const op of this.#ops) if (op.hasEnded && isOpen(op)) this.#end(op);
    for (const { url } of this.#network.astray) this.#referee.meet(url.pathname);
    this.#network.arrive();
    this.#look();
    if (this.#ops.some(isOpen)) return;
    this.#referee.atRest(this.#client.marks(this.#server.ids()));
    if (this.#network.flying.length === 0) this.#referee.atPeace(this.#shown());
  }

  async #drain(): Promise<void> {
    for (let i = 0; i < PATIENCE; i += 1) {
      const [flight] = this.#network.flying;
      if (!flight) return;
      await this.#deliver(flight);
    }
    throw new Error('It comes to no end.');
  }

  /** Asks for everything, one after the other. */
  async #askAll(): Promise<void> {
    this.story.push('at last somebody asks for everything');
    for (const list of lists) await this.#askAtLast({ is: 'list', list });
    for (const { id } of this.#server.list('all')) await this.#askAtLast({ is: 'get', id });
  }

  async #askAtLast(asked: Asked): Promise<void> {
    this.#client.ask(asked, 0).ended.then(null, () => undefined);
    await this.#rest();
    await this.#drain();
  }

  #shown(): Shown {
    return this.#client.show(this.#server.ids());
  }

  #look(): void {
    this.#referee.look(this.#shown());
  }
}

function isOpen({ state }: Op): boolean {
  return state === 'pending' || state === 'answering';
}

/** The rows that somebody may do something to: those that are shown, and two that everybody knows of. */
function knownIn(
  { lists: shown, rows }: Shown,
  takesTemporaryIds: boolean,
): readonly Pick<ShownRow, 'id' | 'origin'>[] {
  const seen = [...Object.values(shown), Object.values(rows)].flat().filter((row) => row !== undefined);
  const all = [{ id: 1, origin: 's1' }, { id: 2, origin: 's2' }, ...seen];
  // The id of an item that is still being made is known from the list alone.
  const byOrigin = new Map(all.reverse().map(({ id, origin }) => [origin, { id, origin }]));
  return [...byOrigin.values()].reverse().filter(({ id }) => takesTemporaryIds || typeof id === 'number');
}

function askedOf({ is, list, named, folder, isQuiet }: Draw, id: number | string, number: number): Asked {
  switch (is) {
    case 'list':
      return { is, list };
    case 'get':
      return { is, id };
    case 'patch':
      return { is, id, body: valuesOf(named, folder, `c${number}`), isQuiet };
    case 'vote':
      return { is, id, by: String(number) };
    case 'delete':
      return { is, id, isQuiet };
    default: {
      const origin = `c${number}`;
      return { is, body: { ...valuesOf([...named, 'folder'], folder, origin), origin }, isQuiet };
    }
  }
}

/** Rows in few words. */
function inShort({ status, at, rows }: Reply): string {
  const words = rows.map(
    ({ origin, text, color, folder, votes }) => `${origin}(${[text, color, folder, votes].join(', ')})`,
  );
  return `${status} ${words.join(' ')} as of ${at}`;
}

/** Lets all go on that can. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
