import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RestEndpoint } from 'rtk-resource';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServer, newName, openTab, TodoResource, until, untilSent } from '../support/outbox.js';

const upload = new RestEndpoint({
  ...{ path: '/files', method: 'POST', name: 'upload', schema: undefined },
  body: {} as FormData | Blob | Uint8Array<ArrayBuffer>,
});

/** A tab without network that keeps uploads, and what it has sent. */
async function openOffline() {
  const server = makeServer(upload);
  const sent: string[] = [];
  server.use(upload, async ({ request }) => {
    sent.push(await request.clone().text());
    return { ok: true };
  });
  const tab = openTab(server, newName(), { resources: [TodoResource, upload], isOnline: false });
  await tab.queue.ready;
  return { tab, sent };
}

describe('a file that is another on the disk by the time it is sent', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outbox-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['alone', (file: Blob) => file],
    [
      'in a form',
      (file: Blob) => {
        const form = new FormData();
        form.append('file', file);
        return form;
      },
    ],
  ])('is sent as it was kept: %s', async (name, bodyOf) => {
    const path = join(folder, name);
    await writeFile(path, 'as it was');
    const { tab, sent } = await openOffline();

    void tab.store.dispatch(upload(bodyOf(await openAsBlob(path))));
    await until(() => tab.state().entries[0]?.isDurable);
    await writeFile(path, 'saved once more');
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(sent).toEqual([expect.stringContaining('as it was')]);
  });

  it('is sent as it was kept, where an edit has brought it', async () => {
    const path = join(folder, 'edited');
    await writeFile(path, 'as it was');
    const { tab, sent } = await openOffline();

    const { requestId } = tab.store.dispatch(upload(new Blob(['first'])));
    await until(() => tab.state().entries[0]?.isDurable);
    await tab.store.dispatch(tab.queue.edit(requestId, await openAsBlob(path)));
    await writeFile(path, 'saved once more');
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(sent).toEqual(['as it was']);
  });
});

describe('bytes that are written to after the dispatch', () => {
  it('are sent as they were, also behind others', async () => {
    const { tab, sent } = await openOffline();
    const bytes = new TextEncoder().encode('as they were');

    void tab.store.dispatch(upload(new Blob(['first'])));
    void tab.store.dispatch(upload(bytes));
    bytes.fill(33);
    await until(() => tab.state().entries[1]?.isDurable);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(sent).toEqual(['first', 'as they were']);
  });
});
