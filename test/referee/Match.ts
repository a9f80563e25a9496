import type { Reply } from './answers.js';
import type { Asked, Asking, Client, OpenClient, Shown } from './Client.js';
import { askedOf, knownIn } from './asking.js';
import { judgeAnswered } from './answered.js';
import type { Draw, Serving, Step } from './history.js';
import { rowBefore } from './Ledger.js';
import { Network, type Flight, type Sender } from './Network.js';
import type { How } from './PageLog.js';
import type { Finding } from './findings.js';
import { openServer } from './openServer.js';
import { Referee } from './Referee.js';
import type { Server } from './Server.js';
import { listAt, plain, type List } from './worlds.js';

/** What somebody has asked for, and what has become of it. */
export interface Op extends Sender {
  readonly asked: Asked;
  readonly draw: Draw;
  /** The row that it is about. */
  readonly origin: string | undefined;
  /** What was shown when it was asked. */
  readonly before: Shown;
  /** The rows of which an answer had told when it was asked. */
  readonly known: ReadonlySet<string>;
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

/** What reads do to lists with pages; a read that nobody asked for reads all pages once more. */
const hows: Readonly<Partial<Record<Asked['is'], How>>> = {
  list: 'begin',
  next: 'next',
  previous: 'previous',
  page: 'page',
};

/** The end of a match may not take longer. */
const PATIENCE = 300;

/** One client, one server and others play a history; a referee sees all that is shown. */
export class Match {
  readonly #server: Server;
  readonly #network: Network;
  readonly #client: Client;
  readonly #referee: Referee;
  readonly #ops: Op[] = [];
  readonly #byLabel = new Map<string, Op>();
  /** What reads were asked for, by the label of their requests. */
  readonly #reads = new Map<string, Asked>();
  /** What has happened, in words. */
  readonly story: string[] = [];

  constructor(open: OpenClient, serving: Serving, world = plain) {
    const senderOf = (label: string): Op | undefined => this.#byLabel.get(label);
    const { server, backend } = openServer(world, senderOf);
    this.#server = server;
    const isPromptly = serving === 'in order of sending';
    this.#network = new Network(backend, senderOf, isPromptly);
    this.#client = open(this.#network.fetch, world);
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
    const { world } = this.#server;
    const asked = askedOf(draw, target.id, number, world);
    const isWrite = isOfWrite(asked);
    // Of which kind a row is can be known only of one that is there.
    if (world.types && isWrite && 'id' in asked && !rowBefore({ before, origin: target.origin })) return;
    const isCreate = asked.is === 'push' || asked.is === 'unshift';
    // Whoever makes something needs to know what it is called.
    const fate = draw.fate === 'silent' && isCreate ? 'fine' : draw.fate;
    const op: Op = {
      ...{
        number,
        asked,
        draw,
        before,
        known: this.#referee.known(),
        fate,
        isPrompt: draw.isPrompt,
        isAtStart: asked.is === 'unshift',
      },
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
    else this.#name(asking.label, asked);
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

  /** A read may be joined to one that is under way: that is known already. */
  #name(label: string, asked: Asked): void {
    if (!this.#reads.has(label)) this.#reads.set(label, asked);
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
    const reply = await this.#network.deliver(flight);
    const isPart = reply.list?.pages && this.#howOf(flight) === 'refetch';
    if (!isLost) this.#referee.tell(reply);
    if (!isLost && !isPart) this.#referee.land(reply, flight.label, false);
    const undo = this.#bring(flight, reply);
    const words = isLost ? 'is lost' : `says ${inShort(reply)}`;
    this.story.push(`the answer to ${this.#nameOf(flight)} ${words}`);
    if (op) op.outcome = isLost ? 'lost' : reply.status < 300 ? 'done' : 'refused';
    // By number, all pages are on their way at once; by cursor, the next one is asked for with this.
    await idle();
    const isGoingOn = this.#isGoingOn(flight);
    if (isGoingOn) undo?.();
    if (!isLost && isPart) this.#referee.land(reply, flight.label, isGoingOn);
    await this.#rest();
    if (!isGoingOn && this.#wasAlone(flight, reply)) this.#refresh(flight, reply);
    this.#restPages();
  }

  /** Whether a read was answered that nothing overlapped, from its first page to its last. */
  #wasAlone(flight: Flight, { status, list }: Reply): boolean {
    const pages = list?.pages ? this.#referee.pages.partsOf(list, flight.label) : [];
    return flight.method === 'GET' && status === 200 && [flight, ...pages].every(({ isAlone }) => isAlone);
  }

  /** A page of a list comes; gives what takes it back where more is to come before it is shown. */
  #bring(flight: Flight, reply: Reply): (() => void) | undefined {
    if (!reply.list?.pages || flight.method !== 'GET') return undefined;
    return this.#referee.pages.bring(reply.list, this.#howOf(flight), flight, reply);
  }

  #howOf({ label = '' }: Flight): How {
    const asked = this.#reads.get(label);
    return (asked && hows[asked.is]) ?? 'refetch';
  }

  /** Whether the same request has sent for more. */
  #isGoingOn({ label }: Flight): boolean {
    return label !== undefined && this.#network.flying.some((other) => other.label === label);
  }

  #refresh(flight: Flight, reply: Reply): void {
    const shown = this.#shown();
    this.#referee.refresh(reply, shown);
    if (reply.list?.pages && !this.#ops.some(isOpen)) {
      judgeAnswered(this.#referee.ledger, reply.list, this.#howOf(flight), flight.label, shown);
    }
  }

  /** Looks at the lists with pages of which nothing is under way. */
  #restPages(): void {
    const busy = this.#network.flying.map(({ url }) => listAt(this.#server.world, url));
    this.#referee.rest(
      this.#shown(),
      this.#server.world.lists.filter((list) => list.pages && !busy.includes(list)),
    );
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
    for (const list of this.#server.world.lists) {
      if (list.pages) await this.#askForPages(list);
      else await this.#askAtLast({ is: 'list', list: list.name });
    }
    for (const { id } of this.#server.rows) await this.#askAtLast({ is: 'get', id });
  }

  /** Asks for the pages that are there once more, then begins anew, and goes on to both ends. */
  async #askForPages({ name }: List): Promise<void> {
    if (this.#shown().lists[name]) await this.#askAtLast({ is: 'refetch', list: name });
    await this.#askAtLast({ is: 'list', list: name });
    for (const is of ['next', 'previous'] as const) {
      const side = is === 'next' ? 'hasNextPage' : 'hasPreviousPage';
      for (let i = 0; i < PATIENCE && this.#shown().beside?.[name]?.[side]; i += 1) {
        await this.#askAtLast({ is, list: name });
      }
    }
  }

  async #askAtLast(asked: Asked): Promise<void> {
    const { label, ended } = this.#client.ask(asked, 0);
    this.#name(label, asked);
    ended.then(null, () => undefined);
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

function isOfWrite({ is }: Asked): boolean {
  return is !== 'get' && is !== 'refetch' && hows[is] === undefined;
}

/** Rows in few words. */
function inShort({ status, at, rows }: Reply): string {
  const words = rows.map(
    ({ origin, text, color, folder, state, votes }) =>
      `${origin}(${[text, color, folder, state, votes].filter((one) => one !== undefined).join(', ')})`,
  );
  return `${status} ${words.join(' ')} as of ${at}`;
}

/** Lets all go on that can. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
