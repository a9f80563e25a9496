import { expect, onTestFinished, vi } from 'vitest';
import type { Subscription } from 'rtk-resource';
import { setup, type RootState } from '../support/store.js';
import type { Api } from './api.js';

/** What a screen is told of its data. */
interface Shown {
  readonly data?: unknown;
  readonly isStale: boolean;
  readonly isFetching: boolean;
  readonly isOptimistic: boolean;
  readonly error?: unknown;
}

/** A read as screens use it. */
interface Reading<Args extends readonly unknown[]> {
  readonly name: string;
  key(...args: Args): string;
  subscribe(
    ...args: Args
  ): (dispatch: (action: never) => unknown, getState: () => unknown, extra: unknown) => Subscription;
  selectRequest(...args: Args): (state: RootState) => Shown;
  fetch(...args: Args): Promise<unknown>;
}

/** The arguments of the page after an answer; undefined where there is none. */
type Next = (answer: never, args: never) => object | undefined;

interface Screen {
  readonly name: string;
  readonly subscription: Subscription;
  shown(): Shown;
  /** What the server has for it now, in wire form; of a list with pages all of them. */
  truth(): Promise<unknown>;
  /** It shows only as much as was fetched of it. */
  readonly hasPages?: true;
}

/** The lists and details that somebody looks at, in one app. */
interface Screens {
  /** Somebody looks at it from now on; ends when it is there. */
  open<Args extends readonly unknown[]>(endpoint: Reading<Args>, ...args: Args): Promise<void>;
  /** The same, of a list that is a part of what the server has: what loads more pages, and how the test itself finds the next one. */
  openPages<Args extends readonly unknown[]>(
    endpoint: Reading<Args>,
    args: Args,
    more: { readonly load: readonly (() => Promise<unknown>)[]; readonly next: Next },
  ): Promise<void>;
  /** Nobody looks any more at what a request of this key has brought. */
  close(key: string): void;
  /**
   * Every open screen shows what the server has, or is marked as stale; and all show what the server has, once subscribers have fetched again
   * what was stale. Where in a list an item stands is not compared.
   */
  expectToEqualServer(): Promise<void>;
}

/** The store of an app. */
export type Store = ReturnType<typeof setup>['store'];

/** How often what is waited for is looked at, in ms. */
const often = { interval: 1 };

/** An app that talks to a server, with its screens. */
export function setupApp(api: Api) {
  const tools = setup({ fetchFn: api.fetchFn });
  const { store, read } = tools;
  const open = new Map<string, Screen>();
  // What the tests ask the server for themselves, through the hooks of an endpoint alone.
  vi.stubGlobal('fetch', api.tell);

  const add = async (screen: Screen): Promise<void> => {
    open.set(screen.name, screen);
    await vi.waitFor(() => {
      expect(screen.shown().data, screen.name).toBeDefined();
    }, often);
  };
  const make = <Args extends readonly unknown[]>(endpoint: Reading<Args>, args: Args): Screen => ({
    name: endpoint.key(...args),
    subscription: store.dispatch(endpoint.subscribe(...args)),
    shown: () => read(endpoint.selectRequest(...args)),
    truth: () => endpoint.fetch(...args),
  });

  const screens: Screens = {
    open: (endpoint, ...args) => add(make(endpoint, args)),
    async openPages(endpoint, args, { load, next }) {
      const screen = make(endpoint, args);
      // The parameters of a page are those of the list and more.
      const page = (params: unknown): Promise<unknown> => endpoint.fetch(...([params] as unknown as typeof args));
      await add({ ...screen, truth: () => pagesOf(page, args[0], next), hasPages: true });
      for (const loadNext of load) await loadNext();
    },
    close(key) {
      open.get(key)?.subscription.unsubscribe();
      open.delete(key);
    },
    async expectToEqualServer() {
      const atOnce = [...open.values()].map((screen) => ({ ...screen, ...screen.shown() }));
      for (const screen of atOnce) if (!screen.isStale) await expectToEqual(screen, screen.data, 'at once');
      await vi.waitFor(() => {
        for (const { name, shown } of open.values())
          expect(shown(), name).toMatchObject({ isStale: false, isFetching: false, isOptimistic: false });
      }, often);
      for (const screen of open.values())
        await expectToEqual(screen, screen.shown().data, 'after what was stale was fetched again');
    },
  };
  onTestFinished(() => {
    for (const { subscription } of open.values()) subscription.unsubscribe();
    open.clear();
    vi.unstubAllGlobals();
  });
  return { ...tools, screens };
}

async function expectToEqual({ name, truth, hasPages }: Screen, data: unknown, when: string): Promise<void> {
  const shown = plain(data);
  const there = await truth();
  const wanted = unordered(hasPages ? cut(there, shown) : there);
  expect(unordered(shown), `${name}, ${when}`).toMatchObject(Object(wanted) as object);
}

/** Data as it came: without classes. */
function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data)) as unknown;
}

/** All pages as one answer: their lists one after the other, and what else the last one has. */
async function pagesOf(fetch: (args: unknown) => Promise<unknown>, first: unknown, next: Next) {
  let args: unknown = first;
  let all = await fetch(args);
  let answer = all;
  // What it gets is what the endpoint gives.
  while ((args = next(answer as never, args as never)) !== undefined) {
    answer = await fetch(args);
    all = joined(all, answer);
  }
  return all;
}

function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...(one as unknown[]), ...(other as unknown[])];
  if (!isObject(one) || !isObject(other)) return other;
  // What differs from page to page tells of one page.
  const fields = Object.entries(other).filter(([name, value]) => typeof value === 'object' || value === one[name]);
  return Object.fromEntries(fields.map(([name, value]) => [name, joined(one[name], value)]));
}

/** As many items of the server's list as a screen shows of it, and its numbers; what else is beside it is of one page. */
function cut(truth: unknown, shown: unknown): unknown {
  if (Array.isArray(truth))
    return Array.isArray(shown) ? (truth as unknown[]).slice(0, Math.max(1, shown.length)) : truth;
  if (!isObject(truth) || !isObject(shown)) return truth;
  const fields = Object.entries(truth).filter(
    ([, value]) => typeof value === 'number' || Array.isArray(value) || isObject(value),
  );
  return Object.fromEntries(fields.map(([name, value]) => [name, cut(value, shown[name])]));
}

/** The same whatever the order of items in lists: an item that has joined a list by an edit stands at its end. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .map(unordered)
      .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0));
  if (!isObject(value)) return value;
  // What an answer tells of itself is nothing of what it brings.
  const { '@odata.context': _, ...fields } = value;
  return mapFields(fields, unordered);
}

/** What an item is known by. */
function nameOf(item: unknown): string {
  return isObject(item) ? String(item['id'] ?? item['slug'] ?? item['ProductID'] ?? item['name']) : String(item);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapFields(fields: object, map: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));
}
