import { createResource, Entity, isNetworkError } from 'rtk-resource';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setup } from '../support/store.js';

/** The AbortSignal of React Native, which is that of the package abort-controller: it knows no reason. */
class ReasonlessSignal extends EventTarget {
  aborted = false;
}

class ReasonlessController {
  readonly signal = new ReasonlessSignal();

  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event('abort'));
  }
}

beforeAll(() => {
  vi.stubGlobal('AbortSignal', ReasonlessSignal);
  vi.stubGlobal('AbortController', ReasonlessController);
  // Hermes has none.
  vi.stubGlobal('structuredClone', undefined);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

class Note extends Entity {
  id = 0;
  tags: string[] = [];
  static override key = 'Note';
}

const Notes = createResource({ urlPrefix: 'https://notes.test', path: '/notes/:id', schema: Note });

/** A network that answers nothing, and tells how often it was asked. */
function silence() {
  const asked: string[] = [];
  const fetchFn = (input: RequestInfo | URL) => {
    asked.push(input as string);

    return new Promise<Response>(() => undefined);
  };

  return { asked, ...setup({ fetchFn }) };
}

it('a time limit fails as a network that is down, and the request is tried again', async () => {
  const { store, asked } = silence();
  const get = Notes.get.extend({ timeout: 1, retry: { times: 2, delay: () => 0 } });

  const error = await store
    .dispatch(get({ id: 1 }))
    .unwrap()
    .catch((reason: unknown) => reason);

  expect(isNetworkError(error)).toBe(true);
  expect(asked).toHaveLength(3);
});

it.each([
  ['alone', undefined],
  ['beside a time limit', 60_000],
])('a request that is aborted says why: %s', async (_, timeout) => {
  const { store } = silence();
  const promise = store.dispatch(Notes.get.extend({ timeout })({ id: 1 }));

  promise.abort('not needed');
  const { error, meta } = await promise;

  expect([error?.message, meta]).toMatchObject(['not needed', { aborted: true }]);
});

it('a recipe changes a field that the row lacks', () => {
  const { store, read, resources } = silence();
  store.dispatch(resources.set(Note, { id: 1 }));

  store.dispatch(resources.patch(Note, 1, (note) => void note.tags.push('new')));

  expect(read(resources.selectEntity(Note, 1))?.tags).toEqual(['new']);
});
