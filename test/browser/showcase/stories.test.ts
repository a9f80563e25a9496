import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showcaseOfFile, type Visit } from '../../support/showcase.js';

const showcase = await showcaseOfFile();
let visit: Visit;

beforeEach(async () => {
  visit = await showcase.visitAsAda({ viewport: { width: 1280, height: 800 } });
});
afterEach(() => visit.page.context().close());

const told = () => visit.page.getByRole('region', { name: 'Stories' });
const watch = (name: string) => told().getByRole('button', { name }).click();

describe('A story that plays by itself', () => {
  it('shows an edit in three places, and takes it back when it is refused', async () => {
    await watch('An edit is refused');
    await visit.card('Redraw the weekly digest, and twice').waitFor();
    await visit.row('Redraw the weekly digest, and twice').waitFor();
    await told().getByText('partialUpdate').waitFor();

    await told().getByText('All three show the title as it was.').waitFor();
    await visit.card('Redraw the weekly digest').waitFor();
    await told().getByRole('button', { name: 'Close' }).click();
    expect(await told().getByText('partialUpdate').count()).toBe(0);
  });

  it('keeps the second of two edits, and holds nothing when it is over', async () => {
    await watch('The first of two edits fails');
    await visit.column('doing').getByRole('link', { name: 'Two', exact: true }).waitFor();

    await told().getByText('The title is still Two.').waitFor();
    await visit.card('Two').waitFor();
    await told().getByRole('button', { name: 'Close' }).waitFor();
    await visit.settled();
    await visit.card('Explain the dark theme').waitFor();
    expect(await visit.timeline.getByRole('radio', { name: 'nothing' }).isChecked()).toBe(true);
  });

  it('moves a card to another column and back to its place', async () => {
    await watch('A card moves, and comes back');
    await visit.column('doing').getByRole('link', { name: 'Redraw the weekly digest' }).waitFor();

    await told().getByText('The card is back in its place.').waitFor();
    expect(await visit.column('todo').getByRole('link').first().innerText()).toBe('Redraw the weekly digest');
  });
});

describe('The page', () => {
  it('can be entered past its header by the keyboard', async () => {
    await visit.page.keyboard.press('Tab');
    await visit.page.getByRole('link', { name: 'Skip to the board' }).and(visit.page.locator(':focus')).waitFor();
    await visit.page.keyboard.press('Enter');
    await visit.page.keyboard.press('Tab');

    await visit.board.locator(':focus').waitFor();
  });

  it('cuts no column at 1280', async () => {
    const board = await visit.board.boundingBox();
    const last = await visit.column('done').boundingBox();

    expect((last?.x ?? Infinity) + (last?.width ?? 0)).toBeLessThanOrEqual((board?.x ?? 0) + (board?.width ?? 0));
  });
});
