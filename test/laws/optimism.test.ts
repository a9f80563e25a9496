import fc from 'fast-check';
import { isTemporary } from 'rtk-resource';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { histories, settings, without, withoutFilters, type Step } from '../support/histories.js';
import { filterNames, lists, tableOf, type ListName, type View } from '../support/notes.js';
import { asRead, Play, stopTime, viewOf, type Setting, type Sight } from '../support/play.js';
import { large } from '../support/notebook.js';
import { assertPlain } from '../support/plain.js';
import { search } from '../support/search.js';
import { expectIdle, type RootState } from '../support/store.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 36_000_000 });

const LENGTH = 40;

/** What is to hold after every step of a play. */
class Watch {
  readonly #play: Play;
  #before: Sight;
  /** What the rules say: all in all, and without what is pending. */
  #was: View;
  #confirmed: View['rows'];
  readonly #past: { readonly state: RootState; readonly view: View; readonly unsure: readonly ListName[] }[] = [];

  constructor(play: Play) {
    this.#play = play;
    this.#before = play.sight();
    this.#was = play.naive.view();
    this.#confirmed = play.naive.confirmed();
  }

  look(): void {
    const play = this.#play;
    const now = play.sight();
    const is = play.naive.view();
    const confirmed = play.naive.confirmed();
    this.#expectView(now, is);
    this.#expectSameRows(now, is, confirmed);
    this.#expectSameLists(now);
    this.#expectOneOfEach(now);
    for (const [key, pending] of play.pending()) expectAlike(pending, play.naive.pendingOf(key));
    if (play.events.at(-1)?.does === 'settle') this.#expectStale();
    assertPlain(play.slice);
    for (const action of play.actions) assertPlain(action);
    this.#past.push({ state: play.state, view: this.#sure(asRead(is)), unsure: this.#unsure() });
    this.#before = now;
    this.#was = is;
    this.#confirmed = confirmed;
  }

