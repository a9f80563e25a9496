import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { createResource, Entity } from 'rtk-resource';
import { mockServer, type MockServer, type Served } from 'rtk-resource/mock';
import { outbox, type Outbox, type OutboxOptions, type OutboxState } from 'rtk-resource/offline';
import { afterEach, beforeEach, vi } from 'vitest';
import { setup } from './store.js';

export class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
  static override key = 'Todo';
}

export class Note extends Entity {
  id = 0;
  todoId = 0;
  text = '';
  static override key = 'Note';
}

export const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});
export const NoteResource = createResource({ path: '/todos/:todoId/notes/:id', schema: Note, optimistic: true });

/** Writes to one page are sent one after the other, each over what the one before has left. */
export class Page extends Entity {
  id = 0;
  title = '';
  body = '';
  static override key = 'Page';
}
export const PageResource = createResource({ path: '/pages/:id', schema: Page, optimistic: true, etag: true });

/** A server for the tabs of a test. */
export function makeServer(...others: readonly Served[]): MockServer {
  return mockServer([TodoResource, NoteResource, PageResource, ...others], {
    seed: {
      Todo: [
        { id: 1, title: 'Read', completed: false },
        { id: 2, title: 'Write', completed: false },
      ],
      Note: [{ id: 1, todoId: 1, text: 'A note' }],
      Page: [{ id: 1, title: '', body: '' }],
    },
  });
}

/** Fake timers and a fake clock in each test of a file; what is no timer goes on. */
export function fakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** A name that no other test has. */
export function newName(): string {
  return `test ${crypto.randomUUID()}`;
}

/** The network of one tab: it may be cut. */
export interface Line {
  isOnline: boolean;
  setOnline(isOnline: boolean): void;
}

/** A tab: a store with an outbox, on a server. */
export interface Tab {
  /** The resources as this tab has them: what another tab has loaded is another copy of the package. */
  readonly todos: typeof TodoResource;
  readonly pages: typeof PageResource;
  titleOf(id: number): string | undefined;
  readonly store: ReturnType<typeof setup>['store'];
  readonly resources: ReturnType<typeof setup>['resources'];
  readonly actions: ReturnType<typeof setup>['actions'];
  readonly read: ReturnType<typeof setup>['read'];
  readonly queue: Outbox;
  readonly line: Line;
  state(): OutboxState;
  /** The end of the tab: nothing that it has under way is heard of any more. */
  kill(): Promise<void>;
}

/** Opens a tab. */
export function openTab(
  server: MockServer,
  name: string,
  { isOnline = true, ...options }: Partial<OutboxOptions> & { isOnline?: boolean } = {},
): Tab {
  const queue = outbox({ name, resources: [TodoResource, NoteResource, PageResource], ...options });
  let tell: (isOnline: boolean) => void = () => undefined;
  let isDead = false;
  const line: Line = {
    isOnline,
    setOnline: (next) => {
      line.isOnline = next;
      tell(next);
    },
  };
  const { store, resources, actions, read } = setup({
    outbox: queue,
    fetchFn: async (input, init) => {
      if (!line.isOnline) throw new TypeError('no network');
      const response = await server.fetch(input, init);
      // A dead tab hears nothing.
      return isDead ? new Promise<never>(() => undefined) : response;
    },
    setupListeners: ({ online }) => {
      tell = online;
      online(line.isOnline);
      return () => undefined;
    },
  });
  return {
    ...{ todos: TodoResource, pages: PageResource, store, resources, actions, read, queue, line },
    titleOf: (id) => read(resources.selectEntity(Todo, id))?.title,
    state: () => queue.select(store.getState()),
    kill: async () => {
      isDead = true;
      await queue.close();
      if (!queue.select(store.getState()).isLeader) return;
      // What it has under way would keep the lead.
      const { locks } = (globalThis as { navigator?: Partial<Navigator> }).navigator ?? {};
      for (const { name: lock = '' } of (await locks?.query())?.held ?? [])
        if (lock.startsWith(`rtk-resource:${name}:`))
          await locks?.request(lock, { steal: true }, () => Promise.resolve());
    },
  };
}

/** How the entries of a tab stand, in order. */
export const statuses = ({ state }: Tab): readonly string[] => state().entries.map(({ status }) => status);

/** Opens a tab that leads, and has nothing to do. */
export async function openLeading(...given: Parameters<typeof openTab>): Promise<Tab> {
  const tab = openTab(...given);
  await tab.queue.ready;
  await tab.store.dispatch(TodoResource.partialUpdate({ id: 2 }, { completed: true }));
  await until(() => tab.state().isLeader);
  return tab;
}

/** Lets what is under way go on for some turns of the loop: for what must not happen. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until something is so: as many turns of the loop as that takes, and no time, so that fake timers stand still. */
export async function until(isSo: () => boolean | undefined): Promise<void> {
  for (let turns = 0; !isSo(); turns++) {
    if (turns > 5_000) throw new Error('It never came to that.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits until nothing is left to be sent. */
export function untilSent({ state }: Tab): Promise<void> {
  return until(() => state().status !== 'loading' && state().size === 0);
}

/** What lies in the database of an outbox. */
export async function storedIn(name: string): Promise<readonly Record<string, unknown>[]> {
  const db = await openDB(`rtk-resource/offline/${name}`);
  const entries = (await db.getAll('entries')) as Record<string, unknown>[];
  db.close();
  return entries;
}

/** The writes that a server has got, in order. */
export function writesTo(server: MockServer): readonly string[] {
  return server.calls
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path}`);
}

/** Lets time pass, by fake timers, and what is to happen meanwhile happen. */
export async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await vi.advanceTimersByTimeAsync(Math.min(500, ms - passed));
    for (let turns = 0; turns < 30; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}
