import { useId, type ComponentProps } from 'react';

interface Props extends ComponentProps<'input'> {
  readonly label: string;
  readonly error: string | undefined;
}

/** An input with its label, and with what is wrong with it. */
export function Field({ label, error, ...input }: Props) {
  const id = useId();

  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-invalid={error !== undefined} aria-describedby={`${id}-error`} {...input} />
      <span id={`${id}-error`} className="error" role="alert">
        {error}
      </span>
    </p>
  );
}
