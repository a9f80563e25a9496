import { orElse, resourceError, warnOnce } from '../errors.js';
import { getOrMake } from '../schema/Schema.js';
import { ofThisCopy } from '../store/endpoint.js';
import type { KeptOutbox } from '../store/outbox.js';
import { entityOf, keptPkOf, sliceOf } from '../store/reading/selectors.js';
import type { Keeper, KeeperParts } from '../store/running/keeping.js';
import { discard, edit, retry } from './byHand.js';
import type { OutboxEntry, OutboxState } from './entries.js';
import type { Keepable, Outbox, OutboxOptions, OutboxThunk } from './options.js';
import { Queue } from './Queue.js';
import type { RestWrite } from './recording.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The outboxes that are open, by name. */
const open = new Map<string, Outbox>();

const loading: KeptOutbox = { status: 'loading', storage: 'memory', isLeader: false, entries: [] };
const none: readonly OutboxEntry[] = [];

/**
 * Makes an outbox: what the resources write is kept in IndexedDB until the server has it. Throws R41 without resources, R42 for a second one of a
 * name, and R21 for resources of another copy of the package.
 *
 * @example
 * const queue = outbox({ name: 'todos', resources: [TodoResource], idempotencyKey: true });
 * const resources = configureResources({ outbox: queue });
 */
export function outbox(options: OutboxOptions): Outbox {
  const { name, resources } = options;
  const endpoints = new Map<string, RestWrite>();
  meet(endpoints, resources);
  if (endpoints.size === 0) throw resourceError('R41', name);
  const other = open.get(name);
  if (other) {
    if (process.env.NODE_ENV === 'production') throw resourceError('R42', name);
    // A module that was loaded anew makes it anew.
    warnOnce(() => [`outbox ${name}`, `A second outbox "${name}" was made, so the first is closed.`]);
    void other.close();
  }
  const made = new StoreOutbox(options, endpoints);
  open.set(name, made);
  return made;
}

class StoreOutbox implements Outbox {
  readonly name: string;
  readonly ready: Promise<OutboxState>;
  readonly #options: OutboxOptions;
  readonly #endpoints: Map<string, RestWrite>;
  readonly #states = new WeakMap<KeptOutbox, OutboxState>();
  readonly #found = new WeakMap<OutboxState, Map<string, readonly OutboxEntry[]>>();
  #queue: Queue | undefined;
  #isReady: (state: OutboxState) => void = () => undefined;

  constructor(options: OutboxOptions, endpoints: Map<string, RestWrite>) {
    this.name = options.name;
    this.#options = options;
    this.#endpoints = endpoints;
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
  }

  mount(parts: KeeperParts): Keeper {
    if (this.#queue) throw resourceError('R42', this.name);
    const queue = (this.#queue = new Queue(this.#options, parts, this.#endpoints));
    void queue.open().then(() => {
      this.#isReady(this.select(parts.store.api.getState()));
    });
    return queue;
  }

  readonly select = (rootState: unknown): OutboxState => {
    const kept = sliceOf(rootState, this.#queue?.parts.store.reducerPath ?? 'resources').outbox ?? loading;
    return getOrMake(this.#states, kept, () => this.#stateOf(kept));
  };

  #stateOf({ entries, ...kept }: KeptOutbox): OutboxState {
    const failed = entries.filter(({ status }) => status === 'failed').length;
    return {
      ...kept,
      size: entries.length - failed,
      failed,
      entries: entries.map((entry) => this.#queue?.shelf.get(entry.id)?.show(entry) ?? { ...entry, args: [] }),
    };
  }

  selectFor: Outbox['selectFor'] = (entity, id) => {
    const { table = '' } = entityOf(entity) ?? {};
    return (rootState) => {
      const state = this.select(rootState);
      if (!this.#queue) return none;
      const { shelf, parts } = this.#queue;
      const { tables } = sliceOf(rootState, parts.store.reducerPath);
      const row = shelf.realRow(`${table} ${keptPkOf(tables, entity, id)}`);
      const found = getOrMake(this.#found, state, () => new Map<string, readonly OutboxEntry[]>());
      return getOrMake(found, row, () => {
        const about = state.entries.filter((entry) => {
          const item = shelf.get(entry.id);
          return item && shelf.rowsOf(item).includes(row);
        });
        return about.length > 0 ? about : none;
      });
    };
  };

  retry(id?: string): OutboxThunk<Promise<void>> {
    return async () => {
      await this.ready;
      await (this.#queue && retry(this.#queue, id));
    };
  }

  discard(id: string): OutboxThunk<Promise<void>> {
    return async () => this.#queue && discard(this.#queue, id);
  }

  edit(id: string, body: unknown): OutboxThunk<Promise<void>> {
    return async () => this.#queue && edit(this.#queue, id, body);
  }

  pause(): OutboxThunk<void> {
    return () => void this.#queue?.pause('user');
  }

  resume(): OutboxThunk<void> {
    return () => void this.#queue?.pause(undefined);
  }

  add(resources: readonly Keepable[]): void {
    meet(this.#endpoints, resources);
    this.#queue?.added();
  }

  async close(): Promise<void> {
    if (open.get(this.name) === this) open.delete(this.name);
    await this.#queue?.close();
  }
}

/** Notes the writes of resources, and of their members, by name. */
function meet(endpoints: Map<string, RestWrite>, resources: readonly Keepable[]): void {
  const found = resources.flatMap((thing): readonly unknown[] => (isEndpoint(thing) ? [thing] : Object.values(thing)));
  for (const one of found)
    if (isEndpoint(one))
      for (const write of [one, ...operations.flatMap((name) => memberNamed(one, name))])
        if (write.sideEffect) note(endpoints, ofThisCopy(write));
}

function note(endpoints: Map<string, RestWrite>, write: RestWrite): void {
  const { name, method, path } = write;
  const known = endpoints.get(name);
  if (known && (known.method !== method || known.path !== path))
    warnOnce(() => [
      `outbox ${name}`,
      `Two endpoints of the outbox are called ${name}: ${known.method} ${known.path} and ${method} ${path}.\nAfter a reload, a write by the first would be sent by the second. Give one of their resources a name: createResource({ name: '…' }).`,
    ]);
  endpoints.set(name, write);
}

/** What a list endpoint has that writes. */
const operations = ['push', 'unshift', 'assign', 'remove', 'move'];

function memberNamed(endpoint: RestWrite, name: string): readonly RestWrite[] {
  // Where it has no list, it may throw.
  const member = orElse(() => (endpoint as unknown as Readonly<Record<string, unknown>>)[name], undefined);
  return isEndpoint(member) ? [member] : [];
}

function isEndpoint(thing: unknown): thing is RestWrite {
  return typeof thing === 'function' && 'sideEffect' in thing && 'path' in thing;
}
