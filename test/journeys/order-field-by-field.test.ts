import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  votes = 0;
  folder = '';
  /** Another note. */
  after = 0;
  static override key = 'Note';
}

const server = await serverOfFile();

const searchParams: { folder?: string } = {};
const options = {
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams,
  paginationField: 'page',
} as const;
const Notes = createResource(options);
/** Has lists by folder and text. */
const byBoth: { folder?: string; text?: string } = {};
const Sorted = createResource({ ...options, searchParams: byBoth });
/** Shows at once what it is expected to do. */
const Quick = createResource({ ...options, optimistic: true });

/** Counts one up: what is expected depends on what is there. */
const vote = new RestEndpoint({
  urlPrefix: server.url,
  path: '/notes/:id/vote',
  method: 'POST',
  name: 'Note/vote',
  schema: Note,
  body: undefined,
  getOptimisticResponse(snapshot, params) {
    const there = snapshot.get(Note, params);
    if (!there) throw snapshot.abort;
    return { id: there.id, votes: there.votes + 1 };
  },
});

const note = (id: number, fields: object = {}): object => ({ id, text: `n${id}`, votes: 0, ...fields });
const ok = (json: unknown): { json: unknown } => ({ json });

/** A store that has fetched notes 1 and 2. */
async function setupNotes(options: Parameters<typeof setup>[0] = {}) {
  const tools = setup(options);
  const first = tools.store.dispatch(Notes.getList());
  await server.release('GET /notes', ok([note(1), note(2)]));
  await first.unwrap();

  return {
    ...tools,
    one: (id: number): Note | undefined => tools.read(Notes.get.select({ id })),
    ids: () => tools.read(Notes.getList.select())?.map(({ id }) => id),
  };
}

describe('an edit that is answered with nothing', () => {
  it('holds also where an older list is the first to bring the row', async () => {
    const { store, read, slice } = setup();
    const list = store.dispatch(Quick.getList());
    await server.holding('GET /notes');

    const edit = store.dispatch(Quick.partialUpdate({ id: 1 }, { text: 'edited' }));
    await server.release('PATCH /notes/1', { status: 204 });
    await edit;
    expect(read(Quick.get.select({ id: 1 }))).toBeUndefined();
    await server.release('GET /notes', ok([note(1)]));
    await list;

    expect(read(Quick.get.select({ id: 1 }))).toMatchObject({ text: 'edited', votes: 0 });
    expectIdle(slice());
  });

  it('is forgotten where no older answer can bring the row any more', async () => {
    const { store, read, slice } = setup();
    const other = store.dispatch(Notes.get({ id: 2 }));
    await server.holding('GET /notes/2');
    const edit = store.dispatch(Quick.partialUpdate({ id: 1 }, { text: 'edited' }));
    await server.release('PATCH /notes/1', { status: 204 });
    await edit;
    await server.release('GET /notes/2', ok(note(2)));
    await other;

    const list = store.dispatch(Quick.getList());
    await server.release('GET /notes', ok([note(1)]));
    await list;

    expect(read(Quick.get.select({ id: 1 }))?.text).toBe('n1');
    expectIdle(slice());
  });
});

describe('an edit that is answered with nothing, of a row that a later read is the first to bring', () => {
  it('is no reason to ask again, for the read was sent when the edit had been done', async () => {
    const { store, read, slice } = setup();
    const other = store.dispatch(Notes.get({ id: 2 }));
    await server.holding('GET /notes/2');
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    await server.release('PATCH /notes/1', { status: 204 });
    await edit;
    const list = store.dispatch(Notes.getList());
    await server.release('GET /notes', ok([note(1, { text: 'edited since' })]));
    await list;

    expect(read(Notes.get.select({ id: 1 }))?.text).toBe('edited since');
    expect(read(Notes.getList.selectRequest()).isStale).toBe(false);
    await server.release('GET /notes/2', ok(note(2)));
    await other;
    expectIdle(slice());
  });
});

describe('writes that overlap', () => {
  it('leave a field that all of them name to the last, in whatever order they are answered', async () => {
    const { store, one } = await setupNotes();
    const edits = ['first', 'second', 'third'].map((text) => store.dispatch(Notes.partialUpdate({ id: 1 }, { text })));

    for (const [text, edit] of [
      ['third', edits[2]],
      ['first', edits[0]],
      ['second', edits[1]],
    ] as const) {
      await server.release(new RegExp(`"${text}"`), ok(note(1, { text })));
      await edit;
    }

    expect(one(1)?.text).toBe('third');
  });
});

