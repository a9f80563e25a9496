import { createResource, Entity, schema } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/garbage.js';
import { setup } from '../support/store.js';

class Book extends Entity {
  id = 0;
  title = '';
  static override key = 'Book';
}

const BookResource = createResource({ urlPrefix: 'https://example.com', path: '/books/:id', schema: Book });
const all = new schema.All(Book);
const matching = new schema.Query(all, (books: readonly Book[], is: (book: Book) => boolean) => books.filter(is));
const argumentsOf = new schema.Query(all, (_: readonly Book[], ...args: readonly unknown[]) => ({ args }));
const titled = new schema.Query(all, (books: readonly Book[], text: string) =>
  books.filter(({ title }) => title.includes(text)),
);

/** A store that has so many books. */
function setupBooks(count: number) {
  const tools = setup();
  const books = Array.from({ length: count }, (_, i) => ({ id: i + 1, title: `Title ${String(i)}` }));
  tools.store.dispatch(tools.resources.setResponse(BookResource.getList, {}, books));

  return { ...tools, select: tools.resources.select };
}

describe('the arguments of a query', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['functions', () => 1, () => 1],
    ['Sets', new Set([1]), new Set([1])],
    ['Maps', new Map([[1, 1]]), new Map([[2, 2]])],
    ['a BigInt and a number', 1n, 1],
    ['BigInts', 1n, 2n],
    ['infinities', Infinity, -Infinity],
    ['no number and null', NaN, null],
    ['nothing and null', undefined, null],
    ['nothing and null in arrays', [undefined], [null]],
    ['zeros', 0, -0],
    ['fields that are there and are not', { a: undefined }, {}],
    ['a number and its text', { page: 1 }, { page: '1' }],
    ['dates', new Date(1), new Date(2)],
    ['class instances', new Error('one'), new Error('one')],
  ])('that are different %s have answers of their own', (_, one, other) => {
    const { read, select } = setupBooks(1);

    const answers = [read(select(argumentsOf, one)), read(select(argumentsOf, other)), read(select(argumentsOf, one))];

    expect(answers[0]?.args[0]).toBe(one);
    expect(answers[1]?.args[0]).toBe(other);
    expect(answers[2]).toBe(answers[0]);
  });

  it('that say the same have the same answer, in whatever order their fields are', () => {
    const { read, select } = setupBooks(1);

    const one = read(select(argumentsOf, { text: 'a', at: new Date(5), in: [1, { deep: true }] }));
    const other = read(select(argumentsOf, { in: [1, { deep: true }], at: new Date(5), text: 'a' }));

    expect(other).toBe(one);
  });

  it('may be cyclic, or throw when they are read', () => {
    const { read, select } = setupBooks(1);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const throwing = {
      get text(): string {
        throw new Error('no');
      },
    };

    const answers = [cyclic, throwing].map((one) => [read(select(argumentsOf, one)), read(select(argumentsOf, one))]);

    for (const [one, other] of answers) expect(other).toBe(one);
    expect(answers[0]?.[0]?.args[0]).toBe(cyclic);
  });

  it('may be a function, and what it computes is computed once', () => {
    const { read, select } = setupBooks(3);
    const isFirst = vi.fn(({ id }: Book) => id === 1);

    const one = read(select(matching, isFirst));
    const other = read(select(matching, isFirst));

    expect(one?.map(({ id }) => id)).toEqual([1]);
    expect(other).toBe(one);
    expect(isFirst).toHaveBeenCalledTimes(3);
  });
});

describe('ever-new arguments', () => {
  it('are forgotten in time, with all that was made of them', { timeout: 180_000 }, async () => {
    const { read, select } = setupBooks(4_000);
    const search = (from: number, to: number): void => {
      for (let i = from; i < to; i++) read(select(titled, `Title ${String(i % 10)}${'x'.repeat(i)}`));
    };
    const heap = async (): Promise<number> => {
      await collectGarbage();

      return process.memoryUsage().heapUsed / 1e6;
    };

    search(0, 200);
    const before = await heap();
    search(200, 1_000);
    const after = await heap();

    // Each would keep 0.16 MB.
    expect(after - before).toBeLessThan(20);
  });

  it('take nothing from whoever reads on: it is the same object, and is told of changes', () => {
    const { store, resources, read, select } = setupBooks(2_000);
    const selector = select(titled, 'Title 19');
    const before = read(selector);

    for (let i = 0; i < 200; i++) read(select(titled, `Title ${String(i)}`));
    store.dispatch(resources.set(Book, { id: 2_000, title: 'Title 1999' }));
    const same = read(selector);
    store.dispatch(resources.set(Book, { id: 1, title: 'Title 19!' }));
    const changed = read(selector);

    expect(before).toHaveLength(111);
    expect(same).toBe(before);
    expect(changed?.map(({ title }) => title)).toContain('Title 19!');
    expect(read(select(titled, 'Title 19'))).toBe(changed);
  });
});
