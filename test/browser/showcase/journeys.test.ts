import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refused, showcaseOfFile, type Visit } from '../../support/showcase.js';

/** The newest issues of the seed. */
const newest = 'Redraw the weekly digest';
const second = 'Translate the keyboard shortcuts on small screens';
const doing = 'Explain the dark theme';

const showcase = await showcaseOfFile('development');
let visit: Visit;
/** What a test expects the console to say. */
let expected: string[];

beforeEach(async () => {
  expected = [];
  visit = await showcase.visitAsAda();
});
afterEach(async () => {
  try {
    const complained = visit.complaints.map((text) => expected.find((one) => text.startsWith(one)) ?? text);
    expect(new Set(complained)).toEqual(new Set(expected));
    expect(await visit.leaks()).toEqual([]);
  } finally {
    await visit.page.context().close();
  }
});

describe('An issue', () => {
  it('is edited in three places at once, before the server has answered', async () => {
    await visit.openIssue(newest);
    await visit.hold('writes');
    await visit.retitle('Draw it again');

    await visit.card('Draw it again').waitFor();
    await visit.row('Draw it again').waitFor();
    await visit.issue.getByText('saving…').waitFor();
    expect(await visit.title().inputValue()).toBe('Draw it again');

    await visit.decide('PATCH /api/issues/2000', 'now');
    await visit.settled();
    await visit.page.reload();
    await visit.card('Draw it again').waitFor();
  });

  it('is edited while it is being created, and the focus and what is typed outlive the answer', async () => {
    await visit.hold('writes');
    await visit.list.getByRole('button', { name: 'New issue' }).click();
    await visit.list.getByLabel('Title').fill('Count to ten');
    await visit.list.getByLabel('docs').check();
    await visit.list.getByRole('button', { name: 'Create' }).click();
    await visit.column('todo').getByRole('link', { name: 'Count to ten' }).click();
    await visit.decide('POST /api/issues', 'later');
    await visit.title().click();
    await visit.title().press('End');
    await visit.page.keyboard.type(' thousand');

    await visit.issue.getByText('#2001').waitFor();
    expect(await visit.title().inputValue()).toBe('Count to ten thousand');
    expect(await visit.title().evaluate((element) => element === document.activeElement)).toBe(true);

    await visit.page.keyboard.press('Enter');
    await visit.decide('PATCH /api/issues/2001', 'now');
    await visit.settled();
    await visit.page.reload();
    await visit.row('Count to ten thousand').waitFor();
  });

  it('is sent what was edited while it was being created, once the server knows it', async () => {
    await visit.hold('writes');
    await visit.list.getByRole('button', { name: 'New issue' }).click();
    await visit.list.getByLabel('Title').fill('Count to ten');
    await visit.list.getByRole('button', { name: 'Create' }).click();
    await visit.column('todo').getByRole('link', { name: 'Count to ten' }).click();
    await visit.retitle('Count to twelve');
    await visit.issue.getByLabel('Status').selectOption('doing');
    await visit.column('doing').getByRole('link', { name: 'Count to twelve' }).waitFor();
    expect(visit.asked.filter((one) => one.startsWith('PATCH'))).toEqual([]);

    await visit.hold('nothing');
    await visit.settled();
    expect(visit.asked.filter((one) => one.startsWith('PATCH'))).toEqual(Array(2).fill('PATCH /api/issues/2001'));
    await visit.page.reload();
    await visit.column('doing').getByRole('link', { name: 'Count to twelve' }).waitFor();
  });

  it('is moved by the arrow keys, and the focus goes with it', async () => {
    await visit.hold('writes');
    await visit.card(newest).focus();
    await visit.page.keyboard.press('ArrowRight');
    await visit.column('doing').getByRole('link', { name: newest }).and(visit.page.locator(':focus')).waitFor();
    await visit.page.keyboard.press('ArrowRight');

    await visit.column('done').getByRole('link', { name: newest }).and(visit.page.locator(':focus')).waitFor();
    expect(await visit.column('todo').getByRole('link', { name: newest }).count()).toBe(0);

    await visit.hold('nothing');
    await visit.settled();
    await visit.page.reload();
    await visit.column('done').getByRole('link', { name: newest }).waitFor();
  });

  it('is moved by dragging', async () => {
    await visit.card(newest).dragTo(visit.column('done').getByRole('list'));

    await visit.column('done').getByRole('link', { name: newest }).waitFor();
    await visit.list.getByRole('link', { name: newest }).filter({ hasText: 'done' }).waitFor();
  });

  it('goes from everywhere when it is deleted, and comes back to its place when that fails', async () => {
    expected = [];
    await visit.openIssue(second);
    await visit.hold('writes');
    await visit.issue.getByRole('button', { name: 'Delete issue' }).click();
    await visit.card(second).waitFor({ state: 'detached' });
    await visit.row(second).waitFor({ state: 'detached' });

    await visit.decide('DELETE /api/issues/1999', 'fail');
    await visit.kept('#1999: deleted').getByText('The issue was not deleted').waitFor();
    const [first, next] = await visit.column('todo').getByRole('link').allTextContents();
    expect([first, next]).toEqual([newest, second]);

    await visit.openIssue(second);
    await visit.issue.getByRole('button', { name: 'Delete issue' }).click();
    await visit.decide('DELETE /api/issues/1999', 'now');
    await visit.settled();
    await visit.page.reload();
    await visit.card(newest).waitFor();
    expect(await visit.row(second).count()).toBe(0);
  });

  it('shows a comment in place, before and after it is confirmed, until it is deleted', async () => {
    await visit.openIssue(newest);
    await visit.hold('writes');
    await visit.issue.getByLabel('New comment').fill('I will do it.');
    await visit.issue.getByLabel('New comment').press('Enter');
    await visit.issue.getByText('3 comments').waitFor();

    await visit.hold('nothing');
    await visit.settled();
    await visit.issue.getByRole('button', { name: 'Delete comment: I will do it.' }).click();
    await visit.issue.getByText('2 comments').waitFor();
  });
});

