import { createResource, Entity } from 'rtk-resource';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile, type Received, type Reply } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

const server = await serverOfFile();

class Page extends Entity {
  id = 0;
  title = '';
  text = '';
  votes = 0;
  static override key = 'Page';
}
const options = { urlPrefix: server.url, path: '/pages/:id', schema: Page, optimistic: true, etag: true } as const;
const PageResource = createResource(options);

/** What the server has: one page, and its version. */
let kept: { id: number; title: string; text: string; votes: number };
let version: number;

const tag = (): string => `"v${String(version)}"`;

/** Somebody else changes the page. */
function elsewhere(fields: Partial<typeof kept>): void {
  kept = { ...kept, ...fields };
  version++;
}

function edit(fields: Partial<typeof kept>, { headers }: Received): Reply {
  const match = headers['if-match'];
  if (match !== undefined && match !== tag()) return { status: 412, json: { problem: 'stale' } };
  elsewhere(fields);

  return { json: kept, headers: { etag: tag() } };
}

beforeEach(() => {
  kept = { id: 1, title: 'one', text: 'a', votes: 0 };
  version = 1;
});

/** A store whose server heeds tags, with the page that it has. */
async function setupPages() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /pages/1', ({ headers }) =>
    headers['if-none-match'] === tag() ? { status: 304 } : { json: kept, headers: { etag: tag() } },
  );
  server.answer('PATCH /pages/1', (request) => edit(request.body as Partial<typeof kept>, request));
  await store.dispatch(PageResource.get({ id: 1 }));

  return {
    ...tools,
    page: () => read(resources.selectEntity(Page, 1)),
    /** What was sent, each with the tag that went with it. */
    sent: () =>
      server.received.map(
        ({ method, headers }) => `${method} ${headers['if-match'] ?? headers['if-none-match'] ?? '-'}`,
      ),
  };
}

describe('an edit of what is shown of theirs while onConflict is asked', () => {
  it('is no conflict', async () => {
    const { store, page } = await setupPages();
    const asked: unknown[] = [];
    let decide = (): void => undefined;
    const decided = new Promise<void>((resolve) => (decide = resolve));
    const save = PageResource.partialUpdate.extend({
      onConflict: async ({ theirs, mine }) => {
        asked.push(mine);
        await decided;
        return { ...(theirs as object), ...(mine as object) };
      },
    });
    elsewhere({ title: 'theirs', text: 'their text' });
    const first = store.dispatch(save({ id: 1 }, { title: 'mine' }));
    await vi.waitFor(() => {
      expect(asked).toHaveLength(1);
    });
    expect(page()?.text).toBe('their text');

    const second = store.dispatch(save({ id: 1 }, { text: 'their text, edited' }));
    decide();
    await first;
    await second;

    expect(asked).toEqual([{ title: 'mine' }]);
    expect(kept).toMatchObject({ title: 'mine', text: 'their text, edited' });
  });
});

