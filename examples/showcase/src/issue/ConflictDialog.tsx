import { useEffect, useRef } from 'react';
import { both, useConflict, type Conflict } from './conflicts';

/** Asks what becomes of a body that two people have written, as soon as there is one. */
export function ConflictDialog() {
  const conflict = useConflict();

  return conflict ? <Question conflict={conflict} /> : null;
}

function Question({ conflict }: { readonly conflict: Conflict }) {
  const { mine, theirs, decide } = conflict;
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  return (
    <dialog
      ref={dialog}
      className="conflict"
      aria-labelledby="conflict"
      onCancel={(event) => {
        event.preventDefault();
      }}
    >
      <h2 id="conflict">Somebody has changed the body meanwhile</h2>
      <div className="texts">
        <figure>
          <figcaption>Yours</figcaption>
          <blockquote>{mine}</blockquote>
        </figure>
        <figure>
          <figcaption>Theirs</figcaption>
          <blockquote>{theirs}</blockquote>
        </figure>
      </div>
      <p className="actions">
        <button
          onClick={() => {
            decide(mine);
          }}
        >
          Keep yours
        </button>
        <button
          onClick={() => {
            decide(undefined);
          }}
        >
          Keep theirs
        </button>
        <button
          className="main"
          onClick={() => {
            decide(both(conflict));
          }}
        >
          Keep both
        </button>
      </p>
    </dialog>
  );
}
