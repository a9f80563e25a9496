/** What is known of one sending, beside what it ends with. */
import { NetworkError } from '../errors.js';
import type { RunResult } from '../store/endpoint.js';
import type { Flight } from '../store/running/flight.js';
import type { Sending } from '../store/running/keeping.js';
import { isPage, LOST } from './decisions.js';
import type { Desk } from './desk.js';
import type { StoredRecord } from './entries.js';
import { keyHeaders, keyOf } from './keys.js';
import type { RestWrite } from './recording.js';

/** What has come of one sending. */
export interface Wire {
  /** The status of the last response; undefined where none came. */
  status?: number | undefined;
  /** The last response, where it is a page. */
  page?: Response | undefined;
  /** Whether the `fetch` of the store was called; a `fetchResponse` of the user's own may have another. */
  isTried?: boolean;
  /** How often the outbox had been paused and resumed when it was sent. */
  readonly pauses: number;
}

/** What one sending is given: it notes what comes of it. */
export function sendingOf({ options, parts: { fetchFn = fetch } }: Desk, record: StoredRecord, wire: Wire): Sending {
  const { endpointName } = record;
  const key = keyOf(record);
  return {
    isKept: true,
    idempotencyKey: key,
    keyHeaders: (url) => keyHeaders(options, key, { endpointName, url }),
    fetchFn: async (...request) => {
      wire.status = undefined;
      wire.isTried = true;
      const response = await fetchFn(...request);
      wire.status = response.status;
      wire.page = isPage(response) ? response : undefined;
      return response;
    },
  };
}

/** What a captive portal shows is no answer to a write that nothing describes, unless text was asked for. */
export function refusePage({ request }: Flight, { response, isOpaque }: RunResult, { page }: Wire): void {
  // What is kept speaks REST.
  const { content, name } = request.endpoint as RestWrite;
  if (!page || !isOpaque || content !== undefined || typeof response !== 'string' || !/^\s*</.test(response)) return;
  const message = `${name} was answered with a page, as by a captive portal. If your server answers with pages, write content: 'text'.`;
  throw new NetworkError(message, { url: page.url, response: page, data: response });
}

/** Whether the server has said no. */
export function isRefused({ status }: Wire): boolean {
  return status !== undefined && status >= 400 && !LOST.has(status);
}
