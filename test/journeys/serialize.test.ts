import { createResource, Entity, isTemporary, RestEndpoint, type ResourceError } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Note extends Entity {
  id: number | string = 0;
  text = '';
  color = '';
  folder = '';
  static override key = 'Note';
}

const server = await startServer();
afterAll(() => server.close());
/** What ends the requests of a test that it leaves under way, so that none comes into the next. */
let endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings) end();
  endings = [];
  server.forget();
  sending.length = 0;
});

/** What was sent, in order, from the moment on in which it leaves. */
const sending: string[] = [];
class Watched extends RestEndpoint {
  override fetchResponse(input: string, init: RequestInit): Promise<Response> {
    const body = typeof init.body === 'string' ? ` ${init.body}` : '';
    if (init.method !== 'GET') sending.push(`${init.method ?? ''} ${input.slice(server.url.length)}${body}`);
    return super.fetchResponse(input, init);
  }
}

const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  serialize: true,
  Endpoint: Watched,
});

const ping = new RestEndpoint({ urlPrefix: server.url, path: '/ping', name: 'ping' });

const note = (id: number, fields: object = {}): object => ({ id, text: '', color: 'red', folder: 'a', ...fields });
const says = (json: unknown): { json: unknown } => ({ json });
const refusal = { status: 422, json: { message: 'No' } };

/** A store that has fetched notes 1 and 2. */
async function setupNotes() {
  const tools = setup();
  endings.push(() => {
    tools.store.dispatch(tools.resources.reset());
  });
  const loading = tools.store.dispatch(Notes.getList());
  await server.release('GET /notes', says([note(1), note(2)]));
  await loading.unwrap();
  const { store, read } = tools;

  return {
    ...tools,
    one: (id: number | string): Note | undefined => read(Notes.get.select({ id })),
    list: (): readonly Note[] => read(Notes.getList.select()) ?? [],
    edit: (id: number | string, body: Partial<Note>) => store.dispatch(Notes.partialUpdate({ id }, body)),
    /** The texts of one note, as a subscriber sees them. */
    watchText: (id: number) => {
      const values = tools.watch((state) => Notes.get.select({ id })(state)?.text);
      return () => values;
    },
    /** What has been sent by now; while a request goes to the server and back, all are sent that wait for nothing. */
    sent: async (): Promise<readonly string[]> => {
      const pinging = store.dispatch(ping());
      await server.release('GET /ping', says({}));
      await pinging;

      return [...sending];
    },
  };
}