describe('etag: true', () => {
  it('asks whether the answer that is there is the newest still, as long as it stands as it came', async () => {
    const { store, page, resources, sent } = await setupPages();
    const before = page();

    await store.dispatch(PageResource.get({ id: 1 }));
    expect(page()).toBe(before);
    store.dispatch(resources.set(Page, { id: 1, title: 'socket' }));
    await store.dispatch(PageResource.get({ id: 1 }));

    expect(sent()).toEqual(['GET -', 'GET "v1"', 'GET -']);
  });

  it('sends an edit with the newest tag of its address, one after the other', async () => {
    const { store, page, sent } = await setupPages();

    const both = [
      store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'two' })),
      store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'three' })),
    ];
    await Promise.all(both);

    expect(sent()).toEqual(['GET -', 'PATCH "v1"', 'PATCH "v2"']);
    expect([page()?.title, kept.title]).toEqual(['three', 'three']);
  });

  it('sends the second of two edits of a field with the tag of the first, also where the server has changed what was sent', async () => {
    const { store, sent } = await setupPages();
    server.answer('PATCH /pages/1', (request) => {
      const { title } = request.body as Pick<typeof kept, 'title'>;
      return edit({ title: title.trim() }, request);
    });

    const first = store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'two ' }));
    const second = store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'two and a half ' }));
    await Promise.all([first.unwrap(), second.unwrap()]);

    expect(sent()).toEqual(['GET -', 'PATCH "v1"', 'PATCH "v2"']);
    expect(kept.title).toBe('two and a half');
  });

  it('sends no tag with a create or an action: neither the list nor what an action has answered is what they change', async () => {
    const { store } = await setupPages();
    const { getList, vote } = PageResource.extend('vote', { path: '/pages/:id/vote', method: 'POST', body: undefined });
    server.answer('GET /pages', { json: [kept], headers: { etag: '"list"' } });
    server.answer('POST /pages', { status: 201, json: { ...kept, id: 2 }, headers: { etag: '"new"' } });
    server.answer('POST /pages/1/vote', { json: kept, headers: { etag: '"voted"' } });

    await store.dispatch(getList());
    for (const request of [getList.push({ title: 'new' }), vote({ id: 1 }), vote({ id: 1 })])
      await store.dispatch(request);

    const posts = server.received.filter(({ method }) => method === 'POST');
    expect(posts.map(({ headers }) => headers['if-match'])).toEqual([undefined, undefined, undefined]);
  });

  it('sends an edit again, unseen, where somebody else has changed other fields', async () => {
    const { store, page, watch, resources, sent } = await setupPages();
    const titles = watch((state) => resources.selectEntity(Page, 1)(state)?.title);
    elsewhere({ text: 'theirs' });

    const action = await store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'mine' }));

    expect(action.error).toBeUndefined();
    expect(sent()).toEqual(['GET -', 'PATCH "v1"', 'GET "v1"', 'PATCH "v2"']);
    expect([page()?.title, page()?.text]).toEqual(['mine', 'theirs']);
    expect(kept).toMatchObject({ title: 'mine', text: 'theirs' });
    expect(titles).toEqual(['one', 'mine']);
  });

  it('rejects an edit where somebody else has changed the same fields, and shows theirs', async () => {
    const { store, page } = await setupPages();
    elsewhere({ title: 'theirs' });

    const action = await store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'mine' }));

    expect(action.error).toMatchObject({ name: 'NetworkError', status: 412 });
    expect([page()?.title, kept.title]).toEqual(['theirs', 'theirs']);
  });

  it('lets onConflict decide, with both versions', async () => {
    const { store, page } = await setupPages();
    const seen: unknown[] = [];
    const partialUpdate = PageResource.partialUpdate.extend({
      onConflict: ({ base, theirs, mine, args }) => {
        seen.push([base.title, theirs.title, mine, args[0]]);

        return { title: `${theirs.title} + ${(mine as { title: string }).title}` };
      },
    });
    elsewhere({ title: 'theirs' });

    await store.dispatch(partialUpdate({ id: 1 }, { title: 'mine' }));

    expect(seen).toEqual([['one', 'theirs', { title: 'mine' }, { id: 1 }]]);
    expect([page()?.title, kept.title]).toEqual(['theirs + mine', 'theirs + mine']);
  });

  it('sends no newest tag for what the user has never seen', async () => {
    const { store, sent } = await setupPages();
    server.answer('GET /pages', () => ({ json: [kept] }));

    const first = store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'mine' }));
    elsewhere({ title: 'theirs' });
    const reading = store.dispatch(PageResource.get({ id: 1 }));
    const action = await first;
    await reading;

    expect(action.error?.status).toBe(412);
    expect(kept.title).toBe('theirs');
    expect(sent().filter((one) => one.startsWith('PATCH'))).toEqual(['PATCH "v1"']);
  });

  it('rejects what is refused for another reason at once', async () => {
    const { store, sent } = await setupPages();
    server.answer('PATCH /pages/1', { status: 409, json: { problem: 'taken' } });

    const action = await store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'taken' }));

    expect(action.error).toMatchObject({ status: 409, data: { problem: 'taken' } });
    expect(sent()).toEqual(['GET -', 'PATCH "v1"', 'GET "v1"']);
  });

  it('tries two times more, and then rejects', async () => {
    const { store, sent } = await setupPages();
    server.answer('PATCH /pages/1', () => {
      elsewhere({ votes: kept.votes + 1 });

      return { status: 412, json: {} };
    });

    const action = await store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'mine' }));

    expect(action.error?.status).toBe(412);
    expect(sent().filter((one) => one.startsWith('PATCH'))).toEqual(['PATCH "v1"', 'PATCH "v2"', 'PATCH "v3"']);
  });

  it('rejects a deletion of what somebody else has changed, unless onConflict says otherwise', async () => {
    const { store } = await setupPages();
    server.answer('DELETE /pages/1', ({ headers }) =>
      headers['if-match'] === tag() ? { status: 204 } : { status: 412, json: {} },
    );
    elsewhere({ title: 'theirs' });

    const refused = await store.dispatch(PageResource.delete({ id: 1 }));
    expect(refused.error?.status).toBe(412);
    elsewhere({ title: 'theirs again' });
    const done = await store.dispatch(PageResource.delete.extend({ onConflict: () => true })({ id: 1 }));

    expect(done.error).toBeUndefined();
  });

  it('leaves a tag alone that getHeaders has set', async () => {
    const { store, sent } = await setupPages();
    const own = PageResource.partialUpdate.extend({ getHeaders: (headers) => ({ ...headers, 'if-match': '"own"' }) });
    server.answer('PATCH /pages/1', { json: kept });

    await store.dispatch(own({ id: 1 }, { title: 'mine' }));

    expect(sent().at(-1)).toBe('PATCH "own"');
  });

  it('keeps tags beside the rows, and forgets them with what they are of', async () => {
    const { slice, store, resources } = await setupPages();

    expect(Object.values(slice().tags ?? {})).toEqual(['"v1"']);
    expect(JSON.stringify(slice().tables)).not.toContain('v1');
    store.dispatch(resources.reset());

    expect(slice().tags).toBeUndefined();
  });
});

