import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright';
import { afterAll, expect } from 'vitest';
import { complaints, launch } from './browser.js';
import { serveBuilt, type Built, type Mode } from './built.js';
import { killControl, nameControls } from './controls.js';
import { record, recorded } from './recorder.js';

const configFile = fileURLToPath(new URL('../../examples/showcase/vite.config.ts', import.meta.url));

/** What Chromium itself says of answers that are not ok; nothing in a page can keep it from that. */
export const refused = (status: number): string =>
  `Failed to load resource: the server responded with a status of ${status}`;

/** The control that is to do nothing in this test, where `test/browser/showcase/dead.mjs` wants one. */
function deadControl(): string | undefined {
  const controls = JSON.parse(process.env['DEAD_CONTROLS'] ?? '{}') as Readonly<Record<string, string>>;
  const test = expect.getState().currentTestName ?? '';
  return Object.entries(controls).find(([journey]) => test.endsWith(journey))?.[1];
}

/** The showcase in a browser. */
class Showcase {
  readonly #built: Built;
  readonly #browser: Browser;
  readonly #base: string;

  private constructor(built: Built, browser: Browser) {
    this.#built = built;
    this.#browser = browser;
    this.#base = built.base;
  }

  static async open(mode: Mode): Promise<Showcase> {
    return new Showcase(await serveBuilt(configFile, mode), await launch());
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#built.close();
  }

  /** A page of somebody who has just come, on a server that begins anew. */
  async visit(options: BrowserContextOptions = {}): Promise<Visit> {
    await fetch(`${this.#base}api/reset`, { method: 'POST' });
    return this.#openPage('', options);
  }

  /** Closes the tab of somebody, and opens another one in the same browser; `now`: at another time, in ms since the epoch. */
  async reopen({ page }: Visit, now?: number): Promise<Visit> {
    const context = page.context();
    await page.close();
    if (now !== undefined) await context.clock.install({ time: now });
    return this.#openTab(context);
  }

  async #openPage(search: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.#browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    return this.#openTab(context, search);
  }

  async #openTab(context: BrowserContext, search = ''): Promise<Visit> {
    const page = await context.newPage();
    const dead = deadControl();
    // What is dead is waited for in vain.
    page.setDefaultTimeout(dead === undefined ? 30_000 : 10_000);
    await record(page);
    if (dead !== undefined) {
      await page.addInitScript(nameControls);
      await page.addInitScript(killControl, dead);
    }
    const visit = new Visit(page);
    await page.goto(`${this.#base}${search}`);
    return visit;
  }

  /** The same of Ada, who is signed in at once, and sees issues. */
  async visitAsAda(options?: BrowserContextOptions): Promise<Visit> {
    const visit = await this.visit(options);
    await visit.arrived();
    return visit;
  }

  /** Somebody else, in a browser of their own, on the same server. */
  async visitAlso(name: string): Promise<Visit> {
    const visit = await this.#openPage(`?as=${name}`);
    await visit.arrived();
    return visit;
  }
}

/** The showcase, for as long as the tests of a file run. */
export async function showcaseOfFile(mode: Mode = 'production'): Promise<Showcase> {
  const showcase = await Showcase.open(mode);
  afterAll(() => showcase.close());
  return showcase;
}

/** What a user sees of the showcase, and does there. */
export class Visit {
  readonly page: Page;
  readonly #complaints: readonly string[];
  /** What the page has asked the server for, as in `PATCH /api/issues/1`. */
  readonly asked: string[] = [];
  /** The tokens that the server gave, and the page has sent. */
  readonly tokens = new Set<string>();

  constructor(page: Page) {
    this.page = page;
    this.#complaints = complaints(page);
    page.on('request', (request: Request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/')) this.asked.push(`${request.method()} ${pathname}${search}`);
      const [, token] = /^Bearer (.+)$/.exec(request.headers()['authorization'] ?? '') ?? [];
      if (token !== undefined) this.tokens.add(token);
    });
  }

  /** What the console says; not that the machine is slow, which it may be. */
  get complaints(): string[] {
    return this.#complaints.filter((text) => !/Middleware took \d+ms/.test(text));
  }

  /** Every action and every state since the page was loaded that has a token or a password in it. */
  async leaks(): Promise<string[]> {
    const all = await recorded(this.page);
    if (all.length === 0 || this.tokens.size === 0) throw new Error('Nothing was recorded, or no token was sent.');
    const secrets = [...this.tokens, 'lovelace', 'hopper'];
    return all.filter((json) => secrets.some((secret) => json.includes(secret)));
  }

  get board(): Locator {
    return this.page.getByRole('region', { name: 'Board' });
  }

  get list(): Locator {
    return this.page.getByRole('region', { name: 'List' });
  }

  /** The issue that is open. */
  get issue(): Locator {
    return this.page.getByRole('region', { name: 'Issue', exact: true });
  }

  get timeline(): Locator {
    return this.page.getByRole('region', { name: 'Timeline' });
  }

  /** What waits to be sent, or was refused. */
  get outbox(): Locator {
    return this.page.getByRole('region', { name: 'Outbox' });
  }

  /** One write of the outbox, by what it is about, as in `#2000: title`. */
  kept(name: string): Locator {
    return this.outbox.getByRole('listitem', { name });
  }

  async toggleConnection(): Promise<void> {
    await this.page.getByRole('button', { name: /^Go (?:offline|online)$/ }).click();
  }

  /** Bars and marks of the timeline, by their names. */
  bar(name: string | RegExp): Locator {
    return this.timeline.getByRole('group', { name: 'Requests by time' }).getByRole('button', { name });
  }

  async signIn(): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.arrived();
  }

  /** The board is there, with issues. */
  async arrived(): Promise<void> {
    await this.board.getByRole('link').first().waitFor();
  }

  /** Does one of the things that are in the menu of the account. */
  async inAccount(what: 'Expire my token' | 'End my session' | 'Sign out'): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of/ }).click();
    await this.page.getByRole('button', { name: what }).click();
    if (what !== 'Sign out') await this.page.keyboard.press('Escape');
  }

  column(status: string): Locator {
    return this.board.getByRole('region', { name: status });
  }

  card(title: string): Locator {
    return this.board.getByRole('link', { name: title, exact: true });
  }

  row(title: string): Locator {
    return this.list.getByRole('link', { name: title });
  }

  title(): Locator {
    return this.issue.getByLabel('Title');
  }

  /** Opens an issue from the board, with all there is of it. */
  async openIssue(title: string): Promise<void> {
    await this.card(title).click();
    await this.issue.getByRole('textbox', { name: 'Body', disabled: false }).waitFor();
  }

  async retitle(title: string): Promise<void> {
    await this.title().fill(title);
    await this.title().press('Enter');
  }

  async hold(what: 'nothing' | 'writes' | 'everything'): Promise<void> {
    await this.timeline.getByRole('radio', { name: what }).check();
  }

  /** The requests with this address that are held, newest first. */
  held(address: string): Locator {
    return this.timeline.getByRole('group', { name: `What becomes of ${address}` });
  }

  /** Says what becomes of the newest request with this address. */
  async decide(address: string, verdict: 'now' | 'later' | 'last' | 'fail' | 'lose'): Promise<void> {
    await this.held(address).first().getByRole('button', { name: verdict }).click();
  }

  /** Waits until nothing is under way that shows. */
  async settled(): Promise<void> {
    await this.page
      .locator('.timeline[aria-busy=true], li.held, article[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached' });
  }
}