describe('writes to one entity', () => {
  it('are sent one after the other, and all show at once', async () => {
    const { edit, one, sent, slice } = await setupNotes();
    const first = edit(1, { text: 'edited' });
    const second = edit(1, { color: 'blue' });
    const during = one(1);

    const before = await sent();
    await server.release(/PATCH .*edited/, says(note(1, { text: 'edited' })));
    await first.unwrap();
    const between = one(1);
    await server.release(/PATCH .*blue/, says(note(1, { text: 'edited', color: 'blue' })));
    const value = await second.unwrap();

    expect(during).toMatchObject({ text: 'edited', color: 'blue' });
    expect(before).toEqual(['PATCH /notes/1 {"text":"edited"}']);
    expect(between).toMatchObject({ text: 'edited', color: 'blue' });
    expect(value).toMatchObject({ text: 'edited', color: 'blue' });
    expectIdle(slice());
  });

  it('leave what was typed last, and never show anything that was typed before it', async () => {
    const { edit, watchText, sent, slice } = await setupNotes();
    const seen = watchText(1);
    const saves = ['h', 'he', 'hey'].map((text) => edit(1, { text }));

    const before = await sent();
    for (const text of ['h', 'he', 'hey']) {
      await server.release(`PATCH /notes/1`, says(note(1, { text })));
    }
    await Promise.all(saves);

    expect(before).toEqual(['PATCH /notes/1 {"text":"h"}']);
    expect(await sent()).toEqual(['h', 'he', 'hey'].map((text) => `PATCH /notes/1 {"text":"${text}"}`));
    expect(seen()).toEqual(['', 'h', 'he', 'hey']);
    expect(slice().intents).toEqual([]);
  });

  it('leave what was typed last, though polls have come in between', async () => {
    const { store, edit, watchText } = await setupNotes();
    const seen = watchText(1);
    const first = edit(1, { text: 'h' });
    const second = edit(1, { text: 'he' });

    const early = store.dispatch(Notes.getList());
    await server.release('GET /notes', says([note(1), note(2)]));
    await early;
    await server.release(/PATCH .*"h"/, says(note(1, { text: 'h' })));
    await first;
    const late = store.dispatch(Notes.getList());
    await server.holding('GET /notes');
    await server.release(/PATCH .*"he"/, says(note(1, { text: 'he' })));
    await second;
    await server.release('GET /notes', says([note(1, { text: 'h' }), note(2)]));
    await late;

    expect(seen()).toEqual(['', 'h', 'he']);
  });

  it('go on when one is refused, and only what that one showed is taken back', async () => {
    const { edit, one, sent, slice } = await setupNotes();
    const refused = edit(1, { text: 'refused', color: 'blue' });
    const accepted = edit(1, { text: 'accepted' });

    await server.release(/PATCH .*refused/, refusal);
    const action = await refused;
    const between = one(1);
    await server.release(/PATCH .*accepted/, says(note(1, { text: 'accepted' })));
    await accepted.unwrap();

    expect(action.meta.requestStatus).toBe('rejected');
    expect(between).toMatchObject({ text: 'accepted', color: 'red' });
    expect(one(1)).toMatchObject({ text: 'accepted', color: 'red' });
    expect(await sent()).toHaveLength(2);
    expect(slice().intents).toEqual([]);
  });

  it('go on in order when the first names an item that is being created', async () => {
    const { store, edit, list, one } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const made = list().find(({ text }) => text === 'new');
    const first = edit(1, { folder: String(made?.id) });
    const second = edit(1, { text: 'second' });

    await server.release('POST /notes', says(note(3, { text: 'new' })));
    await create;
    await server.release(/PATCH .*folder/, says(note(1, { folder: '3' })));
    await first;
    await server.release(/PATCH .*second/, says(note(1, { folder: '3', text: 'second' })));
    await second.unwrap();

    expect(one(1)).toMatchObject({ folder: '3', text: 'second' });
  });

  it('go on in order when their item is being created, too', async () => {
    const { store, edit, list, one } = await setupNotes();
    const [first, second] = ['one', 'two'].map((text) => store.dispatch(Notes.getList.push({ text })));
    const [folder = '', item = ''] = list().flatMap(({ id }) => (isTemporary(id) ? [String(id)] : []));
    const naming = edit(item, { folder, text: 'earlier' });
    const last = edit(item, { text: 'later' });

    await server.release(/POST .*one/, says(note(3, { text: 'one' })));
    await first;
    await server.release(/POST .*two/, says(note(4, { text: 'two' })));
    await second;
    await server.release(/PATCH .*earlier/, says(note(4, { folder: '3', text: 'earlier' })));
    await naming;
    await server.release(/PATCH .*later/, says(note(4, { folder: '3', text: 'later' })));
    await last;

    expect(one(4)).toMatchObject({ folder: '3', text: 'later' });
  });

  it('go on when one is cancelled on its way', async () => {
    const { edit, one, sent } = await setupNotes();
    const first = edit(1, { text: 'first' });
    const second = edit(1, { color: 'blue' });
    await server.holding(/PATCH .*first/);

    first.abort();
    await first;
    const between = one(1);
    await server.release(/PATCH .*blue/, says(note(1, { color: 'blue' })));
    await second.unwrap();

    expect(between).toMatchObject({ text: '', color: 'blue' });
    expect(await sent()).toHaveLength(2);
  });

  it('are sent in order whichever members they are of', async () => {
    const { store, edit, one, list, sent } = await setupNotes();
    const writes = [
      edit(1, { text: 'patched' }),
      store.dispatch(Notes.update({ id: '1' }, { text: 'put', color: 'blue' })),
      store.dispatch(Notes.delete({ id: 1 })),
    ];
    const during = list();

    const before = await sent();
    await server.release('PATCH /notes/1', says(note(1, { text: 'patched' })));
    await server.release('PUT /notes/1', says(note(1, { text: 'put', color: 'blue' })));
    await server.release('DELETE /notes/1', { status: 204 });
    await Promise.all(writes);

    expect(during.map(({ id }) => id)).toEqual([2]);
    expect(before).toEqual(['PATCH /notes/1 {"text":"patched"}']);
    expect((await sent()).map((line) => line.split(' ', 1)[0])).toEqual(['PATCH', 'PUT', 'DELETE']);
    expect(one(1)).toBeUndefined();
  });

  it('end with the answer that knows of all, also in what an earlier one named', async () => {
    const { edit, one } = await setupNotes();
    const first = edit(1, { text: 'edited' });
    const second = edit(1, { color: 'blue' });

    await server.release(/PATCH .*edited/, says(note(1, { text: 'edited' })));
    await first;
    await server.release(/PATCH .*blue/, says(note(1, { text: 'changed by another', color: 'blue' })));
    await second;

    expect(one(1)).toMatchObject({ text: 'changed by another', color: 'blue' });
  });
});

