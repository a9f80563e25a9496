import fc from 'fast-check';
import { isTemporary } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { complete, histories, Play, viewOf, without, type Sight, type Step } from '../support/histories.js';
import type { View } from '../support/naive.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 600_000 });

/** More runs by hand: `RUNS=10000 npx vitest run test/laws/optimism.test.ts`. Each time others; a failure prints its seed. */
const search = { numRuns: Number(process.env['RUNS'] ?? 1_000) };
const LENGTH = 40;

/** Ends all that is under way, the oldest first. */
async function drain(play: Play, check: () => void): Promise<void> {
  for (let [number] = play.flying; number !== undefined; [number] = play.flying) {
    await play.play({ does: 'settle', number, outcome: 'answer' });
    check();
  }
}

/** What was played, for the message of a failure. */
function story({ events }: Play): string {
  return ['', ...events.map((event) => JSON.stringify(event)), ''].join('\n');
}

/** What says the same as before is the same object, but for some rows. */
function expectIdentity(before: Sight, now: Sight, except: ReadonlySet<string>, play: Play): void {
  const [was, is] = [viewOf(before), viewOf(now)];
  for (const [pk, note] of now.rows) {
    if (except.has(pk) || !isAlike(was.rows[pk], is.rows[pk])) continue;
    expect(note, `the identity of ${pk}${story(play)}`).toBe(before.rows.get(pk));
  }
  if (play.settled?.is === 'delete') return;
  now.lists.forEach((list, i) => {
    const earlier = before.lists[i];
    const isSame = list?.length === earlier?.length && list?.every((note, at) => note === earlier?.[at]);
    if (isSame) expect(list, `the identity of list ${i}${story(play)}`).toBe(earlier);
  });
}

function isAlike(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

describe('a store', () => {
  it('shows after every step what the rules of order say, and nothing else in between', async () => {
    await fc.assert(
      fc.asyncProperty(histories(LENGTH), async (steps: readonly Step[]) => {
        const play = new Play();
        let before = play.sight();
        let confirmed: View['rows'] = {};
        const check = (): void => {
          const told = story(play);
          const now = play.sight();
          const expected = complete(play.naive.view());
          expect(viewOf(now), told).toEqual(expected);
          const known = [viewOf(before), expected];
          for (const seen of play.sights()) expect(known, `a subscriber has seen${told}`).toContainEqual(viewOf(seen));
          const rows = play.naive.confirmed();
          const news = Object.keys(rows).filter((pk) => !isAlike(rows[pk], confirmed[pk]));
          const { settled } = play;
          if (settled && 'target' in settled) news.push(play.naive.pkOf(settled.target));
          expectIdentity(before, now, new Set([...news, ...play.naive.deleting()]), play);
          confirmed = rows;
          const { byId, all } = play.elsewhere();
          expect(byId, told).toEqual(now.rows);
          for (const [pk, note] of byId) expect(note, pk).toBe(now.rows.get(pk));
          const there = [...now.rows.values()].filter((note) => note !== undefined);
          expect(new Set(all), told).toEqual(new Set(there));
          before = now;
        };
        for (const step of steps) {
          await play.step(step);
          check();
        }
        await drain(play, check);

        expect(play.slice.intents, story(play)).toEqual([]);
        expect(play.slice.journal, story(play)).toEqual({ entries: [], lists: [] });
        const { rows, lists } = viewOf(play.sight());
        expect([...Object.keys(rows), ...lists.flat()].filter(isTemporary), story(play)).toEqual([]);
      }),
      search,
    );
  });

  it('keeps no trace of a request that failed or was cancelled', async () => {
    const noPages = histories(LENGTH).map((steps) => steps.flatMap(harmless));
    await fc.assert(
      fc.asyncProperty(noPages, async (steps: readonly Step[]) => {
        const play = new Play();
        const views: (() => View | undefined)[] = [];
        const look = (): void => {
          const view = play.named();
          const { flying } = play;
          const at = play.events.length - 1;
          // While it was under way it was shown.
          views[at] = () => (flying.some((number) => play.failed.has(number)) ? undefined : view);
        };
        for (const step of steps) {
          await play.step(step);
          look();
        }
        await drain(play, look);

        const other = new Play();
        const kept = new Set(without(play.events, play.failed));
        for (const [at, event] of play.events.entries()) {
          if (kept.has(event)) await other.play(event);
          const view = views[at]?.();
          if (view) expect(other.named(), `${story(other)}is to be as${story(play)}`).toEqual(view);
        }
      }),
      search,
    );
  });
});

/** A step that has an effect on the server only if it is answered. Pages land differently where a list has waited. */
function harmless(step: Step): readonly Step[] {
  if (step.does !== 'start') return [step];
  if (step.asked.is === 'page') return [];
  const isRead = step.asked.is === 'list' || step.asked.is === 'get';
  return [isRead ? step : { ...step, moment: 'late' }];
}
