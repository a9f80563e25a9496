import { useResource } from 'rtk-resource/react';
import { getSession } from './resources/session';
import { SignIn } from './session/SignIn';
import { Failure } from './shell/Failure';
import { Tracker } from './shell/Tracker';

/** The sign-in page, or the tracker: who is signed in is data like any other. */
export function App() {
  const { data: session, isError, error, refetch } = useResource(getSession);

  if (session) return session.person ? <Tracker me={session.person} /> : <SignIn />;
  return (
    <main className="sign-in">
      {isError ? <Failure error={error} retry={refetch} /> : <p role="status">Loading…</p>}
    </main>
  );
}
