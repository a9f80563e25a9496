import { current, isDraft } from '@reduxjs/toolkit';
import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup, type RootState } from '../support/store.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url } as const;

const toDate = (iso: string) => new Date(iso);

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Label extends Entity {
  id = 0;
  name = '';
  static override key = 'Label';
}
class Issue extends Entity {
  id = 0;
  title = '';
  votes = 0;
  state = 'open';
  place = { zip: '', town: '' };
  author: User | null = null;
  assignee: User | undefined = undefined;
  labels: Label[] = [];
  readonly due = new Date(0);
  static override key = 'Issue';
  static override schema = { author: User, assignee: User, labels: [Label], due: toDate };
}

const searchParams: { readonly state?: string } = {};
const IssueResource = createResource({
  ...at,
  path: '/issues/:id',
  schema: Issue,
  searchParams,
})
  .extend('vote', {
    ...at,
    path: '/issues/:id/vote',
    method: 'POST',
    body: undefined,
    schema: Issue,
    optimistic: (issue) => {
      issue.votes += 1;
    },
  })
  .extend('rename', {
    ...at,
    path: '/issues/:id',
    method: 'PATCH',
    body: {} as { title: string },
    schema: Issue,
    optimistic: (issue, [, body]) => {
      issue.title = body.title;
    },
  })
  .extend('assign', {
    ...at,
    path: '/issues/:id',
    method: 'PATCH',
    body: {} as { assigneeId: number },
    schema: Issue,
    optimistic: (issue, [, body], api) => {
      issue.assignee = api.ref(User, body.assigneeId);
    },
  });

const issue = (over: object = {}) => ({
  id: 1,
  title: 'one',
  votes: 0,
  state: 'open',
  place: { zip: '1', town: 'A' },
  author: { id: 7, name: 'Ada' },
  labels: [{ id: 1, name: 'bug' }],
  due: '2026-01-05T00:00:00.000Z',
  ...over,
});

/** A store with issues in it. */
async function setupIssues(...issues: readonly object[]) {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /issues', { json: issues });
  await store.dispatch(IssueResource.getList());
  server.forget();

  return {
    ...tools,
    list: () => read(IssueResource.getList.select()) ?? [],
    issue: (id = 1) => read(resources.selectEntity(Issue, id)),
    slice: tools.slice,
  };
}

