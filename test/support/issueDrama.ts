import { IssueClient, type Action, type Arrival } from './issueClient.js';
import { IssueLog, joinedLists, type Request, type Served } from './issueLog.js';
import { allFilters, IssueServer, matches, nameOf, type Filters, type IssueRow } from './issueServer.js';
import type { IssueHistory, IssueStep } from './issueSteps.js';
import { IssueWitness } from './issueWitness.js';

/** An answer on its way to the client. */
interface Answer {
  readonly arrival: Arrival;
  readonly served: Served;
}

/** A server, the client under test, and others. The server serves at once what arrives; the answers come as the history says. */
export class IssueDrama {
  readonly story: string[] = [];
  readonly #log = new IssueLog();
  readonly #server: IssueServer;
  readonly #witness: IssueWitness;
  readonly #client: IssueClient;
  readonly #isByCursor: boolean;
  #flying: Answer[] = [];
  #broken: unknown;

  constructor({ isByCursor, pageSize, count }: IssueHistory) {
    this.#isByCursor = isByCursor;
    this.#server = new IssueServer(pageSize, count);
    this.#witness = new IssueWitness(this.#log, this.#server);
    const arrive = (arrival: Arrival): void => {
      const served = this.#serve(arrival);
      this.#log.request(arrival.requestId)?.served.push(served);
      this.#flying.push({ arrival, served });
    };
    this.#client = new IssueClient({
      isByCursor,
      arrive,
      see: (actions) => {
        this.#see(actions);
      },
    });
    this.story.push(`${isByCursor ? 'by cursor' : 'by number'}, ${pageSize} a page, ${count} issues`);
  }

  async play(steps: readonly IssueStep[]): Promise<void> {
    try {
      for (const step of steps) await this.#step(step);
      await this.#lookAtAll();
    } finally {
      this.#client.end();
    }
  }

  #see(actions: readonly Action[]): void {
    const ended = actions.flatMap((action) => this.#log.take(action) ?? []);
    try {
      this.#witness.see(this.#client.sight(), ended);
    } catch (error) {
      // Thrown here, it would end up in the store.
      this.#broken ??= error;
    }
  }

  async #settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#broken) throw this.#broken as Error;
    if (this.#log.isQuiet()) this.#witness.seeQuiet(this.#client.sight());
  }

  async #step(step: IssueStep): Promise<void> {
    switch (step.does) {
      case 'look':
        await this.#lookAtAll();
        return;
      case 'answer':
        await this.#answer(step.which, step.isLost);
        return;
      case 'other':
        this.#other(step);
        break;
      default:
        this.#ask(step);
    }
    await this.#settled();
  }

  #ask(step: Exclude<IssueStep, { readonly does: 'look' | 'answer' | 'other' }>): void {
    const client = this.#client;
    const before = this.#log.all().length;
    const flightOf = () => {
      switch (step.does) {
        case 'begin':
        case 'next':
        case 'again': {
          const of = 'isLoaded' in step && step.isLoaded ? this.#loaded(step.filters) : step.filters;
          const others = step.does === 'next' ? 'whole' : 'page';
          return this.#areUnderWay('push', others) ? undefined : client[step.does](of);
        }
        case 'watch':
          client.watch(step.filters);
          return undefined;
        case 'push':
          if (this.#areUnderWay('page', 'whole')) return undefined;
          return this.#isJoining(step.body) ? client.push(step.body, step.how) : undefined;
        default: {
          const id = this.#shownRow(step.row);
          if (id === undefined) return undefined;
          if (step.does === 'get') return client.get(id);
          if (this.#isUnnamed(id)) return undefined;
          return step.does === 'edit' ? client.edit(id, step.body, step.how) : client.delete(id, step.how);
        }
      }
    };
    const flight = flightOf();
    const request = this.#log.all().length > before ? this.#log.request(flight?.requestId ?? '') : undefined;
    if (request && 'how' in step) request.isRefused = step.how.isRefused;
    if (request && step.does === 'begin') request.begins = true;
    this.story.push(`${JSON.stringify(step)} ${request?.pk ?? ''} ${request?.requestId ?? ''}`);
  }

  /** A list that is there. */
  #loaded(filters: Filters): Filters {
    const { lists } = this.#client.sight();
    const loaded = allFilters.filter((of) => lists.has(nameOf(of)));
    return loaded[allFilters.indexOf(filters) % loaded.length] ?? filters;
  }

  /** Narrowed: until a create is answered, nobody knows which row of another list it has become (docs/guarantees.md, "What nobody can know"). */
  #isUnnamed(id: number | string): boolean {
    return this.#log.all().some(({ is, served: [answer], end }) => is === 'push' && !end && answer?.rows[0]?.id === id);
  }

  /**
   * Narrowed: not a page, a whole list and a create at once. The page waits for the create, and what the answer with the whole list
   * leaves out that the page has brought is not shown until then.
   */
  #areUnderWay(...kinds: readonly Request['is'][]): boolean {
    return kinds.every((kind) => this.#log.all().some(({ is, end }) => is === kind && !end));
  }

  /** A create that joins no list is warned of. */
  #isJoining(body: Filters): boolean {
    const { lists } = this.#client.sight();
    return allFilters.some((of) => lists.has(nameOf(of)) && matches(of, body));
  }

  #shownRow(which: number): number | string | undefined {
    const ids = new Set([...this.#client.sight().lists.values()].flatMap((rows) => rows.map(({ id }) => id)));
    return [...ids][which % ids.size];
  }

  #serve({ requestId, method, url, body }: Arrival): Served {
    const server = this.#server;
    const at = this.#log.tick();
    const refusal: Served = { at, status: 422, json: {}, rows: [] };
    const { status, owner, ...place } = Object.fromEntries(url.searchParams) as Filters & Record<string, string>;
    const id = Number(/\d+$/.exec(url.pathname)?.[0]);
    const before = server.rows.get(id);
    if (method !== 'GET' && this.#log.request(requestId)?.isRefused) return refusal;
    const one = (row: IssueRow | undefined, joined: readonly string[] = []): Served =>
      row ? { at, status: 200, json: row, rows: [row], joined } : { ...refusal, status: 404 };
    if (method === 'POST') {
      const row = server.create(body);
      return one(row, joinedLists(undefined, row));
    }
    if (method === 'PATCH') {
      const row = server.edit(id, body);
      const restated = row && ('status' in body || 'owner' in body) ? joinedLists(undefined, row) : [];
      // Narrowed: where an earlier write is under way, the client may not see what moves.
      const isOvertaking = this.#writesOf(String(id)) > 1;
      const isUnseen = isOvertaking || this.#witness.touched.has(String(id));
      return { ...one(row, row && joinedLists(before, row)), isUnseen, isOvertaking, restated };
    }
    if (method === 'DELETE') {
      server.rows.delete(id);
      return { ...one(before), rows: [] };
    }
    if (before || url.pathname !== '/issues') return one(before);
    const filters = { ...(status !== undefined && { status }), ...(owner !== undefined && { owner }) };
    const { rows, next } = server.page(filters, place);
    return this.#isByCursor
      ? { at, status: 200, json: { results: rows, next }, rows, next }
      : { at, status: 200, json: rows, rows };
  }

  /** How many edits of a row are under way. */
  #writesOf(pk: string): number {
    return this.#log
      .all()
      .filter((one) => one.is === 'edit' && this.#log.itemOf(one.pk) === this.#log.itemOf(pk) && !one.end).length;
  }

  async #answer(which: number, isLost: boolean): Promise<void> {
    const answer = this.#flying[which % this.#flying.length];
    if (!answer) return;
    this.#flying = this.#flying.filter((other) => other !== answer);
    const { arrival, served } = answer;
    const isFailed = isLost && arrival.method === 'GET';
    this.story.push(
      `${arrival.method} ${arrival.url.pathname}${arrival.url.search} of ${arrival.requestId}, served at ${served.at}: ${isFailed ? 500 : `${served.status} ${JSON.stringify(served.json)}`}`,
    );
    const { status, json } = isFailed ? { status: 500, json: {} } : served;
    arrival.respond(Response.json(json, { status }));
    await this.#settled();
    await this.#settled();
    this.story.push(`  ${this.#shown()}`);
  }

  #shown(): string {
    return [...this.#client.sight().lists]
      .map(([name, rows]) => `${name}: ${rows.map(({ id }) => id).join()}`)
      .join(' | ');
  }

  #other({ act, row: which, body }: Extract<IssueStep, { readonly does: 'other' }>): void {
    const server = this.#server;
    const ids = [...server.rows.keys()];
    const at = this.#log.tick();
    if (act === 'create' || act === 'create first') {
      this.#witness.touched.add(String(server.create(body, act === 'create first').id));
      return;
    }
    const id = ids[which % ids.length];
    if (id === undefined) return;
    const pk = String(id);
    this.story.push(`${at}: another: ${act} ${id} ${JSON.stringify(body)}`);
    const isTold = act === 'edit and tell' && this.#client.sight().row(pk) !== undefined;
    if (!isTold) this.#witness.touched.add(pk);
    const before = server.rows.get(id);
    if (act === 'delete') {
      server.rows.delete(id);
      return;
    }
    const after = server.edit(id, body);
    if (isTold && after) {
      // What the client does not see change, as an own write is under way, it does not see move.
      this.#witness.told.push({ pk, at, joined: joinedLists(before, after), isUnseen: this.#writesOf(pk) > 0 });
      this.#witness.keepTold(after, at, this.#client.sight());
      this.#client.tell({ id, ...body });
    }
  }

  async #lookAtAll(): Promise<void> {
    await this.#comeAll();
    this.story.push(`all has come: ${this.#shown()}`);
    for (const isTwice of [false, true]) {
      for (const filters of allFilters) {
        if (this.#client.sight().lists.has(nameOf(filters))) this.#client.again(filters);
      }
      await this.#settled();
      await this.#comeAll();
      this.#witness.seeAll(this.#client.sight(), isTwice);
    }
    this.story.push(`all is looked at: ${this.#shown()}`);
  }

  async #comeAll(): Promise<void> {
    while (this.#flying.length > 0) await this.#answer(0, false);
  }
}