describe('writes that do not concern one another', () => {
  it('are sent side by side when they are to different entities', async () => {
    const { edit, sent } = await setupNotes();
    void edit(1, { text: 'one' });
    void edit(2, { text: 'two' });

    expect(await sent()).toEqual(['PATCH /notes/1 {"text":"one"}', 'PATCH /notes/2 {"text":"two"}']);
  });

  it('are sent side by side when their endpoint does not say otherwise', async () => {
    const { store, edit, sent } = await setupNotes();
    const Free = Notes.partialUpdate.extend({ name: 'Note/free', serialize: false });
    void edit(1, { text: 'in line' });
    void store.dispatch(Free({ id: 1 }, { color: 'blue' }));
    void edit(1, { text: 'waits' });

    expect(await sent()).toEqual(['PATCH /notes/1 {"text":"in line"}', 'PATCH /notes/1 {"color":"blue"}']);
  });

  it('are sent side by side in different stores', async () => {
    const here = await setupNotes();
    const there = await setupNotes();
    void here.edit(1, { text: 'here' });
    void there.edit(1, { text: 'there' });

    expect(await here.sent()).toEqual(['PATCH /notes/1 {"text":"here"}', 'PATCH /notes/1 {"text":"there"}']);
  });

  it('leave reads alone', async () => {
    const { store, edit, one } = await setupNotes();
    const first = edit(1, { text: 'edited' });
    void edit(1, { color: 'blue' });
    const reading = store.dispatch(Notes.get({ id: 1 }));

    await server.release('GET /notes/1', says(note(1, { folder: 'b' })));
    await reading.unwrap();
    const during = one(1);
    await server.release(/PATCH .*edited/, says(note(1, { text: 'edited', folder: 'b' })));
    await first;

    expect(during).toMatchObject({ text: 'edited', color: 'blue', folder: 'b' });
  });
});

describe('a write that waits in line', () => {
  it('sends nothing and makes nothing stale when it is cancelled', async () => {
    const { edit, one, read, sent } = await setupNotes();
    const first = edit(1, { text: 'first' });
    const second = edit(1, { color: 'blue' });
    await server.holding(/PATCH .*first/);

    second.abort('changed my mind');
    const action = await second;
    const between = one(1);
    await server.release(/PATCH .*first/, says(note(1, { text: 'first' })));
    await first;

    expect(action.meta).toMatchObject({ requestStatus: 'rejected', aborted: true });
    expect(between).toMatchObject({ text: 'first', color: 'red' });
    expect(read(Notes.getList.selectRequest()).isStale).toBe(false);
    expect(await sent()).toEqual(['PATCH /notes/1 {"text":"first"}']);
  });

  it('keeps those behind it waiting for those before it when it is cancelled', async () => {
    const { edit, one, sent } = await setupNotes();
    const first = edit(1, { text: 'first' });
    const second = edit(1, { text: 'second' });
    const third = edit(1, { text: 'third' });

    second.abort();
    await second;
    const before = await sent();
    await server.release(/PATCH .*first/, says(note(1, { text: 'first' })));
    await first;
    await server.release(/PATCH .*third/, says(note(1, { text: 'third' })));
    await third.unwrap();

    expect(before).toEqual(['PATCH /notes/1 {"text":"first"}']);
    expect(one(1)?.text).toBe('third');
  });

  it('is cancelled by a reset, and not sent', async () => {
    const { store, resources, edit, sent, slice } = await setupNotes();
    void edit(1, { text: 'first' });
    const second = edit(1, { text: 'second' });
    await server.holding(/PATCH .*first/);

    store.dispatch(resources.reset());
    const action = await second;

    expect(action.meta.aborted).toBe(true);
    expect(await sent()).toEqual(['PATCH /notes/1 {"text":"first"}']);
    expect(slice().intents).toEqual([]);
  });

  it('has the last word over what has come while it waited', async () => {
    const { store, resources, edit, one } = await setupNotes();
    const first = edit(1, { color: 'blue' });
    const second = edit(1, { text: 'typed' });

    store.dispatch(resources.set(Note, { id: 1, text: 'from a socket' }));
    await server.release(/PATCH .*blue/, says(note(1, { color: 'blue', text: 'from a socket' })));
    await first;
    await server.release(/PATCH .*typed/, says(note(1, { color: 'blue', text: 'typed' })));
    await second;

    expect(one(1)).toMatchObject({ color: 'blue', text: 'typed' });
  });

  it('is about an item that an earlier one has deleted, and is sent to be refused', async () => {
    const { store, edit, list } = await setupNotes();
    const removal = store.dispatch(Notes.delete({ id: 1 }));
    const second = edit(1, { text: 'too late' });

    await server.release('DELETE /notes/1', { status: 204 });
    await removal;
    await server.release('PATCH /notes/1', { status: 404, json: {} });
    const action = await second;

    expect(action.error).toMatchObject({ status: 404 });
    expect(list().map(({ id }) => id)).toEqual([2]);
  });
});

