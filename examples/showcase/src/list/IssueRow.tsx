import { isTemporary } from 'rtk-resource';
import { usePrefetch } from 'rtk-resource/react';
import { Waits } from '../outbox/Waits';
import { Issue, IssueResource } from '../resources/issues';
import { hrefOfIssue, useRoute } from '../route';
import { Labels } from '../shell/Labels';
import { resources, useAppSelector } from '../store';

/** One issue of the list; its detail is fetched when the pointer comes near. */
export function IssueRow({ issue: { id, title, status, author, labels } }: { readonly issue: Issue }) {
  const isPending = useAppSelector((state) => resources.selectPending(Issue, id)(state).length > 0);
  const isOpen = useRoute().issueId === String(id);
  const prefetch = usePrefetch(IssueResource.get);

  return (
    <a
      className="row"
      href={hrefOfIssue(id)}
      aria-busy={isPending}
      aria-current={isOpen}
      onMouseEnter={() => {
        if (!isTemporary(id)) prefetch({ id });
      }}
    >
      <span className={`dot ${status}`} />
      <span className="title">{title || 'Untitled'}</span>
      <span className="about">
        {status} · {isTemporary(id) ? 'new' : `#${id}`} by {author.name} <Waits entity={Issue} id={id} />{' '}
        <Labels labels={labels} />
      </span>
    </a>
  );
}