describe('a recipe', () => {
  it('shows what it makes of the draft, and takes back its own when its request fails', async () => {
    const { store, issue: shown } = await setupIssues(issue());
    const before = shown();

    const first = store.dispatch(IssueResource.vote({ id: 1 }));
    const second = store.dispatch(IssueResource.vote({ id: 1 }));
    expect(shown()?.votes).toBe(2);
    await server.release('POST /issues/1/vote', { status: 500, json: {} });
    await first;
    expect(shown()?.votes).toBe(1);
    await server.release('POST /issues/1/vote', { status: 500, json: {} });
    await second;

    expect(shown()).toBe(before);
  });

  it('runs again over what lands beneath it', async () => {
    const { store, issue: shown, resources } = await setupIssues(issue());

    const renaming = store.dispatch(IssueResource.rename({ id: 1 }, { title: 'two' }));
    await server.holding('PATCH /issues/1');
    store.dispatch(resources.set(Issue, { id: 1, votes: 9 }));
    expect([shown()?.title, shown()?.votes]).toEqual(['two', 9]);
    await server.release('PATCH /issues/1', { json: issue({ title: 'two', votes: 9 }) });
    await renaming;

    expect([shown()?.title, shown()?.votes]).toEqual(['two', 9]);
  });

  it('is confirmed by an empty answer, as is its body', async () => {
    const { store, issue: shown, slice } = await setupIssues(issue());

    const voting = store.dispatch(IssueResource.vote({ id: 1 }));
    await server.release('POST /issues/1/vote', { status: 204 });
    await voting;

    expect(shown()?.votes).toBe(1);
    expect(slice().intents).toEqual([]);
  });

  it('holds where the answer does not mention what it has changed', async () => {
    const { store, issue: shown } = await setupIssues(issue());

    const voting = store.dispatch(IssueResource.vote({ id: 1 }));
    await server.release('POST /issues/1/vote', { json: { id: 1, title: 'ONE' } });
    await voting;

    expect([shown()?.votes, shown()?.title]).toEqual([1, 'ONE']);
  });

  it('holds, too, where the method is DELETE, as of what takes a label off an issue', async () => {
    const { store, issue: shown } = await setupIssues(issue());
    const takeOff = new RestEndpoint({
      ...at,
      path: '/issues/:id/labels/:labelId',
      method: 'DELETE',
      schema: Issue,
      name: 'takeOff',
      optimistic: (draft, [{ labelId }]) => {
        draft.labels = draft.labels.filter(({ id }) => id !== labelId);
      },
    });

    const taking = store.dispatch(takeOff({ id: 1, labelId: 1 }));
    await server.release('DELETE /issues/1/labels/1', { json: { id: 1 } });
    await taking;

    expect(shown()?.labels).toEqual([]);
  });

  it('is the draft of a row for each row, however many refer to it', async () => {
    const { store, issue: shown } = await setupIssues(issue(), issue({ id: 2 }));
    const praise = new RestEndpoint({
      ...at,
      path: '/issues/:id/praise',
      method: 'POST',
      body: undefined,
      schema: Issue,
      name: 'praise',
      optimistic: (draft) => {
        if (draft.author) draft.author.name += '!';
      },
    });

    void store.dispatch(praise({ id: 1 }));
    void store.dispatch(praise({ id: 2 }));

    expect([shown(1)?.author?.name, shown(2)?.author?.name]).toEqual(['Ada!!', 'Ada!!']);
  });

  it('sets a relation by a reference to a row, there or not', async () => {
    const { store, issue: shown, resources } = await setupIssues(issue());
    store.dispatch(resources.set(User, { id: 3, name: 'Grace' }));

    void store.dispatch(IssueResource.assign({ id: 1 }, { assigneeId: 3 }));
    expect(shown()?.assignee?.name).toBe('Grace');
    void store.dispatch(IssueResource.assign({ id: 1 }, { assigneeId: 4 }));
    expect(shown()?.assignee).toBeUndefined();
    store.dispatch(resources.set(User, { id: 4, name: 'Edsger' }));

    expect(shown()?.assignee?.name).toBe('Edsger');
  });

  it('changes what lies deeper in a row, and lists of others in it', async () => {
    const { store, issue: shown, resources } = await setupIssues(issue());
    const change = IssueResource.partialUpdate.extend({
      optimistic: (draft) => {
        draft.place.zip = '2';
        draft.labels.push({ id: 2, name: 'new' });
        Object.assign(draft.labels[0] ?? {}, { name: 'defect' });
        draft.due = '2027-01-01T00:00:00.000Z';
      },
    });

    void store.dispatch(change({ id: 1 }, {}));

    expect(shown()?.place).toEqual({ zip: '2', town: 'A' });
    expect(shown()?.labels.map(({ name }) => name)).toEqual(['defect', 'new']);
    expect(shown()?.due.getFullYear()).toBe(2027);
    expect(resources.selectEntity(Label, 2)(store.getState())?.name).toBe('new');
  });

  it('completes what is created', async () => {
    const { store, list } = await setupIssues();
    const push = IssueResource.getList.push.extend({
      optimistic: (draft, _args, api) => {
        draft.votes = (api.getState() as RootState).counter + 1;
        draft.author = { id: 9, name: 'Me' };
      },
    });

    void store.dispatch(push({}, { title: 'mine' }));

    expect(list().map(({ title, votes, author }) => [title, votes, author?.name])).toEqual([['mine', 1, 'Me']]);
  });

  it('gives drafts of immer', async () => {
    const { store } = await setupIssues(issue());
    const seen: unknown[] = [];
    const look = IssueResource.partialUpdate.extend({
      optimistic: (draft) => {
        draft.votes = 5;
        seen.push(isDraft(draft), (current(draft) as { votes: number }).votes, Object.keys(draft).includes('title'));
      },
    });

    void store.dispatch(look({ id: 1 }, {}));

    expect(seen).toEqual([true, 5, true]);
  });

  it('may give another value in place of its draft', async () => {
    const { store, issue: shown } = await setupIssues(issue());
    const change = IssueResource.partialUpdate.extend({ optimistic: (draft) => ({ ...draft, votes: 4 }) });

    void store.dispatch(change({ id: 1 }, {}));

    expect([shown()?.votes, shown()?.author?.name]).toEqual([4, 'Ada']);
  });

  it.each<[string, (draft: never) => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no such luck');
      },
      /no such luck/,
    ],
    ['is async', () => Promise.resolve(), /returned a Promise/],
    [
      'changes the pk',
      (draft: { id: number }) => {
        draft.id = 2;
      },
      /changed the id of an entity of Issue/,
    ],
    [
      'assigns a function',
      (draft: { title: unknown }) => {
        draft.title = () => 1;
      },
      /set title to the function/,
    ],
    [
      'divides by zero',
      (draft: { votes: number }) => {
        draft.votes /= 0;
      },
      /The recipe of \S+ set votes to (?:NaN|Infinity)/,
    ],
    [
      'assigns a Map',
      (draft: { place: unknown }) => {
        draft.place = new Map();
      },
      /set place to a Map/,
    ],
    [
      'assigns what refers to itself',
      (draft: { place: { self?: unknown } }) => {
        const own: { self?: unknown } = {};
        own.self = own;
        draft.place = own;
      },
      /refers to itself/,
    ],
    [
      'puts in a row without a pk',
      (draft: { labels: unknown[] }) => {
        draft.labels.push({ name: 'x' });
      },
      /without an id/,
    ],
  ])('that %s rejects its request, unsent', async (_what, optimistic, message) => {
    const { store, issue: shown, slice } = await setupIssues(issue());
    const before = shown();
    const change = IssueResource.partialUpdate.extend({ optimistic: optimistic as never });

    const action = await store.dispatch(change({ id: 1 }, {}));

    expect(action.error?.message).toMatch(message);
    expect(server.received).toEqual([]);
    expect(shown()).toBe(before);
    expect(slice().intents).toEqual([]);
  });

  it('that keeps its draft cannot change anything after its end', async () => {
    const { store, issue: shown } = await setupIssues(issue());
    const kept: { votes: number; labels: { name: string }[] }[] = [];
    const keep = IssueResource.partialUpdate.extend({ optimistic: (draft) => void kept.push(draft) });

    void store.dispatch(keep({ id: 1 }, {}));

    expect(() => {
      Object.assign(kept[0] ?? {}, { votes: 5 });
    }).toThrow(/had ended/);
    expect(shown()?.votes).toBe(0);
  });

  it('leaves what it deletes as it was', async () => {
    const { store, issue: shown } = await setupIssues(issue());
    const change = IssueResource.partialUpdate.extend({
      optimistic: (draft) => {
        delete (draft as { title?: string }).title;
        delete (draft as { author?: unknown }).author;
      },
    });

    void store.dispatch(change({ id: 1 }, {}));

    expect([shown()?.title, shown()?.author?.name]).toEqual(['one', 'Ada']);
  });

  it('shows nothing of a row that is not there, and is sent', async () => {
    const { store, issue: shown } = await setupIssues();

    const voting = store.dispatch(IssueResource.vote({ id: 5 }));
    expect(shown(5)).toBeUndefined();
    await server.release('POST /issues/5/vote', { json: issue({ id: 5, votes: 3 }) });
    await voting;

    expect(shown(5)?.votes).toBe(3);
  });

  it('shows nothing either of a row that comes while it is pending, for that may have counted it', async () => {
    const { store, issue: shown } = await setupIssues();

    const voting = store.dispatch(IssueResource.vote({ id: 1 }));
    await server.holding('POST /issues/1/vote');
    const reading = store.dispatch(IssueResource.getList());
    await server.release('GET /issues', { json: [issue({ votes: 5 })] });
    await reading;
    expect(shown()?.votes).toBe(5);
    await server.release('POST /issues/1/vote', { json: issue({ votes: 5 }) });
    await voting;

    expect(shown()?.votes).toBe(5);
  });

  it('finds in the draft what the class gives the fields that its row lacks, and names those alone that it changes', async () => {
    const { store, issue: shown, resources, slice } = await setupIssues({ id: 1, title: 'one' });
    const label = { id: 3, name: 'new' };
    const seen: unknown[] = [];

    store.dispatch(
      resources.set(Issue, { id: 1 }, (draft) => {
        seen.push(draft.state, draft.place, draft.author, draft.due);
        draft.votes += 1;
        draft.labels.push(label);
        draft.title = 'two';
      }),
    );

    expect(seen).toEqual(['open', { zip: '', town: '' }, null, '1970-01-01T00:00:00.000Z']);
    expect(shown()).toMatchObject({ title: 'two', votes: 1, labels: [label] });
    expect(slice().tables['Issue']?.rows[0]?.[0]).toEqual({ id: 1, title: 'two', votes: 1, labels: ['3'] });
  });

  it('finds in the draft a shape with a date inside that the class gives a field', async () => {
    class Session extends Entity {
      id = 0;
      slot = { from: new Date(0), note: '', inner: { until: new Date(0) } };
      static override key = 'Session';
      static override schema = { slot: { from: toDate, note: '', inner: { until: toDate } } };
    }
    const SessionResource = createResource({ ...at, path: '/sessions/:id', schema: Session });
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Session, { id: 1 }));
    const note = SessionResource.partialUpdate.extend({
      optimistic: ({ slot }) => {
        slot.note = slot.from.slice(0, 10);
        slot.inner.until = '2026-01-05T00:00:00.000Z';
      },
    });

    const noting = store.dispatch(note({ id: 1 }, {}));
    const shown = read(resources.selectEntity(Session, 1))?.slot;
    await server.release('PATCH /sessions/1', { status: 204 });
    await noting;

    const slot = { from: new Date(0), note: '1970-01-01', inner: { until: new Date('2026-01-05') } };
    expect(shown).toEqual(slot);
    expect(read(resources.selectEntity(Session, 1))?.slot).toEqual(slot);
  });

  it('names a field that it sets to what the class gives it, and not one that it deletes', async () => {
    const { store, issue: shown } = await setupIssues({ id: 1, title: 'one', labels: [{ id: 1, name: 'bug' }] });
    const reopen = IssueResource.vote.extend({
      optimistic: (draft) => {
        draft.state = 'open';
        Reflect.deleteProperty(draft, 'labels');
        expect(draft.labels).not.toEqual([]);
      },
    });
    const reading = store.dispatch(IssueResource.get({ id: 1 }));
    await server.holding('GET /issues/1');

    const reopening = store.dispatch(reopen({ id: 1 }));
    await server.release('POST /issues/1/vote', { status: 204 });
    await reopening;
    await server.release('GET /issues/1', {
      json: { id: 1, title: 'one', state: 'closed', labels: [{ id: 1, name: 'bug' }] },
    });
    await reading;

    expect(shown()?.state).toBe('open');
    expect(shown()?.labels.map(({ name }) => name)).toEqual(['bug']);
  });

  it('lets a poll wait where it counts, and not where it sets', async () => {
    const { store, issue: shown } = await setupIssues(issue());

    const voting = store.dispatch(IssueResource.vote({ id: 1 }));
    await server.holding('POST /issues/1/vote');
    const reading = store.dispatch(IssueResource.get({ id: 1 }));
    await server.release('GET /issues/1', { json: issue({ votes: 1, title: 'new' }) });
    await reading;
    expect([shown()?.votes, shown()?.title]).toEqual([1, 'new']);
    await server.release('POST /issues/1/vote', { json: issue({ votes: 1, title: 'new' }) });
    await voting;

    expect(shown()?.votes).toBe(1);
  });

  it('moves its row between lists as its fields say, and back on failure', async () => {
    const { store, read } = await setupIssues(issue());
    server.answer('GET /issues?state=open', { json: [issue()] });
    server.answer('GET /issues?state=closed', { json: [] });
    await store.dispatch(IssueResource.getList({ state: 'open' }));
    await store.dispatch(IssueResource.getList({ state: 'closed' }));
    const ids = (state: string) => read(IssueResource.getList.select({ state }))?.map(({ id }) => id);
    const close = IssueResource.partialUpdate.extend({
      optimistic: (draft) => {
        draft.state = 'closed';
      },
    });

    const closing = store.dispatch(close({ id: 1 }, {}));
    expect([ids('open'), ids('closed')]).toEqual([[], [1]]);
    await server.release('PATCH /issues/1', { status: 422, json: {} });
    await closing;

    expect([ids('open'), ids('closed')]).toEqual([[1], []]);
  });
});

