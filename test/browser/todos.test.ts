import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaints, launch } from '../support/browser.js';
import { serveBuilt, type Built } from '../support/built.js';

const configFile = fileURLToPath(new URL('../../examples/todos/vite.config.mjs', import.meta.url));
/** What Chromium itself says of an answer that is not ok; nothing in a page can keep it from that. */
const refused = 'Failed to load resource: the server responded with a status of 503 (Service Unavailable)';
const invalid = 'Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)';
const newestOfAda = [
  'Pay the printer',
  'Send the proofs back',
  'Visit the silk mill',
  'Order punched cards',
  'Practise the piano',
];
const olderOfAda = [
  'Answer Mr Babbage',
  'Find the error in operation four',
  'Write down every operation',
  'Compute the Bernoulli numbers',
  'Number the notes A to G',
];
const oldestOfAda = ['Add notes to the translation', 'Translate the memoir'];

let built: Built;
let browser: Browser;
let context: BrowserContext;
let base: string;
let page: Page;
let complained: string[];
/** What a test expects the console to say. */
let expected: string[];

beforeAll(async () => {
  built = await serveBuilt(configFile, 'development');
  ({ base } = built);
  browser = await launch();
  context = await browser.newContext();
});
afterAll(async () => {
  await browser.close();
  await built.close();
});

beforeEach(async () => {
  await fetch(`${base}api/reset`, { method: 'POST' });
  await setServer({ latency: 0 });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  complained = complaints(page);
  expected = [];
  await page.goto(base);
  await row('Pay the printer').waitFor();
});
afterEach(async () => {
  try {
    await expect.poll(() => complained).toEqual(expected);
  } finally {
    await page.close();
  }
});

