import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showcaseOfFile, type Visit } from '../../support/showcase.js';

const newest = 'Redraw the weekly digest';
const patch = 'PATCH /api/issues/2000';

const showcase = await showcaseOfFile();
let visit: Visit;

beforeEach(async () => {
  visit = await showcase.visitAsAda();
});
afterEach(async () => {
  try {
    expect(visit.complaints).toEqual([]);
  } finally {
    await visit.page.context().close();
  }
});

describe('The timeline', () => {
  beforeEach(async () => {
    await visit.openIssue(newest);
    await visit.hold('writes');
  });

  it('tells what a request has shown, and what it has brought', async () => {
    await visit.retitle('Draw it again');
    await visit.bar(`${patch}, `).click();
    const details = visit.timeline.getByRole('region', { name: 'Details' });
    await details.getByText(/^Issue 2000: .*title `Draw it again`/).waitFor();

    await visit.decide(patch, 'now');
    await details.getByRole('heading', { name: 'Brought' }).waitFor();
  });

  it('has the first of two edits answered last, and the second stays', async () => {
    await visit.retitle('One');
    // The first write of a tab has it lead; what is made until then is sent one after the other.
    await visit.held(patch).waitFor();
    await visit.retitle('Two');
    await expect.poll(() => visit.held(patch).count()).toBe(2);
    await visit.held(patch).last().getByRole('button', { name: 'last' }).click();
    await visit.timeline.getByText('answered last').waitFor();
    expect(await visit.title().inputValue()).toBe('Two');

    await visit.decide(patch, 'now');
    await visit.settled();
    expect(await visit.title().inputValue()).toBe('Two');
    await visit.page.reload();
    await visit.card('Two').waitFor();
  });

  it('has the first of two edits fail, and the second stays', async () => {
    await visit.retitle('One');
    // The first write of a tab has it lead; what is made until then is sent one after the other.
    await visit.held(patch).waitFor();
    await visit.retitle('Two');
    await expect.poll(() => visit.held(patch).count()).toBe(2);
    await visit.decide(patch, 'now');
    await visit.decide(patch, 'fail');

    await visit.kept('#2000: title').getByText('The change was not saved: Refused by hand').waitFor();
    await visit.settled();
    await visit.card('Two').waitFor();
    expect(await visit.title().inputValue()).toBe('Two');
  });

  it('loses the answer to an edit that the server has done, and it is sent again', async () => {
    await visit.retitle('Done, but who knows');
    await visit.decide(patch, 'lose');
    await visit.kept('#2000: title').getByText('no answer yet, is sent again').waitFor();
    await visit.decide(patch, 'now');

    await visit.settled();
    await visit.outbox.waitFor({ state: 'detached' });
    await visit.card('Done, but who knows').waitFor();
    expect(await visit.title().inputValue()).toBe('Done, but who knows');
  });

  it('holds a read that was sent before an edit, and its answer takes nothing back', async () => {
    await visit.hold('everything');
    await visit.list.getByLabel('Status').selectOption('todo');
    await visit.list.getByLabel('Label').selectOption('docs');
    const read = 'GET /api/issues?label=docs&status=todo';
    await visit.held(read).waitFor();
    await visit.retitle('Newer than the list');
    await visit.decide(patch, 'now');

    await visit.decide(read, 'now');
    await visit.row('Newer than the list').waitFor();
    expect(await visit.row(newest).count()).toBe(0);
  });
});

describe('Beside RTK Query', () => {
  it.for([
    [
      'The first of two edits fails, late',
      ['right right late', 'right right late', 'right right late', 'right wrong right'],
    ],
    [
      'A poll is answered after a later edit',
      ['right right right', 'right right late', 'right right late', 'right wrong right'],
    ],
    [
      'A poll is answered while an edit is pending',
      ['right right late', 'right right late', 'right wrong late', 'right right right'],
    ],
    ['Two deletions fail', ['right right late', 'right right late', 'right wrong late', 'right wrong right']],
  ] as const)('the scene “%s” shows who is right, step by step', async ([scene, verdicts]) => {
    await visit.timeline.getByRole('button', { name: 'Beside RTK Query' }).click();
    await visit.timeline.getByLabel('Scene').first().selectOption(scene);

    for (const verdict of verdicts) {
      await visit.timeline.getByRole('button', { name: 'Next step' }).click();
      await expect
        .poll(async () => (await visit.timeline.getByRole('status').allTextContents()).join(' '))
        .toBe(verdict);
    }
  });
});
