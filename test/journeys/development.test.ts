import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { counted, setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Issue extends Entity {
  id = 0;
  title = '';
  labels: readonly string[] = [];
  static override key = 'Issue';
}

const Issues = createResource({ urlPrefix: 'https://example.com', path: '/issues/:id', schema: Issue });

/** A store with RTK's checks on, and so many issues in it. */
function setupIssues(count: number) {
  const tools = setup();
  const issues = Array.from({ length: count }, (_, id) => ({ id, title: 'title', labels: ['a', 'b'] }));
  tools.store.dispatch(tools.resources.setResponse(Issues.getList, {}, issues));
  tools.store.dispatch(counted());

  return tools;
}

/** How many values RTK and we have looked at, to see whether they are frozen, while something was done. */
function looksDuring(act: () => void): number {
  const looked = vi.spyOn(Object, 'isFrozen');
  act();
  const looks = looked.mock.calls.length;
  looked.mockRestore();

  return looks;
}

describe('the checks of RTK in development', () => {
  it('look at a page of rows where one among 10 000 is written', () => {
    const { store, resources } = setupIssues(10_000);

    const looks = [
      looksDuring(() => {
        store.dispatch(resources.set(Issue, { id: 5_000, title: 'new' }));
      }),
      looksDuring(() => {
        store.dispatch(resources.setResponse(Issues.get, { id: 7_000 }, { id: 7_000, title: 'new' }));
      }),
    ];

    // A page has 256 rows, with a list in each.
    expect(Math.max(...looks)).toBeLessThan(5_000);
  });

  it('look at next to nothing where data becomes stale', () => {
    const { store, resources } = setupIssues(10_000);

    const looks = looksDuring(() => store.dispatch(resources.expireAll(Issues.getList)));

    expect(looks).toBeLessThan(1_000);
  });
});

describe('what is changed by hand', () => {
  it.each<readonly [string, (slice: Record<string, unknown>) => unknown]>([
    ['a row', (slice) => Object.assign(page(slice)[0] ?? {}, { title: 'by hand' })],
    ['a list in a row', (slice) => ((page(slice)[0] as { labels: string[] }).labels.push('c'), 0)],
    ['a page', (slice) => page(slice).pop()],
  ])('throws at once, as %s', (_, change) => {
    const { slice } = setupIssues(300);

    expect(() => change(slice() as unknown as Record<string, unknown>)).toThrow(TypeError);
  });

  it.each<readonly [string, (slice: Mutable) => unknown]>([
    ['a field of the slice', (slice) => (slice.seq = 99)],
    ['a table', (slice) => (slice.tables['Issue'] = slice.requests)],
    ['the pages of a table', (slice) => slice.tables['Issue']?.rows.pop()],
    ['a field of a table', (slice) => Object.assign(slice.tables['Issue'] ?? {}, { n: 1 })],
  ])('is told by RTK with the next action, as %s', (_, change) => {
    const { store, slice } = setupIssues(300);

    change(slice() as unknown as Mutable);

    expect(() => store.dispatch(counted())).toThrow(/mutation was detected/);
  });
});

interface Mutable {
  seq: number;
  tables: Record<string, { n: number; rows: unknown[][] }>;
  requests: { n: number; rows: unknown[][] };
}

function page(slice: Record<string, unknown>): unknown[] {
  return (slice as unknown as Mutable).tables['Issue']?.rows[0] ?? [];
}

describe('an action of a request that somebody dispatches by hand', () => {
  it('changes nothing, and warns once', () => {
    const { store, slice } = setupIssues(2);
    const before = slice();
    const action = Issues.get.fulfilled({ id: 0, title: 'by hand' });
    expectWarning(/Issue\/get\/fulfilled was dispatched by hand, so nothing was changed/);

    store.dispatch(action);
    store.dispatch(action);

    expect(slice()).toBe(before);
  });
});

describe('a path that names its item by what the class does not have', () => {
  it('is told of at its first request', async () => {
    class Doc extends Entity {
      _id = '';
      override pk() {
        return this._id;
      }
      static override key = 'Doc';
    }
    const Docs = createResource({ urlPrefix: 'https://example.com', path: '/docs/:id', schema: Doc });
    expectWarning(/names its item by "id", which is no field of Doc.*"\/docs\/:_id".*static indexes/);
    const { store, resources } = setup({ fetchFn: () => Promise.resolve(Response.json({ _id: 'a' })) });
    store.dispatch(resources.set(Doc, { _id: 'a' }));

    await store.dispatch(Docs.partialUpdate({ id: 'a' }, {}));
  });

  it('may be the address of what each of others has one of: nothing is told', async () => {
    class Profile extends Entity {
      id = 0;
      bio = '';
      static override key = 'Profile';
    }
    const Profiles = createResource({
      urlPrefix: 'https://example.com',
      path: '/users/:userId/profile',
      schema: Profile,
    });
    const { store, read } = setup({ fetchFn: () => Promise.resolve(Response.json({ id: 7, bio: 'x' })) });

    await store.dispatch(Profiles.get({ userId: 5 }));

    expect(read(Profiles.get.select({ userId: 5 }))?.bio).toBe('x');
  });
});
