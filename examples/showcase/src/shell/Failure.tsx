import { reasonOf } from '../reasonOf';

interface Props {
  readonly error: Parameters<typeof reasonOf>[0];
  readonly retry: () => unknown;
}

/** A read that failed, and a way to try again. */
export function Failure({ error, retry }: Props) {
  return (
    <p role="alert" className="failure">
      {reasonOf(error)} <button onClick={() => void retry()}>Try again</button>
    </p>
  );
}
