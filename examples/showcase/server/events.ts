import type { CommentJson, IssueDetailJson, IssueJson } from './issues.ts';

/** What is told to everybody else when somebody changes something. */
export type LiveMessage =
  /** Only what has changed: the rest may be newer in the browser than here. */
  | { readonly type: 'changed'; readonly issue: Pick<IssueJson, 'id'> & Partial<IssueDetailJson> }
  | { readonly type: 'created'; readonly issue: IssueDetailJson }
  | { readonly type: 'deleted'; readonly id: number }
  | { readonly type: 'commented'; readonly comment: CommentJson }
  | { readonly type: 'uncommented'; readonly issueId: number; readonly id: number };

/** Everybody who listens. */
export class Listeners {
  readonly #all = new Set<{ readonly client: string; readonly hear: (message: LiveMessage) => void }>();

  /** Begins to listen; what it gives stops that. */
  add(client: string, hear: (message: LiveMessage) => void): () => void {
    const listener = { client, hear };
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  }

  /** Tells everybody but the browser whose change it is: that has the answer. */
  tell(message: LiveMessage, author: string): void {
    for (const { client, hear } of this.#all) if (client !== author) hear(message);
  }
}
