import { createResource, Entity } from 'rtk-resource';
import { recordResources, type Question } from 'rtk-resource/devtools/production';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { setup } from '../support/store.js';

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  static override key = 'Issue';
}

const searchParams = {} as { readonly status?: string } | undefined;
const Issues = createResource({ path: '/issues/:id', schema: Issue, searchParams, optimistic: true });
const row = (fields: object = {}) => ({ id: 5, title: 'Crash', status: 'open', ...fields });
const five = { id: 5 };
const GET = 'GET /issues/5';
const LIST = 'GET /issues';
const get: Question = { request: `Issue/get ${GET}` };
const list: Question = { list: 'Issue/getList', args: [] };

let network: Network;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A store that is recorded from the start, or one whose list and row were read before. */
async function recorded({ isRead = true, ...options }: { isRead?: boolean; dataExpiryLength?: number } = {}) {
  const tools = setup(options);
  const { store } = tools;
  const recorder = recordResources(store);
  const because = (question: Question) =>
    recorder.explain(question).because.map(({ kind, eventId }) => {
      const event = recorder.events.find(({ id }) => id === eventId);

      return [kind, event?.type];
    });
  const texts = (question: Question) => recorder.explain(question).because.map(({ text }) => text);
  const answered = async (send: () => unknown, name: string, json: unknown, status = 200) => {
    send();
    await pass();
    await network.release(name, { json, status });
  };
  if (isRead) {
    await answered(() => store.dispatch(Issues.getList()), LIST, [row()]);
    await answered(() => store.dispatch(Issues.get(five)), GET, row());
  }

  return { ...tools, recorder, because, texts, answered };
}

describe('what is stale by its age', () => {
  const stale = () => recorded({ dataExpiryLength: 1_000 });
  const last = (texts: readonly string[]): string | undefined => texts.at(-1);

  it('was asked for by nobody since, where that is so', async () => {
    const { texts } = await stale();
    await pass(2_000);

    expect(last(texts(get))).toMatch(
      /: a hook, a subscription or `ifStale` asks for it again; nobody has done so since\.$/,
    );
  });

  it('is asked for again, and that is not answered', async () => {
    const { store, texts } = await stale();
    await pass(2_000);
    void store.dispatch(Issues.get(five));
    await pass();

    expect(last(texts(get))).toMatch(
      /^It is stale since [\d:.]{12}: it is asked for again, and that is not answered\.$/,
    );
    await network.release(GET, { json: row() });
    expect(texts(get)).toEqual([expect.stringMatching(/^It was answered at [\d:.]{12}\.$/)]);
  });

  it('was asked for again, and that has failed', async () => {
    const { store, texts, answered } = await stale();
    await pass(2_000);
    await answered(() => store.dispatch(Issues.get(five)), GET, {}, 500);
    await answered(() => store.dispatch(Issues.getList()), LIST, {}, 500);

    const told = /^It is stale since [\d:.]{12}: it was asked for again at [\d:.]{12}, and that has failed\.$/;
    expect(last(texts(get))).toMatch(told);
    expect(last(texts(list))).toMatch(told);
  });

  it('was asked for again, and that was cancelled', async () => {
    const { store, texts } = await stale();
    await pass(2_000);
    const again = store.dispatch(Issues.get(five));
    await pass();
    again.abort();
    await pass();

    expect(last(texts(get))).toMatch(/: it was asked for again at [\d:.]{12}, and that was cancelled\.$/);
  });

  it('was asked for by nobody since, if that had failed before it was stale', async () => {
    const { store, texts, answered } = await stale();
    await answered(() => store.dispatch(Issues.get(five)), GET, {}, 500);
    await pass(2_000);

    expect(last(texts(get))).toMatch(/; nobody has done so since\.$/);
  });
});
