import { Collection, createResource, Entity } from 'rtk-resource';
import { conflicts } from '../issue/conflicts';
import { GatedEndpoint } from '../network/GatedEndpoint';
import { Comment } from './comments';
import { Label } from './labels';
import { Person } from './people';
import { problem } from './problem';

export const statuses = ['backlog', 'todo', 'doing', 'done'] as const;
export type Status = (typeof statuses)[number];

/** Lists bring an issue without its body and its comments; its detail brings all. */
export class Issue extends Entity {
  id = 0;
  title = '';
  body = '';
  status: Status = 'backlog';
  author = Person.fromJS();
  assignee: Person | null = null;
  labels: Label[] = [];
  comments: Comment[] = [];
  createdAt = new Date(0);
  static key = 'Issue';
  static schema = {
    author: Person,
    assignee: Person,
    labels: [Label],
    // The same list as `CommentResource.getList({ issueId })`: what is pushed to that is here, too.
    comments: new Collection([Comment], { nestKey: (issue: Issue) => ({ issueId: issue.id }) }),
    createdAt: (iso: string) => new Date(iso),
  };
}

/** Which issues a list has. */
export interface IssueFilter {
  readonly status?: Status | undefined;
  readonly label?: string | undefined;
  /** Words of the title. */
  readonly q?: string | undefined;
}

/** What a list may be asked for: all issues, unless something is said. */
const search: IssueFilter & { readonly after?: number | undefined } = {};

/** So many issues are in a page, unless it is the last. */
const pageSize = 30;

const lineOf = ({ id }: { readonly id: string | number }): string => `deletion of ${id}`;

export const IssueResource = createResource({
  path: '/api/issues/:id',
  schema: Issue,
  searchParams: search,
  errorData: problem,
  optimistic: true,
  Endpoint: GatedEndpoint,
}).extend(({ get, getList, partialUpdate, delete: remove }) => ({
  // The tag of an issue is known by its detail.
  get: get.extend({ etag: true }),
  // The next page begins after the last issue of this one; so none is left out when others come and go.
  getList: getList.paginated({
    next: (page, args) => (page.length < pageSize ? undefined : { ...args, after: page.at(-1)?.id }),
  }),
  // A move may overwrite another; a text may not. Where somebody has changed another field, the text is sent once more, and nobody notices.
  saveBody: partialUpdate.extend({
    etag: true,
    body: {} as { readonly body: string },
    onConflict: async ({ mine, theirs }) => {
      const body = await conflicts.ask(mine.body, theirs.body);
      return body === undefined ? undefined : { body };
    },
  }),
  // A deletion and what takes it back are sent one after the other.
  delete: remove.extend({ serialize: lineOf }),
  // What the answer brings goes back into every list it belongs to.
  restore: getList.unshift.extend({
    path: '/api/issues/:id/restore',
    body: undefined,
    optimistic: false,
    serialize: lineOf,
  }),
}));
