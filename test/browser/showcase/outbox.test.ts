import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refused, showcaseOfFile, type Visit } from '../../support/showcase.js';

const newest = 'Redraw the weekly digest';
const second = 'Translate the keyboard shortcuts on small screens';
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

/** What was written since a visit began, in the order in which it was sent. */
const written = (): string[] => visit.asked.filter((one) => /^(?:POST|PATCH|DELETE) \/api\/issues/.test(one));

async function create(title: string): Promise<void> {
  await visit.list.getByRole('button', { name: 'New issue' }).click();
  await visit.list.getByLabel('Title').fill(title);
  await visit.list.getByRole('button', { name: 'Create' }).click();
}

async function comment(text: string): Promise<void> {
  await visit.issue.getByLabel('New comment').fill(text);
  await visit.issue.getByLabel('New comment').press('Enter');
  await visit.issue.getByText(text).waitFor();
}

describe('Without a connection', () => {
  it('what was created, edited, moved and said is there, marked, when the tab is opened again, and goes out in order', async () => {
    await visit.openIssue(second);
    await visit.openIssue(newest);
    await visit.toggleConnection();
    await create('Written on the train');
    await visit.column('todo').getByRole('link', { name: 'Written on the train' }).click();
    await expect.poll(() => visit.title().inputValue()).toBe('Written on the train');
    await visit.retitle('Written in the tunnel');
    await comment('Nobody hears me.');
    await visit.openIssue(newest);
    await visit.retitle('Draw it again');
    await comment('Neither here.');
    await visit.card('Draw it again').waitFor();
    await visit.card(second).press('ArrowRight');
    await visit.outbox.getByText('6 changes to be sent, once you are online. You may close the tab.').waitFor();

    visit = await showcase.reopen(visit);
    await visit.arrived();
    await visit.outbox.getByText('6 changes to be sent').waitFor();
    for (const title of ['Written in the tunnel', 'Draw it again', second]) {
      await visit.board.getByRole('listitem').filter({ hasText: title }).getByText('waits').waitFor();
      await visit.row(title).first().getByText('waits').waitFor();
    }
    await visit.column('doing').getByRole('link', { name: second }).waitFor();
    await visit.card('Written in the tunnel').click();
    await visit.issue.getByRole('listitem').filter({ hasText: 'Nobody hears me.' }).getByText('waits').waitFor();
    await visit.card('Draw it again').click();
    await visit.issue.getByRole('listitem').filter({ hasText: 'Neither here.' }).getByText('waits').waitFor();
    expect(written()).toEqual([]);

    await visit.toggleConnection();
    await visit.outbox.waitFor({ state: 'detached' });
    await visit.settled();
    expect(written()).toEqual([
      'POST /api/issues',
      'PATCH /api/issues/2001',
      'POST /api/issues/2001/comments',
      patch,
      'POST /api/issues/2000/comments',
      'PATCH /api/issues/1999',
    ]);
    await visit.page.reload();
    await visit.column('doing').getByRole('link', { name: second }).waitFor();
    await visit.card('Written in the tunnel').click();
    await visit.issue.getByText('Nobody hears me.').waitFor();
    await visit.card('Draw it again').click();
    await visit.issue.getByText('Neither here.').waitFor();
  });
});

