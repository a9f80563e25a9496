import { afterEach, describe, expect, it } from 'vitest';
import { refused, showcaseOfFile, type Visit } from '../../support/showcase.js';

const newest = 'Redraw the weekly digest';
const patch = 'PATCH /api/issues/2000';

const showcase = await showcaseOfFile();
let visit: Visit;

afterEach(async () => {
  try {
    expect(visit.complaints.filter((text) => !text.startsWith(refused(403)))).toEqual([]);
  } finally {
    await visit.page.context().close();
  }
});

/** Notes which cards are animated in the moment in which something is added to the page. */
async function watch(): Promise<() => Promise<string[]>> {
  const seen = await visit.page.evaluateHandle(() => {
    const titles: string[] = [];
    new MutationObserver(() => {
      for (const { effect } of document.getAnimations()) {
        const title = effect instanceof KeyframeEffect ? effect.target?.querySelector('a')?.textContent : undefined;
        if (title) titles.push(title);
      }
    }).observe(document.body, { childList: true, subtree: true });
    return titles;
  });
  // What was seen is told once.
  return () => seen.evaluate((titles) => titles.splice(0));
}

async function move(): Promise<void> {
  await visit.card(newest).focus();
  await visit.page.keyboard.press('ArrowRight');
  await visit.column('doing').getByRole('link', { name: newest }).waitFor();
}

describe('A card', () => {
  it('is seen to fly to its new column, and back when the move is refused', async () => {
    visit = await showcase.visitAsAda();
    await visit.hold('writes');
    const flown = await watch();
    await move();
    expect(new Set(await flown())).toEqual(new Set([newest]));

    await visit.decide(patch, 'fail');
    await visit.column('todo').getByRole('link', { name: newest }).waitFor();
    expect(new Set(await flown())).toEqual(new Set([newest]));
    await expect.poll(() => visit.page.locator('#flights > *').count()).toBe(0);
  });

  it('is seen to fly when somebody else moves it', async () => {
    visit = await showcase.visitAsAda();
    const flown = await watch();
    await visit.page.getByRole('button', { name: 'once' }).click();

    await visit.column('doing').getByRole('link', { name: newest }).waitFor();
    expect(new Set(await flown())).toEqual(new Set([newest]));
  });

  it('is in its new column at once for whoever wants less motion', async () => {
    visit = await showcase.visitAsAda({ reducedMotion: 'reduce' });
    const flown = await watch();
    await move();
    await visit.settled();

    expect(await flown()).toEqual([]);
  });
});