describe('edits that were made before the user has seen what onConflict has put together', () => {
  /** A page that somebody else has changed, of which two edits are sent; what onConflict is asked, and what is sent. */
  async function setupEdits({
    resolve = (theirs, mine) => `${theirs} + ${mine}`,
    ...more
  }: { optimistic?: boolean; resolve?: (theirs: string, mine: string) => string } = {}) {
    const { store, sent, page } = await setupPages();
    const asked: unknown[] = [];
    const edit = PageResource.partialUpdate.extend({
      ...(more as { optimistic?: true }),
      onConflict: ({ base, theirs, mine }) => {
        const { title } = mine as { title: string };
        asked.push([base.title, theirs.title, title]);

        return { ...(mine as object), title: resolve(theirs.title, title) };
      },
    });
    elsewhere({ title: 'theirs' });
    const sendAll = (...bodies: readonly Partial<typeof kept>[]) =>
      Promise.all(bodies.map((body) => store.dispatch(edit({ id: 1 }, body)).unwrap()));

    return { asked, sendAll, page, tagsSent: () => sent().filter((one) => one.startsWith('PATCH')) };
  }

  it.each([true, false])('are merged, too, each on what it was made on (optimistic: %s)', async (optimistic) => {
    const { asked, sendAll, page } = await setupEdits({ optimistic });

    await sendAll({ title: 'A' }, { title: 'AB' }, { title: 'ABC' });

    expect(asked).toEqual([
      ['one', 'theirs', 'A'],
      ['A', 'theirs + A', 'AB'],
      ['AB', 'theirs + A + AB', 'ABC'],
    ]);
    expect([kept.title, page()?.title]).toEqual(Array(2).fill('theirs + A + AB + ABC'));
  });

  it('are sent as they are where onConflict has sent what the user wrote', async () => {
    const { asked, sendAll, tagsSent } = await setupEdits({ resolve: (_theirs, mine) => mine });

    await sendAll({ title: 'A' }, { title: 'AB' });

    expect(asked).toEqual([['one', 'theirs', 'A']]);
    expect(tagsSent()).toEqual(['PATCH "v1"', 'PATCH "v2"', 'PATCH "v3"']);
    expect(kept.title).toBe('AB');
  });

  it('are sent as they are where they name other fields', async () => {
    const { asked, sendAll, tagsSent } = await setupEdits({ optimistic: false });

    await sendAll({ title: 'A', text: 'mine' }, { text: 'mine, too' });

    expect(asked).toHaveLength(1);
    expect(tagsSent()).toEqual(['PATCH "v1"', 'PATCH "v2"', 'PATCH "v3"']);
    expect(kept).toMatchObject({ title: 'theirs + A', text: 'mine, too' });
  });

  it('conflict with what onConflict has added', async () => {
    const { store, page } = await setupPages();
    const edit = PageResource.partialUpdate.extend({
      onConflict: ({ mine }) => ({ ...(mine as object), text: 'added' }),
    });
    elsewhere({ title: 'theirs' });

    const first = store.dispatch(edit({ id: 1 }, { title: 'A' }));
    const second = store.dispatch(PageResource.partialUpdate({ id: 1 }, { text: 'mine' }));

    expect([(await first).error, (await second).error?.status]).toEqual([undefined, 412]);
    expect([kept.text, page()?.text]).toEqual(['added', 'added']);
  });

  it('are made on that as soon as it is shown', async () => {
    const { asked, sendAll } = await setupEdits();

    await sendAll({ title: 'A' });
    await sendAll({ title: 'B' });

    expect(asked).toHaveLength(1);
    expect(kept.title).toBe('B');
  });
});

