import { createResource, Entity, type Row } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url, path: '/tenants/:tenant/contacts/:id' } as const;

class OfTenant extends Entity {
  id = 0;
  name = '';
  tenant = '';
  override pk() {
    return `${this.tenant}/${String(this.id)}`;
  }
  static override process(input: Row, _parent: unknown, _key: string, [params]: readonly unknown[]) {
    return { tenant: (params as { readonly tenant: string }).tenant, ...input };
  }
  static override key = 'OfTenant';
}

/** Two tenants, each with a contact 1. */
function serve(...names: readonly [acme: string, beta: string]) {
  server.answer('GET /tenants/acme/contacts/1', { json: { id: 1, name: names[0] } });
  server.answer('GET /tenants/beta/contacts/1', { json: { id: 1, name: names[1] } });
}

describe('ids that are unique below something', () => {
  it('are joined with what stands before them in the path, by pk and process', async () => {
    const Contacts = createResource({ ...at, schema: OfTenant, optimistic: true });
    const { store, read } = setup();
    serve('Ada', 'Bob');
    await store.dispatch(Contacts.get({ tenant: 'acme', id: 1 }));
    await store.dispatch(Contacts.get({ tenant: 'beta', id: 1 }));
    const names = () => ['acme', 'beta'].map((tenant) => read(Contacts.get.select({ tenant, id: 1 }))?.name);

    const edit = store.dispatch(Contacts.partialUpdate({ tenant: 'beta', id: 1 }, { name: 'Bea' }));
    const during = names();
    await server.release('PATCH /tenants/beta/contacts/1', { json: { id: 1, name: 'Bea!' } });
    await edit;

    expect([during, names()]).toEqual([
      ['Ada', 'Bea'],
      ['Ada', 'Bea!'],
    ]);
  });
});
