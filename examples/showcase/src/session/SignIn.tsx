import { useEffect, useState, type SubmitEvent } from 'react';
import { reasonOf } from '../reasonOf';
import { fieldErrorsOf } from '../resources/problem';
import { Field } from '../shell/Field';
import { textIn } from '../shell/textIn';
import { resources, tokens, useAppDispatch } from '../store';
import { session } from './session';

/** Forgets what the last user has seen: no reader of the tracker is mounted any more, which would ask for it again at once. */
export function SignIn({ isOver }: { readonly isOver: boolean }) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<Error>();
  const dispatch = useAppDispatch();
  const { name, password } = fieldErrorsOf(error);
  const isFieldWrong = name !== undefined || password !== undefined;

  useEffect(() => {
    // What was not sent yet when a session ended by itself is sent when its owner is back.
    dispatch(resources.reset({ keepOutbox: isOver }));
  }, [dispatch, isOver]);

  const submit = async (form: FormData): Promise<void> => {
    setLoading(true);
    try {
      await tokens.signIn(textIn(form, 'name'), textIn(form, 'password'));
      dispatch(session.actions.signedIn());
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)));
      setLoading(false);
    }
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void submit(new FormData(event.currentTarget));
  };

  return (
    <main className="sign-in">
      <form onSubmit={onSubmit} noValidate aria-busy={isLoading}>
        <h1>Issues</h1>
        <p>
          A small issue tracker that shows what <strong>rtk-resource</strong> does. Ada’s password is here already.
        </p>
        {isOver && <p role="status">Your session is over. Sign in to go on.</p>}
        <Field name="name" label="Name" error={name} defaultValue="Ada" autoComplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          error={password}
          defaultValue="lovelace"
          autoComplete="current-password"
        />
        {error && !isFieldWrong && (
          <p role="alert" className="failure">
            {reasonOf(error)}
          </p>
        )}
        <button className="main" disabled={isLoading}>
          Sign in
        </button>
      </form>
    </main>
  );
}
