import { createResource, Entity, ResourceError, RestEndpoint } from 'rtk-resource';
import { afterEach, describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

class Photo extends Entity {
  id = 0;
  title = '';
  static override key = 'Photo';
}

const server = await serverOfFile();

const place = { urlPrefix: server.url, path: '/photos/:id/file' } as const;
const PhotoResource = createResource({ urlPrefix: server.url, path: '/photos/:id', schema: Photo, optimistic: true });

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

describe('content that is no JSON', () => {
  const file: Reply = { text: 'a,b', headers: { 'content-type': 'application/csv' } };
  const textOf = async (value: unknown): Promise<string> =>
    typeof value === 'string' ? value : new Response(value as BodyInit).text();

  it.each(['text', 'blob', 'arrayBuffer', 'stream', undefined] as const)(
    'as %s is the value of the request, and never enters the state',
    async (content) => {
      const { store, slice, read, actions } = setup();
      const download = new RestEndpoint({ ...place, content });
      server.answer('GET /photos/5/file', file);

      const promise = store.dispatch(download({ id: 5 }));
      const action = await promise;
      const value = await promise.unwrap();

      expect(await textOf(value)).toBe('a,b');
      expect(action).toMatchObject({ meta: { requestStatus: 'fulfilled' } });
      expect(action.payload).toBeUndefined();
      expect(read(download.select({ id: 5 }))).toBeUndefined();
      expect(read(download.selectRequest({ id: 5 }))).toMatchObject({ status: 'fulfilled', isSuccess: true });
      expect(slice().tables).toEqual({});
      expect(JSON.stringify([slice(), actions])).not.toContain('a,b');
    },
  );

  it.each([
    ['text', PhotoResource.extend('csv', { ...place, content: 'text' }).csv],
    ['a blob', new RestEndpoint({ ...place, content: 'blob' })],
    ['a buffer', new RestEndpoint({ ...place, content: 'arrayBuffer' })],
  ])('as %s is fetched by each ifStale, for it is not kept', async (_, download) => {
    const { store } = setup();
    server.answer('GET /photos/5/file', file);

    await store.dispatch(download.ifStale({ id: 5 })).unwrap();
    const value = await store.dispatch(download.ifStale({ id: 5 })).unwrap();

    expect(await textOf(value)).toBe('a,b');
    expect(server.received.length).toBe(2);
  });

  it('is fetched once by prefetch, which gives it to nobody', async () => {
    const { store } = setup();
    const download = new RestEndpoint({ ...place, content: 'blob' });
    server.answer('GET /photos/5/file', file);

    await store.dispatch(download.prefetch({ id: 5 }));
    await store.dispatch(download.prefetch({ id: 5 }));

    expect(server.received.length).toBe(1);
  });

  it('is not fetched again for who subscribes after another', async () => {
    const { store } = setup();
    const download = new RestEndpoint({ ...place, content: 'blob' });
    server.answer('GET /photos/5/file', file);
    server.answer('GET /photos/6', { json: { id: 6 } });

    await store.dispatch(download({ id: 5 }));
    store.dispatch(download.subscribe({ id: 5 }));
    await store.dispatch(PhotoResource.get({ id: 6 }));

    expect(server.received.map(({ path }) => path)).toEqual(['/photos/5/file', '/photos/6']);
  });

  it('is kept where process makes of a text what the schema describes, and is no more fetched by ifStale', async () => {
    const { store } = setup();
    const read = new RestEndpoint({
      ...place,
      content: 'text',
      schema: Photo,
      process: (text: string) => ({ id: 5, title: text }),
    });
    server.answer('GET /photos/5/file', file);

    await store.dispatch(read({ id: 5 }));
    const photo = await store.dispatch(read.ifStale({ id: 5 })).unwrap();

    expect(photo.title).toBe('a,b');
    expect(server.received.length).toBe(1);
  });

  it.each(['text/plain', 'text/xml; charset=utf-8', 'application/xml', 'application/atom+xml'])(
    'is text where it is %s',
    async (type) => {
      const { store } = setup();
      const download = new RestEndpoint({ ...place, name: type });
      server.answer('GET /photos/5/file', { text: '<a/>', headers: { 'content-type': type } });

      expect(await store.dispatch(download({ id: 5 })).unwrap()).toBe('<a/>');
    },
  );

  it('is one value for all who joined the request', async () => {
    const { store } = setup();
    const download = new RestEndpoint({ ...place, content: 'blob' });

    const promises = [store.dispatch(download({ id: 5 })), store.dispatch(download({ id: 5 }))];
    await server.release('GET /photos/5/file', file);
    const [one, other] = await Promise.all(promises.map((promise) => promise.unwrap()));

    expect(one).toBeInstanceOf(Blob);
    expect(other).toBe(one);
    expect(server.received).toHaveLength(1);
  });

  it('can be turned into something else, which process gives to the caller', async () => {
    const { store, slice } = setup();
    const size = new RestEndpoint({ ...place, content: 'blob', process: (blob) => ({ size: (blob as Blob).size }) });
    server.answer('GET /photos/5/file', file);

    expect(await store.dispatch(size({ id: 5 })).unwrap()).toEqual({ size: 3 });
    expect(slice().tables).toEqual({});
  });

  it('that process makes rows of is normalized, where a schema describes them', async () => {
    const { store, read } = setup();
    const rowsOf = (csv: unknown): object[] =>
      String(csv)
        .split('\n')
        .map((line) => line.split(','))
        .map(([id, title]) => ({ id: Number(id), title }));
    const table = new RestEndpoint({ ...place, schema: [Photo], content: 'text', process: rowsOf });
    server.answer('GET /photos/5/file', { text: '5,Sea\n6,Sun', headers: { 'content-type': 'text/csv' } });

    await store.dispatch(table({ id: 5 })).unwrap();

    expect(read(table.select({ id: 5 }))?.map(({ title }) => title)).toEqual(['Sea', 'Sun']);
    expect(read(PhotoResource.get.select({ id: 6 }))).toEqual(Photo.fromJS({ id: 6, title: 'Sun' }));
  });

  it.each(['text', 'blob'] as const)('as %s is no item, though the schema of one is inherited', async (content) => {
    const { store, slice } = setup();
    const { file: download } = PhotoResource.extend('file', { path: '/photos/:id/file', content });
    server.answer('GET /photos/5/file', { json: { id: 5, title: 'Sea' } });

    expect(await textOf(await store.dispatch(download({ id: 5 })).unwrap())).toBe('{"id":5,"title":"Sea"}');
    expect(slice().tables).toEqual({});
  });

  it('of a later answer leaves what an earlier one said', async () => {
    const { store, read } = setup();
    const note = new RestEndpoint(place);
    server.answer('GET /photos/5/file', { json: { note: 'kept' } });
    await store.dispatch(note({ id: 5 })).unwrap();
    server.answer('GET /photos/5/file', { text: 'gone', headers: { 'content-type': 'text/plain' } });

    expect(await store.dispatch(note({ id: 5 })).unwrap()).toBe('gone');
    expect(read(note.select({ id: 5 }))).toBeUndefined();
  });
});

describe('an upload', () => {
  it('is described in the action, while the server gets the file itself', async () => {
    const { store, actions } = setup();
    const upload = new RestEndpoint({ ...place, method: 'PUT', body: (): FormData | Blob => new FormData() });
    server.answer('PUT /photos/5/file', { status: 204 });
    const form = new FormData();
    form.set('title', 'Sea');
    form.append('tag', 'a');
    form.append('tag', 'b');
    form.set('file', new File(['bytes'], 'sea.png', { type: 'image/png' }));

    const promise = store.dispatch(upload({ id: 5 }, form as never));
    await promise.unwrap();

    expect(server.received[0]?.rawBody).toContain('bytes');
    expect(promise.arg.args).toEqual([
      { id: 5 },
      { title: 'Sea', tag: ['a', 'b'], file: expect.stringMatching(/image\/png.*5 bytes/) as string },
    ]);
    expect(JSON.parse(JSON.stringify(actions))).toEqual(actions.map((action) => ({ ...action })));
  });

  it('of a form shows its fields until they are confirmed', async () => {
    const { store, read } = setup();
    server.answer('GET /photos', { json: [] });
    await store.dispatch(PhotoResource.getList()).unwrap();
    const form = new FormData();
    form.set('title', 'Sea');

    const promise = store.dispatch(PhotoResource.getList.push(form));
    const shown = read(PhotoResource.getList.select())?.map(({ title }) => title);
    await server.release('POST /photos', { json: { id: 7, title: 'Sea' } });

    expect(shown).toEqual(['Sea']);
    expect(await promise.unwrap()).toEqual(Photo.fromJS({ id: 7, title: 'Sea' }));
    expect(read(PhotoResource.getList.select())).toHaveLength(1);
  });

  it('of something with toJSON shows what JSON has of it, and is confirmed by an empty answer', async () => {
    class Retitled {
      readonly #title: string;
      readonly secret = 'not sent';
      constructor(title: string) {
        this.#title = title;
      }
      toJSON(): object {
        return { title: this.#title };
      }
    }
    const { store, read, slice } = setup();
    server.answer('GET /photos/5', { json: { id: 5, title: 'Sea' } });
    await store.dispatch(PhotoResource.get({ id: 5 })).unwrap();

    const promise = store.dispatch(PhotoResource.partialUpdate({ id: 5 }, new Retitled('Lake') as object));
    const shown = read(PhotoResource.get.select({ id: 5 }));
    await server.release('PATCH /photos/5', { status: 204 });
    await promise.unwrap();

    expect(server.received[1]?.body).toEqual({ title: 'Lake' });
    expect(shown?.title).toBe('Lake');
    expect(read(PhotoResource.get.select({ id: 5 }))?.title).toBe('Lake');
    expect(JSON.stringify(slice())).not.toContain('not sent');
  });
});

describe('a BigInt that is sent', () => {
  class Account extends Entity {
    id = 0;
    cents = 0n;
    label = '';
    static override key = 'Account';
    static override schema = { cents: BigInt };
  }
  const Accounts = createResource({
    urlPrefix: server.url,
    path: '/accounts/:id',
    schema: Account,
    optimistic: true,
    body: {},
  });

  async function edited(cents: unknown) {
    const { store, read } = setup();
    server.answer('GET /accounts/1', { json: { id: 1, cents: '12', label: 'a' } });
    await store.dispatch(Accounts.get({ id: 1 }));
    const promise = store.dispatch(Accounts.partialUpdate({ id: 1 }, { cents }));
    const shown = read(Accounts.get.select({ id: 1 }))?.cents;
    const received = () => server.received.find(({ method }) => method === 'PATCH')?.body;

    return { promise, shown, received };
  }

  afterEach(() => {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  });

  it.each([
    ['a text', String, '5'],
    ['a number', Number, 5],
  ])('is %s, where toJSON of the app makes that of it', async (_, toJSON, sent) => {
    Object.assign(BigInt.prototype, {
      toJSON(this: bigint) {
        return toJSON(this);
      },
    });
    const { promise, shown, received } = await edited(5n);
    await server.release('PATCH /accounts/1', { json: { id: 1, cents: sent, label: 'a' } });

    expect((await promise.unwrap()).cents).toBe(5n);
    expect(received()).toEqual({ cents: sent });
    expect(shown).toBe(5n);
  });

  it('is refused, where toJSON gives another one', async () => {
    Object.assign(BigInt.prototype, {
      toJSON(this: bigint) {
        return this;
      },
    });
    const { promise } = await edited(5n);

    expect(await rejection(promise.unwrap())).toMatchObject({ code: 'R19' });
  });
});

describe('what process returns', () => {
  class Size {
    readonly width = 1;
  }

  it.each<[string, () => unknown, string]>([
    ['an instance of a class', () => new Size(), 'a Size'],
    ['one deep inside', () => ({ id: 5, sizes: [{ one: new Size() }] }), 'a Size'],
    ['a Date', () => ({ id: 5, at: new Date(0) }), 'a Date'],
    ['a Map', () => new Map(), 'a Map'],
    ['an entity', () => Photo.fromJS({ id: 5 }), 'a Photo'],
    ['a function', () => ({ id: 5, load: () => undefined }), 'the function load'],
    ['a bigint', () => ({ id: 5, size: 5n }), '5'],
  ])('is refused when it is %s, and nothing is stored', async (_, process, came) => {
    const { store, slice, read } = setup();
    const { get } = PhotoResource.extend({ get: { process } });
    server.answer('GET /photos/5', { json: { id: 5 } });

    const promise = store.dispatch(get({ id: 5 }));
    const action = await promise;
    const error = await rejection(promise.unwrap());

    expect(error).toBeInstanceOf(ResourceError);
    expect(error).toMatchObject({
      code: 'R11',
      message: expect.stringContaining(`Photo/get returned ${came}`) as string,
    });
    expect(action.error).toMatchObject({ code: 'R11' });
    expect(slice().tables).toEqual({});
    expect(read(get.selectRequest({ id: 5 }))).toMatchObject({ isError: true });
  });

  it('may be nothing, which is an empty answer', async () => {
    const { store, read } = setup();
    const { get } = PhotoResource.extend({ get: { process: () => null } });
    server.answer('GET /photos/5', { json: { id: 5 } });

    const promise = store.dispatch(get({ id: 5 }));

    expect(await promise.unwrap()).toBeUndefined();
    expect(await promise).toMatchObject({ meta: { requestStatus: 'fulfilled' } });
    expect(read(get.select({ id: 5 }))).toBeUndefined();
  });

  it('is normalized, so that every reader sees it', async () => {
    const { store, read, resources } = setup();
    const { get } = PhotoResource.extend({
      get: { process: (value, { id }) => ({ ...(value as { data: object }).data, id }) },
    });
    server.answer('GET /photos/5', { json: { data: { title: 'Sea' } } });

    const photo = await store.dispatch(get({ id: 5 })).unwrap();

    expect(photo).toEqual(Photo.fromJS({ id: 5, title: 'Sea' }));
    expect(read(resources.selectEntity(Photo, 5))).toBe(photo);
  });
});
