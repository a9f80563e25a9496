import type { SubmitEvent } from 'react';
import { useMutation, useResetFailures } from 'rtk-resource/react';
import { signIn } from '../resources/session';
import { Field } from '../shell/Field';
import { textIn } from '../shell/textIn';

/** When it succeeds, the answer is the session, and the app shows the tracker. */
export function SignIn() {
  const [submit, { isLoading, error }] = useMutation(signIn);
  const tryAgain = useResetFailures();
  const errors = error?.data?.errors;

  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    // What was refused before may be asked for at once.
    tryAgain();
    void submit({ name: textIn(form, 'name'), password: textIn(form, 'password') });
  };

  return (
    <main className="sign-in">
      <form onSubmit={onSubmit} noValidate aria-busy={isLoading}>
        <h1>Issues</h1>
        <p>
          A small issue tracker that shows what <strong>rtk-resource</strong> does. Ada’s password is here already.
        </p>
        <Field name="name" label="Name" error={errors?.['name']} defaultValue="Ada" autoComplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          error={errors?.['password']}
          defaultValue="lovelace"
          autoComplete="current-password"
        />
        <button className="main" disabled={isLoading}>
          Sign in
        </button>
      </form>
    </main>
  );
}
