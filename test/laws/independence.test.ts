import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { everything, lives, Script, scripts, type Event } from '../support/script.js';
import { search } from '../support/search.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 600_000 });

const some = { ...search, numRuns: Math.ceil(search.numRuns / 5) };
/** After how many events: often before all of them. */
const someTime = fc.oneof(fc.constant(0), fc.nat(20));

describe('what is shown', () => {
  it('of one row does not depend on what happens to another meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(lives(0), lives(1), fc.infiniteStream(fc.boolean()), async (one, other, turns) => {
        const events = interleaved(one, other, turns);
        const orders = events.flatMap((event) => ('order' in event ? event.order : []));
        const together = new Script();
        await together.play(events);

        for (const [row, life] of [one, other].entries()) {
          // Its values tell the numbers of their requests.
          const numbers = orders.flatMap((asked, i) => (asked.row === row ? i + 1 : []));
          const alone = new Script({ numbers });
          await alone.play(life);
          expect(together.seenOf(row)).toEqual(alone.seenOf(row));
        }
      }),
      some,
    );
  });

  it('of a list that came as a whole is what is shown of one that came in two pages', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => i + 1);
    await fc.assert(
      fc.asyncProperty(scripts('get', 'patch', 'push', 'unshift', 'delete'), someTime, async (events, at) => {
        const [whole, paged] = [new Script({ ids }), new Script({ ids, isPaged: true })];
        for (const script of [whole, paged]) {
          for (const event of events.slice(0, at)) await script.step(event);
          await script.fetch();
          script.seen.splice(0);
          await script.play(events.slice(at));
        }

        // A page waits for a pending create, and the first answer with a list does not.
        if (at === 0) expect(paged.seen).toEqual(whole.seen);
        expect(paged.shown()).toEqual(whole.shown());
      }),
      { ...some, numRuns: Math.ceil(some.numRuns / 4) },
    );
  });

  it('is the same whatever tables and ids are called', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(...everything), async (events) => {
        const plain = new Script();
        const renamed = new Script({
          ids: ['z9', '__proto__', '7a'],
          made: (n) => `a/${1_000 - n}`,
          table: 'toString',
        });
        await plain.play(events);
        await renamed.play(events);

        expect(renamed.seen).toEqual(plain.seen);
      }),
      some,
    );
  });

  it('is the same with and without a poll that says nothing new', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(...everything), someTime, async (events, at) => {
        const without = new Script();
        const polled = new Script();
        for (const script of [without, polled]) await script.fetch();
        await without.play(events);
        for (const [i, event] of events.entries()) {
          if (i === at) {
            const before = polled.list();
            await polled.poll();
            expect(polled.list()).toBe(before);
          }
          await polled.step(event);
        }
        await polled.play([]);

        expect(polled.seen).toEqual(without.seen);
      }),
      some,
    );
  });

  it('in the end is the same when all answers come later', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(...everything), fc.nat(6), async (events, delay) => {
        const prompt = new Script();
        const late = new Script();
        for (const script of [prompt, late]) await script.fetch();
        await prompt.play(events);
        await late.play(delayed(events, delay));

        expect(late.shown()).toEqual(prompt.shown());
      }),
      some,
    );
  });
});

/** Both, each in their own order. */
function interleaved(one: readonly Event[], other: readonly Event[], turns: Iterator<boolean>): readonly Event[] {
  const rest = [[...one], [...other]];
  const taken: Event[] = [];
  while (rest.some(({ length }) => length > 0)) {
    const turn = turns.next().value === true ? 1 : 0;
    const next = rest[turn]?.shift() ?? rest[1 - turn]?.shift();
    if (next) taken.push(next);
  }
  return taken;
}

/** The same, with each answer so many events later; the orders stay where they are. */
function delayed(events: readonly Event[], by: number): readonly Event[] {
  const at = (event: Event, i: number): number => ('answer' in event ? i + by + 0.5 : i);
  return events
    .map((event, i) => ({ event, at: at(event, i) }))
    .sort((one, other) => one.at - other.at)
    .map(({ event }) => event);
}
