import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { expect, it, vi } from 'vitest';

class Row extends Entity {
  id = 0;
  votes = 0;
  static override key = 'Row';
}

const searchParams = {} as { readonly sort?: string } | undefined;
const Rows = createResource({ path: '/rows/:id', schema: Row, searchParams });
const COUNT = 60_000;

it('an answer that is passed over is recorded in time that is in proportion to its rows', async () => {
  const answers: (() => void)[] = [];
  const fetchFn = (): Promise<Response> =>
    new Promise((resolve) => {
      const votes = answers.length;
      answers.push(() => {
        resolve(Response.json(Array.from({ length: COUNT }, (_, i) => ({ id: i + 1, votes }))));
      });
    });
  const { reducer, middleware } = configureResources({ fetchFn });
  const store = configureStore({
    reducer: { resources: reducer },
    middleware: (getDefault) => getDefault({ serializableCheck: false, immutableCheck: false }).concat(middleware),
  });
  const recorder = recordResources(store);
  const [older, newer] = [store.dispatch(Rows.getList()), store.dispatch(Rows.getList({ sort: 'votes' }))];
  await vi.waitUntil(() => answers.length === 2);
  const timeOf = async (i: number, request: PromiseLike<unknown>): Promise<number> => {
    const start = performance.now();
    answers[i]?.();
    await request;
    return performance.now() - start;
  };

  const taken = await timeOf(1, newer);
  const passedOver = await timeOf(0, older);

  expect(recorder.events.at(-1)?.meta.passedOver?.[0]?.pks).toHaveLength(COUNT);
  expect(passedOver).toBeLessThan(6 * taken);
});
