import fc from 'fast-check';
import type { Row } from 'rtk-resource';
import type { Changes, ListChange, RowChanges, Tables } from 'rtk-resource/normalize';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as ChangesModule from '../../src/tables/changes.js';
import type * as OverlayModule from '../../src/tables/Overlay.js';
import type * as TablesModule from '../../src/tables/tables.js';
import { rowChangesOf } from '../support/changes.js';
import '../support/search.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 30_000 });

/** More than two pages. */
const ROWS = 700;
const ITEMS = 'Item';
const LISTS = '[Item]';

/** The tables as one would write them without a thought of cost. */
interface Model {
  readonly rows: ReadonlyMap<string, Row>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Before anything. */
const none: Model = { rows: new Map(), lists: new Map() };

/** One version, and what is to be read of it. */
interface Version {
  readonly tables: Tables;
  readonly model: Model;
  /** Over the tables of another version, and not to be committed to. */
  readonly isOverlay: boolean;
  readonly overlay?: OverlayModule.Overlay;
}

/** What happens next, to one of the versions that there are; the last version is 0, the one before it 1. */
interface Step {
  readonly does: 'commit' | 'overlay' | 'overlay again';
  readonly back: number;
  readonly changes: readonly Changes[];
}

/** The rows around the borders of pages, some others, and some that are never there at first. */
const position = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(0, 255, 256, 511, 512, ROWS - 1, ROWS, ROWS + 1) },
  { weight: 1, arbitrary: fc.nat(ROWS + 5) },
);
const pk = position.map((at) => `i${at}`);
const listPk = fc.constantFrom('{}', '{"a":"1"}');
const row = fc.record({ v: fc.nat(2), w: fc.nat(1) }, { requiredKeys: [] });
const rowChanges = rowChangesOf(ITEMS, pk, row, { most: 6, gone: 2 });
const listChange: fc.Arbitrary<ListChange> = fc
  .record({
    pk: listPk,
    operation: fc.constantFrom(
      'set' as const,
      'append' as const,
      'push' as const,
      'unshift' as const,
      'remove' as const,
    ),
    list: fc.uniqueArray(pk, { maxLength: 4 }),
  })
  .map((change) => ({ table: LISTS, ...change }));
const changes: fc.Arbitrary<Changes> = fc.record({
  rows: fc.array(rowChanges, { maxLength: 2 }),
  lists: fc.array(listChange, { maxLength: 2 }),
});
const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('commit' as const, 'commit' as const, 'overlay' as const, 'overlay again' as const),
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(8) }),
  changes: fc.array(changes, { minLength: 1, maxLength: 2 }),
});

/** The changes, done to Maps; over other tables, a row that is taken away does not come back. */
function modelAfter({ rows, lists }: Model, all: readonly Changes[], isOverlay = false): Model {
  const next = { rows: new Map(rows), lists: new Map(lists) };
  const gone = new Set<string>();
  for (const one of all) {
    for (const change of one.rows)
      change.pks.forEach((key, i) => {
        const row = change.rows[i] ?? null;
        if (!gone.has(key)) writeRow(next.rows, key, row, change);
        if (isOverlay && row === null) gone.add(key);
      });
    for (const change of one.lists) writeList(next.lists, change);
  }

  return next;
}

function writeRow(rows: Map<string, Row>, key: string, fields: Row | null, { whole, existing }: RowChanges): void {
  const there = rows.get(key);
  if (fields === null) rows.delete(key);
  else if (there) rows.set(key, whole ? fields : { ...there, ...fields });
  else if (!existing) rows.set(key, fields);
}

function writeList(lists: Map<string, readonly string[]>, { pk: key, operation, list }: ListChange): void {
  const there = lists.get(key);
  const items = list as readonly string[];
  if (operation === 'set' || (operation === 'append' && !there)) lists.set(key, items);
  if (!there || operation === 'set') return;

  const fresh = items.filter((item) => !there.includes(item));
  if (operation === 'remove')
    lists.set(
      key,
      there.filter((item) => !items.includes(item)),
    );
  else if (operation === 'unshift') lists.set(key, [...fresh, ...there]);
  else lists.set(key, [...there, ...fresh]);
}

/** As JSON, whatever the order of fields. */
function told(value: Row | readonly string[] | undefined): string | undefined {
  return JSON.stringify(value && (Array.isArray(value) ? value : Object.entries(value).sort()));
}

/** What is not frozen in a value. */
function unfrozenIn(value: unknown, way: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, inner]) => unfrozenIn(inner, `${way}.${name}`));

  return Object.isFrozen(value) ? inside : [way, ...inside];
}

