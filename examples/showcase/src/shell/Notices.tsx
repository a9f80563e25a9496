import { useEffect, useState } from 'react';
import { undoDeletion } from '../issue/undoDeletion';
import { notices, type Notice } from '../notices';
import { useAppDispatch, useAppSelector } from '../store';

/** How long a notice stays, in ms. */
const stay = 12_000;

/** What has happened, in a corner. */
export function Notices() {
  const all = useAppSelector((state) => state.notices);

  return (
    <div className="notices">
      {all.map((notice) => (
        <OneNotice key={notice.requestId} notice={notice} />
      ))}
    </div>
  );
}

/** Goes by itself, but not while somebody reads it with the pointer or the focus on it. */
function OneNotice({ notice: { requestId, text, deletedId } }: { readonly notice: Notice }) {
  const [isRead, setRead] = useState(false);
  const dispatch = useAppDispatch();

  useEffect(() => {
    if (isRead) return undefined;
    const timer = setTimeout(() => dispatch(notices.actions.dismissed(requestId)), stay);
    return () => {
      clearTimeout(timer);
    };
  }, [dispatch, isRead, requestId]);

  const read = (is: boolean) => () => {
    setRead(is);
  };
  const dismiss = (): void => {
    dispatch(notices.actions.dismissed(requestId));
  };
  return (
    <p
      role={deletedId === undefined ? 'alert' : 'status'}
      className={deletedId === undefined ? 'failure' : undefined}
      onPointerEnter={read(true)}
      onPointerLeave={read(false)}
      onFocus={read(true)}
      onBlur={read(false)}
    >
      {text}{' '}
      <span className="actions">
        {deletedId !== undefined && (
          <button
            onClick={() => {
              dismiss();
              void undoDeletion(requestId, deletedId);
            }}
          >
            Undo
          </button>
        )}
        <button onClick={dismiss}>Dismiss</button>
      </span>
    </p>
  );
}