describe('a recipe without braces, which gives what it assigns', () => {
  interface Draft {
    votes: number;
    place: { zip: string; title?: string };
    labels: unknown[];
  }
  const arrows: readonly [string, (draft: Draft) => unknown][] = [
    ['a number', (draft) => (draft.votes = 3)],
    ['an object', (draft) => (draft.place = { zip: '9', title: 'no' })],
    ['a part of what is there', (draft) => Object.assign(draft.place, { zip: '9' })],
    ['a list', (draft) => (draft.labels = [])],
  ];

  it.each(arrows)('changes that field of a row alone: %s', async (_what, optimistic) => {
    const { store, issue: shown } = await setupIssues(issue());
    const before = shown();
    const change = IssueResource.partialUpdate.extend({ optimistic: optimistic as never });

    void store.dispatch(change({ id: 1 }, {}));

    expect(shown()).not.toEqual(before);
    const { title, state, author } = before ?? {};
    expect(shown()).toMatchObject({ title, state, author });
    expect(shown()).not.toHaveProperty('zip');
  });

  it.each(arrows)('changes that field of what is created alone: %s', async (_what, optimistic) => {
    const { store, list } = await setupIssues();
    const push = IssueResource.getList.push.extend({ optimistic: optimistic as never });

    void store.dispatch(push({}, { title: 'mine', place: { zip: '1', town: 'A' } }));

    expect(list().map(({ title, state }) => [title, state])).toEqual([['mine', 'open']]);
    expect(list()[0]).not.toHaveProperty('zip');
  });

  it('is refused where it gives a list in place of what is created, and the create is not sent', async () => {
    const { store, list } = await setupIssues();
    const push = IssueResource.getList.push.extend({ optimistic: (() => [1]) as never });

    const action = await store.dispatch(push({}, { title: 'mine' }));

    expect(action.error).toMatchObject({ code: 'R11' });
    expect([list(), server.received]).toEqual([[], []]);
  });
});