describe.each(['development', 'production'])('tables in %s', (mode) => {
  let applyChanges: typeof ChangesModule.applyChanges;
  let Overlay: typeof OverlayModule.Overlay;
  let table: typeof TablesModule;

  beforeAll(async () => {
    vi.stubEnv('NODE_ENV', mode);
    vi.resetModules();
    ({ applyChanges } = await import('../../src/tables/changes.js'));
    ({ Overlay } = await import('../../src/tables/Overlay.js'));
    table = await import('../../src/tables/tables.js');
  });

  afterAll(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  /** A first version, of several pages. */
  function begin(): Version {
    const pks = Array.from({ length: ROWS }, (_, i) => `i${i}`);
    const first: Changes = {
      rows: [{ table: ITEMS, pks, rows: pks.map((_, i) => ({ v: i % 3 })) }],
      lists: [{ table: LISTS, pk: '{}', operation: 'set', list: ['i0', 'i1', 'i256'] }],
    };

    return { tables: applyChanges({}, [first]), model: modelAfter(none, [first]), isOverlay: false };
  }

  function rowIn(tables: Tables, key: string): Row | undefined {
    return table.rowOf(table.tableOf(tables, ITEMS), key) as Row | undefined;
  }

  /** Where a version reads otherwise than its model; asked by pk, in turn and all at once. */
  function mistakes(tables: Tables, { rows, lists }: Model, asked: Iterable<string>): readonly string[] {
    const found: string[] = [];
    const compare = (name: string, one: Row | readonly string[] | undefined, other: typeof one): void => {
      if (one !== other && told(one) !== told(other)) found.push(`${name} is ${told(one)}, not ${told(other)}`);
    };
    for (const key of asked) compare(key, rowIn(tables, key), rows.get(key));
    for (const key of ['{}', '{"a":"1"}', '{"b":"1"}']) {
      const list = table.rowOf(table.tableOf(tables, LISTS), key) as readonly string[] | undefined;
      compare(key, list, lists.get(key));
    }
    const items = table.tableOf(tables, ITEMS) ?? table.emptyTable;
    let count = 0;
    table.eachRow(items, (one, key) => {
      count++;
      compare(`the row of ${key}`, one as Row, rows.get(key));
    });
    if (count !== rows.size) found.push(`${count} rows, not ${rows.size}`);

    return found;
  }

  function take(versions: readonly Version[], { does, back, changes: all }: Step): Version {
    const under = versions.filter(({ isOverlay }) => does !== 'commit' || !isOverlay);
    const on = under[under.length - 1 - (back % under.length)] ?? begin();
    const model = modelAfter(on.model, all, does !== 'commit');
    if (does === 'commit') return { tables: applyChanges(on.tables, all), model, isOverlay: false };
    const previous = does === 'overlay again' ? versions.findLast(({ overlay: one }) => one)?.overlay : undefined;
    const overlay = previous ?? new Overlay();

    return { tables: overlay.show(on.tables, all), model, isOverlay: true, overlay };
  }

  it('read like Maps in every version, whatever has become of the others', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const versions = [begin()];
        const asked = new Set(['i0', 'i300', `i${ROWS + 9}`]);

        for (const next of steps) {
          for (const one of next.changes) for (const { pks } of one.rows) for (const key of pks) asked.add(key);
          versions.push(take(versions, next));
          for (const { tables, model } of versions) expect(mistakes(tables, model, asked)).toEqual([]);
        }
        for (const { tables, model } of versions.reverse()) {
          expect(mistakes(tables, model, model.rows.keys())).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('read the same from JSON, where every version can be written to', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), changes, (steps, more) => {
        const versions = [begin()];
        for (const next of steps) versions.push(take(versions, next));

        for (const { tables, model } of versions) {
          const copy = JSON.parse(JSON.stringify(tables)) as Tables;
          expect(copy).toEqual(tables);
          expect(mistakes(copy, model, model.rows.keys())).toEqual([]);
          const written = modelAfter(model, [more]);
          expect(mistakes(applyChanges(copy, [more]), written, written.rows.keys())).toEqual([]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it(mode === 'development' ? 'have frozen pages and rows' : 'are left unfrozen, where copies are the faster', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const versions = [begin()];
        for (const next of steps) versions.push(take(versions, next));

        for (const { tables } of versions) {
          const pages = Object.values(tables).flatMap(({ rows, pks }) => [...rows, ...pks]);
          if (mode === 'development') expect(pages.flatMap((page) => unfrozenIn(page, 'page'))).toEqual([]);
          else expect(Object.isFrozen(table.tableOf(tables, ITEMS)?.rows[0])).toBe(false);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are the very same when changes bring nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), fc.array(fc.tuple(pk, fc.boolean())), (steps, entries) => {
        const versions = [begin()];
        for (const next of steps) versions.push(take(versions, next));
        const { tables, model } = versions.at(-1) ?? begin();
        const known = entries.flatMap(([key]) => ((one) => (one ? [[key, one] as const] : []))(model.rows.get(key)));
        const unknown = entries.map(([key]) => key).filter((key) => !model.rows.has(key));
        const idle: Changes = {
          rows: [
            { table: ITEMS, pks: known.map(([key]) => key), rows: known.map(([, one]) => ({ ...one })) },
            { table: ITEMS, pks: unknown, rows: unknown.map(() => null) },
            { table: ITEMS, pks: unknown, rows: unknown.map(() => ({ v: 1 })), existing: true },
            { table: 'Other', pks: ['x'], rows: [null] },
          ],
          lists: [...model.lists].flatMap(([key, list]): ListChange[] => [
            { table: LISTS, pk: key, operation: 'set', list: [...list] },
            { table: LISTS, pk: key, operation: 'push', list: list.slice(0, 2) },
            { table: LISTS, pk: key, operation: 'remove', list: ['nobody'] },
          ]),
        };

        expect(applyChanges(tables, [idle])).toBe(tables);
        expect(new Overlay().show(tables, [idle])).toBe(tables);
      }),
    );
  });

  it('keep every page that was not written to, and every row that is as it was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(ROWS - 1), { minLength: 1, maxLength: 3 }), (places) => {
        const { tables } = begin();
        const pks = places.map((at) => `i${at}`);
        const after = applyChanges(tables, [
          { rows: [{ table: ITEMS, pks, rows: pks.map(() => ({ v: 9 })) }], lists: [] },
        ]);
        const [earlier, now] = [tables, after].map((one) => table.tableOf(one, ITEMS)?.rows ?? []);

        expect(after[LISTS]).toBe(tables[LISTS]);
        now?.forEach((page, number) => {
          const isWritten = places.some((at) => at >> 8 === number);
          expect(page !== earlier?.[number], `page ${number}`).toBe(isWritten);
          page.forEach((one, i) => {
            expect(one !== earlier?.[number]?.[i]).toBe(places.includes(number * 256 + i));
          });
        });
      }),
      { numRuns: 20 },
    );
  });

  it('use the places of removed rows again, and a freed place reads as nobody', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(ROWS - 1), { minLength: 1, maxLength: 40 }), fc.nat(60), (places, added) => {
        const { tables } = begin();
        const gone = places.map((at) => `i${at}`);
        const fresh = Array.from({ length: added }, (_, i) => `new ${i}`);
        const fewer = applyChanges(tables, [
          { rows: [{ table: ITEMS, pks: gone, rows: gone.map(() => null) }], lists: [] },
        ]);
        const again = applyChanges(fewer, [
          { rows: [{ table: ITEMS, pks: fresh, rows: fresh.map(() => ({ v: 0 })) }], lists: [] },
        ]);

        expect(table.tableOf(fewer, ITEMS)).toMatchObject({ n: ROWS });
        expect(table.tableOf(again, ITEMS)?.n).toBe(ROWS + Math.max(0, added - gone.length));
        expect(table.tableOf(again, ITEMS)?.free).toHaveLength(Math.max(0, gone.length - added));
        expect(rowIn(fewer, '')).toBeUndefined();
        expect(gone.filter((key) => rowIn(fewer, key) ?? rowIn(again, key))).toEqual([]);
        expect(fresh.filter((key) => rowIn(fewer, key) ?? rowIn(tables, key))).toEqual([]);
        expect(fresh.filter((key) => !rowIn(again, key))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('shown once more with the same changes have the same rows, though all below was written anew', () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 3 }), fc.nat(ROWS - 1), (intents, at) => {
        const { tables } = begin();
        const overlay = new Overlay();
        const shown = overlay.show(tables, intents);
        const other: Changes = { rows: [{ table: ITEMS, pks: [`i${at}`], rows: [{ x: 'other' }] }], lists: [] };
        const later = overlay.show(applyChanges(tables, [other]), intents);

        for (const key of intents.flatMap(({ rows }) => rows.flatMap(({ pks }) => pks))) {
          if (key !== `i${at}`) expect(rowIn(later, key)).toBe(rowIn(shown, key));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a page', () => {
  it('that brings an item twice adds it once', async () => {
    const { applyToList } = await import('../../src/tables/members.js');

    for (const operation of ['append', 'push', 'unshift'] as const) {
      expect(applyToList(['a'], { operation, list: ['b', 'b', 'a'] })).toHaveLength(2);
    }
  });
});
