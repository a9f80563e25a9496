import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  static override key = 'Note';
}

const server = await serverOfFile();
const options = { urlPrefix: server.url, path: '/notes/:id', schema: Note } as const;
const Thread = createResource(options)
  .extend({ getList: { schema: { notes: new Collection([Note], { name: 'Thread' }), next: 0 } } })
  .extend((base) => ({
    getList: base.getList.paginated({ next: ({ next }) => (next > 0 ? { after: next } : undefined) }),
  }));

const notes = (...ids: readonly number[]) => ids.map((id) => ({ id }));

describe('a last page that joins while all pages are fetched again, and was read before a note was created', () => {
  const page = (ids: readonly number[], next: number) => ({ json: { notes: notes(...ids), next } });

  it.each(['its answer', 'a message'])('leaves the note in that %s tells, until its end is told anew', async (by) => {
    const { store, resources, read } = setup();
    const { getList } = Thread;
    const ids = () => read(getList.select())?.notes.map(({ id }) => id);
    const refetch = () => {
      store.dispatch(resources.expire(getList));
      return store.dispatch(getList.ifStale());
    };
    const first = store.dispatch(getList());
    await server.release(/GET \/notes $/, page([1, 2], 2));
    await first;

    const joining = store.dispatch(getList.getNextPage());
    await server.holding(/after=2/);
    if (by === 'its answer') {
      server.answer('POST /notes', { status: 201, json: { id: 4 } });
      await store.dispatch(getList.push({}));
    } else store.dispatch(resources.setResponse(getList.push, {}, { id: 4 }));
    const all = refetch();
    await server.holding(/GET \/notes $/);
    await server.release(/after=2/, page([3], 0));
    await joining;
    await server.release(/GET \/notes $/, page([1, 2], 2));
    await all;
    const after = ids();
    const again = refetch();
    await server.release(/GET \/notes $/, page([1, 2], 2));
    await server.release(/after=2/, page([3], 0));
    await again;

    expect(after).toEqual([1, 2, 3, 4]);
    expect(ids()).toEqual([1, 2, 3]);
  });
});
