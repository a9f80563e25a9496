import { Collection, createResource, Entity, RestEndpoint, schema, type ResourcesOptions } from 'rtk-resource';
import { recordResources, type Question } from 'rtk-resource/devtools/production';
import { describe, expect, it } from 'vitest';
import { networkOfFile, pass } from '../support/network.js';
import { setup } from '../support/store.js';

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  static override key = 'Issue';
}

const searchParams = {} as { readonly status?: string } | undefined;
const Issues = createResource({ path: '/issues/:id', schema: Issue, searchParams, optimistic: true });
const row = (fields: object = {}) => ({ id: 5, title: 'Crash', status: 'open', ...fields });
const five = { id: 5 };
const GET = 'GET /issues/5';
const LIST = 'GET /issues';
const get: Question = { request: `Issue/get ${GET}` };
const list: Question = { list: 'Issue/getList', args: [] };
const title: Question = { entity: 'Issue', pk: '5', field: 'title' };
const time = String.raw`\([\d:.]{12}\)`;

const network = networkOfFile();

/** A store that is recorded from the start, or one whose list and row were read before. */
async function recorded({ isRead = true, ...options }: { isRead?: boolean } & ResourcesOptions<'resources'> = {}) {
  const tools = setup(options);
  const { store } = tools;
  const recorder = recordResources(store);
  const because = (question: Question) =>
    recorder.explain(question).because.map(({ kind, eventId }) => {
      const event = recorder.events.find(({ id }) => id === eventId);

      return [kind, event?.type];
    });
  const texts = (question: Question) => recorder.explain(question).because.map(({ text }) => text);
  const answered = async (send: () => unknown, name: string, json: unknown, status = 200) => {
    send();
    await pass();
    await network.release(name, { json, status });
  };
  if (isRead) {
    await answered(() => store.dispatch(Issues.getList()), LIST, [row()]);
    await answered(() => store.dispatch(Issues.get(five)), GET, row());
  }

  return { ...tools, recorder, because, texts, answered };
}

describe('what is stale by its age', () => {
  const stale = () => recorded({ dataExpiryLength: 1_000 });
  const last = (texts: readonly string[]): string | undefined => texts.at(-1);

  it('was asked for by nobody since, where that is so', async () => {
    const { texts } = await stale();
    await pass(2_000);

    expect(last(texts(get))).toMatch(
      /: a hook or a subscription asks for it again when it begins, and so does `ifStale`; nobody has done so since\.$/,
    );
  });

  it('is asked for again, and that is not answered', async () => {
    const { store, texts } = await stale();
    await pass(2_000);
    void store.dispatch(Issues.get(five));
    await pass();

    expect(last(texts(get))).toMatch(
      /^It is stale since [\d:.]{12}: asked for again by GET \/issues\/5 \([\d:.]{12}\)\.$/,
    );
    await network.release(GET, { json: row() });
    expect(texts(get)).toEqual([expect.stringMatching(/^It was answered at [\d:.]{12}\.$/)]);
  });

  it('was asked for again, and that has failed', async () => {
    const { store, texts, answered } = await stale();
    await pass(2_000);
    await answered(() => store.dispatch(Issues.get(five)), GET, {}, 500);
    await answered(() => store.dispatch(Issues.getList()), LIST, {}, 500);

    const told =
      /^It is stale since [\d:.]{12}: asked for again by GET \/issues\S* \([\d:.]{12}\), and was answered with 500\.$/;
    expect(last(texts(get))).toMatch(told);
    expect(last(texts(list))).toMatch(told);
  });

  it('was asked for again, and that was cancelled', async () => {
    const { store, texts } = await stale();
    await pass(2_000);
    const again = store.dispatch(Issues.get(five));
    await pass();
    again.abort();
    await pass();

    expect(last(texts(get))).toMatch(/: asked for again by GET \/issues\/5 \([\d:.]{12}\), and was cancelled\.$/);
  });

  it('was asked for by nobody since, if that had failed before it was stale', async () => {
    const { store, texts, answered } = await stale();
    await answered(() => store.dispatch(Issues.get(five)), GET, {}, 500);
    await pass(2_000);

    expect(last(texts(get))).toMatch(/; nobody has done so since\.$/);
  });
});