describe('an edit that is refused, and whose row cannot be read again', () => {
  it.each<[string, Reply]>([
    ['is gone', { status: 404, json: {} }],
    ['is answered with a failure', { status: 500, json: {} }],
    ['is answered with what is no row', { text: '<p>', headers: { 'content-type': 'text/html' } }],
    ['is answered with nothing', { status: 204 }],
  ])('is rejected as it was refused, where the row %s', async (_what, reply) => {
    const { store, page, watch, read, sent, slice } = await setupPages();
    const asked: unknown[] = [];
    const edited = PageResource.partialUpdate.extend({ onConflict: (conflict) => void asked.push(conflict) });
    const titles = watch(() => page()?.title);
    server.answer('PATCH /pages/1', { status: 412, json: { problem: 'stale' } });
    server.answer('GET /pages/1', reply);

    const action = await store.dispatch(edited({ id: 1 }, { title: 'mine' }));

    expect(action.error).toMatchObject({ status: 412, data: { problem: 'stale' } });
    expect(titles).toEqual(['one', 'mine', 'one']);
    expect(asked).toEqual([]);
    expect(sent()).toEqual(['GET -', 'PATCH "v1"', 'GET "v1"']);
    expect(read(PageResource.get.selectRequest({ id: 1 })).isStale).toBe(true);
    expectIdle(slice());
  });

  it('holds up no later edit, which is sent with the tag of what the user saw', async () => {
    const { store, page, sent } = await setupPages();
    server.answer('GET /pages/1', { status: 500, json: {} });
    elsewhere({ title: 'theirs' });

    const first = store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'mine' }));
    const second = store.dispatch(PageResource.partialUpdate({ id: 1 }, { text: 'b' }));
    const statuses = [(await first).error?.status, (await second).error?.status];

    expect(statuses).toEqual([412, 412]);
    expect([page()?.title, page()?.text]).toEqual(['one', 'a']);
    expect(sent().filter((one) => one.startsWith('PATCH'))).toEqual(['PATCH "v1"', 'PATCH "v1"']);
  });

  it('is aborted while the row is read, as any other', async () => {
    const { store, page, slice } = await setupPages();
    server.forget();
    const editing = store.dispatch(PageResource.partialUpdate({ id: 1 }, { title: 'mine' }));
    await server.release('PATCH /pages/1', { status: 412, json: {} });
    await server.holding('GET /pages/1');
    editing.abort();
    const action = await editing;

    expect(action.meta).toMatchObject({ aborted: true });
    expect(page()?.title).toBe('one');
    expect(slice().intents).toEqual([]);
  });
});