describe('A form', () => {
  it('says beside the field what the server refuses, keeps what was typed, and the issue goes again', async () => {
    expected = [refused(422)];
    await visit.hold('writes');
    await visit.list.getByRole('button', { name: 'New issue' }).click();
    await visit.list.getByLabel('Title').fill(newest);
    await visit.list.getByLabel('What is it about?').fill('We need it asap.');
    await visit.list.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => visit.card(newest).count()).toBe(2);

    await visit.hold('nothing');
    await visit.list.getByText('Another issue has this title already.').waitFor();
    await visit.list.getByText('Say by when, and why.').waitFor();
    expect(await visit.card(newest).count()).toBe(1);
    expect(await visit.list.getByLabel('Title').inputValue()).toBe(newest);
    await visit.list.getByLabel('Title').and(visit.page.locator(':focus')).waitFor();
  });
});

describe('A list', () => {
  it('of 2 000 issues is fetched as it is scrolled, and few rows of it are in the page', async () => {
    const scroller = visit.page.locator('.scroller');
    const count = visit.list.getByText(/^\d+\+? issues$/);
    await expect.poll(() => count.textContent()).toBe('30+ issues');

    for (const sum of ['60+ issues', '90+ issues', '120+ issues']) {
      await scroller.evaluate((element) => {
        element.scrollTop = element.scrollHeight;
      });
      await expect.poll(() => count.textContent()).toBe(sum);
    }
    expect(await visit.list.getByRole('listitem').count()).toBeLessThan(40);
  });

  it('is searched, and filtered', async () => {
    await visit.list.getByLabel('Search').fill('moth');
    await visit.list.getByText('Nothing found.').waitFor();
    await visit.list.getByLabel('Search').fill('undo stack');
    await visit.row('Guard the undo stack').first().waitFor();
    await visit.list.getByLabel('Label').selectOption('speed');
    await visit.list.getByLabel('Status').selectOption('done');

    await expect
      .poll(async () => {
        const rows = await visit.list.getByRole('listitem').allTextContents();
        return rows.length > 0 && rows.every((row) => /undo stack.*done.*speed/.test(row));
      })
      .toBe(true);
  });

  it('has details at hand that the pointer came near', async () => {
    await visit.row(doing).hover();
    await expect.poll(() => visit.asked).toContain('GET /api/issues/1994');
    await visit.settled();
    const asked = visit.asked.length;

    await visit.row(doing).click();
    await visit.issue.getByText('comments').waitFor();
    expect(visit.asked.slice(asked).filter((one) => one.includes('1994'))).toEqual([]);
  });
});

