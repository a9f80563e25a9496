import { afterEach, beforeEach, vi } from 'vitest';
import { Locks } from './locks.js';
import { makeServer, newName, openLeading, type openTab, type Tab } from './outbox.js';

type TabOptions = Parameters<typeof openTab>[2];

/** The channels of the tabs, in the order in which they were opened. */
let opened: BroadcastChannel[] = [];

export const channels = (): readonly BroadcastChannel[] => opened;

/** The pages of the tabs: each has a window of its own. */
let windows: EventTarget[] = [];

function openWindow(): void {
  const page = new EventTarget();
  windows.push(page);
  vi.stubGlobal('window', page);
}

/** A tab hears what another one tells. */
export function hear(i: number, data: object = { type: 'changed' }): void {
  opened[i]?.onmessage?.(new MessageEvent('message', { data }));
}

/** A tab hears nothing, until it hears again. */
export function silence(i: number): { readonly missed: readonly unknown[]; hear(): void } {
  const missed: unknown[] = [];
  const channel = opened[i];
  const hears = channel?.onmessage ?? null;
  if (channel) channel.onmessage = ({ data }) => missed.push((data as { type: unknown }).type);
  return {
    missed,
    hear: () => {
      if (channel) channel.onmessage = hears;
    },
  };
}

/** A tab is busy, and hears all that it was told meanwhile when it is not any more, one after the other. */
export function busy(i: number): { readonly told: readonly Message[]; goOn(): void } {
  const events: MessageEvent<Message>[] = [];
  const channel = opened[i];
  const hears = channel?.onmessage ?? null;
  if (channel) channel.onmessage = (event: MessageEvent<Message>) => events.push(event);
  return {
    get told() {
      return events.map(({ data }) => data);
    },
    goOn: () => {
      if (!channel) return;
      channel.onmessage = hears;
      for (const event of events) hears?.call(channel, event);
    },
  };
}

/** What tabs tell each other. */
interface Message {
  readonly type: string;
}

/** What the lock and the channel of a tab do while the page is frozen, and after: nothing is heard, and the lead is left. */
export function freeze(i: number): { readonly missed: readonly unknown[]; thaw(): void } {
  windows[i]?.dispatchEvent(new Event('pagehide'));
  const { missed, hear } = silence(i);
  return {
    missed,
    thaw: () => {
      hear();
      windows[i]?.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    },
  };
}

/** Two tabs of one app, of which the first leads. In one process, each loads the package anew. */
export async function openTwo(options: TabOptions = {}, others: TabOptions = options) {
  const [server, name] = [makeServer(), newName()];
  openWindow();
  const leader = await openLeading(server, name, options);
  const follower = await openAnother(server, name, others);
  return { server, name, leader, follower, tabs: [leader, follower] as readonly Tab[] };
}

export async function openAnother(...[server, name, options]: Parameters<typeof openTab>): Promise<Tab> {
  openWindow();
  vi.resetModules();
  const again = (await import('./outbox.js')) as { openTab: typeof openTab };
  const tab = again.openTab(server, name, options);
  await tab.queue.ready;
  return tab;
}

/** Each test of a file has locks, channels and windows of its own. */
export function useTabs(): void {
  beforeEach(() => {
    opened = [];
    windows = [];
    const Channel = BroadcastChannel;
    vi.stubGlobal(
      'BroadcastChannel',
      class extends Channel {
        constructor(name: string) {
          super(name);
          opened.push(this);
        }
      },
    );
    vi.stubGlobal('navigator', { locks: new Locks(), onLine: true });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}