describe('a write whose edit a poll has shown before it is answered', () => {
  it('confirms what the server has made of it', async () => {
    const { store, one } = await setupNotes();
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1, { text: 'edited' }), note(2)]));
    await poll;
    await server.release('PATCH /notes/1', ok(note(1, { text: 'Edited.' })));
    await edit;

    expect(one(1)?.text).toBe('Edited.');
  });
});

describe('a list and an edit that overlap, and say different things of where a note is', () => {
  const isStale = (read: ReturnType<typeof setup>['read'], folder: string): boolean =>
    read(Notes.getList.selectRequest({ folder })).isStale;

  it.each([Notes, Quick])('make the lists of both stale, in whatever order they are answered', async (Edited) => {
    for (const isEditFirst of [true, false]) {
      const { store, read } = setup();
      for (const [folder, rows] of [
        ['x', []],
        ['y', []],
        ['z', [note(1, { folder: 'z' })]],
      ] as const) {
        const first = store.dispatch(Notes.getList({ folder }));
        await server.release(`GET /notes?folder=${folder}`, ok(rows));
        await first;
      }

      const edit = store.dispatch(Edited.partialUpdate({ id: 1 }, { folder: 'y' }));
      await server.holding('PATCH /notes/1');
      const list = store.dispatch(Notes.getList({ folder: 'x' }));
      await server.holding('GET /notes?folder=x');
      const answerEdit = async (): Promise<void> => {
        await server.release('PATCH /notes/1', ok(note(1, { folder: 'y' })));
        await edit;
      };
      if (isEditFirst) await answerEdit();
      await server.release('GET /notes?folder=x', ok([note(1, { folder: 'x' })]));
      await list;
      if (!isEditFirst) await answerEdit();

      expect(['x', 'y', 'z'].map((folder) => isStale(read, folder))).toEqual([true, true, false]);
    }
  });
});

describe('a row of which one field is in doubt and another is not', () => {
  it('makes stale the list that the answer puts it into, by both', async () => {
    const { store, read } = setup();
    const inBoth = { folder: 'y', text: 'b' };
    for (const [search, rows] of [
      [{ folder: 'x', text: 'a' }, [note(1, { folder: 'x', text: 'a' })]],
      [inBoth, []],
    ] as const) {
      const first = store.dispatch(Sorted.getList(search));
      await server.release('GET /notes', ok(rows));
      await first;
    }

    const detail = store.dispatch(Sorted.get({ id: 1 }));
    await server.holding('GET /notes/1');
    const edit = store.dispatch(Sorted.partialUpdate({ id: 1 }, { folder: 'x' }));
    await server.release('PATCH /notes/1', ok({ id: 1, folder: 'x' }));
    await edit;
    await server.release('GET /notes/1', ok(note(1, inBoth)));
    await detail;

    expect(read(Sorted.get.select({ id: 1 }))).toMatchObject({ folder: 'x', text: 'b' });
    expect(read(Sorted.getList.selectRequest(inBoth)).isStale).toBe(true);
  });
});

