import type { MiddlewareHandler } from 'hono';
import type { Variables } from './routes/session.ts';

/** So many answers are remembered. */
const most = 1000;

/**
 * Does a write once, however often it comes: a request with an `Idempotency-Key` that was answered before gets that answer again, and nothing is
 * done. A real server keeps the answers in its database, in the transaction that does the write.
 */
export function once(): MiddlewareHandler<Variables> {
  const answers = new Map<string, Response>();

  return async (c, next) => {
    const sent = c.req.header('idempotency-key');
    if (sent === undefined) return next();
    const key = `${c.get('personId')} ${sent}`;
    const known = answers.get(key);
    if (known) return known.clone();

    await next();
    answers.set(key, c.res.clone());
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    return undefined;
  };
}
