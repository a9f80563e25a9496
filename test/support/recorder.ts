import type { Page } from 'playwright';

type Reduce = (state: unknown, action: unknown) => unknown;
type CreateStore = (reduce: Reduce, state: unknown) => unknown;
type Enhancer = (create: CreateStore) => CreateStore;

declare global {
  interface Window {
    /** By this name, a store finds Redux DevTools. */
    __REDUX_DEVTOOLS_EXTENSION_COMPOSE__?: () => (...enhancers: readonly Enhancer[]) => Enhancer;
    /** Every action that came to the reducer, and every state that it made. */
    seen?: unknown[];
  }
}

/** Sees what Redux DevTools see of the store of a page; anew with every load. */
export async function record(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: unknown[] = [];
    const recording =
      (reduce: Reduce): Reduce =>
      (state, action) => {
        const next = reduce(state, action);
        seen.push(action, next);
        return next;
      };
    window.seen = seen;
    window.__REDUX_DEVTOOLS_EXTENSION_COMPOSE__ =
      () =>
      (...enhancers) =>
      (create) =>
        enhancers.reduceRight<CreateStore>(
          (next, enhancer) => enhancer(next),
          (reduce, state) => create(recording(reduce), state),
        );
  });
}

/** Every action and every state, as JSON. */
export function recorded(page: Page): Promise<string[]> {
  return page.evaluate(() => (window.seen ?? []).map((one) => JSON.stringify(one)));
}
