import { act, render } from '@testing-library/react';
import type { Store } from '@reduxjs/toolkit';
import type { ReactElement } from 'react';
import { Provider } from 'react-redux';
import { vi } from 'vitest';

/** What stands in the shadow roots of the page. */
export function shadows(): readonly ShadowRoot[] {
  return [...document.querySelectorAll('[data-rtk-resource-devtools]')].flatMap((host) => host.shadowRoot ?? []);
}

export const text = (): string =>
  shadows()
    .map((root) => root.querySelector('.root')?.textContent ?? '')
    .join();

/** The elements of the panel that a selector finds. */
export const all = (css: string): readonly HTMLElement[] =>
  shadows().flatMap((root) => [...root.querySelectorAll<HTMLElement>(css)]);

export const button = (name: string): HTMLElement | undefined =>
  all('button').find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);

/** Lets time pass, in ms, and what was begun have its effect. */
export const later = (time = 0): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(time);
  });

export async function show(store: Store, element: ReactElement) {
  const shown = render(<Provider store={store}>{element}</Provider>);
  await later(10);

  return shown;
}

export const click = (element: HTMLElement | undefined): Promise<void> =>
  act(async () => {
    if (!element) throw new Error(`There is no such element in: ${text()}`);
    element.click();
    await vi.advanceTimersByTimeAsync(10);
  });

/** Presses a key where the focus is, or in a given element. */
export const type = (key: string, element = shadows()[0]?.activeElement): Promise<void> =>
  act(async () => {
    element?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
    await vi.advanceTimersByTimeAsync(10);
  });

/** Chooses a table in the tab Data. */
export const choose = (table: string): Promise<void> =>
  act(async () => {
    const [select] = all('select') as readonly HTMLSelectElement[];
    if (!select) throw new Error('There are no tables.');
    select.value = table;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await vi.advanceTimersByTimeAsync(10);
  });
