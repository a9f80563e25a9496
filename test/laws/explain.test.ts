import fc from 'fast-check';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { ResourcesState } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { histories, settings, withoutFilters, type Step } from '../support/histories.js';
import { filtersOf, lists, tableOf } from '../support/notes.js';
import { Play, stopTime, viewOf, type Setting } from '../support/play.js';
import { search } from '../support/search.js';

vi.setConfig({ testTimeout: 36_000_000 });

interface Runtime {
  observe(observer: (action: UnknownAction, before: ResourcesState, after: ResourcesState) => void): () => void;
}

const entityOf = { notes: 'Note', people: 'Person' } as const;

/** All that a store has of rows, by table, pk and field. */
function cells({ tables }: ResourcesState): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const table of ['Note', 'Person']) {
    const { pks = [], rows = [] } = tables[table] ?? {};
    pks.flat().forEach((pk, i) => {
      const row = rows.flat()[i] as Readonly<Record<string, unknown>> | null;
      for (const [field, value] of Object.entries(row ?? {}))
        found.set(`${table} ${pk} ${field}`, JSON.stringify(value));
    });
  }
  return found;
}

/** Who is in which list, by table, key and pk. */
function members({ tables }: ResourcesState): ReadonlySet<string> {
  const found = new Set<string>();
  for (const table of ['[Note]', '[Person]']) {
    const { pks = [], rows = [] } = tables[table] ?? {};
    pks.flat().forEach((key, i) => {
      for (const pk of (rows.flat()[i] as readonly string[] | null) ?? []) found.add(`${table} ${key} ${pk}`);
    });
  }
  return found;
}

/** Which action has written each field last, as far as the store itself tells. */
class Witness {
  readonly #writers = new Map<string, string>();
  #rows: ReadonlySet<string> = new Set();
  /** By which action a row has come into a list last, or gone. */
  readonly moved = new Map<string, string>();

  constructor(runtime: Runtime) {
    runtime.observe((action, before, after) => {
      if (action.type === 'resources/reset') {
        this.#writers.clear();
        this.moved.clear();
        return;
      }
      const [earlier, later] = [members(before), members(after)];
      for (const one of [...earlier, ...later])
        if (earlier.has(one) !== later.has(one)) this.moved.set(one, nameOf(action));
      const [was, is] = [cells(before), cells(after)];
      this.#rows = new Set([...is.keys()].map((cell) => cell.split(' ').slice(0, 2).join(' ')));
      for (const cell of was.keys()) if (!is.has(cell)) this.#writers.delete(cell);
      for (const [cell, value] of is) if (was.get(cell) !== value) this.#writers.set(cell, nameOf(action));
    });
  }

  /** The request whose guess shows a field, or the action that has written it. */
  writerOf({ intents }: ResourcesState, table: string, pk: string, field: string): string | undefined {
    let guess: string | undefined;
    let isThere = this.#rows.has(`${table} ${pk}`);
    for (const { requestId, changes } of intents)
      for (const { table: of, pks, rows, existing } of changes.rows) {
        const row = of === table ? rows[pks.indexOf(pk)] : undefined;
        if (!row || (existing && !isThere)) continue;
        isThere = true;
        if (Object.hasOwn(row, field)) guess = `pending ${requestId}`;
      }
    return guess ?? this.#writers.get(`${table} ${pk} ${field}`);
  }
}

function nameOf({ type, meta }: UnknownAction): string {
  const { requestId, requestStatus } = (meta ?? {}) as { readonly requestId?: string; readonly requestStatus?: string };
  return requestId === undefined ? type : `${String(requestStatus)} ${requestId}`;
}

/** What a list is known by. */
function keyOf(filters: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1))));
}

async function expectTruth(setting: Setting, history: readonly Step[]): Promise<void> {
  const play = new Play({ ...setting, isAttentive: false });
  const recorder = recordResources(play.store, { maxEvents: 10_000 });
  const witness = new Witness(play.store.dispatch({ type: 'rtk-resource/connect' }) as unknown as Runtime);
  const steps = setting.isVersioned ? history.map(withoutFilters) : history;
  const look = (): void => {
    const { rows, lists: shown } = play.sight();
    const events = new Map(recorder.events.map((event) => [event.id, event]));
    for (const [key, row] of rows) {
      const [table = '', pk = ''] = key.split(' ');
      const entity = entityOf[table as keyof typeof entityOf];
      for (const [field, value] of Object.entries(row)) {
        const { value: told, because } = recorder.explain({ entity, pk: String(row.id), field });
        const wire = field === 'by' && value ? String((value as { id: unknown }).id) : (value as unknown);
        expect(told, `${key} ${field} ${pk}`).toEqual(wire);
        const writer = witness.writerOf(play.slice, entity, String(row.id), field);
        const event = events.get(because[0]?.eventId ?? '');
        // Of what refers to a row that is not shown, that comes first.
        if (writer !== undefined && told !== undefined)
          expect(event && nameOf(event as never as UnknownAction), `${key} ${field}`).toBe(writer);
      }
    }
    const view = viewOf({ rows, lists: shown });
    for (const list of lists) {
      const getList = setting.paging === 'number' ? 'getList' : 'getList/paginated';
      const question = { list: `${entityOf[tableOf(list)]}/${getList}`, args: [filtersOf(list)] };
      const pks = view.lists[list];
      const of = recorder.explain(question);
      expect(of.value, list).toEqual(pks);
      for (const [, row] of rows) {
        const { value, because } = recorder.explain({ ...question, pk: String(row.id) });
        if (tableOf(list) === ('votes' in row ? 'notes' : 'people'))
          // Of a list that nobody has asked for yet, nobody can tell.
          expect(pks ? value : (value ?? false), `${list} ${row.id}`).toBe(pks?.includes(String(row.id)) ?? false);
        expect(because).not.toEqual([]);
        const table = `[${entityOf[tableOf(list)]}]`;
        const mover = witness.moved.get(`${table} ${keyOf(filtersOf(list))} ${row.id}`);
        const event = events.get(because[0]?.eventId ?? '');
        // While something is pending, that may decide.
        if (mover !== undefined && play.slice.intents.length === 0)
          expect(event && nameOf(event as never as UnknownAction), `${list} ${row.id}`).toBe(mover);
      }
    }
  };
  for (const step of steps) {
    await play.step(step);
    look();
  }
  await play.drain(look);
}

describe('explain', () => {
  beforeAll(() => {
    stopTime();
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  it('tells what selectors show of every field and every member, and names first what has written it, whatever overlaps', async () => {
    // Some creates name no folder or no color by which lists are known: that is warned of once.
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    await fc.assert(fc.asyncProperty(settings, histories(30), expectTruth), {
      ...search,
      numRuns: Math.ceil(search.numRuns / 4),
    });
  });
});
