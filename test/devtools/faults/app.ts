import { createResource, Entity, RestEndpoint, type ResourcesOptions } from 'rtk-resource';
import { recordResources, type Question, type Reason } from 'rtk-resource/devtools/production';
import { mockServer, type MockServer, type Served } from 'rtk-resource/mock';
import { vi } from 'vitest';
import { setup } from '../../support/store.js';

/** A fault that a user makes, or meets: what the app shows of it, what is asked of the panel, and what the answer must name. */
export interface Fault {
  readonly name: string;
  /** All that is seen of it, but for its cause. */
  readonly app: string;
  /** The question in words, as the panel's buttons ask it. */
  readonly asked: string;
  /** What has gone wrong. */
  readonly cause: string;
  /** The kinds of the first reasons. */
  readonly kinds: readonly Reason['kind'][];
  /** What the first two sentences must say. */
  readonly words: readonly RegExp[];
  readonly options?: ResourcesOptions<'resources'>;
  /** Brings it about, and gives the question. */
  play(app: App): Promise<Question>;
}

export class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  votes = 0;
  assignee = '';
  createdAt = '';
  static override key = 'Issue';
}

const searchParams = {} as Readonly<Record<string, string>> | undefined;
export const Issues = createResource({ path: '/issues/:id', schema: Issue, searchParams, optimistic: true });
export const vote = new RestEndpoint({
  path: '/issues/:id/votes',
  method: 'POST',
  name: 'Issue/vote',
  schema: Issue,
  body: undefined,
  getOptimisticResponse: (snapshot, params: { readonly id: number }) => {
    const issue = snapshot.get(Issue, params);
    return issue && { id: issue.id, votes: issue.votes + 1 };
  },
});

export const five = { id: 5 };
/** The name of the list of all issues, as a question has it. */
export const all = { list: 'Issue/getList', args: [] } as const;

const seed = [
  { id: 5, title: 'Crash', status: 'open', votes: 1, assignee: 'ada', created_at: '2025-03-01' },
  { id: 6, title: 'Typo', status: 'closed', votes: 0, assignee: 'grace', created_at: '2025-03-02' },
];

type App = ReturnType<typeof openApp>;

/** A store that is recorded from the start, and its server. */
export function openApp(options: ResourcesOptions<'resources'> = {}, others: readonly Served[] = []) {
  const server: MockServer = mockServer([Issues, vote, ...others], {
    seed: { Issue: seed },
    unknownFilters: 'ignore',
  });
  const tools = setup({ fetchFn: server.fetch, ...options });
  const recorder = recordResources(tools.store);

  return {
    ...tools,
    server,
    recorder,
    /** Sends, and lets all that follows from it come about; a second passes. */
    send: async (what: unknown): Promise<void> => {
      tools.store.dispatch(what as never);
      await vi.advanceTimersByTimeAsync(1_000);
    },
    /** Time passes, in ms. */
    pass: async (ms: number): Promise<void> => {
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}