describe('what is stale by a write', () => {
  const patch = (edit = Issues.partialUpdate) => edit(five, { title: 'x' });

  it('may be named by its `invalidates`', async () => {
    const { store, because, texts, answered } = await recorded();
    const edit = Issues.partialUpdate.extend({ name: 'Issue/retitle', invalidates: () => [Issues.getList()] });
    await answered(() => store.dispatch(patch(edit)), 'PATCH /issues/5', row({ title: 'x' }));

    expect(because(list).at(-1)).toEqual(['expired', 'Issue/retitle/fulfilled']);
    expect(texts(list).at(-1)).toMatch(
      new RegExp(`^It is stale: \`invalidates\` of PATCH /issues/5 ${time} names it, or its outcome leaves open `),
    );
  });

  it('is known to the server alone, where the write names nothing', async () => {
    const { store, because, texts, answered } = await recorded();
    await answered(() => store.dispatch(patch()), 'PATCH /issues/5', {}, 502);

    expect(because(list).at(-1)).toEqual(['doubt', 'Issue/partialUpdate/rejected']);
    expect(texts(list).at(-1)).toMatch(/ only the server knows what it shows\.$/);
  });
});

describe('a patch by hand', () => {
  const member: Question = { ...list, pk: '5' };

  it('shows a field, and is not committed', async () => {
    const { store, resources, because, texts } = await recorded();
    const patch = store.dispatch(resources.patch(Issue, five, (issue) => void (issue.title = 'Mine')));

    expect(because(title)[0]).toEqual(['guess', 'resources/patch']);
    expect(texts(title)[0]).toMatch(
      new RegExp(`^Shows \`Mine\`: resources/patch ${time} wrote it and is not committed\\.$`),
    );
    patch.undo();
    expect(because(title)).toEqual([['answer', 'Issue/getList/fulfilled']]);
  });

  it('changes a list and its members, and is not committed', async () => {
    const { store, resources, because, texts } = await recorded();
    store.dispatch(resources.patch(Issues.getList, (issues) => void issues.splice(0, 1)));

    expect(because(list)[0]).toEqual(['guess', 'resources/patch']);
    expect(texts(list)[0]).toMatch(new RegExp(`^resources/patch ${time} changes it and is not committed`));
    expect(because(member)[0]).toEqual(['guess', 'resources/patch']);
    expect(texts(member)[0]).toMatch(/ takes it out and is not committed\.$/);
  });

  it('takes a row out of a list whose filter it does not fit', async () => {
    const { store, resources, because, texts, answered } = await recorded();
    await answered(() => store.dispatch(Issues.getList({ status: 'open' })), `${LIST}?status=open`, [row()]);
    store.dispatch(resources.patch(Issue, five, (issue) => void (issue.status = 'closed')));

    const ofOpen: Question = { list: 'Issue/getList', args: [{ status: 'open' }], pk: '5' };
    expect(because(ofOpen)[0]).toEqual(['belongs', 'resources/patch']);
    expect(texts(ofOpen)[0]).toMatch(
      new RegExp(
        `^Not in it: by the fields that resources/patch ${time} gives it, it does not belong there. That is not committed`,
      ),
    );
  });

  it('that was made before the recording is called a patch', async () => {
    const { store, resources, recorder } = await recorded();
    recorder.stop();
    store.dispatch(resources.patch(Issue, five, (issue) => void (issue.title = 'Mine')));

    expect(recordResources(store).explain(title).because[0]?.text).toMatch(
      /^Shows `Mine`: a patch \(made before the recording began\) wrote it and is not committed/,
    );
  });

  it('is a write by hand, once it is committed', async () => {
    const { store, resources, because, texts, answered } = await recorded();
    await answered(() => store.dispatch(Issues.getList()), LIST, [row(), row({ id: 6 })]);
    store.dispatch(resources.patch(Issue, five, (issue) => void (issue.title = 'Mine'))).commit();
    store.dispatch(resources.patch(Issues.getList, (issues) => void issues.splice(0, 1))).commit();

    expect(because(title)).toEqual([['set', 'resources/commit']]);
    expect(texts(title)).toEqual([
      expect.stringMatching(new RegExp(`^Shows \`Mine\`: resources/commit ${time} wrote it`)),
    ]);
    expect(because(list)[0]).toEqual(['set', 'resources/commit']);
    expect(because(member)[0]).toEqual(['set', 'resources/commit']);
    // It has not told of the whole list.
    expect(because({ ...list, pk: '9' })[0]).toEqual(['answer', 'Issue/getList/fulfilled']);
  });
});

