import { createResource, Entity, RestEndpoint, type FetchFn } from 'rtk-resource';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const Notes = createResource({ path: '/notes/:id', schema: Note });

/** Answers like a server that knows one note, and remembers what it was asked. */
function memory(text: string) {
  const asked: string[] = [];
  const fetchFn: FetchFn = (input, init) => {
    asked.push(`${init.method ?? 'GET'} ${input}`);
    const isThere = input === '/notes/1';
    return Promise.resolve(
      Response.json(isThere ? { id: 1, text } : { title: 'Gone' }, { status: isThere ? 200 : 404 }),
    );
  };
  return { asked, fetchFn };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the fetchFn of a store', () => {
  it('sends the requests of that store, relative addresses too', async () => {
    const { asked, fetchFn } = memory('from memory');
    const { store } = setup({ fetchFn });

    const note = await store.dispatch(Notes.get({ id: 1 })).unwrap();

    expect(note.text).toBe('from memory');
    expect(asked).toEqual(['GET /notes/1']);
  });

  it('is of one store alone', async () => {
    const one = setup({ fetchFn: memory('one').fetchFn }).store;
    const other = setup({ fetchFn: memory('other').fetchFn }).store;

    const notes = await Promise.all([one, other].map((store) => store.dispatch(Notes.get({ id: 1 })).unwrap()));

    expect(notes.map(({ text }) => text)).toEqual(['one', 'other']);
  });

  it('leaves what the server refuses a NetworkError with the parsed body', async () => {
    const { store } = setup({ fetchFn: memory('').fetchFn });

    const { error } = await store.dispatch(Notes.get({ id: 2 }));

    expect(error).toMatchObject({ name: 'NetworkError', status: 404, url: '/notes/2', data: { title: 'Gone' } });
  });

  it('leaves what cannot be read a NetworkError with the address, which a response of one’s own does not have', async () => {
    const fetchFn: FetchFn = () => Promise.resolve(new Response('<p>', { headers: { 'content-type': 'text/html' } }));
    const { store } = setup({ fetchFn });

    const { error } = await store.dispatch(Notes.get({ id: 1 }));

    expect(error).toMatchObject({ url: '/notes/1' });
    expect(error?.message).toContain('The response of /notes/1 is');
  });

  it.each([
    ['that is refused', new Response(null, { status: 413, statusText: 'Content Too Large' })],
    ['that cannot be read', new Response('<p>', { headers: { 'content-type': 'text/html' } })],
  ])(
    'is named in the error of a response %s, and that a fetchResponse of your own has made',
    async (_kind, response) => {
      const { store } = setup();
      const made = Notes.get.extend({ fetchResponse: () => Promise.resolve(response) });

      const { error } = await store.dispatch(made({ id: 1 }));

      expect(error).toMatchObject({ url: '/notes/1' });
      expect(error?.message).toContain('/notes/1 ');
    },
  );

  it('sends what a fetchResponse of your own hands on', async () => {
    class Signed extends RestEndpoint {
      override fetchResponse(input: string, init: RequestInit): Promise<Response> {
        return super.fetchResponse(input.replace('/latest', '/1'), init);
      }
    }
    const { asked, fetchFn } = memory('signed');
    const { store } = setup({ fetchFn });
    const latest = new Signed({ path: '/notes/latest', schema: Note });

    await store.dispatch(latest()).unwrap();

    expect(asked).toEqual(['GET /notes/1']);
  });

  it('is not asked by an endpoint without a store', async () => {
    const { asked, fetchFn } = memory('');
    setup({ fetchFn });
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ id: 1, text: 'from the network' })));

    const answer = await Notes.get.fetch({ id: 1 });

    expect(answer).toEqual({ id: 1, text: 'from the network' });
    expect(asked).toEqual([]);
  });
});
