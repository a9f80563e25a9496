import type { KeyboardEvent } from 'react';
import { isTemporary, keyOf } from 'rtk-resource';
import { usePrefetch } from 'rtk-resource/react';
import { Issue, IssueResource, statuses, type Status } from '../resources/issues';
import { hrefOfIssue, useRoute } from '../route';
import { Avatar } from '../shell/Avatar';
import { Labels } from '../shell/Labels';
import { resources, useAppSelector } from '../store';
import { drag } from './dragged';

interface Props {
  readonly issue: Issue;
  readonly isMoved: boolean;
  readonly move: (id: string | number, key: string, status: Status) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** A card that has moved is made anew in its column. */
function focus(link: HTMLAnchorElement | null): void {
  link?.focus();
}

/** An issue on the board. It is moved by dragging, or by the arrow keys; pale, until the server has confirmed it. */
export function Card({ issue, isMoved, move }: Props) {
  const { id, title, status, assignee, labels } = issue;
  const isPending = useAppSelector((state) => resources.selectPending(Issue, id)(state).length > 0);
  const isOpen = useRoute().issueId === String(id);
  const prefetch = usePrefetch(IssueResource.get);

  const onKeyDown = ({ key }: KeyboardEvent): void => {
    const step = steps[key];
    const next = step === undefined ? undefined : statuses[statuses.indexOf(status) + step];
    if (next) move(id, keyOf(issue), next);
  };

  return (
    <li
      className="card"
      aria-busy={isPending}
      draggable
      onDragStart={(event) => {
        drag(event, issue);
      }}
    >
      <a
        href={hrefOfIssue(id)}
        draggable={false}
        aria-current={isOpen}
        ref={isMoved ? focus : undefined}
        aria-keyshortcuts="ArrowLeft ArrowRight"
        onKeyDown={onKeyDown}
        onMouseEnter={() => {
          if (!isTemporary(id)) prefetch({ id });
        }}
      >
        {title || 'Untitled'}
      </a>
      <p className="about">
        <span className="id">{isTemporary(id) ? 'new' : `#${id}`}</span>
        <Labels labels={labels} />
        {assignee && <Avatar person={assignee} />}
      </p>
    </li>
  );
}
