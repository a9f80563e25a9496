import { useEffect, useState } from 'react';
import { notices, type Notice } from '../notices';
import { useAppDispatch, useAppSelector } from '../store';

/** How long a notice stays, in ms. */
const stay = 12_000;

/** What went wrong with writes; the rows they were about are as before already. */
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
function OneNotice({ notice: { requestId, text } }: { readonly notice: Notice }) {
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
  return (
    <p role="alert" onPointerEnter={read(true)} onPointerLeave={read(false)} onFocus={read(true)} onBlur={read(false)}>
      {text} <button onClick={() => dispatch(notices.actions.dismissed(requestId))}>Dismiss</button>
    </p>
  );
}
