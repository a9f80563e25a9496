import type { Held } from '../../mock/traffic.js';
import type { Intent } from '../../store/order/intent.js';
import type { Case } from '../explain/Case.js';
import { guesserTold, timeOf } from '../explain/sentences.js';
import { waitsFor } from '../explain/waits.js';
import { CopyButton } from './CopyButton.js';
import { useLooking } from './looking.js';
import { Outbox } from './Outbox.js';
import { seedOf } from './seed.js';

/** What a pending request waits for. */
function waitOf(the: Case, { requestId, settled, isPatch }: Intent): string {
  if (isPatch) return 'it was made by hand, and waits to be confirmed or undone';
  if (settled) return 'it is answered; what it answered waits for a guess that may be counted in it';
  return `it waits for ${waitsFor(the, requestId) ?? 'its answer'}`;
}

/** Guesses in order, what has come and waits, and what the server holds. */
export function Pending() {
  const { the, server } = useLooking();
  const { intents, journal, outbox } = the.slice;
  return (
    <div className="rows" tabIndex={0} role="group" aria-label="What is pending">
      {intents.length === 0 && journal.waiting.length === 0 && <p className="problem">Nothing is pending.</p>}
      <ol aria-label="Guesses in order">
        {intents.map((intent) => {
          const rows = intent.changes.rows.flatMap(({ table, pks }) =>
            pks.map((pk) => `${table} ${the.names.pk(table, pk)}`),
          );
          return (
            <li key={intent.requestId} className="item">
              <code>{guesserTold(the, intent)}</code>: {waitOf(the, intent)}.
              <span className="quiet"> {rows.slice(0, 20).join(', ')}</span>
            </li>
          );
        })}
      </ol>
      <ol aria-label="Answers that wait">
        {journal.waiting.map(({ table, pk, row, since }, i) => (
          <li key={i} className="item">
            {table} {the.names.pk(table, pk)}: {Object.keys(row).join(', ')} came at {timeOf(since)}, and waits for a
            guess that may be counted in it.
          </li>
        ))}
      </ol>
      {outbox && <Outbox outbox={outbox} />}
      {server && (
        <section aria-label="Server">
          <div className="tools">
            <h2>The server holds {server.held.length}</h2>
            <CopyButton name="Copy as seed" make={() => seedOf(the)} />
          </div>
          <ol>
            {server.held.map((held, i) => (
              <HeldRequest key={i} held={held} isLast={i === server.held.length - 1} />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function HeldRequest({ held, isLast }: { readonly held: Held; readonly isLast: boolean }) {
  const { say } = useLooking();
  const { pathname, search } = new URL(held.request.url);
  const name = `${held.request.method} ${pathname}${search}`;
  const acts = {
    Answer: held.answer,
    Fail: () => {
      held.fail(500);
    },
    Lose: held.lose,
  };
  return (
    <li className="item">
      <code>{name}</code>{' '}
      {Object.entries(acts).map(([act, end]) => (
        <button
          key={act}
          type="button"
          aria-label={`${act} ${name}`}
          onClick={({ currentTarget }) => {
            end();
            // The buttons of the last go with it; else the next stands in its place.
            if (isLast) currentTarget.closest<HTMLElement>('[role=group]')?.focus();
            say(`${name}: ${act}.`);
          }}
        >
          {act}
        </button>
      ))}
    </li>
  );
}
