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

/** Who comes for the first time, as in `/?as=Grace`. */
const visitor = new URLSearchParams(location.search).get('as') ?? undefined;

/** Asks who is signed in; the answer is noted in the session. */
function Arrival() {
  const { isError, error, refetch } = useResource(getSession, { as: visitor });

  return (
    <main className="sign-in">
      {isError ? <Failure error={error} retry={refetch} /> : <p role="status">Loading…</p>}
    </main>
  );
}
