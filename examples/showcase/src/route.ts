import { useSyncExternalStore } from 'react';
import { Subscribers } from './Subscribers';

export const panes = ['board', 'list', 'issue', 'timeline'] as const;
export type Pane = (typeof panes)[number];

/** Where the user is: a wide screen shows all panes, a narrow one only this. */
export interface Route {
  readonly pane: Pane;
  /** The issue that was opened last. */
  readonly issueId: string | undefined;
}

const subscribers = new Subscribers();
let route = routeOf(location.hash, undefined);

window.addEventListener('hashchange', () => {
  set(routeOf(location.hash, route.issueId));
});

export function useRoute(): Route {
  return useSyncExternalStore(subscribers.add, getRoute);
}

export function getRoute(): Route {
  return route;
}

export function hrefOfIssue(id: string | number): string {
  return `#/issue/${id}`;
}

export function hrefOfPane(pane: Pane): string {
  return `#/${pane}`;
}

/** Closes the issue that is open. */
export function closeIssue(): void {
  history.pushState(null, '', hrefOfPane('board'));
  set({ pane: 'board', issueId: undefined });
}

/** The issue that is open has another id now. */
export function renameIssue(id: number): void {
  if (route.pane === 'issue') history.replaceState(null, '', hrefOfIssue(id));
  set({ ...route, issueId: String(id) });
}

function set(next: Route): void {
  route = next;
  subscribers.tell();
}

function routeOf(hash: string, issueId: string | undefined): Route {
  const [, name, id] = hash.split('/');
  return { pane: panes.find((pane) => pane === name) ?? 'board', issueId: id ?? issueId };
}
