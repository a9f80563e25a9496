import { gate, type Verdict } from '../network/Gate';
import { useGate } from './useGate';

const verdicts: readonly Verdict[] = ['now', 'later', 'last', 'fail', 'lose'];

/** The requests that are held, newest first, and what may become of each. */
export function HeldRequests() {
  const { held } = useGate();

  return (
    <ol className="held-requests" tabIndex={0} aria-label="Held requests, newest first">
      {Object.entries(held)
        .toReversed()
        .map(([id, { name, verdict }]) => (
          <li key={id} className="held">
            <span className="name">{name}</span>
            {verdict ? <strong>answered {verdict}</strong> : <Verdicts id={id} request={name} />}
          </li>
        ))}
    </ol>
  );
}

/** What may become of a request that is held. */
function Verdicts({ id, request }: { readonly id: string; readonly request: string }) {
  return (
    <span className="verdicts" role="group" aria-label={`What becomes of ${request}`}>
      {verdicts.map((verdict) => (
        <button
          key={verdict}
          onClick={() => {
            gate.decide(id, verdict);
          }}
        >
          {verdict}
        </button>
      ))}
    </span>
  );
}
