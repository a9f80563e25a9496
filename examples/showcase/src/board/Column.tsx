import { useState, type DragEvent } from 'react';
import { keyOf } from 'rtk-resource';
import { useInfiniteResource } from 'rtk-resource/react';
import { IssueResource, type Status } from '../resources/issues';
import { newestFirst } from '../resources/newestFirst';
import { Failure } from '../shell/Failure';
import { Card } from './Card';
import { draggedIssue } from './dragged';

interface Props {
  readonly status: Status;
  readonly movedKey: string | undefined;
  readonly move: (id: string | number, key: string, status: Status) => void;
}

/** The issues of one status. */
export function Column({ status, movedKey, move }: Props) {
  const [isOver, setOver] = useState(false);
  const {
    data: issues,
    isError,
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useInfiniteResource(IssueResource.getList({ status }), { select: newestFirst });

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dragged = draggedIssue(event);
    if (dragged) move(dragged.id, dragged.key, status);
  };

  return (
    <section
      className={isOver ? 'column over' : 'column'}
      aria-label={status}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={drop}
    >
      <h2>
        {status} <span className="count">{issues ? `${issues.length}${hasNextPage ? '+' : ''}` : '…'}</span>
      </h2>
      {isError && <Failure error={error} retry={refetch} />}
      <ul>
        {issues?.map((issue) => (
          <Card key={keyOf(issue)} issue={issue} isMoved={keyOf(issue) === movedKey} move={move} />
        ))}
        {hasNextPage && (
          <li className="more">
            <button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {isFetchingNextPage ? 'Loading…' : 'More'}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
