import { useState } from 'react';
import { IssueResource, statuses, type Status } from '../resources/issues';
import { useAppDispatch } from '../store';
import { Column } from './Column';

/** An issue that was moved last: where it appears, it gets the focus. */
interface Moved {
  readonly key: string;
  readonly text: string;
}

/** The issues by status. A move is an edit of one field: the lists of the columns follow. */
export function Board() {
  const [moved, setMoved] = useState<Moved>();
  const dispatch = useAppDispatch();

  const move = (id: string | number, key: string, status: Status): void => {
    setMoved({ key, text: `Moved to ${status}` });
    void dispatch(IssueResource.partialUpdate({ id }, { status }));
  };

  return (
    <section className="board pane" data-name="board" aria-label="Board">
      {statuses.map((status) => (
        <Column key={status} status={status} movedKey={moved?.key} move={move} />
      ))}
      <p role="status" className="unseen">
        {moved?.text}
      </p>
    </section>
  );
}