describe('The outbox', () => {
  it('keeps the text of what was refused, over a reload, until it is changed, and sends what waits for it', async () => {
    expected = [refused(422)];
    await visit.toggleConnection();
    await create(newest);
    await visit.column('todo').getByRole('listitem').filter({ hasText: 'waits' }).getByRole('link').click();
    await comment('Is this a twin?');
    await visit.kept('New issue: comment').waitFor();
    await visit.toggleConnection();
    await visit.kept('New issue: created').getByText('Another issue has this title already.').waitFor();
    await visit.page.reload();
    await visit.issue.getByText('This issue is not created.').waitFor();
    const twin = visit.kept('New issue: created');
    await twin.getByText(newest).waitFor();
    await visit.kept('New issue: comment').getByText('Is this a twin?').waitFor();

    await twin.getByRole('button', { name: 'Change' }).click();
    await twin.getByRole('button', { name: 'Cancel' }).click();
    await twin.getByRole('button', { name: 'Change' }).click();
    await twin.getByLabel('Another title').fill('No twin at all');
    await twin.getByRole('button', { name: 'Send' }).click();

    await visit.outbox.waitFor({ state: 'detached' });
    await visit.card('No twin at all').click();
    await visit.issue.getByText('#2001').waitFor();
    await visit.issue.getByText('Is this a twin?').waitFor();
  });

  it('sends once more what was refused', async () => {
    expected = [refused(403)];
    await visit.openIssue(newest);
    await visit.hold('writes');
    await visit.retitle('Draw it again');
    await visit.decide(patch, 'fail');
    const title = visit.kept('#2000: title');
    await title.getByText('The change was not saved: Refused by hand').waitFor();
    expect(await visit.title().inputValue()).toBe(newest);

    await visit.hold('nothing');
    await title.getByRole('button', { name: 'Try again' }).click();
    await visit.card('Draw it again').waitFor();
    await visit.outbox.waitFor({ state: 'detached' });
    await expect.poll(written).toEqual([patch]);
  });

  it('discards what was refused, and what waits', async () => {
    await visit.openIssue(newest);
    await visit.hold('writes');
    await visit.retitle('Draw it again');
    await visit.decide(patch, 'fail');
    await visit.kept('#2000: title').getByRole('button', { name: 'Discard' }).click();
    await visit.outbox.waitFor({ state: 'detached' });

    await visit.toggleConnection();
    await visit.retitle('Draw it by hand');
    await visit.card('Draw it by hand').waitFor();
    await visit.kept('#2000: title').getByRole('button', { name: 'Discard' }).click();
    await visit.card(newest).waitFor();
    await visit.outbox.waitFor({ state: 'detached' });
    expect(written()).toEqual([]);
  });

  it('sends again what was done without an answer, with its key, so that it is done once', async () => {
    const keys: (string | undefined)[] = [];
    visit.page.on('request', (request) => {
      if (request.url().endsWith('/comments')) keys.push(request.headers()['idempotency-key']);
    });
    await visit.openIssue(newest);
    await visit.hold('writes');
    await comment('Once.');
    await visit.decide('POST /api/issues/2000/comments', 'lose');
    await visit.hold('nothing');

    await visit.outbox.waitFor({ state: 'detached' });
    await visit.settled();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    await visit.page.reload();
    await visit.issue.getByText('3 comments').waitFor();
    expect(await visit.issue.getByText('Once.').count()).toBe(1);
  });

  it('says that it is unknown whether a create was done whose key is too old, and sends it when it is told to', async () => {
    await visit.openIssue(newest);
    await visit.hold('writes');
    await comment('Long ago.');
    await visit.held('POST /api/issues/2000/comments').waitFor();
    visit = await showcase.reopen(visit, Date.now() + 25 * 3_600_000);
    await visit.arrived();
    const old = visit.kept('#2000: comment');
    await old.getByText('unknown whether saved').waitFor();
    await old.getByText('Long ago.').waitFor();

    await old.getByRole('button', { name: 'Try again' }).click();
    await visit.outbox.waitFor({ state: 'detached' });
    await visit.openIssue(newest);
    await visit.issue.getByText('Long ago.').waitFor();
    await visit.issue.getByText('3 comments').waitFor();
  });

  it('keeps what was written when a session ended by itself, for the same person', async () => {
    expected = [refused(401)];
    await visit.openIssue(newest);
    await visit.inAccount('End my session');
    await expect.poll(() => visit.asked).toContain('POST /api/session/end');
    await visit.retitle('Written too late');
    await visit.page.getByText('Your session is over.').waitFor();

    await visit.signIn();
    await visit.card('Written too late').waitFor();
    await visit.outbox.waitFor({ state: 'detached' });
    await visit.settled();
    await visit.page.reload();
    await visit.card('Written too late').waitFor();
  });
});

describe('A deletion', () => {
  const undo = () =>
    visit.page.getByRole('status').filter({ hasText: 'is deleted' }).getByRole('button', { name: 'Undo' });
  const remove = async (): Promise<void> => {
    await visit.openIssue(newest);
    await visit.issue.getByRole('button', { name: 'Delete issue' }).click();
    await visit.card(newest).waitFor({ state: 'detached' });
  };

  it('is undone after the server has done it, and the issue is in its place with its comments', async () => {
    await remove();
    await visit.settled();
    await undo().click();

    await visit.card(newest).waitFor();
    expect(await visit.column('todo').getByRole('link').first().innerText()).toBe(newest);
    await visit.settled();
    await visit.page.reload();
    await visit.openIssue(newest);
    await visit.issue.getByText('2 comments').waitFor();
  });

  it('is undone while it is under way, and the server is told one after the other', async () => {
    await visit.hold('writes');
    await remove();
    await visit.held('DELETE /api/issues/2000').waitFor();
    await undo().click();
    await visit.decide('DELETE /api/issues/2000', 'now');
    await visit.decide('POST /api/issues/2000/restore', 'now');

    await visit.card(newest).waitFor();
    expect(written()).toEqual(['DELETE /api/issues/2000', 'POST /api/issues/2000/restore']);
  });

  it('is undone without a connection, and nothing is sent', async () => {
    await visit.openIssue(newest);
    await visit.toggleConnection();
    await remove();
    await visit.kept('#2000: deleted').waitFor();
    await undo().click();

    await visit.card(newest).waitFor();
    await visit.outbox.waitFor({ state: 'detached' });
    await visit.toggleConnection();
    await visit.settled();
    expect(written()).toEqual([]);
  });
});
