import fc from 'fast-check';
import { describe, it, vi } from 'vitest';
import { Naive } from '../support/naive.js';
import type { Sent } from '../support/notes.js';
import { search } from '../support/search.js';
import { StoreClient } from '../support/serialStore.js';
import { Drama, stories, type Client, type Step } from '../support/serial.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 600_000 });

const LENGTH = 25;

/** The rules alone. */
function rules(): Client {
  const naive = new Naive({ paging: 'number', pageSize: Infinity });
  const lists = new Set<number>();
  return {
    start: (number, asked) => {
      naive.start(number, asked, `r${number}`);
      if (asked.is === 'list') lists.add(number);
      return Promise.resolve();
    },
    isSent: (number) => naive.isSent(number),
    answer: (number, response) => {
      const told = response as Sent & readonly Sent[];
      return Promise.resolve(naive.answer(number, lists.has(number) ? [{ args: '', items: told }] : told));
    },
    fail: (number, isUnknown) => Promise.resolve(naive.fail(number, isUnknown)),
    pkOf: (target) => naive.pkOf(target),
    sights: () => [naive.view()],
  };
}

async function expectLaw(client: Client, steps: readonly Step[], isInOrder: boolean): Promise<void> {
  const drama = new Drama(client, isInOrder);
  try {
    await drama.play(steps);
  } catch (error) {
    throw new Error(`${drama.story.join('\n')}\n${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

describe.each([
  ['the rules', rules],
  ['a store', () => new StoreClient()],
])('%s', (_, client) => {
  it('never go back, where the server serves in the order of sending', async () => {
    await fc.assert(
      fc.asyncProperty(stories(LENGTH, true), (steps) => expectLaw(client(), steps, true)),
      search,
    );
  });

  it('keep an edit that was shown and confirmed, in whatever order the server serves', async () => {
    await fc.assert(
      fc.asyncProperty(stories(LENGTH, false), (steps) => expectLaw(client(), steps, false)),
      search,
    );
  });
});
