import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refused, showcaseOfFile, type Visit } from '../../support/showcase.js';

const newest = 'Redraw the weekly digest';
const address = 'PATCH /api/issues/2000';

const showcase = await showcaseOfFile();
let ada: Visit;
let grace: Visit;

beforeEach(async () => {
  ada = await showcase.visitAsAda();
  grace = await showcase.visitAlso('Grace');
  await ada.openIssue(newest);
  await grace.openIssue(newest);
});
afterEach(async () => {
  for (const visit of [ada, grace]) await visit.page.context().close();
});

const body = (visit: Visit) => visit.issue.getByRole('textbox', { name: 'Body' });
const question = (visit: Visit) => visit.page.getByRole('dialog', { name: 'Somebody has changed the body meanwhile' });

/** Writes a body, and leaves the field. */
async function write(visit: Visit, text: string): Promise<void> {
  await body(visit).fill(text);
  await body(visit).press('Control+Enter');
}

/** What the server has, as somebody reads it who comes now. */
async function expectOnServer(text: string): Promise<void> {
  for (const visit of [ada, grace]) {
    await visit.page.reload();
    await expect.poll(() => body(visit).inputValue()).toBe(text);
  }
}

/** Ada's text is held on its way, while Grace's is saved. */
async function writeAtOnce(): Promise<void> {
  await ada.hold('writes');
  await write(ada, 'By Ada');
  await ada.held(address).waitFor();
  await write(grace, 'By Grace');
  await grace.settled();
  await ada.hold('nothing');
  await question(ada).waitFor();
}

describe('Two people', () => {
  it('are signed in at once, each as themselves', async () => {
    await ada.page.getByRole('button', { name: 'Account of Ada' }).waitFor();
    await grace.page.getByRole('button', { name: 'Account of Grace' }).waitFor();
  });

  it('see what the other does: an edit, a comment, and that it is gone again', async () => {
    await write(grace, 'Grace was here');
    await expect.poll(() => body(ada).inputValue()).toBe('Grace was here');

    await grace.issue.getByLabel('New comment').fill('Me, too');
    await grace.issue.getByLabel('New comment').press('Enter');
    await ada.issue.getByText('Me, too').waitFor();
    await grace.issue.getByRole('listitem').filter({ hasText: 'Me, too' }).getByRole('button').click();
    await ada.issue.getByText('Me, too').waitFor({ state: 'detached' });
  });

  it('edit different fields of one issue at once, and nobody is asked anything', async () => {
    await ada.hold('writes');
    await write(ada, 'By Ada');
    await ada.held(address).waitFor();
    await grace.issue.getByLabel('Status').selectOption('done');
    await ada.column('done').getByRole('link', { name: newest }).waitFor();
    await ada.hold('nothing');
    await ada.settled();

    expect(ada.complaints.some((text) => text.startsWith(refused(412)))).toBe(true);
    await expectOnServer('By Ada');
    await ada.column('done').getByRole('link', { name: newest }).waitFor();
    expect(await question(ada).count()).toBe(0);
  });

  it.each([
    { choice: 'Keep yours', text: 'By Ada' },
    { choice: 'Keep theirs', text: 'By Grace' },
    { choice: 'Keep both', text: 'By Grace\n\nBy Ada' },
  ])('write one text at once, and the second is asked: $choice', async ({ choice, text }) => {
    await writeAtOnce();
    expect(await question(ada).innerText()).toMatch(/By Ada[\s\S]*By Grace/);

    await question(ada).getByRole('button', { name: choice }).click();
    await question(ada).waitFor({ state: 'detached' });
    await ada.settled();

    await expect.poll(() => body(ada).inputValue()).toBe(text);
    expect(await ada.page.getByRole('alert').count()).toBe(0);
    await expectOnServer(text);
  });

  it('write one text, and who is still typing is asked when she is done', async () => {
    await body(ada).fill('Ada is typing');
    await write(grace, 'By Grace');
    await grace.settled();
    // Whether the message of it has come to her or not.
    await body(ada).press('Control+Enter');

    await question(ada).getByRole('button', { name: 'Keep both' }).click();
    await expect.poll(() => body(ada).inputValue()).toBe('By Grace\n\nAda is typing');
    await ada.settled();

    await expectOnServer('By Grace\n\nAda is typing');
  });
});
