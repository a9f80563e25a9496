import { isAbsent } from '../../schema/Schema.js';
import type { AnyEndpoint } from '../endpoint.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import { queryEndpoint } from '../reading/queryEndpoint.js';
import { isFresh } from '../reading/freshness.js';
import { isPartialIn } from '../reading/partial.js';
import { questionOf } from '../reading/selectors.js';
import { readerOf } from '../reading/StoreReader.js';
import type { Request } from '../request.js';
import { recordOf } from '../state.js';
import type { StoreAccess } from './StoreAccess.js';

/** What of answers is in the store: whether a request need not be sent, and what it gives then. */
export class StoredAnswers {
  readonly #store: StoreAccess;
  readonly #lifetime: Lifetime;

  constructor(store: StoreAccess, lifetime: Lifetime) {
    this.#store = store;
    this.#lifetime = lifetime;
  }

  /** The value of a request, as selectors give it. */
  read(endpoint: AnyEndpoint, args: readonly unknown[], key: string): unknown {
    const { slice } = this.#store;
    return readerOf(slice).answer(slice, questionOf(endpoint, args, key));
  }

  /** Whether what a request asks for is there, and fresh. */
  has({ endpoint, args }: Pick<Request, 'endpoint' | 'args'>, key: string): boolean {
    const record = recordOf(this.#store.slice, endpoint.name, key);
    if (!record?.answer) return !record?.invalid && !record?.expired && this.#isBrought(endpoint, args, key);
    // What it brought may have been deleted since.
    const isEmpty = isAbsent(record.answer.result);
    return isFresh(record, Date.now()) && (isEmpty || this.read(endpoint, args, key) !== undefined);
  }

  /** Whether other answers have brought what a request asks for, and it is fresh. */
  #isBrought(endpoint: AnyEndpoint, args: readonly unknown[], key: string): boolean {
    const { slice } = this.#store;
    if (endpoint.sideEffect) return false;
    const ref = queryEndpoint(slice.tables, endpoint, args);
    if (ref === undefined || isPartialIn(slice.tables, endpoint.schema, ref)) return false;
    if (!this.#lifetime.isInheritedFresh(endpoint, ref, Date.now())) return false;
    const [reader, question] = [readerOf(slice), questionOf(endpoint, args, key)];
    const reading = reader.reading(slice, question);
    // A guess may show less than what is confirmed.
    return reading.value !== undefined && !reader.isPartial(slice, reading);
  }
}