describe('writes about an item that is still being created', () => {
  it('queue behind the create, and then one behind the other', async () => {
    const { store, edit, list, sent, slice } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const temporary = list()[2]?.id ?? '';
    const first = edit(temporary, { text: 'first' });
    const second = edit(temporary, { color: 'blue' });
    const during = list()[2];

    const one = await sent();
    await server.release('POST /notes', { status: 201, json: note(7, { text: 'new' }) });
    await create;
    // By now the id is known, so this one names it.
    const third = edit(7, { folder: 'b' });
    const two = await sent();
    const between = list()[2];
    await server.release(/PATCH .*first/, says(note(7, { text: 'first' })));
    await first.unwrap();
    const three = await sent();
    await server.release(/PATCH .*blue/, says(note(7, { text: 'first', color: 'blue' })));
    await second.unwrap();
    await server.release(/PATCH .*folder/, says(note(7, { text: 'first', color: 'blue', folder: 'b' })));
    await third.unwrap();

    expect(during).toMatchObject({ id: temporary, text: 'first', color: 'blue' });
    expect(between).toMatchObject({ id: 7, text: 'first', color: 'blue', folder: 'b' });
    expect(one).toEqual(['POST /notes {"text":"new"}']);
    expect(two.slice(1)).toEqual(['PATCH /notes/7 {"text":"first"}']);
    expect(three.slice(2)).toEqual(['PATCH /notes/7 {"color":"blue"}']);
    expect(list()[2]).toMatchObject({ id: 7, text: 'first', color: 'blue', folder: 'b' });
    expect(slice().intents).toEqual([]);
  });

  it('fail with the create, and none is sent', async () => {
    const { store, edit, list, sent, slice, watch } = await setupNotes();
    const lengths = watch((state) => Notes.getList.select()(state)?.length);
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const temporary = list()[2]?.id ?? '';
    const edits = [edit(temporary, { text: 'first' }), edit(temporary, { text: 'second' })];

    await server.release('POST /notes', refusal);
    await create;
    const errors = await Promise.all(edits.map((one) => one.unwrap().catch((reason: unknown) => reason)));

    expect(errors.map((error) => (error as ResourceError).code)).toEqual(['R14', 'R14']);
    expect(await sent()).toEqual(['POST /notes {"text":"new"}']);
    expect(lengths).toEqual([2, 3, 2]);
    expect(slice().intents).toEqual([]);
  });

  it('go on when one of them is refused', async () => {
    const { store, edit, list } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const temporary = list()[2]?.id ?? '';
    const first = edit(temporary, { text: 'refused' });
    const removal = store.dispatch(Notes.delete({ id: temporary }));

    await server.release('POST /notes', says(note(7, { text: 'new' })));
    await create;
    await server.release('PATCH /notes/7', refusal);
    await first;
    await server.release('DELETE /notes/7', { status: 204 });
    await removal.unwrap();

    expect(list().map(({ id }) => id)).toEqual([1, 2]);
  });

  it('are behind the create alone: another create is sent when that one is answered', async () => {
    const { store, sent } = await setupNotes();
    const first = store.dispatch(Notes.getList.push({ text: 'first' }));
    const second = store.dispatch(Notes.getList.push({ text: 'second' }));

    // Whose answer is not known yet stands in line by its address.
    const before = await sent();
    await server.release(/POST .*first/, says(note(7)));
    await first;
    await server.release(/POST .*second/, says(note(8)));
    await second;

    expect(before).toEqual(['POST /notes {"text":"first"}']);
  });
});

