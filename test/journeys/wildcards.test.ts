import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url, optimistic: true } as const;

class File extends Entity {
  path = '';
  text = '';
  static override key = 'File';
  override pk() {
    return this.path;
  }
}
class Blob extends Entity {
  repo = '';
  path = '';
  text = '';
  static override key = 'Blob';
  override pk() {
    return `${this.repo}:${this.path}`;
  }
}
class Leaf extends Entity {
  path: string[] = [];
  text = '';
  static override key = 'Leaf';
  override pk() {
    return this.path.join('.');
  }
}

const path = ['docs', 'a b.txt'];
const FileResource = createResource({ ...at, path: '/files/*path', schema: File });
const BlobResource = createResource({ ...at, path: '/repos/:repo/files/*path', schema: Blob });
const LeafResource = createResource({ ...at, path: '/leaves/*path', schema: Leaf });

const kinds = [
  ['in its pk', FileResource, File, { path }, { path: 'docs/a b.txt' }],
  ['in a part of its pk', BlobResource, Blob, { repo: 'r', path }, { repo: 'r', path: 'docs/a b.txt' }],
  ['as a list in its pk', LeafResource, Leaf, { path }, { path }],
] as const;

describe.each(kinds)('an item at a path of any length, which it has %s', (_, given, Class, params, row) => {
  // What is asked of the three is the same.
  const resource = given as unknown as typeof FileResource;
  const entity = Class as unknown as typeof File;
  const args = params as { path: string[] };

  it('is the row that its list has brought', async () => {
    const { store, read, resources } = setup();
    store.dispatch(resources.set(entity, { ...row, text: 'one' } as never));
    const texts = () => read(resources.selectAll(entity)).map(({ text }) => text);

    expect(read(resource.get.select(args))?.text).toBe('one');
    const editing = store.dispatch(resource.partialUpdate(args, { text: 'two' }));
    expect(texts()).toEqual(['two']);
    await server.release(/^PATCH/, { status: 204 });
    await editing;
    expect(read(resource.get.select(args))).toMatchObject({ ...row, text: 'two' });
    const removing = store.dispatch(resource.delete(args));
    expect(texts()).toEqual([]);
    await server.release(/^DELETE/, { status: 204 });
    await removing;

    expect(texts()).toEqual([]);
    expect(server.received.map(({ path }) => path.endsWith('/docs/a%20b.txt'))).toEqual([true, true]);
  });

  it('is put there with its own path', async () => {
    const { store, read } = setup();

    const putting = store.dispatch(resource.update(args, { text: 'new' } as never));
    const shown = read(resource.get.select(args));
    await server.release(/^PUT/, { status: 204 });
    await putting;

    expect(shown).toMatchObject({ ...row, text: 'new' });
    expect(read(resource.get.select(args))).toMatchObject({ ...row, text: 'new' });
  });
});
