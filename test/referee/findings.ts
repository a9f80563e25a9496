import type { Op } from './Match.js';

/** What can be wrong with what is shown. */
export const kinds = {
  unexplained: 'a value, or a row in a list, that no answer has told and no pending write asks for',
  'monotonic reads': 'a value goes back to an older one',
  'read your writes': 'a confirmed write is taken back',
  'monotonic writes': 'an earlier write takes the place of a later one',
  'writes follow reads': 'a value older than what was seen when a confirmed write to that row was made',
  'edit lost to a read':
    'an optimistic edit was confirmed, nobody else edits the field here, and an older value is back',
  'hidden write': 'a pending optimistic write is not shown',
  'vote counted twice': 'one vote is counted twice',
  'vote lost': 'a vote that was counted is not any more',
  'row twice': 'a row stands twice in a list',
  'row returns': 'a row is back in a list, or a deleted one is shown',
  'row vanishes': 'a row is gone from a list, and nobody took it away',
  'wrong list': 'a row stands in a list that it does not match',
  order: 'rows stand in an order in which they never stood',
  'too many pages': 'a list is longer than the pages that it may have',
  'next page':
    'a list says that there is a page behind it or before it, or that there is none, and its last answers say otherwise',
  'not as answered': 'a list differs from an answer that nothing overlapped',
  'two values': 'a row has two values at once',
  mark: 'something counts as pending, and nothing is',
  'temporary id': 'a temporary id is sent to the server',
  thrown: 'the cache itself throws',
  'not converged': 'when all has been asked for anew, something differs from the server',
} as const;
export type Kind = keyof typeof kinds;

/** What can be wrong with lists that are read page by page only. */
export const kindsOfPages: readonly Kind[] = ['too many pages', 'next page', 'not as answered'];

/** What must not be older than this any more, and why. */
export interface Floor {
  readonly at: number;
  /** The write that was confirmed; undefined for what was just shown. */
  readonly by?: Op | undefined;
  readonly value?: unknown;
}

/** What a finding is about. */
export interface About {
  readonly origin?: string;
  readonly what?: string;
  readonly value?: string | boolean;
  /** Whether the client has created the row, and has not been told its id. */
  readonly isUnnamed?: boolean;
  readonly floor?: Floor;
}

export interface Finding extends About {
  readonly kind: Kind;
  readonly text: string;
  /** How much of the story had been told. */
  readonly after: number;
}
