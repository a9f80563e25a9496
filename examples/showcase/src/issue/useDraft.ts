import { useState, type KeyboardEvent } from 'react';

/** What makes a field a draft. */
interface Draft {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A field that is saved when it is left (`before`: what stood there when the user began to write), or by Enter (with Ctrl where Enter is a line); Escape gives back what was there. */
export function useDraft(current: string, save: (text: string, before: string) => void, isMultiline = false): Draft {
  const [draft, setDraft] = useState<{ readonly text: string; readonly before: string }>();

  const commit = (): void => {
    setDraft(undefined);
    if (draft && draft.text !== current) save(draft.text, draft.before);
  };
  return {
    value: draft?.text ?? current,
    onChange: ({ target }) => {
      setDraft({ text: target.value, before: draft?.before ?? current });
    },
    onBlur: commit,
    onKeyDown: (event) => {
      const { key, ctrlKey } = event;
      if (key === 'Escape') setDraft(undefined);
      if (key !== 'Enter' || (isMultiline && !ctrlKey)) return;
      event.preventDefault();
      commit();
    },
  };
}