describe('The todos app', () => {
  it('lists the newest todos of the first user', async () => {
    expect(await titles()).toEqual(newestOfAda);
  });

  it('lists the todos of the user that is chosen', async () => {
    await page.getByRole('button', { name: 'Grace' }).click();
    await row('Cut a nanosecond of wire').waitFor();
    expect(await titles()).toEqual([
      'Explain what a compiler is',
      'Cut a nanosecond of wire',
      'Tape the moth into the log book',
    ]);

    await page.getByRole('button', { name: 'Ada' }).click();
    expect(await titles()).toEqual(newestOfAda);
  });

  it('shows a new todo before the server has answered, and keeps it in its place after', async () => {
    const release = await holdWrites();
    await add('Write to Faraday');

    await busyRow('Write to Faraday').waitFor();
    expect(await titles()).toEqual(['Write to Faraday', ...newestOfAda]);

    release();
    await quietRow('Write to Faraday').waitFor();
    expect(await titles()).toEqual(['Write to Faraday', ...newestOfAda]);

    await page.reload();
    await row('Write to Faraday').waitFor();
    expect(await titles()).toEqual(['Write to Faraday', ...newestOfAda.slice(0, 4)]);
  });

  it('keeps each of two new todos when their answers come the other way round', async () => {
    const releaseFirst = await holdWrites('First');
    const releaseSecond = await holdWrites('Second');
    await add('First');
    await busyRow('First').waitFor();
    await add('Second');
    await busyRow('Second').waitFor();
    expect(await titles()).toEqual(['Second', 'First', ...newestOfAda]);

    releaseSecond();
    await quietRow('Second').waitFor();
    await busyRow('First').waitFor();
    releaseFirst();
    await quietRow('First').waitFor();

    // Additions that overlap stand in the order in which they were asked for, whichever is answered first.
    expect(await titles()).toEqual(['Second', 'First', ...newestOfAda]);
  });

  it('ticks a new todo before the server has answered, and tells the server when it knows the todo', async () => {
    const release = await holdWrites();
    await add('Write to Faraday');
    await busyRow('Write to Faraday').waitFor();
    await tick('Write to Faraday').click();
    expect(await tick('Write to Faraday').isChecked()).toBe(true);

    release();
    await quietRow('Write to Faraday').waitFor();
    await page.reload();
    await row('Write to Faraday').waitFor();
    expect(await tick('Write to Faraday').isChecked()).toBe(true);
  });

  it('ticks a todo before the server has answered', async () => {
    const release = await holdWrites();
    await tick('Send the proofs back').click();

    await busyRow('Send the proofs back').waitFor();
    expect(await tick('Send the proofs back').isChecked()).toBe(true);

    release();
    await quietRow('Send the proofs back').waitFor();
    await page.reload();
    await row('Send the proofs back').waitFor();
    expect(await tick('Send the proofs back').isChecked()).toBe(true);
  });

  it('renames a todo before the server has answered', async () => {
    const renamed = newestOfAda.with(2, 'Visit the paper mill');
    const release = await holdWrites();
    await rename('Visit the silk mill', 'Visit the paper mill');

    await busyRow('Visit the paper mill').waitFor();
    expect(await titles()).toEqual(renamed);

    release();
    await quietRow('Visit the paper mill').waitFor();
    await page.reload();
    await row('Visit the paper mill').waitFor();
    expect(await titles()).toEqual(renamed);
  });

  it('leaves a todo as it is when its renaming is cancelled', async () => {
    await page.getByRole('button', { name: 'Rename Visit the silk mill' }).click();
    await page.getByLabel('New title of Visit the silk mill').fill('Nothing');
    await page.getByLabel('New title of Visit the silk mill').press('Escape');

    await row('Visit the silk mill').waitFor();
    expect(await titles()).toEqual(newestOfAda);
  });

  it('takes a deleted todo away before the server has answered', async () => {
    const release = await holdWrites();
    const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Delete Order punched cards' }).click();

    await row('Order punched cards').waitFor({ state: 'detached' });
    const left = newestOfAda.filter((title) => title !== 'Order punched cards');
    expect(await titles()).toEqual(left);

    release();
    await (await answered).finished();
    expect(await titles()).toEqual(left);
    await page.reload();
    await row('Answer Mr Babbage').waitFor();
    expect(await titles()).toEqual([...left, 'Answer Mr Babbage']);
  });

  it('adds page after page to the list, until there is no more', async () => {
    await more().click();
    await row('Answer Mr Babbage').waitFor();
    expect(await titles()).toEqual([...newestOfAda, ...olderOfAda]);

    await more().click();
    await row('Translate the memoir').waitFor();
    expect(await titles()).toEqual([...newestOfAda, ...olderOfAda, ...oldestOfAda]);
    await more().waitFor({ state: 'detached' });

    // What has been asked for is known still after a look at another list.
    await page.getByRole('button', { name: 'Grace' }).click();
    await row('Cut a nanosecond of wire').waitFor();
    expect(await more().count()).toBe(0);
    await page.getByRole('button', { name: 'Ada' }).click();
    expect(await titles()).toEqual([...newestOfAda, ...olderOfAda, ...oldestOfAda]);
    expect(await more().count()).toBe(0);
  });

  it('shows no todo twice when one was added before the next page', async () => {
    await add('Write to Faraday');
    await quietRow('Write to Faraday').waitFor();

    await more().click();
    await row('Answer Mr Babbage').waitFor();
    expect(await titles()).toEqual(['Write to Faraday', ...newestOfAda, ...olderOfAda]);
  });

  it('leaves no todo out when one was deleted before the next page', async () => {
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Delete Pay the printer' }).click();
    await (await deleted).finished();

    await more().click();
    await row('Answer Mr Babbage').waitFor();
    expect(await titles()).toEqual([...newestOfAda.slice(1), ...olderOfAda]);
  });

  it('shows why a list could not be read, and reads it when asked again', async () => {
    await page.route('**/api/todos?userId=2', (route) => route.fulfill({ status: 503, json: { title: 'Closed' } }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('alert').filter({ hasText: 'Closed' }).waitFor();

    await page.getByRole('button', { name: 'Try again' }).click();
    await row('Cut a nanosecond of wire').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expected = [refused];
  });

  it('starts over when asked to', async () => {
    await add('Write to Faraday');
    await quietRow('Write to Faraday').waitFor();

    await page.getByRole('button', { name: 'Start over' }).click();
    await row('Write to Faraday').waitFor({ state: 'detached' });
    await row('Pay the printer').waitFor();
    expect(await titles()).toEqual(newestOfAda);
  });

  describe('when writes fail', () => {
    let release: () => void;

    beforeEach(async () => {
      const told = page.waitForResponse('**/api/settings');
      await page.getByRole('switch', { name: 'Writes fail' }).click();
      await (await told).finished();
      release = await holdWrites();
      expected = [refused];
    });

    it('shows a new todo at once, takes it away again, and gives back what was typed', async () => {
      await add('Write to Faraday');
      await busyRow('Write to Faraday').waitFor();
      expect(await titles()).toEqual(['Write to Faraday', ...newestOfAda]);

      release();
      await notice('The todo was not added: The server was told to fail.').waitFor();
      expect(await titles()).toEqual(newestOfAda);
      await expect.poll(() => page.getByLabel('New todo').inputValue()).toBe('Write to Faraday');
    });

    it('ticks a todo at once, and unticks it again', async () => {
      await tick('Send the proofs back').click();
      await busyRow('Send the proofs back').waitFor();
      expect(await tick('Send the proofs back').isChecked()).toBe(true);

      release();
      await notice('The todo was not changed: The server was told to fail.').waitFor();
      expect(await tick('Send the proofs back').isChecked()).toBe(false);
    });

    it('renames a todo at once, and gives it back its title', async () => {
      await rename('Visit the silk mill', 'Visit the paper mill');
      await busyRow('Visit the paper mill').waitFor();

      release();
      await notice('The todo was not changed: The server was told to fail.').waitFor();
      expect(await titles()).toEqual(newestOfAda);
    });

    it('takes a deleted todo away at once, and puts it back in its place', async () => {
      await page.getByRole('button', { name: 'Delete Order punched cards' }).click();
      await row('Order punched cards').waitFor({ state: 'detached' });

      release();
      await notice('The todo was not deleted: The server was told to fail.').waitFor();
      expect(await titles()).toEqual(newestOfAda);
    });

    it('shows an error until it is dismissed', async () => {
      release();
      await tick('Send the proofs back').click();
      await notice('The server was told to fail').getByRole('button', { name: 'Dismiss' }).click();

      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    });
  });

  it('keeps a later addition when an earlier one fails', async () => {
    const tooLong = 'x'.repeat(61);
    const release = await holdWrites();
    await add(tooLong);
    await busyRow(tooLong).waitFor();
    await add('Write to Faraday');
    await busyRow('Write to Faraday').waitFor();

    release();
    await notice('A title has 60 characters at most').waitFor();
    await quietRow('Write to Faraday').waitFor();
    expect(await titles()).toEqual(['Write to Faraday', ...newestOfAda]);
    expected = [invalid];
  });
});

async function setServer(settings: { readonly latency: number }): Promise<void> {
  const body = JSON.stringify(settings);
  await fetch(`${base}api/settings`, { method: 'PATCH', body });
}

/** Keeps writes from reaching the server until released: all of them, or those with a text in their body. */
async function holdWrites(text = ''): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/todos**', async (route) => {
    const request = route.request();
    const isHeld = request.method() !== 'GET' && (request.postData() ?? '').includes(text);
    if (isHeld) await released;
    await route.fallback();
  });
  return release;
}

async function add(title: string): Promise<void> {
  await page.getByLabel('New todo').fill(title);
  await page.getByRole('button', { name: 'Add' }).click();
}

async function rename(from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Rename ${from}` }).click();
  await page.getByLabel(`New title of ${from}`).fill(to);
  await page.getByRole('button', { name: 'Save' }).click();
}

function titles(): Promise<string[]> {
  return page.getByRole('listitem').locator('label').allTextContents();
}

function row(title: string): Locator {
  return page.getByRole('listitem').filter({ hasText: title });
}

/** A row that the server has yet to confirm. */
function busyRow(title: string): Locator {
  return row(title).and(page.locator('[aria-busy=true]'));
}

function quietRow(title: string): Locator {
  return row(title).and(page.locator('[aria-busy=false]'));
}

function tick(title: string): Locator {
  return page.getByRole('checkbox', { name: title });
}

function more(): Locator {
  return page.getByRole('button', { name: 'More' });
}

function notice(text: string): Locator {
  return page.getByRole('alert').filter({ hasText: text });
}
