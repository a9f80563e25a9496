import { useState, type KeyboardEvent } from 'react';

/** What makes a field a draft. */
interface Draft {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A field that is saved when it is left, or by Enter (with Ctrl where Enter is a line); Escape gives back what was there. */
export function useDraft(current: string, save: (text: string) => void, isMultiline = false): Draft {
  const [draft, setDraft] = useState<string>();

  const commit = (): void => {
    setDraft(undefined);
    if (draft !== undefined && draft !== current) save(draft);
  };
  return {
    value: draft ?? current,
    onChange: ({ target }) => {
      setDraft(target.value);
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
