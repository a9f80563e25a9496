import type { Definition } from '../../schema/Schema.js';
import { partsOf, Reach } from '../../tables/Reach.js';
import { eachRow, type Tables } from '../../tables/tables.js';
import type { Uses } from './collect.js';
import type { Answer, ResourcesState } from '../state.js';

/**
 * When rows and lists grow stale that nobody asked the server for by themselves: with the answer that brought them last.
 * Looked for when it is asked, once for all rows, and again only when answers have changed.
 */
export class Inherited {
  readonly #endpointOf: Uses['endpointOf'];
  #last: { readonly tables: Tables; readonly answers: readonly Dated[]; readonly reach: Reach<number> } | undefined;

  /** Holds nothing of what was there. */
  clear(): void {
    this.#last = undefined;
  }

  constructor(endpointOf: Uses['endpointOf']) {
    this.#endpointOf = endpointOf;
  }

  /** When it becomes stale, in ms since the epoch; 0 where no answer is known that brought it. */
  expiryOf(slice: ResourcesState, definition: Definition, ref: unknown): number {
    const parts = partsOf(definition, ref);
    const answers = this.#answersOf(slice);
    // Where all are stale, it does not matter which.
    if (parts.length === 0 || answers.every(({ expiresAt }) => expiresAt <= Date.now())) return 0;
    const reach = this.#reach(slice.tables, answers);
    // A shape, or a member of a Union, is as fresh as the oldest that it is made of.
    return Math.min(...parts.map(({ table, pk }) => reach.get(table, pk) ?? 0));
  }

  /** The answers that bring rows, the newest first; a page is as old as its list, for it shows the whole of it. */
  #answersOf({ requests }: ResourcesState): readonly Dated[] {
    const answers: Dated[] = [];
    eachRow(requests, ({ answer, invalid }, name) => {
      const endpoint = answer && this.#endpointOf(name);
      if (!endpoint || endpoint.pageOf) return;
      answers.push({ definition: endpoint.schema, answer, expiresAt: invalid ? 0 : answer.expiresAt });
    });
    return answers.sort((one, other) => other.answer.seq - one.answer.seq);
  }

  #reach(tables: Tables, answers: readonly Dated[]): Reach<number> {
    const last = this.#last;
    const isSame = ({ answer, expiresAt }: Dated, i: number): boolean =>
      last?.answers[i]?.answer === answer && last.answers[i].expiresAt === expiresAt;
    if (last?.tables === tables && last.answers.length === answers.length && answers.every(isSame)) return last.reach;
    const reach = new Reach<number>(tables);
    // The first that leads to a row counts: the newest.
    for (const { definition, answer, expiresAt } of answers) reach.from(definition, answer.result, expiresAt);
    this.#last = { tables, answers, reach };
    return reach;
  }
}

/** An answer, and until when it is fresh. */
interface Dated {
  readonly definition: Definition;
  readonly answer: Answer;
  readonly expiresAt: number;
}
