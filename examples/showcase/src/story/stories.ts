import { gate, type Verdict } from '../network/Gate';
import { queue } from '../outbox/queue';
import { IssueResource, type Issue } from '../resources/issues';
import { hrefOfIssue } from '../route';
import { store } from '../store';

/** What plays by itself: each line is told, done, and looked at before the next. */
export interface Story {
  readonly title: string;
  /** The code that is played. */
  readonly code: string;
  readonly play: (tell: (line: string) => Promise<void>) => Promise<void>;
}

/** An issue of the board: the newest of a column. */
function newestIn(status: Issue['status']): Issue {
  const [issue] = IssueResource.getList.select({ status })(store.getState()) ?? [];
  if (!issue) throw new Error(`There is no issue in ${status}.`);
  return issue;
}

function open(issue: Issue): void {
  location.hash = hrefOfIssue(issue.id);
}

/** Resolves when a request has come to the gate, where it is held. */
async function held(requestId: string): Promise<void> {
  if (requestId in gate.getState().held) return;
  await new Promise<void>((resolve) => {
    const stop = gate.subscribe(() => {
      if (!(requestId in gate.getState().held)) return;
      stop();
      resolve();
    });
  });
}

/** Edits an issue; what it gives decides what becomes of the request, and waits for that. */
async function edit(
  { id }: Issue,
  body: { readonly title: string } | { readonly status: Issue['status'] },
): Promise<(verdict: Verdict) => Promise<void>> {
  const request = store.dispatch(IssueResource.partialUpdate({ id }, body));
  edits.push(request.requestId);
  await held(request.requestId);
  return async (verdict) => {
    gate.decide(request.requestId, verdict);
    await request;
  };
}

/** The edits of the story that plays. */
let edits: string[] = [];

/** With writes held, as the timeline does it, and let go when the story is over. */
async function holding(play: () => Promise<void>): Promise<void> {
  const { mode } = gate.getState();
  edits = [];
  gate.setMode('writes');
  try {
    await play();
  } finally {
    gate.setMode(mode);
    // The outbox keeps what was refused; of a story, nobody wants to send it again.
    for (const id of edits) void store.dispatch(queue.discard(id));
  }
}

export const stories: readonly Story[] = [
  {
    title: 'An edit is refused',
    code: `optimistic: true // of the resource

dispatch(IssueResource.partialUpdate({ id }, { title }))`,
    play: (tell) =>
      holding(async () => {
        const issue = newestIn('todo');
        open(issue);
        const decide = await edit(issue, { title: `${issue.title}, and twice` });
        await tell('The title is new on the board, in the list and in the issue. The server has not answered yet.');
        await decide('fail');
        await tell(
          'The server has refused it. All three show the title as it was. The outbox keeps the text that was refused.',
        );
      }),
  },
  {
    title: 'The first of two edits fails',
    code: `dispatch(partialUpdate({ id }, { title: 'One' }))
dispatch(partialUpdate({ id }, { title: 'Two' }))
// the second is confirmed, the first is refused`,
    play: (tell) =>
      holding(async () => {
        const issue = newestIn('doing');
        open(issue);
        const decideFirst = await edit(issue, { title: 'One' });
        const decideSecond = await edit(issue, { title: 'Two' });
        await tell('Two edits of one title are on their way.');
        await decideSecond('now');
        await tell('The server confirms the second. The title is Two.');
        await decideFirst('fail');
        await tell('The first is refused, late. The title is still Two.');
        void store.dispatch(IssueResource.partialUpdate({ id: issue.id }, { title: issue.title }));
      }),
  },
  {
    title: 'A card moves, and comes back',
    code: `dispatch(partialUpdate({ id }, { status: 'doing' }))
// no list is named: its filter is a field of the issue`,
    play: (tell) =>
      holding(async () => {
        const issue = newestIn('todo');
        const decide = await edit(issue, { status: 'doing' });
        await tell(
          'The card has moved to doing. The columns, their counts and the list follow one field of the issue.',
        );
        await decide('fail');
        await tell('The server has refused the move. The card is back in its place.');
      }),
  },
];
