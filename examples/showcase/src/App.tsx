import { useResource } from 'rtk-resource/react';
import { getSession } from './resources/session';
import { SignIn } from './session/SignIn';
import { Failure } from './shell/Failure';
import { Tracker } from './shell/Tracker';
import { useAppSelector } from './store';

/** The tracker, or the sign-in page. */
export function App() {
  const { person, isOver } = useAppSelector((state) => state.session);

  if (person === undefined) return <Arrival />;
  return person ? <Tracker me={person} /> : <SignIn isOver={isOver} />;
}

/** Asks who is signed in; the answer is noted in the session. */
function Arrival() {
  const { isError, error, refetch } = useResource(getSession);

  return (
    <main className="sign-in">
      {isError ? <Failure error={error} retry={refetch} /> : <p role="status">Loading…</p>}
    </main>
  );
}
