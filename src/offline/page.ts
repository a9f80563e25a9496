/** Tells when a page is left, and may be frozen, and when it comes back out of the cache of the browser; gives what ends that. */
export function listenToPage(leave: () => void, back: () => void): () => void {
  if (typeof window === 'undefined') return () => undefined;
  const page = window;
  const show = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) back();
  };
  page.addEventListener('pagehide', leave);
  page.addEventListener('pageshow', show);
  return () => {
    page.removeEventListener('pagehide', leave);
    page.removeEventListener('pageshow', show);
  };
}

/** What tabs agree by who sends; undefined where there is none, as over plain http. */
export function webLocks(): LockManager | undefined {
  return (globalThis as { readonly navigator?: Partial<Navigator> }).navigator?.locks;
}
