import type { KeptEntry, KeptOutbox } from '../../store/outbox.js';
import { timeOf } from '../explain/sentences.js';
import { messageTold } from '../record/Names.js';
import { useLooking } from './looking.js';

const states: Readonly<Record<KeptEntry['status'], string>> = {
  queued: 'is not sent yet',
  sent: 'is under way',
  waiting: 'is tried again',
  unknown: 'was sent, and nobody knows what came of it',
  failed: 'was refused',
};

/** What an outbox keeps, in the order in which it is sent. */
export function Outbox({ outbox }: { readonly outbox: KeptOutbox }) {
  const { entries, status, pausedBy, storage, isLeader, nextAttemptAt } = outbox;
  const isSent = entries.some((entry) => entry.status !== 'failed' && entry.status !== 'unknown');
  const facts = [
    pausedBy ? `paused (${pausedBy})` : status,
    ...(storage === 'durable' ? [] : [`storage: ${storage}`]),
    ...(isLeader || !isSent ? [] : ['another tab sends']),
    ...(nextAttemptAt === undefined ? [] : [`next attempt at ${timeOf(nextAttemptAt)}`]),
  ];
  const { the } = useLooking();
  const keys = new Map(entries.map(({ id, endpointName, key }) => [id, the.names.keyOf(endpointName, key, the.slice)]));
  return (
    <section aria-label="Outbox">
      <h2>
        The outbox keeps {entries.length}: {facts.join(', ')}
      </h2>
      <ol>
        {entries.map(({ id, key: sent, status: of, attempts, createdAt, dependsOn, isDurable, error }) => (
          <li key={id} className="item">
            <code>{keys.get(id)}</code> ({timeOf(createdAt)}) {states[of]}
            {attempts > 1 && `, sent ${attempts} times`}
            {dependsOn.length > 0 && `, after ${dependsOn.map((other) => keys.get(other) ?? other).join(', ')}`}
            {error && `: ${messageTold(error.message, sent, keys.get(id) ?? '')}`}.
            {!isDurable && <span className="quiet"> It does not survive the tab.</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
