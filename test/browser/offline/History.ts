import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import type { HistoryApp } from './historyPage.js';
import { fields, Note, Todo, Upload, type Field } from './resources.js';
import type { Shop, Shops, Trouble } from './Shop.js';

declare const tab: HistoryApp;

const troubles: readonly Trouble[] = ['lost', 'lost', 'dropped', 'conflict', 'conflict', 401, 422, 429, 500, 502, 503];

/** What was written: about which todo, and where it must be found. */
interface Written {
  readonly does: 'create' | 'upload' | 'note' | 'edit';
  readonly title: string;
  readonly text: string;
  readonly field: Field;
  /** It may be missing, where its tab was killed before. */
  isDurable: boolean;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One random history: one to three tabs write what depends on each other, the server does to it what it likes, and a tab is killed at each step. */
export class History {
  readonly #random: () => number;
  readonly #shops: Shops;
  readonly #context: BrowserContext;
  readonly #shop: Shop;
  readonly #isKeyed: boolean;
  readonly #written: Written[] = [];
  readonly #tabs: Page[] = [];
  #isCalm = false;

  constructor(seed: number, shops: Shops, context: BrowserContext) {
    this.#random = randomOf(seed);
    this.#shops = shops;
    this.#context = context;
    this.#isKeyed = seed % 5 !== 0;
    this.#shop = shops.begin(this.#isKeyed, () =>
      this.#isCalm || this.#random() < 0.6 ? undefined : this.#one(troubles),
    );
  }

  async play(): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 3);
    while (this.#tabs.length < count) this.#tabs.push(await this.#open());
    for (let step = 0; step < 3; step++) await this.#step();
    this.#isCalm = true;
    for (const page of this.#tabs) await this.#untilCalm(page);
    await this.#check();
  }

  #one<Value>(all: readonly Value[]): Value {
    const one = all[Math.floor(this.#random() * all.length)];
    if (one === undefined) throw new Error('There is none.');
    return one;
  }

  async #open(): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(this.#shops.address);
    await page.evaluate(async () => {
      await tab.ready;
      await tab.readAll();
    });
    return page;
  }

  /** A tab writes one to three things, and some tab is killed, whatever it is at. */
  async #step(): Promise<void> {
    const at = Math.floor(this.#random() * this.#tabs.length);
    const page = this.#tabs[at];
    if (!page) return;
    const isPatient = this.#random() < 0.7;
    for (let i = Math.floor(this.#random() * 3); i >= 0; i--) {
      const written = await this.#write(page);
      const durable = this.#do(page, written).then(
        () => (written.isDurable = true),
        // Its tab was killed meanwhile.
        () => undefined,
      );
      if (isPatient) await durable;
    }
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 40));
    const killed = Math.floor(this.#random() * this.#tabs.length);
    await this.#tabs[killed]?.close();
    this.#tabs[killed] = await this.#open();
  }

  async #write(page: Page): Promise<Written> {
    const number = this.#written.length;
    const shown = await page.evaluate(() => tab.titles());
    const draw = shown.length === 0 ? 0 : this.#random();
    const field = fields[this.#written.filter(({ does }) => does === 'edit').length];
    const about = { title: shown.length > 0 ? this.#one(shown) : '', field: field ?? 'f0', isDurable: false };
    const text = `${number} of many`;
    const written: Written =
      draw < 0.35
        ? { does: 'create', ...about, title: `Todo ${number}`, text }
        : draw < 0.45
          ? { does: 'upload', ...about, title: `File ${number}`, text }
          : { does: draw < 0.65 || !field ? 'note' : 'edit', ...about, text };
    this.#written.push(written);
    return written;
  }

  #do(page: Page, written: Written): Promise<void> {
    return page.evaluate(({ does, title, text, field }) => {
      if (does === 'create') return tab.create(title);
      if (does === 'upload') return tab.upload(title);
      return does === 'note' ? tab.note(title, text) : tab.edit(title, field, text);
    }, written);
  }

  /** Waits until nothing more will be sent. */
  async #untilCalm(page: Page): Promise<void> {
    const left = (): Promise<number> =>
      page.evaluate(() => {
        const { entries, nextAttemptAt } = tab.state();
        const unknown = entries.filter(({ status }) => status === 'unknown');
        const isStuck = nextAttemptAt === undefined && entries.every(({ status }) => /unknown|queued/.test(status));
        return unknown.length > 0 && isStuck ? 0 : entries.length;
      });
    try {
      await expect.poll(left, { timeout: 20_000, interval: 30 }).toBe(0);
    } catch (error) {
      const states = await Promise.all(this.#tabs.map((one) => one.evaluate(() => JSON.stringify(tab.state()))));
      throw new Error(`Tab ${this.#tabs.indexOf(page)} never ended: ${states.join('\n')}`, { cause: error });
    }
  }

  async #check(): Promise<void> {
    const [page] = this.#tabs;
    const kept = (await page?.evaluate(() => tab.state().entries.map(({ args }) => JSON.stringify(args)))) ?? [];
    if (this.#isKeyed) expect(kept).toEqual([]);
    const problems = this.#written.flatMap((written) => this.#problemOf(written, kept));
    expect(problems).toEqual([]);
    expect(this.#doneTwice()).toEqual([]);
    const rows: unknown = JSON.parse(JSON.stringify(this.#shop.rows(Todo)));
    // What is told to be unknown is shown by nothing, and what waits behind it still is.
    for (const one of kept.length > 0 ? [] : this.#tabs) {
      const shown = await one.evaluate(() => tab.readAll());
      expect(JSON.parse(shown)).toEqual(rows);
    }
  }

  /** What is wrong with what was written: it is lost, or done more than once. */
  #problemOf(written: Written, kept: readonly string[]): readonly string[] {
    const { does, title, text, field, isDurable } = written;
    const { rows } = this.#shop;
    const found = {
      create: () => rows(Todo).filter((row) => row.title === title),
      upload: () => rows(Upload).filter((row) => row.name === title && row.text === `bytes of ${title}`),
      note: () => rows(Note).filter((row) => row.text === text && this.#titleOf(row.todoId) === title),
      edit: () => rows(Todo).filter((row) => row.title === title && row[field] === text),
    }[does]();
    // Without keys, what nobody knows is told, with its text; files are told by their name alone.
    const isTold =
      !this.#isKeyed && (does === 'upload' || kept.some((args) => args.includes(does === 'create' ? title : text)));
    const isLost = found.length === 0 && isDurable && !isTold;
    return found.length > 1 || isLost ? [`${does} ${title} ${text} is there ${found.length} times`] : [];
  }

  #titleOf(id: number): string | undefined {
    return this.#shop.rows(Todo).find((row) => row.id === id)?.title;
  }

  /** Edits that the server has done under two keys. */
  #doneTwice(): readonly string[] {
    const keys = new Map<string, Set<string>>();
    for (const { method, status, body, idempotencyKey } of this.#shop.calls) {
      if (method !== 'PATCH' || status !== 200 || idempotencyKey === undefined) continue;
      const text = JSON.stringify(body);
      keys.set(text, (keys.get(text) ?? new Set()).add(idempotencyKey));
    }
    return [...keys].filter(([, used]) => used.size > 1).map(([text]) => text);
  }
}
