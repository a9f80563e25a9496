import { reasonOf } from './reason';

interface Props {
  readonly error: unknown;
  readonly retry: () => void;
}

/** A read that failed, and a way to try again. */
export function Failure({ error, retry }: Props) {
  return (
    <p role="alert">
      {reasonOf(error)}. <button onClick={retry}>Try again</button>
    </p>
  );
}
