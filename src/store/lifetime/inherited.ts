import type { Definition } from '../../schema/Schema.js';
import { partsOf, Reach } from '../../tables/Reach.js';
import { eachRow, type Tables } from '../../tables/tables.js';
import { expiryAfter } from '../reading/freshness.js';
import type { Uses } from './collect.js';
import type { Answer, ResourcesState } from '../state.js';

/**
 * How old rows and lists are that nobody asked the server for by themselves: as old as the answer that brought them last.
 * Looked for when it is asked, once for all rows, and again only when answers have changed.
 */
export class Inherited {
  readonly #endpointOf: Uses['endpointOf'];
  readonly #givenAt: (table: string, pk: string) => number | undefined;
  #last: { readonly tables: Tables; readonly answers: readonly Dated[]; readonly reach: Reach<number> } | undefined;
  #answers: { readonly requests: ResourcesState['requests']; readonly answers: readonly Dated[] } | undefined;

  /** Holds nothing of what was there. */
  clear(): void {
    this.#last = this.#answers = undefined;
  }

  /** `givenAt` tells when a row was written without a request (ms since the epoch). */
  constructor(endpointOf: Uses['endpointOf'], givenAt: (table: string, pk: string) => number | undefined) {
    this.#endpointOf = endpointOf;
    this.#givenAt = givenAt;
  }

  /**
   * When it becomes stale for a reader for whom answers are fresh so long (ms), in ms since the epoch; 0 where the answer that
   * brought it is no good any more, and `unknown` where no such answer is known.
   */
  expiryOf(slice: ResourcesState, definition: Definition, ref: unknown, length: number, unknown = 0): number {
    const now = Date.now();
    // One of later is of before the clock was set back.
    const expiry = (broughtAt: number): number =>
      broughtAt === 0 || broughtAt > now ? 0 : expiryAfter(length, broughtAt);
    const parts = partsOf(definition, ref);
    const answers = this.#answersOf(slice);
    if (parts.length === 0) return unknown;
    // Where all are stale, it does not matter which.
    const isAllStale = unknown === 0 && answers.every(({ broughtAt }) => expiry(broughtAt) <= now);
    const reach = isAllStale ? undefined : this.#reach(slice.tables, answers);
    // A shape, or a member of a Union, is as fresh as the oldest that it is made of.
    return Math.min(
      ...parts.map(({ table, pk }) => {
        const broughtAt = reach?.get(table, pk) ?? this.#givenAt(table, pk);
        return broughtAt === undefined ? unknown : expiry(broughtAt);
      }),
    );
  }

  /** The answers that bring rows, the newest first; a page is as old as its list, for it shows the whole of it. */
  #answersOf({ requests }: ResourcesState): readonly Dated[] {
    if (this.#answers?.requests === requests) return this.#answers.answers;
    const answers: Dated[] = [];
    eachRow(requests, ({ answer, invalid }, name) => {
      const endpoint = answer && this.#endpointOf(name);
      if (!endpoint || endpoint.pageOf) return;
      // What was deemed stale is so for all who read it.
      const isGood = !invalid && answer.expiresAt > 0;
      answers.push({ definition: endpoint.schema, answer, broughtAt: isGood ? answer.fulfilledTimeStamp : 0 });
    });
    answers.sort((one, other) => other.answer.seq - one.answer.seq);
    this.#answers = { requests, answers };
    return answers;
  }

  #reach(tables: Tables, answers: readonly Dated[]): Reach<number> {
    const last = this.#last;
    const isSame = ({ answer, broughtAt }: Dated, i: number): boolean =>
      last?.answers[i]?.answer === answer && last.answers[i].broughtAt === broughtAt;
    if (last?.tables === tables && last.answers.length === answers.length && answers.every(isSame)) return last.reach;
    const reach = new Reach<number>(tables);
    // The first that leads to a row counts: the newest.
    for (const { definition, answer, broughtAt } of answers) reach.from(definition, answer.result, broughtAt);
    this.#last = { tables, answers, reach };
    return reach;
  }
}

/** An answer, and when it came. */
interface Dated {
  readonly definition: Definition;
  readonly answer: Answer;
  /** ms since the epoch; 0 where it is no good any more. */
  readonly broughtAt: number;
}
