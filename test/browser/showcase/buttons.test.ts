import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refused, showcaseOfFile, type Visit } from '../../support/showcase.js';

const newest = 'Redraw the weekly digest';
const patch = 'PATCH /api/issues/2000';

const showcase = await showcaseOfFile();
let visit: Visit;
/** What a test expects the console to say. */
let expected: string[];

beforeEach(async () => {
  expected = [];
  visit = await showcase.visitAsAda();
});
afterEach(async () => {
  try {
    expect(visit.complaints.filter((text) => !expected.some((one) => text.startsWith(one)))).toEqual([]);
  } finally {
    await visit.page.context().close();
  }
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

/** The server fails for an address, until it is told to answer again. */
async function breakServer(address: string | RegExp): Promise<() => Promise<void>> {
  expected = [refused(503)];
  await visit.page.route(address, (route) => route.fulfill({ status: 503, json: { title: 'Out of order.' } }));
  return () => visit.page.unroute(address);
}

describe('A new issue', () => {
  it('has the column and the labels that were chosen', async () => {
    await button('New issue').click();
    await visit.list.getByLabel('Title').fill('Count to ten');
    for (const label of ['bug', 'docs', 'idea', 'speed', 'a11y']) await visit.list.getByLabel(label).check();
    await visit.list.getByLabel('Column').selectOption('doing');
    await button('Create').click();

    const card = visit.column('doing').getByRole('listitem').filter({ hasText: 'Count to ten' });
    for (const label of ['bug', 'docs', 'idea', 'speed', 'a11y']) await card.getByText(label).waitFor();
    await visit.list.getByRole('form', { name: 'New issue' }).waitFor({ state: 'detached' });
  });

  it('is none when the form is cancelled', async () => {
    await button('New issue').click();
    await visit.list.getByLabel('Title').fill('Count to ten');
    await button('Cancel').click();

    await visit.list.getByRole('form', { name: 'New issue' }).waitFor({ state: 'detached' });
    expect(await visit.card('Count to ten').count()).toBe(0);
  });
});

describe('An open issue', () => {
  it('is given to somebody, and has labels put on and taken off', async () => {
    await visit.openIssue(newest);
    const card = visit.column('todo').getByRole('listitem').filter({ hasText: newest });
    await visit.issue.getByLabel('Assignee').selectOption('Grace');
    await card.getByRole('img', { name: 'Grace' }).waitFor();
    for (const label of ['bug', 'idea', 'speed', 'a11y']) {
      await visit.issue.getByRole('button', { name: label }).click();
      await card.getByText(label).waitFor();
    }
    await visit.issue.getByRole('button', { name: 'docs' }).click();
    await card.getByText('docs').waitFor({ state: 'detached' });

    await visit.settled();
    await visit.page.reload();
    await card.getByRole('img', { name: 'Grace' }).waitFor();
    expect(await card.getByText('docs').count()).toBe(0);
    await card.getByText('a11y').waitFor();
  });

  it('is commented on by the button', async () => {
    await visit.openIssue(newest);
    await visit.issue.getByLabel('New comment').fill('By mouse.');
    await visit.issue.getByRole('button', { name: 'Comment', exact: true }).click();

    await visit.issue.getByText('3 comments').waitFor();
  });
});

describe('What could not be loaded', () => {
  it('is asked for again: who is signed in', async () => {
    const mend = await breakServer('**/api/session');
    await visit.page.reload();
    await visit.page.getByRole('alert').filter({ hasText: 'Out of order.' }).waitFor();

    await mend();
    await button('Try again').click();
    await visit.arrived();
  });

  it('is asked for again: a column, the list, and an issue', async () => {
    const mend = await breakServer(/\/api\/issues/);
    await visit.page.goto(`${visit.page.url()}#/issue/2000`);
    await visit.page.reload();
    for (const place of [visit.column('todo'), visit.list, visit.issue])
      await place.getByRole('alert').filter({ hasText: 'Out of order.' }).waitFor();

    await mend();
    // The issue first: what a list brings of it shows it, too.
    for (const place of [visit.issue, visit.column('todo'), visit.list]) {
      await place.getByRole('button', { name: 'Try again' }).click();
      await place.getByRole('alert').waitFor({ state: 'detached' });
    }
    await visit.card(newest).waitFor();
    await visit.row(newest).waitFor();
    await visit.title().waitFor();
  });

  it('is asked for again: the next page of the list', async () => {
    const mend = await breakServer(/\/api\/issues\?after/);
    await visit.page.locator('.scroller').evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await visit.list.getByText('Out of order.').waitFor();
    await visit.list.getByText('30+ issues').waitFor();

    await mend();
    await visit.list.getByRole('button', { name: 'Try again' }).click();
    await visit.list.getByText('60+ issues').waitFor();
  });
});

describe('A column', () => {
  it('loads more of its issues', async () => {
    await visit.column('todo').getByRole('button', { name: 'More' }).click();

    await expect.poll(() => visit.column('todo').getByRole('heading').textContent()).toBe('todo 60+');
  });
});

describe('The header', () => {
  it('has Grace work by herself, also when the page is loaded again, until she is stopped', async () => {
    const grace = visit.page.getByRole('switch', { name: 'Grace works' });
    await grace.click();
    await visit.column('doing').getByRole('link', { name: newest }).waitFor();
    await visit.page.reload();
    await visit.page.getByRole('switch', { name: 'Grace works', checked: true }).click();

    await visit.page.getByRole('switch', { name: 'Grace works', checked: false }).waitFor();
    await visit.settled();
    await visit.page.reload();
    await visit.arrived();
    expect(await grace.isChecked()).toBe(false);
  });

  it('changes the theme', async () => {
    const colors = async (): Promise<string[]> => [
      await visit.board.evaluate((element) => getComputedStyle(element).color),
      await visit.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    ];
    const light = await colors();
    await button('Theme: system').click();
    expect(await colors()).toEqual(light);
    await button('Theme: light').click();
    expect(await colors()).not.toEqual(light);

    await button('Theme: dark').click();
    await button('Theme: system').waitFor();
    expect(await colors()).toEqual(light);
  });
});

describe('A notice', () => {
  it('goes when it is dismissed', async () => {
    await visit.openIssue(newest);
    await visit.issue.getByRole('button', { name: 'Delete issue' }).click();
    await visit.page.getByText(`“${newest}” is deleted.`).waitFor();
    await button('Dismiss').click();

    await visit.page.getByText(`“${newest}” is deleted.`).waitFor({ state: 'detached' });
    expect(await visit.card(newest).count()).toBe(0);
  });
});

describe('The timeline', () => {
  it('answers all that is held', async () => {
    await visit.openIssue(newest);
    await visit.hold('writes');
    await visit.retitle('One');
    await visit.held(patch).waitFor();
    await visit.issue.getByLabel('New comment').fill('Two');
    await visit.issue.getByLabel('New comment').press('Enter');
    await visit.held('POST /api/issues/2000/comments').waitFor();
    await button('Answer all').click();

    await visit.held(patch).waitFor({ state: 'detached' });
    await visit.settled();
    await visit.page.reload();
    await visit.card('One').click();
    await visit.issue.getByText('Two', { exact: true }).waitFor();
  });

  it('gives way to a scene that plays by itself, and comes back', async () => {
    await button('Beside RTK Query').click();
    await visit.timeline.getByLabel('Scene').first().selectOption('Two deletions fail');
    await button('Play it').click();
    const verdicts = visit.timeline.getByRole('status');
    await expect.poll(async () => (await verdicts.allTextContents()).join(' ')).toBe('right wrong right');
    await expect.poll(() => button('Next step').isDisabled()).toBe(true);

    await button('Back to the timeline').click();
    await visit.timeline.getByRole('radio', { name: 'writes' }).waitFor();
  });
});

describe('On a phone', () => {
  it('each tab shows its pane', async () => {
    await visit.page.setViewportSize({ width: 390, height: 844 });
    const { board, list, issue, timeline } = visit;
    const panes = { list, issue, timeline, board };

    for (const [name, pane] of Object.entries(panes)) {
      await visit.page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await pane.waitFor();
      const seen = await Promise.all(Object.values(panes).map((one) => one.isVisible()));
      expect(seen).toEqual(Object.values(panes).map((one) => one === pane));
    }
  });
});
