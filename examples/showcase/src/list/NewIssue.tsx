import { useEffect, useId, type SubmitEvent } from 'react';
import { useMutation, useResource } from 'rtk-resource/react';
import { useIsOnline } from '../network/connection';
import { queue } from '../outbox/queue';
import { IssueResource, statuses } from '../resources/issues';
import { LabelResource } from '../resources/labels';
import type { Me } from '../resources/session';
import { Field } from '../shell/Field';
import { textIn } from '../shell/textIn';
import { useAppDispatch } from '../store';

interface Props {
  readonly me: Me;
  readonly close: () => void;
}

/** The issue shows in every list it belongs to at once; what the server refuses stands beside its field. */
export function NewIssue({ me, close }: Props) {
  const { data: labels = [] } = useResource(LabelResource.getList);
  const [create, { isLoading, isPaused, error }] = useMutation(IssueResource.getList.unshift);
  const errors = error?.data?.errors;
  const bodyId = useId();
  const isOnline = useIsOnline();
  const dispatch = useAppDispatch();

  useEffect(() => {
    // The outbox keeps it until there is a connection.
    if (isPaused && !isOnline) close();
  }, [isPaused, isOnline, close]);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const sent = new FormData(form);
    const request = create({
      title: textIn(sent, 'title'),
      body: textIn(sent, 'body'),
      status: statuses.find((status) => status === sent.get('status')) ?? 'backlog',
      labels: sent.getAll('labels').map(String),
      author: me.id,
      // Nobody has commented yet, so what is said before the server knows the issue is the first of a whole list.
      comments: [],
    });
    const { error: refusal } = await request;
    if (!form.isConnected) return;
    if (refusal?.status === 422) {
      // What is wrong stands in the form.
      void dispatch(queue.discard(request.requestId));
      focusWrong(form);
    } else close();
  };

  return (
    <form className="new-issue" onSubmit={(event) => void submit(event)} noValidate aria-label="New issue">
      <Field name="title" label="Title" error={errors?.['title']} autoFocus autoComplete="off" />
      <p className="field">
        <label htmlFor={bodyId}>What is it about?</label>
        <textarea
          id={bodyId}
          name="body"
          rows={2}
          aria-invalid={errors?.['body'] !== undefined}
          aria-describedby={`${bodyId}-error`}
        />
        <span id={`${bodyId}-error`} className="error" role="alert">
          {errors?.['body']}
        </span>
      </p>
      <fieldset>
        <legend>Labels</legend>
        {labels.map(({ id }) => (
          <label key={id}>
            <input type="checkbox" name="labels" value={id} /> {id}
          </label>
        ))}
      </fieldset>
      <p className="actions">
        <select name="status" aria-label="Column" defaultValue="todo">
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
        <button className="main" disabled={isLoading}>
          {isLoading ? 'Creating…' : 'Create'}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

/** Focuses the first field that is marked as wrong, once it is. */
function focusWrong(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  });
}
