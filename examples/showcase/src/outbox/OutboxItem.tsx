import { useState, type SubmitEvent } from 'react';
import type { OutboxEntry } from 'rtk-resource/offline';
import { textIn } from '../shell/textIn';
import { useAppDispatch } from '../store';
import { queue } from './queue';
import { bodyOf, nameOf, refusalOf, standings, textFieldOf, textOf } from './words';

/** One write of the outbox. What was refused is sent again, changed, or discarded. */
export function OutboxItem({ entry }: { readonly entry: OutboxEntry }) {
  const { id, status } = entry;
  const [isChanging, setChanging] = useState(false);
  const dispatch = useAppDispatch();
  const isRefused = status === 'failed';
  const field = isRefused ? textFieldOf(entry) : undefined;

  return (
    <li className={status} aria-label={nameOf(entry)}>
      <span className="name">
        <strong>{nameOf(entry)}</strong> <q>{textOf(entry)}</q>
      </span>
      {isRefused ? <span role="alert">{refusalOf(entry)}</span> : <span className="about">{standings[status]}</span>}
      {isChanging && field ? (
        <Change
          entry={entry}
          field={field}
          close={() => {
            setChanging(false);
          }}
        />
      ) : (
        <span className="actions">
          {(isRefused || status === 'unknown') && (
            <button onClick={() => void dispatch(queue.retry(id))}>Try again</button>
          )}
          {field && (
            <button
              onClick={() => {
                setChanging(true);
              }}
            >
              Change
            </button>
          )}
          {status !== 'sent' && <button onClick={() => void dispatch(queue.discard(id))}>Discard</button>}
        </span>
      )}
    </li>
  );
}

interface ChangeProps {
  readonly entry: OutboxEntry;
  readonly field: string;
  readonly close: () => void;
}

/** Writes a refused text anew, and sends it. */
function Change({ entry, field, close }: ChangeProps) {
  const dispatch = useAppDispatch();
  const body = bodyOf(entry);

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    close();
    const text = textIn(new FormData(event.currentTarget), field);
    void dispatch(queue.edit(entry.id, { ...body, [field]: text }));
  };

  return (
    <form className="actions" onSubmit={submit}>
      <input
        name={field}
        aria-label={`Another ${field}`}
        defaultValue={String(body[field])}
        autoFocus
        autoComplete="off"
      />
      <button className="main">Send</button>
      <button type="button" onClick={close}>
        Cancel
      </button>
    </form>
  );
}