describe('a poll that was sent just before a write settled', () => {
  /** More rows than are remembered without a look at which of them can be forgotten. */
  const many = Array.from({ length: 300 }, (_, i) => note(i + 10));

  it('does not take back what that confirmed, however much else has come meanwhile', async () => {
    const { store, one, slice } = await setupNotes();
    const others = store.dispatch(Notes.getList({ folder: 'others' }));
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes?folder=others', ok(many));
    await others;
    await server.release('PATCH /notes/1', ok(note(1, { text: 'edited' })));
    await edit;
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll;

    expect(one(1)?.text).toBe('edited');
    expectIdle(slice());
  });

  it('does not lose what that created, however much else has come meanwhile', async () => {
    const { store, ids, slice } = await setupNotes();
    const others = store.dispatch(Notes.getList({ folder: 'others' }));
    const create = store.dispatch(Notes.getList.push({}, { text: 'new' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes?folder=others', ok(many));
    await others;
    await server.release('POST /notes', ok(note(3, { text: 'new' })));
    await create;
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll;

    expect(ids()).toEqual([1, 2, 3]);
    expectIdle(slice());
  });
});

describe('an item that is moved, and deleted before the move is answered', () => {
  it('is in no list, also when the row is there again', async () => {
    const { store, one, slice, resources, read } = await setupNotes();
    const inFolder = { folder: 'b' };
    const loading = store.dispatch(Notes.getList(inFolder));
    await server.release('GET /notes', ok([note(4, inFolder)]));
    await loading;
    const move = store.dispatch(Notes.getList.move({ id: 1 }, inFolder));
    const deletion = store.dispatch(Notes.delete({ id: 1 }));

    await server.release('DELETE /notes/1');
    await deletion;
    await server.release('PATCH /notes/1', ok(note(1, inFolder)));
    await move;
    const again = store.dispatch(Notes.get({ id: 1 }));
    await server.release('GET /notes/1', ok(note(1)));
    await again;

    expect(one(1)).toBeDefined();
    expect(read(resources.select(Notes.getList, inFolder))?.map(({ id }) => id)).toEqual([4]);
    expectIdle(slice());
  });
});

describe('an item that is created again while it is being deleted', () => {
  it('makes its list stale, for nobody knows whether it is there', async () => {
    const { store, ids, one, read } = await setupNotes();
    const deletion = store.dispatch(Quick.delete({ id: 1 }));
    await server.holding('DELETE /notes/1');
    const again = store.dispatch(Quick.getList.push({}, { id: 1, text: 'again' }));
    await server.holding('POST /notes');
    await server.release('DELETE /notes/1');
    await deletion;
    await server.release('POST /notes', ok(note(1, { text: 'again' })));
    await again;

    expect(ids()).toEqual([2]);
    expect(read(Notes.getList.selectRequest()).isStale).toBe(true);

    const poll = store.dispatch(Notes.getList());
    await server.release('GET /notes', ok([note(1, { text: 'again' }), note(2)]));
    await poll;
    expect(one(1)).toMatchObject({ text: 'again' });
    expect(ids()).toEqual([1, 2]);
  });
});

describe('an item that is created, and deleted, while a list is fetched for the first time', () => {
  it('is not in it, also when the row is there again', async () => {
    const { store, resources, read, slice } = setup();
    const list = store.dispatch(Notes.getList());
    await server.holding('GET /notes');
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    await server.release('POST /notes', ok(note(3)));
    await create;
    const deletion = store.dispatch(Notes.delete({ id: 3 }));
    await server.release('DELETE /notes/3');
    await deletion;
    store.dispatch(resources.set(Note, { id: 3, text: 'kept in a draft' }));

    await server.release('GET /notes', ok([note(1)]));
    await list;

    expect(read(Notes.getList.select())?.map(({ id }) => id)).toEqual([1]);
    expectIdle(slice());
  });
});

describe('a read that tells what is gone', () => {
  const changes = new RestEndpoint({
    urlPrefix: server.url,
    path: '/changes',
    name: 'changes',
    schema: { gone: [new schema.Invalidate(Note)] },
  });

  it('takes nothing away that a later answer has brought', async () => {
    const { store, one, slice } = await setupNotes();
    const told = store.dispatch(changes());
    const later = store.dispatch(Notes.get({ id: 1 }));

    await server.release('GET /notes/1', ok(note(1, { text: 'there again' })));
    await later;
    await server.release('GET /changes', ok({ gone: [{ id: 1 }, { id: 2 }] }));
    await told;

    expect(one(1)?.text).toBe('there again');
    expect(one(2)).toBeUndefined();
    expectIdle(slice());
  });
});

describe('a page that was asked for before the whole list', () => {
  it('is not added to that', async () => {
    const { store, ids, slice } = await setupNotes();
    const page = store.dispatch(Notes.getList.getPage({ page: 2 }));
    const whole = store.dispatch(Notes.getList());

    await server.release('GET /notes?page=2', ok([note(3)]));
    await page;
    const between = ids();
    await server.release('GET /notes', ok([note(2), note(1)]));
    await whole;

    expect(between).toEqual([1, 2, 3]);
    expect(ids()).toEqual([2, 1]);
    expectIdle(slice());
  });
});

describe('a list that is fetched for the first time while an item is being created', () => {
  it('has the item once, though a second answer has brought it before the create was answered', async () => {
    const { store, slice, read, resources } = await setupNotes();
    const inFolder = { folder: 'b' };
    const idsInFolder = () => read(resources.select(Quick.getList, inFolder))?.map(({ id }) => id);
    const create = store.dispatch(Quick.getList.push(inFolder, { text: 'new' }));
    for (const answer of [[note(4)], [note(4), note(9, { text: 'new' })]]) {
      const loading = store.dispatch(Quick.getList(inFolder));
      await server.release('GET /notes', ok(answer));
      await loading;
    }
    const during = idsInFolder();

    await server.release('POST /notes', ok(note(9, inFolder)));
    await create;

    expect(during).toEqual([4, 9]);
    expect(idsInFolder()).toEqual([4, 9]);
    expectIdle(slice());
  });
});

describe('a pending edit of a row that is deleted', () => {
  it('is not shown over the row when that is there again', async () => {
    const { store, one, slice } = await setupNotes();
    const edit = store.dispatch(Quick.partialUpdate({ id: 1 }, { text: 'edited' }));
    const deletion = store.dispatch(Notes.delete({ id: 1 }));

    await server.release('DELETE /notes/1');
    await deletion;
    const again = store.dispatch(Notes.get({ id: 1 }));
    await server.release('GET /notes/1', ok(note(1, { text: 'there again' })));
    await again;
    const during = one(1)?.text;
    await server.release('PATCH /notes/1', { status: 404, json: {} });
    await edit;

    expect([during, one(1)?.text]).toEqual(['there again', 'there again']);
    expectIdle(slice());
  });
});

describe('an item whose create has waited for another', () => {
  it('stands where it was asked for', async () => {
    const { store, ids, slice } = await setupNotes();
    const first = store.dispatch(Quick.getList.push({}, { text: 'first' }));
    const after = ids()?.at(-1) ?? 0;
    const second = store.dispatch(Quick.getList.push({}, { text: 'second', after }));
    const third = store.dispatch(Quick.getList.push({}, { text: 'third' }));

    await server.release(/"first"/, ok(note(3)));
    await first;
    await server.release(/"third"/, ok(note(5)));
    await third;
    await server.release(/"second".*3/, ok(note(4)));
    await second;

    expect(ids()).toEqual([1, 2, 3, 4, 5]);
    expectIdle(slice());
  });
});

describe('a poll that was sent before a create', () => {
  it('hides the item that may be what is created until that is known, so that it shows once', async () => {
    const { store, ids, slice, watch } = await setupNotes();
    const lengths = watch((state) => Notes.getList.select()(state)?.length);
    const poll = store.dispatch(Quick.getList());
    const create = store.dispatch(Quick.getList.push({}, { text: 'new' }));

    await server.release('GET /notes', ok([note(1), note(2), note(3, { text: 'new' })]));
    await poll;
    await server.release('POST /notes', ok(note(3, { text: 'new' })));
    await create;

    expect(ids()).toEqual([1, 2, 3]);
    expect(lengths).toEqual([2, 3]);
    expectIdle(slice());
  });

  it('lands at once when it brings only what was known', async () => {
    const { store, ids, slice } = await setupNotes();
    const poll = store.dispatch(Quick.getList());
    const create = store.dispatch(Quick.getList.push({}, { text: 'new' }));

    await server.release('GET /notes', ok([note(2), note(1)]));
    await poll;
    const during = ids()?.slice(0, 2);
    await server.release('POST /notes', ok(note(3)));
    await create;

    expect(during).toEqual([2, 1]);
    expect(ids()).toEqual([2, 1, 3]);
    expectIdle(slice());
  });
});

describe('notes that are being created side by side', () => {
  it('stay the objects that they are when a later one is there, and show what is done to them', async () => {
    const { store, resources, read } = await setupNotes();
    const creates = ['a', 'b', 'c'].map((text) => store.dispatch(Quick.getList.push({}, { text })));
    const shown = (): readonly Note[] => read(Notes.getList.select()) ?? [];
    const [, , a, , c] = shown();
    const selectA = resources.selectEntity(Note, a?.id ?? 0);
    expect(read(selectA)).toBe(a);

    await server.release(/POST \/notes .*"b"/, ok(note(4, { text: 'there' })));
    await creates[1];
    expect(shown()[2]).toBe(a);
    expect(shown()[4]).toBe(c);
    expect(read(selectA)).toBe(a);

    const edit = store.dispatch(Quick.partialUpdate({ id: a?.id ?? 0 }, { text: 'edited' }));
    expect([read(selectA)?.text, shown()[2]?.text]).toEqual(['edited', 'edited']);
    expect(shown()[4]).toBe(c);

    edit.abort();
    await edit;
    expect(read(selectA)).toBe(a);
    expect(shown()[2]).toBe(a);
  });
});

describe('an item that is confirmed in part under an edit', () => {
  it('is known to be partial, though nothing is shown otherwise than before', async () => {
    const { store, read } = await setupNotes();
    const deletion = store.dispatch(Quick.delete({ id: 1 }));
    await server.release('DELETE /notes/1');
    await deletion;
    const create = store.dispatch(Quick.getList.push({}, { id: 5, text: 'a' }));
    await server.holding('POST /notes');
    const edit = store.dispatch(Quick.partialUpdate({ id: 5 }, { votes: 1 }));
    expect(read(Quick.get.selectRequest({ id: 5 })).isPartial).toBe(false);

    await server.release('POST /notes', ok({ id: 5, text: 'a' }));
    await create;

    expect(read(Quick.get.selectRequest({ id: 5 }))).toMatchObject({ data: { text: 'a', votes: 1 }, isPartial: true });
    edit.abort();
    await edit;
  });
});

describe('a row of whose pending edit another takes back one of two fields', () => {
  it('joins at once the list that it fits then', async () => {
    const { store, resources, read } = setup();
    const Both = createResource({ ...options, name: 'Both', searchParams: byBoth, optimistic: true });
    const wanted = { folder: 'a', text: 'seen' };
    store.dispatch(resources.setResponse(Both.getList, wanted, []));
    store.dispatch(resources.set(Note, { id: 1, folder: 'b', text: 'seen' }));
    const edit = store.dispatch(Both.partialUpdate({ id: 1 }, { folder: 'a', text: 'mine' }));
    const shown = () => read(Both.getList.select(wanted))?.map(({ id, folder, text }) => [id, folder, text]);
    expect(shown()).toEqual([]);

    store.dispatch(resources.set(Note, { id: 1, text: 'seen' }));

    expect(shown()).toEqual([[1, 'a', 'seen']]);
    edit.abort();
    await edit;
    expect(shown()).toEqual([]);
  });
});

describe('a list in which a create is refused', () => {
  it.each([true, false])('is the list that it was, but for what happens meanwhile, read: %s', async (isRead) => {
    const { store, read } = await setupNotes();
    const shown = (): readonly Note[] => read(Notes.getList.select()) ?? [];
    const before = shown();
    const refuse = async (meanwhile: () => unknown): Promise<void> => {
      const create = store.dispatch(Quick.getList.push({}, { text: 'new' }));
      expect(shown()).toHaveLength(before.length + 1);
      meanwhile();
      if (isRead) shown();
      await server.release('POST /notes', { status: 400 });
      await create;
    };

    await refuse(() => 0);
    expect(shown()).toBe(before);

    const edit = Quick.partialUpdate({ id: 1 }, { text: 'edited' });
    await refuse(() => store.dispatch(edit));
    expect(shown().map(({ text }) => text)).toEqual(['edited', 'n2']);
    await server.release('PATCH /notes/1', { status: 400 });
    await vi.waitFor(() => {
      expect(shown()).toBe(before);
    });

    await refuse(() => store.dispatch(Quick.delete({ id: 2 })));
    expect(shown()).toEqual([before[0]]);
    await server.release('DELETE /notes/2', { status: 400 });
    await vi.waitFor(() => {
      expect(shown()).toBe(before);
    });
  });
});

describe('a list of which only pages are known', () => {
  it('has nothing of what was created before the first of them was asked for', async () => {
    const { store, slice, read, resources } = await setupNotes();
    const inFolder = { folder: 'b' };
    const idsInFolder = () => read(resources.select(Notes.getList, inFolder))?.map(({ id }) => id);
    const second = store.dispatch(Notes.getList.getPage({ ...inFolder, page: 2 }));
    const create = store.dispatch(Notes.getList.push(inFolder, { text: 'new' }));
    await server.release('POST /notes', ok(note(9)));
    await create;
    const third = store.dispatch(Notes.getList.getPage({ ...inFolder, page: 3 }));

    await server.release(/page=3/, ok([note(6)]));
    await third;
    const between = idsInFolder();
    await server.release(/page=2/, ok([note(5)]));
    await second;

    expect(between).toEqual([6]);
    expect(idsInFolder()).toEqual([5, 6]);
    expectIdle(slice());
  });
});

describe('a count', () => {
  it('goes on at once from what a poll has brought that was sent before it', async () => {
    const { store, one, slice } = await setupNotes();
    const poll = store.dispatch(Notes.getList());
    const counting = store.dispatch(vote({ id: 1 }));

    await server.release('GET /notes', ok([note(1, { votes: 5 }), note(2)]));
    await poll;
    const during = one(1)?.votes;
    await server.release('POST /notes/1/vote', ok(note(1, { votes: 6 })));
    await counting;

    expect([during, one(1)?.votes]).toEqual([6, 6]);
    expectIdle(slice());
  });

  it('holds a later poll back no longer than it may', async () => {
    const { store, one, slice } = await setupNotes({ holdTimeout: 50 });
    const counting = store.dispatch(vote({ id: 1 }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1, { votes: 5 }), note(2)]));
    await poll;
    await expect.poll(() => one(1)?.votes).toBe(6);
    await server.release('POST /notes/1/vote', ok(note(1, { votes: 5 })));
    await counting;

    expect(one(1)?.votes).toBe(5);
    expectIdle(slice());
  });

  it('goes on from an edit that was made before it, though a later one waits for it', async () => {
    const { store, one, slice } = await setupNotes();
    const first = store.dispatch(Notes.partialUpdate({ id: 1 }, { votes: 10 }));
    const counting = store.dispatch(vote({ id: 1 }));
    const second = store.dispatch(Notes.partialUpdate({ id: 1 }, { votes: 20 }));

    await server.release(/PATCH.*20/, ok(note(1, { votes: 20 })));
    await second;
    const before = one(1)?.votes;
    await server.release(/PATCH.*10/, ok(note(1, { votes: 10 })));
    await first;
    const after = one(1)?.votes;
    await server.release('POST /notes/1/vote', ok(note(1, { votes: 11 })));
    await counting;

    expect([before, after, one(1)?.votes]).toEqual([1, 11, 20]);
    expectIdle(slice());
  });
});

describe('a count of a row that is being deleted', () => {
  it('counts beside one that was made before, where the deletion is refused', async () => {
    const { store, one, slice } = await setupNotes();
    const first = store.dispatch(vote({ id: 1 }));
    await server.holding('POST /notes/1/vote');
    const deletion = store.dispatch(Quick.delete({ id: 1 }));
    const second = store.dispatch(vote({ id: 1 }));
    await server.release('POST /notes/1/vote', ok(note(1, { votes: 1 })));
    await first;
    await server.release('DELETE /notes/1', { status: 422, json: {} });
    await deletion;

    await server.release('POST /notes/1/vote', ok(note(1, { votes: 2 })));
    await second;

    expect(one(1)?.votes).toBe(2);
    expectIdle(slice());
  });
});

describe('an edit that waits for a count, beside a poll that does, when the count is refused', () => {
  it('holds what it names, for nobody has seen what the poll has brought', async () => {
    const { store, one, slice } = await setupNotes();
    const counting = store.dispatch(vote({ id: 1 }));
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { votes: 20 }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1, { votes: 7 }), note(2)]));
    await poll;
    await server.release('PATCH /notes/1', ok(note(1, { votes: 20 })));
    await edit;
    const during = one(1)?.votes;
    await server.release('POST /notes/1/vote', { status: 422, json: {} });
    await counting;

    expect([during, one(1)?.votes]).toEqual([1, 20]);
    expectIdle(slice());
  });
});

