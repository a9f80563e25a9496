import { useSyncExternalStore } from 'react';

export const panes = ['board', 'list', 'issue', 'timeline'] as const;
export type Pane = (typeof panes)[number];

/** Where the user is: a wide screen shows all panes, a narrow one only this. */
export interface Route {
  readonly pane: Pane;
  /** The issue that was opened last. */
  readonly issueId: string | undefined;
}

let route = routeOf(location.hash, undefined);

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, () => route);
}

export function hrefOfIssue(id: string | number): string {
  return `#/issue/${id}`;
}

export function hrefOfPane(pane: Pane): string {
  return `#/${pane}`;
}

/** Closes the issue that is open. */
export function closeIssue(): void {
  route = { pane: 'board', issueId: undefined };
  location.hash = hrefOfPane('board');
}

function subscribe(listener: () => void): () => void {
  const changed = (): void => {
    route = routeOf(location.hash, route.issueId);
    listener();
  };
  window.addEventListener('hashchange', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
  };
}

function routeOf(hash: string, issueId: string | undefined): Route {
  const [, name, id] = hash.split('/');
  return { pane: panes.find((pane) => pane === name) ?? 'board', issueId: id ?? issueId };
}
