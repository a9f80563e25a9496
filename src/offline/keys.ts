import { withoutGaps } from '../schema/withoutGaps.js';
import type { StoredRecord } from './entries.js';
import { guarded, type OutboxOptions } from './options.js';
import type { Sent } from './decisions.js';
import { isRepeatable, urlOf, type RestWrite } from './recording.js';

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

/** What makes it safe to send a write twice: it has a key, or it does no harm. */
export function repeatabilityOf(
  options: OutboxOptions,
  record: StoredRecord,
  endpoint: RestWrite,
  args: readonly unknown[],
): Pick<Sent, 'hasKey' | 'isRepeatable'> {
  const headers = guarded('idempotencyKey', () =>
    keyHeaders(options, keyOf(record), { endpointName: endpoint.name, url: urlOf(endpoint, args) }),
  );
  const hasKey = headers !== undefined && Object.keys(headers).length > 0;
  return { hasKey, isRepeatable: isRepeatable(endpoint) };
}
