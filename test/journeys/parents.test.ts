import { createResource, Entity, type Row } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url, path: '/tenants/:tenant/contacts/:id' } as const;

class Contact extends Entity {
  id = 0;
  name = '';
  static override key = 'Contact';
}

class OfTenant extends Contact {
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
  it('are told of where a read below another parent changes a row', async () => {
    const Contacts = createResource({ ...at, schema: Contact });
    const { store } = setup();
    serve('Ada', 'Bob');
    expectWarning(/Contact 1 below \{"tenant":"beta"\}, and before below \{"tenant":"acme"\}.*pk\(\)/);

    await store.dispatch(Contacts.get({ tenant: 'acme', id: 1 }));
    await store.dispatch(Contacts.get({ tenant: 'beta', id: 1 }));
  });

  it('may be those of one item that is read below two parents: nothing is told', async () => {
    const Contacts = createResource({ ...at, name: 'Shared', schema: Contact });
    const { store } = setup();
    serve('Ada', 'Ada');

    await store.dispatch(Contacts.get({ tenant: 'acme', id: 1 }));
    await store.dispatch(Contacts.get({ tenant: 'beta', id: 1 }));
  });

  it.each([
    ['an id that is a text in the address', '7', { id: 1, name: 'Bea' }],
    ['an answer that has a field more', 8, { id: 1, name: 'Ada', isMine: true }],
  ])('may be those of one item that is read again: nothing is told of %s', async (_, tenant, json) => {
    const Contacts = createResource({ ...at, name: `Again ${String(tenant)}`, schema: Contact });
    const { store } = setup();
    server.answer('GET /tenants/7/contacts/1', { json: { id: 1, name: 'Ada' } });
    await store.dispatch(Contacts.get({ tenant: 7, id: 1 }));
    server.answer(`GET /tenants/${String(tenant)}/contacts/1`, { json });

    await store.dispatch(Contacts.get({ tenant, id: 1 }));
  });

  it('may be those of one item that has other parents, too: nothing is told of what changes in between', async () => {
    const Contacts = createResource({ ...at, name: 'Ways', schema: Contact }).extend('getOfUser', {
      path: '/users/:user/contacts/:id',
    });
    const { store } = setup();
    serve('Ada', 'Bob');
    server.answer('GET /users/3/contacts/1', { json: { id: 1, name: 'Bob' } });

    await store.dispatch(Contacts.get({ tenant: 'acme', id: 1 }));
    await store.dispatch(Contacts.getOfUser({ user: 3, id: 1 }));
  });

  it('may be those of one item that a write has moved: nothing is told', async () => {
    const Contacts = createResource({ ...at, name: 'Moved', schema: Contact });
    const { store } = setup();
    serve('Ada', 'Bob');
    server.answer('PATCH /tenants/acme/contacts/1', { json: { id: 1, name: 'Bea' } });

    await store.dispatch(Contacts.get({ tenant: 'acme', id: 1 }));
    await store.dispatch(Contacts.partialUpdate({ tenant: 'acme', id: 1 }, { name: 'Bea' }));
    await store.dispatch(Contacts.get({ tenant: 'beta', id: 1 }));
  });

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
