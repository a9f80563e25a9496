import { useState, type SubmitEvent } from 'react';

interface Props {
  readonly title: string;
  /** Gets the title as it was when nothing is to be changed. */
  readonly rename: (title: string) => void;
}

/** A form in the place of a row. */
export function RenameTodo({ title, rename }: Props) {
  const [next, setNext] = useState(title);

  return (
    <form
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        rename(next);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') rename(title);
      }}
    >
      <input
        aria-label={`New title of ${title}`}
        value={next}
        required
        autoFocus
        onChange={({ target }) => {
          setNext(target.value);
        }}
      />
      <button>Save</button>
      <button
        type="button"
        onClick={() => {
          rename(title);
        }}
      >
        Cancel
      </button>
    </form>
  );
}