describe('a guess whose request is not sent', () => {
  const unsent = (key: string) =>
    expect.stringMatching(
      new RegExp(`^Shows \`Two\`: ${key} ${time} has it to send and is not sent yet\\.$`),
    ) as string;

  it('says so while an earlier write of its line is not answered', async () => {
    const { store, texts } = await recorded();
    const edit = Issues.partialUpdate.extend({ serialize: true });
    for (const text of ['One', 'Two']) void store.dispatch(edit(five, { title: text }));
    await pass();

    expect(texts(title).slice(0, 2)).toEqual([
      unsent('PATCH /issues/5'),
      expect.stringMatching(/^Under it: `One`: PATCH \/issues\/5 \S+ sent it and is not answered\.$/),
    ]);
    await network.release('PATCH /issues/5', { json: row({ title: 'One' }) });
    expect(texts(title)[0]).toMatch(/^Shows `Two`: .* sent it and is not answered\.$/);
  });

  it('says so while its row has no real id', async () => {
    const { store, texts } = await recorded();
    const { requestId } = store.dispatch(Issues.getList.push({ title: 'One' }));
    const pk = `~${requestId}`;
    void store.dispatch(Issues.partialUpdate({ id: pk }, { title: 'Two' }));
    await pass();

    expect(texts({ entity: 'Issue', pk, field: 'title' })[0]).toEqual(unsent(`PATCH /issues/${pk}`));
  });
});

describe('a request that the state has nothing of', () => {
  it('was made, and cancelled', async () => {
    const { store, recorder, because, texts } = await recorded({ isRead: false });
    const read = store.dispatch(Issues.get(five));
    const reads = store.dispatch(Issues.getList());
    await pass();
    read.abort();
    reads.abort();
    await pass();

    expect(recorder.explain(get).value).toBe('uninitialized');
    expect(because(get)).toEqual([['answer', 'Issue/get/rejected']]);
    expect(texts(get)).toEqual([
      expect.stringMatching(/^It was made: GET \/issues\/5 \([\d:.]{12}\), and was cancelled\.$/),
    ]);
    expect(because(list)).toEqual([['answer', 'Issue/getList/rejected']]);
    expect(because({ ...list, pk: '5' })).toEqual([['answer', 'Issue/getList/rejected']]);
  });

  it('may have been made before all was cleared', async () => {
    const { store, resources, texts } = await recorded();
    void store.dispatch(Issues.get({ id: 6 }));
    await pass();
    store.dispatch(resources.reset());
    await pass();

    expect(texts({ request: 'Issue/get GET /issues/6' })).toEqual([
      expect.stringMatching(
        new RegExp(`^It was not made, as far as is recorded; all data was cleared by resources/reset ${time}\\.$`),
      ),
    ]);
  });

  it('was never made, as far as is recorded', async () => {
    const { texts } = await recorded({ isRead: false });

    expect(texts(get)).toEqual(['It was not made, as far as is recorded.']);
  });
});

describe('a list that is not shown', () => {
  it('is asked for, and not answered', async () => {
    const { store, recorder, because, texts } = await recorded({ isRead: false });
    void store.dispatch(Issues.getList());
    await pass();

    expect(recorder.explain(list).value).toBeUndefined();
    for (const question of [list, { ...list, pk: '5' }]) {
      expect(because(question)).toEqual([['waits', 'Issue/getList/pending']]);
      expect(texts(question)[0]).toMatch(
        /^The list is not there yet: its request was made at [\d:.]{12}, because somebody dispatched it, and is not answered\.$/,
      );
    }
  });

  it('was asked for, and that has failed; it may be asked for again', async () => {
    const { store, because, texts, answered } = await recorded({ isRead: false });
    await answered(() => store.dispatch(Issues.getList()), LIST, {}, 500);

    const failed = ['answer', 'Issue/getList/rejected'];
    for (const question of [list, { ...list, pk: '5' }]) {
      expect(because(question)).toEqual([failed]);
      expect(texts(question)[0]).toMatch(new RegExp(`^GET /issues ${time} was answered with 500\\.$`));
    }
    void store.dispatch(Issues.getList());
    await pass();
    expect(because(list)).toEqual([['waits', 'Issue/getList/pending'], failed]);
  });

  it('was collected', async () => {
    const { store, because, recorder } = await recorded({ isRead: false, unusedDataExpiryLength: 1_000 });
    const { unsubscribe } = store.dispatch(Issues.getList.subscribe());
    await pass();
    await network.release(LIST, { json: [row()] });
    unsubscribe();
    await pass(5_000);

    expect(recorder.explain(list).value).toBeUndefined();
    expect(because(list)).toEqual([['collected', 'resources/collect']]);
    expect(because({ ...list, pk: '5' })).toEqual([['collected', 'resources/collect']]);
  });

  it('was made invalid: that decides of its members, too', async () => {
    const { store, resources, because, answered } = await recorded();
    store.dispatch(resources.invalidate(Issues.getList));

    expect(because({ ...list, pk: '5' })).toEqual([['invalid', 'resources/invalidate']]);
    await answered(() => store.dispatch(Issues.getList()), LIST, {}, 500);
    const both = [
      ['invalid', 'resources/invalidate'],
      ['answer', 'Issue/getList/rejected'],
    ];
    expect(because({ ...list, pk: '5' })).toEqual(both);
    expect(because(list)).toEqual(both);
  });
});

