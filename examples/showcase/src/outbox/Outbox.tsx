import type { OutboxState } from 'rtk-resource/offline';
import { useAppSelector } from '../store';
import { OutboxItem } from './OutboxItem';
import { queue } from './queue';

/** What waits to be sent, and what was refused; nothing, while all that is written is sent at once. */
export function Outbox() {
  const outbox = useAppSelector(queue.select);
  if (isQuiet(outbox)) return null;

  return (
    <section className="outbox" aria-label="Outbox">
      <h2>
        Outbox <small role="status">{summaryOf(outbox)}</small>
      </h2>
      <ol>
        {outbox.entries.map((entry) => (
          <OutboxItem key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

/** A write that stands alone is sent in this very moment. */
function isQuiet({ status, entries }: OutboxState): boolean {
  const isAlone = status !== 'offline' && entries.length === 1;
  return entries.every((entry) => entry.status === 'sent' || (isAlone && entry.status === 'queued'));
}

function summaryOf(outbox: OutboxState): string {
  const { size, failed, status } = outbox;
  const isOffline = status === 'offline';
  return [
    size > 0 && `${countOf(size)} to be sent${isOffline ? ', once you are online' : ''}. ${afterClosing(outbox)}`,
    failed > 0 && `${countOf(failed)} refused. What you wrote is still here.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** A change survives the tab once it is stored, a moment after it is made. */
function afterClosing({ storage, entries }: OutboxState): string {
  if (storage !== 'durable') return 'It is lost when you close the tab.';
  return entries.every((entry) => entry.isDurable) ? 'You may close the tab.' : 'It is being stored.';
}

function countOf(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}
