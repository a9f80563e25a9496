import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const listeners = new Set<() => void>();
let theme: Theme = 'system';

export function setTheme(next: Theme): void {
  theme = next;
  document.documentElement.style.colorScheme = next === 'system' ? '' : next;
  for (const listener of listeners) listener();
}

/** The theme of the system, unless the user wants another. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
