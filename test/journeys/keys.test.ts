import { createResource, Entity, isTemporary, keyOf, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id: number | string = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });

/** A store with a list of one note, and the keys of its notes. */
async function setupNotes() {
  const tools = setup();
  server.answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
  await tools.store.dispatch(Notes.getList());
  const list = (): readonly Note[] => tools.read(Notes.getList.select()) ?? [];

  return { ...tools, list, keys: () => list().map(keyOf) };
}

describe('keyOf', () => {
  it('is the same before and after the real id comes, whatever happens to the note then', async () => {
    const { store, keys, list } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const before = keys();

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const after = keys();
    const edit = store.dispatch(Notes.partialUpdate({ id: 7 }, { text: 'edited' }));
    const edited = keys();
    await server.release('PATCH /notes/7', { status: 500 });
    await edit;
    const takenBack = keys();
    server.answer('GET /notes', {
      json: [
        { id: 7, text: 'from the server' },
        { id: 1, text: 'one' },
      ],
    });
    await store.dispatch(Notes.getList());

    expect(list().map(({ id }) => id)).toEqual([7, 1]);
    expect(new Set(before).size).toBe(2);
    expect([after, edited, takenBack]).toEqual([before, before, before]);
    expect(keys()).toEqual(before.toReversed());
  });

  it('is the same while the note is being deleted, and when that fails', async () => {
    const { store, keys } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const before = keys();
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    const removal = store.dispatch(Notes.delete({ id: 7 }));
    const during = keys();
    await server.release('DELETE /notes/7', { status: 500 });
    await removal;

    expect(during).toEqual(before.slice(0, 1));
    expect(keys()).toEqual(before);
  });

  it('is the same where a message brings the row before the answer does', async () => {
    const { store, keys, resources, read } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const before = keys();
    store.dispatch(resources.set(Note, { id: 7, text: 'new' }));
    read(resources.selectEntity(Note, 7));

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    expect(keys()).toEqual(before);
  });

  it('is that of its own for each note that is created at once, also when their answers come in another order', async () => {
    const { store, keys } = await setupNotes();
    const first = store.dispatch(Notes.getList.push([{ text: 'a' }, { text: 'b' }]));
    const second = store.dispatch(Notes.getList.push({ text: 'c' }));
    const before = keys();

    await server.release(/POST .*"c"/, { status: 201, json: { id: 9, text: 'c' } });
    await second;
    const between = keys();
    await server.release(/POST .*"a"/, {
      status: 201,
      json: [
        { id: 7, text: 'a' },
        { id: 8, text: 'b' },
      ],
    });
    await first;

    expect(new Set(before).size).toBe(4);
    expect([between, keys()]).toEqual([before, before]);
  });

  it('is not known to another store, and is forgotten with reset', async () => {
    const { store, keys, resources } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const own = keys();
    server.answer('GET /notes', { json: [{ id: 7, text: 'new' }] });

    const other = await setupOther();
    store.dispatch(resources.reset());
    await store.dispatch(Notes.getList());

    expect(other.keys).toEqual(['Note:7']);
    expect(keys()).toEqual(['Note:7']);
    expect(own).not.toContain('Note:7');
  });

  it('tells apart members of a union, and takes what an entity is made of as it comes', async () => {
    class Text extends Entity {
      id = 0;
      type = 'text';
      static override key = 'Text';
    }
    class Picture extends Entity {
      id = 0;
      type = 'picture';
      static override key = 'Picture';
    }
    const Posts = createResource({
      urlPrefix: server.url,
      path: '/posts/:id',
      schema: new schema.Union({ text: Text, picture: Picture }, 'type'),
      optimistic: true,
    });
    const { store, read } = setup();
    server.answer('GET /posts', {
      json: [
        { id: 1, type: 'text' },
        { id: 1, type: 'picture' },
      ],
    });
    await store.dispatch(Posts.getList());
    const keys = () => read(Posts.getList.select())?.map((post) => keyOf(post)) ?? [];
    const create = store.dispatch(Posts.getList.push({ type: 'text' }));
    const before = keys();
    await server.release('POST /posts', { status: 201, json: { id: 2, type: 'text' } });
    await create;

    expect(new Set(before).size).toBe(3);
    expect(keys()).toEqual(before);
    expect(keyOf({ id: 5 })).toBe('5');
  });

  it('stands for an item whose pk is computed, as long as that is unknown', async () => {
    class Vote extends Entity {
      poll = '';
      voter = '';
      static override key = 'Vote';
      override pk() {
        return this.poll && this.voter && `${this.poll}-${this.voter}`;
      }
    }
    const Votes = createResource({ urlPrefix: server.url, path: '/votes/:pk', schema: Vote, optimistic: true });
    const { store, read } = setup();
    server.answer('GET /votes', { json: [] });
    await store.dispatch(Votes.getList());
    const keys = () => read(Votes.getList.select())?.map(keyOf) ?? [];
    const create = store.dispatch(Votes.getList.push({ poll: 'p' }));
    const before = keys();
    await server.release('POST /votes', { status: 201, json: { poll: 'p', voter: 'me' } });
    await create;

    expect(before.map((key) => isTemporary(key.replace('Vote:', '')))).toEqual([true]);
    expect(keys()).toEqual(before);
  });

  it('tells items apart whose pk is made of the parent, or of what the server has sent in a field', async () => {
    class Line extends Entity {
      no = 0;
      day = new Date(0);
      static override key = 'Line';
      static override schema = { day: Date };
      override pk(order?: unknown) {
        return `${(order as { id: number }).id}/${String(this.day)}/${this.no}`;
      }
    }
    class Order extends Entity {
      id = 0;
      lines: Line[] = [];
      static override key = 'Order';
      static override schema = { lines: [Line] };
    }
    const Orders = createResource({ urlPrefix: server.url, path: '/orders/:id', schema: Order });
    const lines = [{ no: 1, day: '2026-01-01' }];
    server.answer('GET /orders', {
      json: [
        { id: 1, lines },
        { id: 2, lines },
      ],
    });
    const orders = await setup().store.dispatch(Orders.getList()).unwrap();

    expect(orders.flatMap((order) => order.lines.map(keyOf))).toEqual(['Line:1/2026-01-01/1', 'Line:2/2026-01-01/1']);
  });

  it('stands for an item with a field that is called pk', async () => {
    const { store, read } = setup();
    server.answer('GET /notes', { json: [{ id: 1, pk: 1, text: 'one' }] });
    await store.dispatch(Notes.getList());

    expect(read(Notes.getList.select())?.map(keyOf)).toEqual(['Note:1']);
  });
});

async function setupOther() {
  const { store, read } = setup();
  await store.dispatch(Notes.getList());

  return { keys: read(Notes.getList.select())?.map(keyOf) };
}