describe('a request whose row is gone', () => {
  it('says what has deleted it, or is about to', async () => {
    const { store, recorder, because, texts } = await recorded();
    void store.dispatch(Issues.delete(five));
    await pass();

    expect(recorder.explain(get).value).toBe('uninitialized');
    expect(because(get)[0]).toEqual(['guess', 'Issue/delete/pending']);
    await network.release('DELETE /issues/5', { status: 204 });
    expect(because(get)).toEqual([
      ['deleted', 'Issue/delete/fulfilled'],
      ['answer', 'Issue/get/fulfilled'],
    ]);
    expect(texts(get)[0]).toMatch(
      new RegExp(`^Its row is not shown\\. Not there: DELETE /issues/5 ${time} has deleted it\\.$`),
    );
  });
});

class Article extends Entity {
  slug = '';
  title = '';
  labels: string[] = [];
  static override key = 'Article';

  override pk() {
    return this.slug;
  }
}
const byLabel = {} as { readonly labels?: string } | undefined;
const Articles = createResource({ path: '/articles/:slug', schema: Article, searchParams: byLabel });
const article = (slug: string, labels: string[] = []) => ({ slug, title: slug, labels });

describe('a row that was given another pk', () => {
  it('is in the list that shows it, under each of its pks', async () => {
    const { store, recorder, answered } = await recorded({ isRead: false });
    await answered(() => store.dispatch(Articles.getList()), 'GET /articles', [article('one'), article('zed')]);
    const edit = Articles.partialUpdate({ slug: 'one' }, { title: 'Two' });
    await answered(() => store.dispatch(edit), 'PATCH /articles/one', article('two'));

    for (const pk of ['one', 'two']) {
      const { value, because } = recorder.explain({ list: 'Article/getList', args: [], pk });
      expect([pk, value, because[0]?.text]).toEqual([pk, true, expect.stringMatching(/^In it, by GET \/articles /)]);
    }
    expect(recorder.explain({ list: 'Article/getList', args: [], pk: 'zed' }).value).toBe(true);
    expect(recorder.explain({ list: 'Article/getList', args: [], pk: 'other' }).value).toBe(false);
  });
});

class Thread extends Entity {
  id = 0;
  comments: Comment[] = [];
  static override key = 'Thread';
}
class Comment extends Entity {
  id = 0;
  text = '';
  static override key = 'Comment';
}
const comments = new Collection([Comment], { nestKey: ({ id }: { readonly id: number }) => ({ threadId: id }) });
Thread.schema = { comments };
const Threads = createResource({ path: '/threads/:id', schema: Thread, optimistic: true });
const Comments = createResource({ path: '/threads/:threadId/comments/:id', schema: Comment, optimistic: true });

describe('a field that has a list of its own', () => {
  const field: Question = { entity: 'Thread', pk: '1', field: 'comments' };
  const get = 'GET /threads/1';
  const post = 'POST /threads/1/comments';

  it('is told by who has brought the members of that, the newest first', async () => {
    const { store, recorder, texts, answered } = await recorded({ isRead: false });
    const thread = { id: 1, comments: [{ id: 1, text: 'First' }] };
    await answered(() => store.dispatch(Threads.get({ id: 1 })), get, thread);
    const came = (key: string) => new RegExp(`${key} ${time}; 1 came\\.$`);
    expect(texts(field)).toEqual([expect.stringMatching(came(get))]);

    void store.dispatch(Comments.getList.push({ threadId: '1' }, { text: 'Second' }));
    await pass();
    expect(texts(field)[0]).toMatch(new RegExp(`^${post} ${time} changes it and is not answered\\.$`));
    await network.release(post, { json: { id: 2, text: 'Second' } });

    expect(recorder.explain(field).value).toEqual(['1', '2']);
    expect(texts(field)).toEqual([expect.stringMatching(came(post)), expect.stringMatching(came(get))]);
  });

  it('is a guess alone, where its row is', async () => {
    const { store, recorder, because } = await recorded({ isRead: false });
    const { requestId } = store.dispatch(Threads.getList.push({ comments: [] }));
    await pass();

    const guessed: Question = { ...field, pk: `~${requestId}` };
    expect(recorder.explain(guessed).value).toEqual([]);
    expect(because(guessed)).toEqual([['guess', 'Thread/getList/push/pending']]);
  });
});

