import { endSession, expireToken, signOut, type Me } from '../resources/session';
import { closeIssue } from '../route';
import { Avatar } from '../shell/Avatar';
import { tokens, useAppDispatch } from '../store';
import { session } from './session';

/** Who is signed in, and what may become of the session. */
export function Account({ me }: { readonly me: Me }) {
  const dispatch = useAppDispatch();

  const leave = async (): Promise<void> => {
    const { error } = await dispatch(signOut());
    if (error) return;
    tokens.forget();
    closeIssue();
    dispatch(session.actions.signedOut());
  };

  return (
    <>
      <button className="account" popoverTarget="account" aria-label={`Account of ${me.name}`}>
        <Avatar person={me} />
      </button>
      <div id="account" popover="auto" className="menu">
        <p>
          Signed in as <strong>{me.name}</strong>
        </p>
        <button onClick={() => void dispatch(expireToken())}>Expire my token</button>
        <p className="hint">The next requests are refused. One new token is fetched for all of them.</p>
        <button onClick={() => void dispatch(endSession())}>End my session</button>
        <p className="hint">There is no new token to be had: you have to sign in again.</p>
        <button onClick={() => void leave()}>Sign out</button>
      </div>
    </>
  );
}
