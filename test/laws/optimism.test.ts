import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { complete, histories, Play, viewOf, type Step } from '../support/histories.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 600_000 });

const numRuns = Number(process.env['RUNS'] ?? 300);
const length = Number(process.env['LENGTH'] ?? 25);
const path = process.env['FCPATH'] ? { path: process.env['FCPATH'] } : {};
const seed = process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {};

function describePlay(play: Play): string {
  return '\n' + play.events.map((event) => JSON.stringify(event)).join('\n') + '\n';
}

/** Ends all that is under way, the oldest first. */
async function drain(play: Play, check: () => void): Promise<void> {
  while (play.flying.length > 0) {
    for (const number of play.flying) {
      await play.play({ does: 'settle', number, outcome: 'answer' });
      check();
    }
  }
}

describe('a store', () => {
  it('shows after every step what the rules of order say', async () => {
    await fc.assert(
      fc.asyncProperty(histories(length), async (steps: readonly Step[]) => {
        const play = new Play();
        let before = play.sight();
        const check = (): void => {
          const now = play.sight();
          const expected = complete(play.naive.view());
          expect(viewOf(now), describePlay(play)).toEqual(expected);
          const old = viewOf(before);
          for (const sight of play.sights()) expect([old, expected], 'flicker' + describePlay(play)).toContainEqual(viewOf(sight));
          before = now;
        };
        for (const step of steps) {
          await play.step(step);
          check();
        }
        await drain(play, check);
        expect(play.slice.intents).toEqual([]);
        expect(play.slice.journal).toEqual({ entries: [], lists: [] });
      }),
      { numRuns, ...seed, ...path },
    );
  });
});