describe('a field that its row does not have', () => {
  const typo: Question = { entity: 'Issue', pk: '5', field: 'titel' };
  const start = 'Shows `nothing`: its row has no such field';

  it('is none of its class either, where it is misspelt', async () => {
    const { texts } = await recorded();

    expect(texts(typo)).toEqual([`${start}, and its class has no such field either.`]);
  });

  it('has no default that is known before its class is', async () => {
    const { slice } = await recorded();
    const { store, resources, texts } = await recorded({ isRead: false });
    store.dispatch(resources.hydrate(slice()));

    expect(texts(typo)).toEqual([`${start}; its class is not known yet.`]);
  });
});

describe('a row with several values in a field', () => {
  it('is in a list of one of them only if the server says so', async () => {
    const { store, resources, texts, answered } = await recorded({ isRead: false });
    const LABELED = 'GET /articles?labels=bug';
    await answered(() => store.dispatch(Articles.getList({ labels: 'bug' })), LABELED, [article('one', ['bug'])]);

    store.dispatch(resources.set(Article, article('two', ['bug', 'x'])));

    expect(texts({ list: 'Article/getList', args: [{ labels: 'bug' }], pk: 'two' })).toContain(
      'The row has no single value in `labels`, so only the server knows whether it is in this list.',
    );
  });
});

describe('a row that is partial', () => {
  it('was not shown by the answer to its deletion', async () => {
    const { store, resources, texts, answered } = await recorded();
    await pass(1_000);
    await answered(() => store.dispatch(Issues.delete(five)), 'DELETE /issues/5', five);

    store.dispatch(resources.set(Issue, { id: 5, title: 'Back' } as never));

    const told = texts({ entity: 'Issue', pk: '5' }).join('\n');
    expect(told).toContain('The row is partial');
    expect(told).not.toContain('DELETE');
  });
});

class Photo extends Entity {
  id = 0;
  type = 'photo';
  static override key = 'Photo';
}
class Clip extends Entity {
  id = 0;
  type = 'clip';
  cover: Photo | null = null;
  static override key = 'Clip';
}
const media = new schema.Union({ photo: Photo, clip: Clip }, 'type');
class Post extends Entity {
  id = 0;
  media: Photo | Clip | null = null;
  static override key = 'Post';
  static override schema = { media };
}
const Photos = createResource({ path: '/photos/:id', schema: Photo });
const getMedium = new RestEndpoint({ path: '/media/:id', schema: media, name: 'Medium/get' });
const getPost = new RestEndpoint({ path: '/posts/:id', schema: Post, name: 'Post/get' });

describe('a row that is one of several classes', () => {
  it('is said to be gone by the request that has read it', async () => {
    const { store, recorder, answered } = await recorded({ isRead: false });
    await answered(() => store.dispatch(getMedium({ id: 3 })), 'GET /media/3', { id: 3, type: 'photo' });

    await answered(() => store.dispatch(Photos.delete({ id: 3 })), 'DELETE /photos/3', {});

    const { value, because } = recorder.explain({ request: 'Medium/get GET /media/3' });
    expect([value, because[0]?.text]).toEqual(['uninitialized', expect.stringMatching(/^Its row is not shown\. /)]);
  });

  it('is called by its class and its pk, where a field names it', async () => {
    const { store, recorder, answered } = await recorded({ isRead: false });
    const post = { id: 1, media: { id: 3, type: 'photo' } };
    await answered(() => store.dispatch(getPost({ id: 1 })), 'GET /posts/1', post);

    expect(recorder.explain({ entity: 'Post', pk: '1', field: 'media' }).because[0]?.text).toMatch(
      /^Shows `Photo 3`, from GET .posts.1 /,
    );
  });
});
