import axe from 'axe-core';
import { afterEach, describe, expect, it } from 'vitest';
import { refused, showcaseOfFile, type Visit } from '../../support/showcase.js';

const showcase = await showcaseOfFile();
let visit: Visit | undefined;

afterEach(async () => {
  await visit?.page.context().close();
});

describe.each(['light', 'dark'] as const)('In the %s theme', (colorScheme) => {
  it('nothing keeps anybody out', async () => {
    visit = await showcase.visitAsAda({ colorScheme });
    await visit.inAccount('Sign out');
    await visit.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await violations(visit)).toEqual([]);

    await visit.signIn();
    await visit.openIssue('Redraw the weekly digest');
    await visit.hold('writes');
    await visit.issue.getByLabel('Status').selectOption('done');
    await visit.held('PATCH /api/issues/2000').waitFor();
    await visit.list.getByRole('button', { name: 'New issue' }).click();
    await visit.list.getByLabel('What is it about?').fill('asap');
    await visit.list.getByRole('button', { name: 'Create' }).click();
    await visit.held('POST /api/issues').waitFor();
    expect(await violations(visit)).toEqual([]);

    await visit.decide('PATCH /api/issues/2000', 'fail');
    await visit.decide('POST /api/issues', 'now');
    await visit.list.getByText('Say by when, and why.').waitFor();
    await visit.toggleConnection();
    await visit.page.getByRole('button', { name: 'Account of Ada' }).click();
    expect(await violations(visit)).toEqual([]);

    await visit.page.keyboard.press('Escape');
    await visit.timeline.getByRole('button', { name: 'Beside RTK Query' }).click();
    await visit.timeline.getByLabel('Scene').first().selectOption('Two deletions fail');
    for (let step = 1; step <= 4; step++) await visit.timeline.getByRole('button', { name: 'Next step' }).click();
    await visit.timeline.getByText('wrong').waitFor();
    expect(await violations(visit)).toEqual([]);
    expect(visit.complaints.filter((text) => !text.startsWith(refused(422)))).toEqual([]);
  });
});

describe('The question about a conflict', () => {
  it('keeps nobody out', async () => {
    visit = await showcase.visitAsAda();
    await visit.openIssue('Redraw the weekly digest');
    const body = visit.issue.getByRole('textbox', { name: 'Body' });
    await visit.page.route('**/api/issues/2000', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 412, json: { title: 'Changed.' } })
        : route.fulfill({ json: { id: 2000, body: 'Theirs' }, headers: { ETag: '"other"' } }),
    );
    await body.fill('Mine');
    await body.press('Control+Enter');
    await visit.page.getByRole('dialog').waitFor();

    expect(await violations(visit)).toEqual([]);
  });
});

describe('On a phone', () => {
  it('each pane has the screen to itself, fits it, and keeps nobody out', async () => {
    visit = await showcase.visitAsAda({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page, board, list, issue, timeline } = visit;
    const tab = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    expect(await violations(visit)).toEqual([]);

    await tab('list');
    await list.getByRole('link').nth(1).click();
    await issue.getByLabel('Title').waitFor();
    expect(await Promise.all([board, list, timeline].map((pane) => pane.isVisible()))).toEqual([false, false, false]);
    expect(await violations(visit)).toEqual([]);

    for (const name of ['list', 'timeline']) {
      await tab(name);
      expect(await violations(visit)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(visit.complaints).toEqual([]);
  });
});

/** What axe finds wrong with the page, in words. */
async function violations({ page }: Visit): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => (await window.axe.run()).violations);
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
