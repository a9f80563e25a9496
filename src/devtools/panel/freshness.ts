import type { RequestRecord } from '../../store/state.js';

/** How fresh the answer of a request is, in words. */
export function freshness(record: RequestRecord | undefined, now: number): string {
  const { answer, invalid, expired } = record ?? {};
  if (invalid) return 'invalid';
  if (!answer) return expired ? 'stale' : 'no answer';
  if (answer.expiresAt <= now) return 'stale';
  if (answer.expiresAt === Number.MAX_SAFE_INTEGER) return 'fresh for ever';
  return `stale in ${Math.ceil((answer.expiresAt - now) / 1_000)} s`;
}
