import { withoutGaps } from '../schema/withoutGaps.js';
import type { StoredRecord } from './entries.js';
import type { Sent } from './decisions.js';
import type { Desk } from './desk.js';
import type { Item } from './Item.js';
import { guarded, type OutboxOptions } from './options.js';
import { endpointOf, isRepeatable, urlOf } from './recording.js';

/** The key of a sending: another body has another one, for a server that knows a key says what it has said. */
export function keyOf({ id, revision }: StoredRecord): string {
  return `${id}:${revision}`;
}

/** The headers that tell a server the key. */
export function keyHeaders(
  { idempotencyKey = false }: OutboxOptions,
  key: string,
  about: { readonly endpointName: string; readonly url: string },
): Readonly<Record<string, string>> {
  if (typeof idempotencyKey === 'function')
    return withoutGaps(idempotencyKey(key, about)) as Readonly<Record<string, string>>;
  return idempotencyKey ? { 'Idempotency-Key': key } : {};
}

/** What makes it safe to send a write twice: it has a key that is not too old, or it does no harm. */
export function safetyOf(desk: Desk, item: Item): Pick<Sent, 'hasKey' | 'isRepeatable' | 'age'> {
  const { options } = desk;
  const { record, args } = item;
  const endpoint = endpointOf(desk, item);
  const headers = guarded('idempotencyKey', () =>
    keyHeaders(options, keyOf(record), { endpointName: endpoint.name, url: urlOf(endpoint, args) }),
  );
  const hasKey = headers !== undefined && Object.keys(headers).length > 0;
  const now = Date.now();
  return { hasKey, isRepeatable: isRepeatable(endpoint), age: now - (record.sentAt ?? now) };
}
