import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { nameControls } from '../../support/controls.js';
import { showcaseOfFile, type Visit } from '../../support/showcase.js';

const newest = 'Redraw the weekly digest';
const patch = 'PATCH /api/issues/2000';

const showcase = await showcaseOfFile();
let visit: Visit;
const found = new Set<string>();

/** What each control is called, as a pattern, and its journey. */
async function table(): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(`${import.meta.dirname}/controls.json`, 'utf8')) as Record<string, string>;
}

afterEach(() => visit.page.context().close());

/** Notes the controls that are seen now. The devtools are not of the showcase: they have tests of their own, and a shadow root. */
async function look(): Promise<void> {
  await visit.page.evaluate(nameControls);
  const names = await visit.page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea, a[href], [draggable=true]')]
      .filter((element) => element.checkVisibility() && !element.closest('[inert]'))
      .flatMap((element) => window.controlNames(element)),
  );
  for (const name of names) found.add(name);
}

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

async function lookAtIssues(): Promise<void> {
  await look();
  await button('Account of Ada').click();
  await look();
  await visit.page.keyboard.press('Escape');
  await button('New issue').click();
  await visit.openIssue(newest);
  await visit.issue.getByLabel('New comment').fill('Mine.');
  await button('Comment').click();
  await button('Delete comment: Mine.').waitFor();
  await look();
  await visit.issue.getByRole('button', { name: 'Delete issue' }).click();
  await button('Undo').waitFor();
  await look();
  await button('Undo').click();
}

async function lookAtWhatIsHeld(): Promise<void> {
  await visit.openIssue(newest);
  await visit.hold('writes');
  await visit.retitle('Draw it again');
  await visit.held(patch).waitFor();
  await look();
  await visit.decide(patch, 'fail');
  await visit.outbox.getByRole('button', { name: 'Change' }).waitFor();
  await look();
  await visit.outbox.getByRole('button', { name: 'Change' }).click();
  await look();
  await visit.outbox.getByRole('button', { name: 'Cancel' }).click();
  await visit.outbox.getByRole('button', { name: 'Discard' }).click();
  await visit.hold('nothing');
}

async function lookAtConflict(): Promise<void> {
  await visit.page.route('**/api/issues/2000', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 412, json: { title: 'Changed.' } })
      : route.fulfill({ json: { id: 2000, body: 'Theirs' }, headers: { ETag: '"other"' } }),
  );
  const body = visit.issue.getByRole('textbox', { name: 'Body' });
  await body.fill('Mine');
  await body.press('Control+Enter');
  await visit.page.getByRole('dialog').waitFor();
  await look();
  await button('Keep theirs').click();
  await visit.page.unroute('**/api/issues/2000');
}

async function lookAtScenes(): Promise<void> {
  await button('A card moves, and comes back').click();
  await visit.page.getByRole('region', { name: 'Stories' }).getByRole('button', { name: 'Close' }).waitFor();
  await look();
  await button('Beside RTK Query').click();
  await visit.timeline.getByLabel('Scene').first().selectOption({ index: 1 });
  await look();
  await button('Back to the timeline').click();
  await visit.toggleConnection();
  await look();
  await visit.toggleConnection();
}

async function lookAtTrouble(): Promise<void> {
  await visit.page.setViewportSize({ width: 390, height: 844 });
  await look();
  await visit.page.setViewportSize({ width: 1440, height: 900 });
  await visit.page.route(/\/api\/issues/, (route) => route.fulfill({ status: 503, json: {} }));
  await visit.page.reload();
  for (const place of [visit.column('todo'), visit.list, visit.issue])
    await place.getByRole('button', { name: 'Try again' }).waitFor();
  await look();
  await visit.page.route('**/api/session', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  await visit.page.reload();
  await button('Try again').waitFor();
  await look();
  await visit.page.unrouteAll();
  await visit.page.reload();
  await visit.inAccount('Sign out');
  await button('Sign in').waitFor();
  await look();
}

/** The journeys that there are, each as a pattern of its title. */
async function journeys(): Promise<RegExp[]> {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts'));
  const sources = await Promise.all(files.map((name) => readFile(`${import.meta.dirname}/${name}`, 'utf8')));
  return sources
    .flatMap((source) => [...source.matchAll(/^\s+(?:\] as const\)|\]\)|it)\(\s*'((?:[^'\\]|\\.)+)'/gm)])
    .map(
      ([, title = '']) =>
        new RegExp(`^${title.replaceAll(/[.*+?^${}()|[\]]/g, '\\$&').replaceAll(/%s|\\\$\w+/g, '.+')}$`),
    );
}

describe('Every control of the showcase', () => {
  it('has a journey that fails when it does nothing', async () => {
    visit = await showcase.visitAsAda();
    await lookAtIssues();
    await lookAtWhatIsHeld();
    await lookAtConflict();
    await lookAtScenes();
    await lookAtTrouble();

    const journeyOf = await table();
    const patterns = Object.keys(journeyOf).map((name) => new RegExp(`^(?:${name})$`));
    expect([...found].filter((name) => !patterns.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(patterns.filter((pattern) => ![...found].some((name) => pattern.test(name)))).toEqual([]);
    const titles = await journeys();
    expect(Object.values(journeyOf).filter((journey) => !titles.some((title) => title.test(journey)))).toEqual([]);
  });
});
