import { RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();

describe('a patch of an answer without a schema', () => {
  interface Stats {
    open: number;
    byDay: number[];
  }
  const getStats = new RestEndpoint({
    urlPrefix: server.url,
    path: '/stats',
    process: (value): Stats => value as Stats,
  });
  const getDays = new RestEndpoint({
    urlPrefix: server.url,
    path: '/days',
    process: (value): number[] => value as number[],
  });

  it('changes its fields until it is undone', async () => {
    const { store, read, resources } = setup();
    server.answer('GET /stats', { json: { open: 3, byDay: [1, 2] } });
    await store.dispatch(getStats());

    const preview = store.dispatch(
      resources.patch(getStats, (draft) => {
        draft.open -= 1;
        draft.byDay.push(3);
      }),
    );
    const shown = read(getStats.select());
    preview.undo();

    expect([shown, read(getStats.select())]).toEqual([
      { open: 2, byDay: [1, 2, 3] },
      { open: 3, byDay: [1, 2] },
    ]);
  });

  it('takes another list in its place, and keeps it when it is committed', async () => {
    const { store, read, resources } = setup();
    server.answer('GET /days', { json: [1, 2] });
    await store.dispatch(getDays());

    store.dispatch(resources.patch(getDays, (days) => [...days, 3])).commit();

    expect(read(getDays.select())).toEqual([1, 2, 3]);
  });
});