describe('Who comes for the first time', () => {
  it('is in the board, and nothing is counted that is not there yet', async () => {
    const answers: (() => void)[] = [];
    const late = new Promise<void>((resolve) => answers.push(resolve));
    await visit.page.route(/\/api\/issues(\?|$)/, async (route) => {
      await late;
      await route.continue();
    });
    await visit.page.context().clearCookies();
    await visit.page.reload();
    await expect.poll(() => visit.column('todo').getByRole('heading').textContent()).toBe('todo …');
    await visit.list.getByText('Loading…').waitFor();
    expect(await visit.page.locator('.figures').textContent()).not.toMatch(/\d/);

    for (const answer of answers) answer();
    await visit.card(newest).waitFor();
    expect(await visit.column('todo').getByRole('heading').textContent()).toBe('todo 30+');
    expect(await visit.page.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
  });

  it('stays signed out after signing out, also when the page is loaded again', async () => {
    await visit.inAccount('Sign out');
    await visit.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await visit.page.reload();
    await visit.signIn();
    await visit.page.getByRole('button', { name: 'Account of Ada' }).waitFor();
  });
});

describe('A session', () => {
  it('gets one new token for all requests that were refused when the old one expired', async () => {
    expected = [refused(401)];
    await visit.inAccount('Expire my token');
    await expect.poll(() => visit.asked).toContain('POST /api/session/expire');
    const asked = visit.asked.length;

    // Four at once, of those that the pointer has not been near.
    await visit.column('backlog').evaluate((column) => {
      for (const link of [...column.querySelectorAll('a')].slice(4, 8))
        link.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    });
    await expect.poll(() => visit.asked.slice(asked)).toContain('POST /api/session/token');
    await visit.settled();
    const since = visit.asked.slice(asked);
    expect(since.filter((one) => one.includes('/session'))).toEqual(['POST /api/session/token']);
    expect(new Set(since.filter((one) => one.startsWith('GET /api/issues/'))).size).toBe(4);
    expect(await visit.timeline.locator('[data-state=rejected]').count()).toBe(0);
  });

  it('that is over asks to sign in again, and then goes on', async () => {
    expected = [refused(401)];
    await visit.inAccount('End my session');
    await expect.poll(() => visit.asked).toContain('POST /api/session/end');
    const asked = visit.asked.length;
    await visit.card(doing).click();

    await visit.page.getByText('Your session is over.').waitFor();
    expect(visit.asked.slice(asked).filter((one) => one === 'POST /api/session/token')).toHaveLength(1);
    await visit.signIn();
    await visit.openIssue(doing);
  });

  it('keeps every password and every token out of actions and state', async () => {
    expected = [refused(401)];
    await visit.inAccount('Expire my token');
    await expect.poll(() => visit.asked).toContain('POST /api/session/expire');
    await visit.openIssue(newest);
    await visit.inAccount('End my session');
    await expect.poll(() => visit.asked).toContain('POST /api/session/end');
    await visit.card(doing).click();
    await visit.page.getByText('Your session is over.').waitFor();
    await visit.signIn();

    expect(visit.tokens.size).toBe(3);
    expect(await visit.leaks()).toEqual([]);
  });

  it('leaves nothing behind when it is signed out of', async () => {
    await visit.openIssue(newest);
    await visit.inAccount('Sign out');
    await visit.page.getByLabel('Name').fill('Grace');
    await visit.page.getByLabel('Password').fill('hopper');
    const asked = visit.asked.length;

    await visit.signIn();
    await visit.page.getByRole('button', { name: 'Account of Grace' }).waitFor();
    expect(visit.asked.slice(asked)).toContain('GET /api/issues');
    expect(await visit.issue.getByRole('heading', { name: 'Try this' }).count()).toBe(1);
    expect(await visit.bar('/api/issues/2000').count()).toBe(0);
  });

  it('goes on, and says so, when the server cannot end it', async () => {
    expected = [refused(503)];
    await visit.page.route('**/api/session', (route) => route.fulfill({ status: 503 }));
    await visit.inAccount('Sign out');

    await visit.page.getByRole('alert').filter({ hasText: 'You were not signed out' }).waitFor();
    await visit.openIssue(newest);
  });

  it('is refused with a word for the field that is wrong', async () => {
    expected = [refused(422)];
    await visit.inAccount('Sign out');
    await visit.page.getByLabel('Password').fill('byron');
    await visit.page.getByRole('button', { name: 'Sign in' }).click();

    await visit.page.getByText('That is another password.').waitFor();
  });
});

describe('A second user', () => {
  it('is seen to move, to comment and to create, in every place', async () => {
    await visit.openIssue(newest);
    const once = visit.page.getByRole('button', { name: 'once' });

    await once.click();
    await visit.column('doing').getByRole('link', { name: newest }).waitFor();
    expect(await visit.issue.getByLabel('Status').inputValue()).toBe('doing');
    await once.click();
    await visit.issue.getByText('I am on it.').waitFor();
    await once.click();
    await visit.column('todo').getByRole('link', { name: 'Look into moth no. 2' }).waitFor();
    await visit.row('Look into moth no. 2').waitFor();
    await visit
      .bar(/^set, /)
      .first()
      .waitFor();
  });

  it('changes nothing by messages that are not whole', async () => {
    const messages = [
      { type: 'changed', issue: { id: 2000, title: 7 } },
      { type: 'changed', issue: { title: 'Whose?' } },
      { type: 'created', issue: { id: 2001, title: 'Half of an issue', status: 'todo' } },
      { type: 'removed', id: 2000 },
      { type: 'changed', issue: { id: 1999, title: 'Told by the server' } },
    ];
    const body = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
    await visit.page.route('**/api/events?*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await visit.page.reload();

    // The timeline has what every message brought; lists are fetched again meanwhile.
    await visit.row('Told by the server').or(visit.card('Told by the server')).first().waitFor();
    await visit
      .bar(/^set, /)
      .first()
      .click();
    const brought = visit.timeline.getByRole('region', { name: 'Details' }).getByRole('listitem');
    // It may have come before the list that has the issue, too.
    expect(await brought.allTextContents()).toEqual([
      expect.stringMatching(/^Issue 1999: (id `1999`, )?title `Told by the server`$/),
    ]);
    expect(await visit.bar(/^setResponse, /).count()).toBe(0);
  });
});

describe('Without a connection', () => {
  it.for(['the switch', 'the browser'] as const)(
    'edits show at once, and are sent when it is back (by %s)',
    async (which) => {
      const setOffline = (isOffline: boolean) =>
        which === 'the browser' ? visit.page.context().setOffline(isOffline) : visit.toggleConnection();
      await visit.openIssue(newest);
      await setOffline(true);
      await visit.retitle('Written on the train');
      await visit.issue.getByLabel('Status').selectOption('done');
      await visit.column('done').getByRole('link', { name: 'Written on the train' }).waitFor();
      await visit.issue.getByText('waits to be sent').waitFor();
      expect(visit.asked.filter((one) => one.startsWith('PATCH'))).toEqual([]);

      await setOffline(false);
      await visit.settled();
      expect(visit.asked.filter((one) => one.startsWith('PATCH'))).toHaveLength(2);
      await visit.page.reload();
      await visit.column('done').getByRole('link', { name: 'Written on the train' }).waitFor();
    },
  );

  it('what others did is there when it is back', async () => {
    await visit.toggleConnection();
    await visit.page.getByRole('button', { name: 'once' }).click();
    await expect.poll(() => visit.asked).toContain('POST /api/colleague/act');
    expect(await visit.column('doing').getByRole('link', { name: newest }).count()).toBe(0);

    await visit.toggleConnection();
    await visit.column('doing').getByRole('link', { name: newest }).waitFor();
  });
});
