import { gate, type Verdict } from '../network/Gate';
import type { Bar, Mark } from './timeline';

interface Props {
  readonly entry: Bar | Mark;
  /** The moment at the left end, and how many there are. */
  readonly first: number;
  readonly span: number;
  /** What was decided for a request that is held; absent where it is not. */
  readonly verdict: Verdict | 'undecided' | undefined;
}

const verdicts: readonly Verdict[] = ['now', 'later', 'last', 'fail', 'lose'];

/** A request, from sent to answered, and what becomes of it. */
export function BarRow({ entry, first, span, verdict }: Props) {
  const at = (moment: number): string => `${((moment - first) / span) * 100}%`;

  if (entry.kind === 'live')
    return (
      <li className="live">
        <span className="name">live message</span>
        <span className="track">
          <i className="mark" style={{ left: at(entry.from) }} />
        </span>
        <span className="told">
          <span className="brought">brought {entry.brought.join('; ')}</span>
        </span>
      </li>
    );

  const { name, key, status, from, to = first + span - 1, took, showed, brought } = entry;
  const state = verdict === undefined ? status : 'held';
  return (
    <li className={state}>
      <span className="name" title={name}>
        {key}
      </span>
      <span className="track">
        <i className="span" style={{ left: at(from), width: at(first + Math.max(1, to - from)) }} />
      </span>
      <span className="told">
        {verdict === 'undecided' && <Verdicts id={entry.id} request={key} />}
        {verdict !== undefined && verdict !== 'undecided' && <strong>answered {verdict}</strong>}
        {showed.length > 0 && <span className="showed">showed {showed.join('; ')}</span>}
        {status === 'fulfilled' && <span className="brought">brought {brought.join('; ') || 'nothing new'}</span>}
        {status === 'rejected' && <span className="brought">{brought.join('; ')}</span>}
        {took !== undefined && <small>{took} ms</small>}
      </span>
    </li>
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