describe('a line of your own', () => {
  const ByFolder = createResource({
    urlPrefix: server.url,
    path: '/notes/:id',
    schema: Note,
    optimistic: true,
    serialize: (_params, body: Partial<Note> | undefined) => body?.folder ?? '',
    Endpoint: Watched,
  });

  it('is for all writes for which the function gives the same', async () => {
    const { store, sent } = await setupNotes();
    const inA = store.dispatch(ByFolder.partialUpdate({ id: 1 }, { folder: 'a', text: 'one' }));
    void store.dispatch(ByFolder.partialUpdate({ id: 2 }, { folder: 'a', text: 'two' }));
    void store.dispatch(ByFolder.partialUpdate({ id: 1 }, { folder: 'b', text: 'three' }));

    const before = await sent();
    await server.release(/PATCH .*one/, says(note(1)));
    await inA;
    const after = await server.holding(/PATCH .*two/);

    expect(before).toEqual([
      'PATCH /notes/1 {"folder":"a","text":"one"}',
      'PATCH /notes/1 {"folder":"b","text":"three"}',
    ]);
    expect(after.path).toBe('/notes/2');
  });

  it('is found by the endpoint it is asked of', async () => {
    const { store, sent } = await setupNotes();
    const Queued = Notes.partialUpdate.extend({
      name: 'Note/queued',
      serialize(this: { readonly name: string }) {
        return this.name;
      },
    });
    void store.dispatch(Queued({ id: 1 }, { text: 'one' }));
    void store.dispatch(Queued({ id: 2 }, { text: 'two' }));

    expect(await sent()).toEqual(['PATCH /notes/1 {"text":"one"}']);
  });

  it('that cannot be told ends the request before anything is shown or sent', async () => {
    const { store, list, slice, sent, watch } = await setupNotes();
    const seen = watch(Notes.getList.select());
    const broken = new Error('No line');
    const Broken = Notes.partialUpdate.extend({
      name: 'Note/broken',
      serialize: () => {
        throw broken;
      },
    });

    const request = store.dispatch(Broken({ id: 1 }, { text: 'edited' }));
    const error: unknown = await request.unwrap().catch((reason: unknown) => reason);

    expect(error).toBe(broken);
    expect(seen).toEqual([list()]);
    expect(await sent()).toEqual([]);
    expect(slice().intents).toEqual([]);
  });

  it('that cannot be told once the real id is known ends that request alone', async () => {
    const { store, list, slice } = await setupNotes();
    const Picky = Notes.partialUpdate.extend({
      name: 'Note/picky',
      serialize: (params) => {
        if (params.id === 7) throw new Error('Not seven');
        return String(params.id);
      },
    });
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const picky = store.dispatch(Picky({ id: list()[2]?.id ?? '' }, { text: 'picky' }));
    const other = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));

    await server.release('POST /notes', says(note(7, { text: 'new' })));
    await create.unwrap();
    await server.release('PATCH /notes/1', says(note(1, { text: 'edited' })));

    await expect(picky.unwrap()).rejects.toThrow('Not seven');
    await expect(other.unwrap()).resolves.toMatchObject({ text: 'edited' });
    expect(list().map(({ text }) => text)).toEqual(['edited', '', 'new']);
    expect(slice().intents).toEqual([]);
  });
});

describe('writes without an entity', () => {
  const save = new Watched({
    urlPrefix: server.url,
    path: '/settings/:name',
    method: 'PUT',
    name: 'save',
    body: {},
    serialize: true,
  });

  it('stand in line by their address', async () => {
    const { store, sent } = await setupNotes();
    const first = store.dispatch(save({ name: 'theme' }, { is: 'dark' }));
    void store.dispatch(save({ name: 'theme' }, { is: 'light' }));
    void store.dispatch(save({ name: 'language' }, { is: 'en' }));

    const before = await sent();
    await server.release(/PUT .*dark/, says({}));
    await first;
    const after = await server.holding(/PUT .*light/);

    expect(before).toEqual(['PUT /settings/theme {"is":"dark"}', 'PUT /settings/language {"is":"en"}']);
    expect(after.path).toBe('/settings/theme');
  });
});