  /** Time travel: the states of the past still show what they showed. */
  lookBack(): void {
    const past = this.#past;
    const stride = Math.ceil(past.length / 12);
    for (const { state, view, unsure } of past.filter((_, i) => i % stride === 0).reverse()) {
      const { rows, lists: all } = viewOf(this.#play.sight(state));
      expectAlike({ rows, lists: only(all, (list) => !unsure.includes(list)) }, view);
    }
  }

  /** What is shown is what the rules say; whoever has looked meanwhile has seen that, or what was before. */
  #expectView(now: Sight, is: View): void {
    const expected = this.#sure(asRead(is));
    expectAlike(this.#sure(viewOf(now)), expected);
    const earlier = this.#sure(viewOf(this.#before));
    // What has waited too long may land one by one.
    if (this.#play.events.at(-1)?.does === 'expire wait') return;
    for (const seen of this.#play.sights().map((sight) => this.#sure(viewOf(sight)))) {
      if (isAlike(seen, earlier) || isAlike(seen, expected)) continue;
      expect([earlier, expected], 'a subscriber has seen what never was').toContainEqual(seen);
    }
  }

  #unsure(): readonly ListName[] {
    return lists.filter((list) => this.#play.naive.isUnsure(list));
  }

  /** What is told by rules: without lists of which these do not tell all. */
  #sure({ rows, lists: all }: View): View {
    return { rows, lists: only(all, (list) => !this.#play.naive.isUnsure(list)) };
  }

  /** A row that says the same as before is the same object. */
  #expectSameRows(now: Sight, is: View, confirmed: View['rows']): void {
    for (const [key, row] of now.rows) {
      const earlier = this.#before.rows.get(key);
      if (!earlier || row === earlier || !isAlike(this.#was.rows[key], is.rows[key])) continue;
      // The person in a note has changed.
      if ('by' in row && 'by' in earlier && row.by !== earlier.by) continue;
      // A row that was shown before it was known is another when it is.
      if (key in confirmed && !(key in this.#confirmed)) continue;
      expect(row, key).toBe(earlier);
    }
  }

  /** A list of the same rows is the same list. */
  #expectSameLists(now: Sight): void {
    for (const [list, members] of now.lists) {
      const earlier = this.#before.lists.get(list);
      if (members === earlier || members.length !== earlier?.length) continue;
      if (members.every((row, at) => row === earlier[at])) expect(members, list).toBe(earlier);
    }
  }

  /** Stale is just what was put in doubt. */
  #expectStale(): void {
    const { naive } = this.#play;
    const reads = this.#play.reads().filter((name) => naive.isStale(name) !== undefined);
    const stale = new Set(this.#play.stale());
    expectAlike(
      reads.filter((name) => stale.has(name)),
      reads.filter((name) => naive.isStale(name)),
    );
  }

  /** Every row is one object, wherever it is shown. */
  #expectOneOfEach({ rows, lists: shown }: Sight): void {
    const expectIt = (row: object | undefined, key: string): void => {
      if (row !== rows.get(key as `notes ${string}`)) expect(row, key).toBe(rows.get(key as `notes ${string}`));
    };
    for (const [key, row] of rows) {
      expectAlike(key.split(' ')[1], String(row.id));
      if ('by' in row && row.by) expectIt(row.by, `people ${row.by.id}`);
    }
    for (const [list, members] of shown) for (const row of members) expectIt(row, `${tableOf(list)} ${row.id}`);
    const { byId, all } = this.#play.elsewhere();
    for (const [key, row] of byId) expectIt(row, key);
    if (all.size !== rows.size || [...rows.values()].some((row) => !all.has(row))) {
      expect(all).toEqual(new Set(rows.values()));
    }
  }
}

function only(all: View['lists'], isWanted: (list: ListName) => boolean): View['lists'] {
  return Object.fromEntries(Object.entries(all).filter(([list]) => isWanted(list as ListName)));
}

/** Compares cheaply, and explains what differs. */
function expectAlike(one: unknown, other: unknown): void {
  if (!isAlike(one, other)) expect(one).toEqual(other);
}

function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isAlike((one as View['rows'])[name as never], (other as View['rows'])[name as never]))
  );
}

/** Tells what was played, where something does not hold. */
async function telling(play: Play, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const story = play.events.map((event) => JSON.stringify(event)).join('\n');
    throw new Error(`after\n${story}\n${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

/**
 * Plays a history to its end, and watches. Where versions tell which answer is newer, they tell it of fields alone: of which lists a row
 * is in the rules do not say it, so there no fields are edited by which lists are filtered.
 */
async function expectRules(setting: Setting, history: readonly Step[]): Promise<void> {
  const play = new Play(setting);
  const steps = setting.isVersioned ? history.map(withoutFilters) : history;
  await telling(play, () => expectRulesIn(play, steps));
}

async function expectRulesIn(play: Play, steps: readonly Step[]): Promise<void> {
  const watch = new Watch(play);
  const look = (): void => {
    watch.look();
  };
  for (const step of steps) {
    await play.step(step);
    look();
  }
  await play.drain(look);

  expectIdle(play.slice);
  const { rows, lists: shown } = viewOf(play.sight());
  const names = Object.keys(rows).map((key) => key.split(' ')[1]);
  expect([...names, ...Object.values(shown).flat()].filter(isTemporary)).toEqual([]);
  await play.refetch('again', look);
  // By reading one list the store may learn that a row has moved to another, of which it has read the pages before that place.
  await play.refetch('list', look);
  await play.refetch('list', look);
  expectAlike(viewOf(play.sight()).lists, play.truth());
  watch.lookBack();
}

/** Some creates name no folder, or no color, while only lists of these are there. Each warning comes once: it comes here. */
async function hearWarnings(): Promise<void> {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  for (const list of lists.filter((one) => filterNames(one).length > 0)) {
    const play = new Play();
    await play.play({ does: 'start', number: 0, asked: { is: 'list', list }, moment: 'at once' });
    await play.play({ does: 'settle', number: 0, outcome: 'answer' });
    await play.play({ does: 'start', number: 1, asked: { is: 'push', list: 'all', body: {} }, moment: 'at once' });
    await play.play({ does: 'settle', number: 1, outcome: 'answer' });
  }
  expect(warn).toHaveBeenCalledTimes(3);
  warn.mockRestore();
}

beforeAll(async () => {
  stopTime();
  await hearWarnings();
});
afterAll(() => {
  vi.useRealTimers();
});

describe('a store', () => {
  it('shows after every step what the rules of order say, and nothing else in between', async () => {
    await fc.assert(fc.asyncProperty(settings, histories(LENGTH), expectRules), search);
  });

  it('shows it also of tables and lists of several pages', async () => {
    await fc.assert(
      fc.asyncProperty(histories(LENGTH), fc.boolean(), async (steps, isAttentive) => {
        await expectRules({ world: large, isAttentive }, steps);
      }),
      { ...search, numRuns: Math.ceil(search.numRuns / 20) },
    );
  });

  it('keeps no trace of a request that failed or was cancelled', async () => {
    const steps = histories(LENGTH).map((all) => all.flatMap(harmless));
    await fc.assert(
      fc.asyncProperty(steps, async (history: readonly Step[]) => {
        const play = new Play();
        const views: (() => View | undefined)[] = [];
        const look = (): void => {
          const view = play.named();
          const { flying } = play;
          const at = play.events.length - 1;
          // While it was under way it was shown.
          views[at] = () => (flying.some((number) => play.failed.has(number)) ? undefined : view);
        };
        for (const step of history) {
          await play.step(step);
          look();
        }
        await play.drain(look);

        const other = new Play();
        await telling(play, async () => {
          const kept = new Set(without(play.events, play.failed));
          for (const [at, event] of play.events.entries()) {
            if (kept.has(event)) await other.play(event);
            const view = views[at]?.();
            if (view) expectAlike(other.named(), view);
          }
        });
      }),
      search,
    );
  });
});

/** A step that has an effect on the server only if it is answered. */
function harmless(step: Step): readonly Step[] {
  // What is created in silence is there all the same.
  if (step.does === 'settle') return [step.outcome === 'empty' ? { ...step, outcome: 'answer' } : step];
  if (step.does !== 'start') return [step];
  // What a vote expects, and names by it, depends on what is shown when it is made; so does what an edit says of who a row is with.
  if (step.asked.is === 'vote') return [];
  const isRead = ['list', 'again', 'next', 'previous', 'page', 'get'].includes(step.asked.is);
  return [isRead ? step : withoutFilters({ ...step, moment: 'late' })];
}
