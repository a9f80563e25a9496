import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { isTemporary, keyOf } from 'rtk-resource';
import { usePrefetch } from 'rtk-resource/react';
import { Waits } from '../outbox/Waits';
import { Issue, IssueResource, statuses, type Status } from '../resources/issues';
import { hrefOfIssue, useRoute } from '../route';
import { Avatar } from '../shell/Avatar';
import { Labels } from '../shell/Labels';
import { resources, useAppSelector } from '../store';
import { drag } from './dragged';
import { appear } from './flights';

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
  const card = useRef<HTMLLIElement>(null);
  const key = keyOf(issue);

  useLayoutEffect(() => (card.current ? appear(key, card.current) : undefined), [key]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    const next = step === undefined ? undefined : statuses[statuses.indexOf(status) + step];
    if (next) move(id, key, next);
  };

  return (
    <li
      ref={card}
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
        <Waits entity={Issue} id={id} />
        <Labels labels={labels} />
        {assignee && <Avatar person={assignee} />}
      </p>
    </li>
  );
}
