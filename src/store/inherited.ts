import type { Definition } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { Reach } from '../tables/Reach.js';
import { eachRow } from '../tables/tables.js';
import type { Uses } from './collect.js';
import type { Answer, ResourcesState } from './state.js';

/**
 * When rows and lists grow stale that nobody asked the server for by themselves: with the answer that brought them last.
 * Looked for when it is asked, once for all rows, and again only when answers have changed.
 */
export class Inherited {
  readonly #endpointOf: Uses['endpointOf'];
  #last: (Pick<ResourcesState, 'requests' | 'tables'> & { readonly reach: Reach<number> }) | undefined;

  constructor(endpointOf: Uses['endpointOf']) {
    this.#endpointOf = endpointOf;
  }

  /** When it becomes stale, in ms since the epoch; 0 where no answer is known that brought it. */
  expiryOf(slice: ResourcesState, definition: Definition, ref: unknown): number {
    const schema = schemaOf(definition);
    if (typeof ref !== 'string' || !schema || !('table' in schema)) return 0;
    // Rows and lists have tables.
    return this.#reach(slice).get(schema.table as string, ref) ?? 0;
  }

  #reach({ requests, tables }: ResourcesState): Reach<number> {
    if (this.#last?.requests === requests && this.#last.tables === tables) return this.#last.reach;
    const answers: { name: string; answer: Answer; expiresAt: number }[] = [];
    eachRow(requests, ({ answer, invalid }, name) => {
      if (answer) answers.push({ name, answer, expiresAt: invalid ? 0 : answer.expiresAt });
    });
    // The first that leads to a row counts: the newest.
    answers.sort((one, other) => other.answer.seq - one.answer.seq);
    const reach = new Reach<number>(tables);
    for (const { name, answer, expiresAt } of answers) {
      const endpoint = this.#endpointOf(name);
      if (endpoint) reach.from(endpoint.schema, answer.result, expiresAt);
    }
    this.#last = { requests, tables, reach };
    return reach;
  }
}
