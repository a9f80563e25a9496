import { isTemporary } from 'rtk-resource';
import { notices } from '../notices';
import { useIsPaused } from '../outbox/useIsPaused';
import { Issue, IssueResource } from '../resources/issues';
import type { Me } from '../resources/session';
import { closeIssue } from '../route';
import { resources, useAppDispatch, useAppSelector } from '../store';
import { Comments } from './Comments';
import { conflicts } from './conflicts';
import { IssueProperties } from './IssueProperties';
import { useDraft } from './useDraft';

interface Props {
  readonly issue: Issue;
  readonly me: Me;
  /** Whether some of the issue is still to come. */
  readonly isPartial: boolean;
}

/** Everything about an issue. It can be edited while it is being created: the edits wait until it has its id. */
export function IssueDetail({ issue, me, isPartial }: Props) {
  const { id, author, createdAt } = issue;
  const isPending = useAppSelector((state) => resources.selectPending(Issue, id)(state).length > 0);
  const isPaused = useIsPaused(Issue, id);
  const dispatch = useAppDispatch();
  const edit = IssueResource.partialUpdate;
  const title = useDraft(issue.title, (text) => void dispatch(edit({ id }, { title: text })));
  const saveBody = async (text: string, before: string): Promise<void> => {
    // Somebody else's words have come while these were written.
    const body = before === issue.body ? text : await conflicts.ask(text, issue.body);
    if (body !== undefined) void dispatch(IssueResource.saveBody({ id }, { body }));
  };
  const body = useDraft(issue.body, (text, before) => void saveBody(text, before), true);

  const remove = (): void => {
    closeIssue();
    const { requestId } = dispatch(IssueResource.delete({ id }));
    dispatch(notices.actions.deleted({ requestId, id, title: issue.title }));
  };

  return (
    <article aria-busy={isPending}>
      <p className="about">
        <span className="id">{isTemporary(id) ? 'new' : `#${id}`}</span> by {author.name},{' '}
        {isTemporary(id) ? (
          'just now'
        ) : (
          <time dateTime={createdAt.toISOString()}>
            {createdAt.toLocaleDateString('en-GB', { dateStyle: 'medium' })}
          </time>
        )}
        <span className="saving" role="status">
          {isPaused ? 'waits to be sent' : isPending ? 'saving…' : ''}
        </span>
      </p>
      <textarea className="title" aria-label="Title" rows={1} {...title} />
      <IssueProperties issue={issue} />
      <textarea
        className="body"
        aria-label="Body"
        rows={4}
        {...body}
        disabled={isPartial}
        placeholder={isPartial ? 'Loading…' : undefined}
      />
      <Comments issue={issue} me={me} isPartial={isPartial} />
      <p className="actions">
        <button className="danger" onClick={remove}>
          Delete issue
        </button>
      </p>
    </article>
  );
}
