import { notices } from '../notices';
import { useAppDispatch, useAppSelector } from '../store';

/** What went wrong with writes; the rows they were about are as before already. */
export function Notices() {
  const all = useAppSelector((state) => state.notices);
  const dispatch = useAppDispatch();

  return (
    <div className="notices">
      {all.map(({ requestId, text }) => (
        <p key={requestId} role="alert">
          {text} <button onClick={() => dispatch(notices.actions.dismissed(requestId))}>Dismiss</button>
        </p>
      ))}
    </div>
  );
}