describe('a plain edit', () => {
  it('makes no later write wait', async () => {
    const { store, one, slice } = await setupNotes();
    const first = store.dispatch(Quick.partialUpdate({ id: 1 }, { text: 'first' }));
    const second = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'second' }));

    await server.release(/"second"/, ok(note(1, { text: 'second' })));
    await second;
    const during = one(1)?.text;
    await server.release(/"first"/, ok(note(1, { text: 'first' })));
    await first;

    expect([during, one(1)?.text]).toEqual(['second', 'second']);
    expectIdle(slice());
  });
});

class Versioned extends Note {
  version = 0;
  static override key = 'Versioned';
  static override shouldReorder(
    _before: unknown,
    _now: unknown,
    existing: { readonly version?: number },
    incoming: { readonly version?: number },
  ): boolean {
    return (existing.version ?? 0) > (incoming.version ?? Infinity);
  }
}
const VersionedNotes = createResource({ ...options, schema: Versioned, optimistic: true });
const versioned = (version: number, fields: object = {}): object => ({
  id: 1,
  text: 'old',
  votes: 0,
  version,
  ...fields,
});

describe('a class that orders its answers by a version', () => {
  async function setupVersioned() {
    const tools = setup();
    const first = tools.store.dispatch(VersionedNotes.getList());
    await server.release('GET /notes', ok([versioned(1)]));
    await first.unwrap();
    return { ...tools, one: () => tools.read(VersionedNotes.get.select({ id: 1 })) };
  }

  it('has its version decide, in whatever order requests were sent and answered', async () => {
    const { store, one } = await setupVersioned();
    const early = store.dispatch(VersionedNotes.getList());
    await server.holding('GET /notes');
    const late = store.dispatch(VersionedNotes.get({ id: 1 }));
    await server.release('GET /notes/1', ok(versioned(2, { text: 'older' })));
    await late;

    await server.release('GET /notes', ok([versioned(3, { text: 'newest' })]));
    await early;

    expect(one()).toMatchObject({ text: 'newest', version: 3 });
  });

  it('shows of a pending edit its fields alone, over whatever comes', async () => {
    const { store, one } = await setupVersioned();
    const edit = store.dispatch(VersionedNotes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const list = store.dispatch(VersionedNotes.getList());
    await server.release('GET /notes', ok([versioned(2, { votes: 5 })]));
    await list;

    expect(one()).toMatchObject({ text: 'edited', votes: 5, version: 2 });
    await server.release('PATCH /notes/1', ok(versioned(3, { text: 'edited', votes: 5 })));
    await edit;
  });

  it('shows what a later answer has counted, where an older one names the same field while an earlier guess is pending', async () => {
    const { store, read, resources } = await setupVersioned();
    const voting = VersionedNotes.extend('vote', {
      urlPrefix: server.url,
      path: '/notes/:id/vote',
      method: 'POST',
      schema: Versioned,
      body: undefined,
      searchParams: {} as { readonly nth: number },
      optimistic: (row) => {
        row.votes += 1;
      },
    });
    const votes = () => read(resources.selectEntity(Versioned, 1))?.votes;
    const one = store.dispatch(voting.vote({ id: 1, nth: 1 }));
    const other = store.dispatch(voting.vote({ id: 1, nth: 2 }));
    const edit = store.dispatch(VersionedNotes.partialUpdate({ id: 1 }, { text: 'new' }));
    await server.release('PATCH /notes/1', ok(versioned(4, { text: 'new', votes: 2 })));
    await edit;
    expect(votes()).toBe(2);
    const [first, second] = [versioned(2, { votes: 1 }), versioned(3, { votes: 2 })];

    await server.release('POST /notes/1/vote?nth=2', ok(second));
    await other;

    expect(votes()).toBe(2);
    await server.release('POST /notes/1/vote?nth=1', ok(first));
    await one;
    expect(votes()).toBe(2);
  });

  it('shows nothing but the row of a list that comes while an edit of it is pending', async () => {
    const { store, read } = setup();
    const list = store.dispatch(VersionedNotes.getList());
    const edit = store.dispatch(VersionedNotes.partialUpdate({ id: 1 }, { text: 'edited' }));
    await server.release('GET /notes', ok([versioned(1, { votes: 5 })]));
    await list;

    expect(read(VersionedNotes.get.select({ id: 1 }))).toMatchObject({ id: 1, text: 'edited', votes: 5 });
    await server.release('PATCH /notes/1', ok(versioned(2, { text: 'edited' })));
    await edit;
  });

  it('keeps a deleted row away from answers that were sent before', async () => {
    const { store, one } = await setupVersioned();
    const list = store.dispatch(VersionedNotes.getList());
    await server.holding('GET /notes');
    const gone = store.dispatch(VersionedNotes.delete({ id: 1 }));
    await server.release('DELETE /notes/1', { status: 204 });
    await gone;

    await server.release('GET /notes', ok([versioned(2)]));
    await list;

    expect(one()).toBeUndefined();
  });

  it('shows no guess over a later write that has settled', async () => {
    const { store, one } = await setupVersioned();
    const first = store.dispatch(VersionedNotes.partialUpdate({ id: 1 }, { text: 'first' }));
    const second = store.dispatch(VersionedNotes.partialUpdate({ id: 1 }, { text: 'second' }));

    await server.release(/second/, ok(versioned(3, { text: 'second' })));
    await second;

    expect(one()?.text).toBe('second');
    await server.release(/first/, ok(versioned(2, { text: 'first' })));
    await first;
    expect(one()?.text).toBe('second');
  });
});

describe('what waits of a class that orders its answers', () => {
  const { vote, get, getList } = VersionedNotes.extend('vote', {
    urlPrefix: server.url,
    path: '/notes/:id/vote',
    method: 'POST',
    schema: Versioned,
    body: undefined,
    optimistic: (row) => {
      row.votes += 1;
    },
  });

  /** A store with a note, and a vote for it on its way. */
  async function setupVote() {
    const tools = setup();
    const { store, resources, read } = tools;
    store.dispatch(resources.setResponse(getList, {}, [versioned(1)]));
    const one = () => read(resources.selectEntity(Versioned, 1));
    const voting = store.dispatch(vote({ id: 1 }));
    await server.holding('POST /notes/1/vote');
    return { ...tools, one, voting };
  }

  it('does not land where a newer one has come meanwhile, though that was sent before', async () => {
    const { store, resources, read, slice } = setup();
    store.dispatch(resources.setResponse(getList, {}, [versioned(1)]));
    const one = () => read(resources.selectEntity(Versioned, 1));
    const polling = store.dispatch(getList());
    await server.holding('GET /notes');
    const voting = store.dispatch(vote({ id: 1 }));
    await server.holding('POST /notes/1/vote');
    const reading = store.dispatch(get({ id: 1 }));
    await server.release('GET /notes/1', ok(versioned(2, { votes: 1 })));
    await reading;
    await server.release('GET /notes', ok([versioned(3, { votes: 7 })]));
    await polling;
    expect(one()?.votes).toBe(8);

    await server.release('POST /notes/1/vote', { status: 500 });
    await voting;

    expect(one()).toMatchObject({ votes: 7, version: 3 });
    expectIdle(slice());
  });

  it('lands where nothing newer has come', async () => {
    const { store, one, voting, slice } = await setupVote();
    const reading = store.dispatch(get({ id: 1 }));
    await server.release('GET /notes/1', ok(versioned(3, { votes: 2 })));
    await reading;
    expect(one()).toMatchObject({ votes: 1, version: 3 });

    await server.release('POST /notes/1/vote', ok(versioned(2, { votes: 1 })));
    await voting;

    expect(one()).toMatchObject({ votes: 2, version: 3 });
    expectIdle(slice());
  });

  it('lets no counted vote go back that an older answer brings, while a newer one waits for the next vote', async () => {
    const { store, one, voting, watch, slice } = await setupVote();
    const votes = watch(() => one()?.votes);
    const next = store.dispatch(vote({ id: 1 }));
    const reading = store.dispatch(get({ id: 1 }));
    await server.release('GET /notes/1', ok(versioned(3, { votes: 2 })));
    await reading;
    await server.release('POST /notes/1/vote', ok(versioned(2, { votes: 1 })));
    await voting;
    await server.release('POST /notes/1/vote', ok(versioned(3, { votes: 2 })));
    await next;

    expect(votes).toEqual([1, 2]);
    expectIdle(slice());
  });

  it('waits no more where a newer answer has told the field: an older one takes that back for nobody', async () => {
    const { store, resources, read, watch, slice } = setup();
    const { again, partialUpdate } = VersionedNotes.extend('again', {
      ...{ urlPrefix: server.url, path: '/notes/:id/again', method: 'POST', schema: Versioned, body: undefined },
      optimistic: (row) => {
        row.votes += 1;
      },
    });
    store.dispatch(resources.setResponse(getList, {}, [versioned(1)]));
    const editing = store.dispatch(partialUpdate({ id: 1 }, { text: 'edited' }));
    await server.holding('PATCH /notes/1');
    const voting = store.dispatch(vote({ id: 1 }));
    await server.holding('POST /notes/1/vote');
    const next = store.dispatch(again({ id: 1 }));
    await server.release('POST /notes/1/again', ok(versioned(3, { votes: 2 })));
    await next;
    await server.release('PATCH /notes/1', ok(versioned(4, { votes: 2, text: 'edited' })));
    await editing;
    const votes = watch(() => read(resources.selectEntity(Versioned, 1))?.votes);
    await server.release('POST /notes/1/vote', ok(versioned(2, { votes: 1 })));
    await voting;

    // The pending vote counts until it is answered.
    expect(votes).toEqual([3, 2]);
    expectIdle(slice());
  });

  it('of a row that nobody has brought is what was confirmed of it, whoever brings it', async () => {
    const { store, resources, read } = setup();
    const reading = store.dispatch(getList());
    await server.holding('GET /notes');
    server.answer('PATCH /notes/1', { status: 204 });
    await store.dispatch(VersionedNotes.partialUpdate({ id: 1 }, { text: 'edited' }));

    await server.release('GET /notes', ok([versioned(1)]));
    await reading;

    expect(read(resources.selectEntity(Versioned, 1))).toMatchObject({ text: 'edited', version: 1 });
  });
});
