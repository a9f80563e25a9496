import { createResource, Entity, isNetworkError, NetworkError } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note });

describe('isNetworkError', () => {
  it('tells a refusal, as it was thrown and as the state has it', async () => {
    const { store, read } = setup();
    server.answer('GET /notes/1', { status: 404 });
    const thrown: unknown = await store
      .dispatch(Notes.get({ id: 1 }))
      .unwrap()
      .catch((error: unknown) => error);
    const { error } = read(Notes.get.selectRequest({ id: 1 }));

    expect([thrown, error].map((one) => isNetworkError(one) && one.status)).toEqual([404, 404]);
  });

  it('tells one of another copy of the package, which has another class', () => {
    class Other extends Error {
      override name = 'NetworkError';
      url = '/notes';
    }

    expect([new NetworkError('no', { url: '' }), new Other()].map(isNetworkError)).toEqual([true, true]);
  });

  it('tells one that has been through JSON, and says the same', () => {
    const response = new Response(null, { status: 422 });
    const error = new NetworkError('It was refused.', { url: '/notes', response, data: { title: 'too short' } });

    const read: unknown = JSON.parse(JSON.stringify(error));

    expect(isNetworkError(read)).toBe(true);
    expect(read).toEqual({
      name: 'NetworkError',
      message: 'It was refused.',
      url: '/notes',
      status: 422,
      data: { title: 'too short' },
    });
  });

  it('is false for misuse, cancellation, and what others call so', async () => {
    const { store } = setup();
    const misuse: unknown = await store
      // @ts-expect-error: the path names :id
      .dispatch(Notes.get({}))
      .unwrap()
      .catch((error: unknown) => error);

    const others = [
      misuse,
      new DOMException('', 'AbortError'),
      new DOMException('', 'NetworkError'),
      null,
      'NetworkError',
    ];
    expect(others.map(isNetworkError)).toEqual([false, false, false, false, false]);
  });
});
