import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { IssueResource, LabelResource, searchIssues } from './models/github.js';
import { setupApp } from './screens.js';

interface LabelRow {
  id: number;
  url: string;
  name: string;
  color: string;
}
interface IssueRow {
  id: number;
  number: number;
  url: string;
  repository_url: string;
  title: string;
  body: string | null;
  state: string;
  labels: LabelRow[];
  user: { login: string; id: number };
  comments: number;
  updated_at: string;
  head: string;
}
interface IssueBody {
  readonly title?: string;
  readonly body?: string;
  readonly state?: string;
  readonly labels?: readonly string[];
}

/** What GitHub has answered with, as it was recorded. */
function recorded(scenario: string): readonly unknown[] {
  const path = `@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`;
  const steps = JSON.parse(readFileSync(`node_modules/${path}`, 'utf8')) as readonly { readonly response: unknown }[];
  return steps.flatMap(({ response }) => response);
}

const prefix = '/repos/octo/app';
const repo = { owner: 'octo', repo: 'app' };
const twoPages = { ...repo, per_page: 2 };
const missing = { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' };
const invalid = (resource: string, field: string, code: string): Refusal =>
  new Refusal({ status: 422, json: { message: 'Validation Failed', errors: [{ resource, field, code }] } });

/** GitHub's issues and labels of two repositories. */
function startGitHub() {
  const address = (of: string, path: string): string => `https://api.github.com/repos/${of}/${path}`;
  const [example] = recorded('paginate-issues') as [IssueRow];
  const labels = (recorded('labels') as LabelRow[])
    .filter(({ name }) => ['bug', 'question'].includes(name))
    .slice(0, 2)
    .map((label) => ({ ...label, url: address('octo/app', `labels/${label.name}`) }));
  const [bug, question] = labels as [LabelRow, LabelRow];
  const issues: IssueRow[] = [];
  let id = 5_000;
  const add = (of: string, number: number, more: Partial<IssueRow>): IssueRow => {
    const [url, repository_url] = [address(of, `issues/${String(number)}`), address(of, '').slice(0, -1)];
    const fresh = { id: ++id, number, url, repository_url, state: 'open', labels: [], comments: 0, head: 'c0ffee' };
    const issue = { ...example, ...fresh, ...more };
    issues.unshift(issue);
    return issue;
  };
  add('octo/other', 1, { title: 'Issue 1 of another repository' });
  add('octo/app', 1, { title: 'Crash at start', labels: [bug] });
  add('octo/app', 2, { title: 'How to install?', labels: [question], state: 'closed' });
  add('octo/app', 3, { title: 'Crash at end', labels: [bug, question] });
  add('octo/app', 4, { title: 'Dark mode' });
  add('octo/app', 5, { title: 'Light mode' });

  const named = (names: readonly string[]): LabelRow[] => names.map((name) => findIn(labels, { name }, missing));
  const issueOf = (asked: Asked): IssueRow => {
    const url = address(`${asked.param('owner')}/${asked.param('repo')}`, `issues/${asked.param('number')}`);
    return findIn(issues, { url }, missing);
  };
  const change = (issue: IssueRow, { labels: names, ...body }: IssueBody): IssueRow =>
    Object.assign(issue, body, names && { labels: named(names) }, { updated_at: '2026-01-05T10:00:00Z' });

  const api = apiOf(
    {
      'GET /repos/:owner/:repo/issues': (asked) => {
        const { query } = asked;
        const of = address(`${asked.param('owner')}/${asked.param('repo')}`, '').slice(0, -1);
        const state = query.get('state') ?? 'open';
        const names = query.get('labels')?.split(',') ?? [];
        const all = issues.filter(
          (issue) =>
            issue.repository_url === of &&
            (state === 'all' || issue.state === state) &&
            names.every((name) => issue.labels.some((label) => label.name === name)),
        );
        const size = Number(query.get('per_page') ?? 30);
        const page = Number(query.get('page') ?? 1);
        const next = `<${of}/issues?per_page=${String(size)}&page=${String(page + 1)}>; rel="next"`;
        const json = all.slice((page - 1) * size, page * size);
        return { json, ...(page * size < all.length && { headers: { link: next } }) };
      },
      'POST /repos/:owner/:repo/issues': (asked) => {
        const body: IssueBody = asked.body;
        if (!body.title) throw invalid('Issue', 'title', 'missing_field');
        return { status: 201, json: change(add('octo/app', issues.length, {}), body) };
      },
      'GET /repos/:owner/:repo/issues/:number': (asked) => ({ json: issueOf(asked) }),
      'PATCH /repos/:owner/:repo/issues/:number': (asked) => {
        const body: IssueBody = asked.body;
        if (body.title === '') throw invalid('Issue', 'title', 'missing_field');
        return { json: change(issueOf(asked), body) };
      },
      'PUT /repos/:owner/:repo/pulls/:number/merge': (asked) => {
        const issue = issueOf(asked);
        const { sha }: { readonly sha: string } = asked.body;
        if (sha !== issue.head)
          throw new Refusal({
            status: 409,
            json: { message: 'Head branch was modified. Review and try the merge again.' },
          });
        issue.state = 'closed';
        return { json: { sha: 'f00d', merged: true, message: 'Pull Request successfully merged' } };
      },
      'GET /repos/:owner/:repo/labels': () => ({ json: labels }),
      'POST /repos/:owner/:repo/labels': (asked) => {
        const body: LabelRow = asked.body;
        if (labels.some(({ name }) => name === body.name)) throw invalid('Label', 'name', 'already_exists');
        const label = { ...bug, ...body, id: ++id, url: address('octo/app', `labels/${body.name}`) };
        labels.push(label);
        return { status: 201, json: label };
      },
      'PATCH /repos/:owner/:repo/labels/:name': (asked) => {
        const { new_name: name, ...rest }: { readonly new_name?: string } = asked.body;
        const label = findIn(labels, { name: asked.param('name') }, missing);
        return { json: Object.assign(label, rest, name && { name, url: address('octo/app', `labels/${name}`) }) };
      },
      'DELETE /repos/:owner/:repo/labels/:name': (asked) => {
        const label = findIn(labels, { name: asked.param('name') }, missing);
        removeFrom(labels, label);
        for (const issue of issues) issue.labels = issue.labels.filter((one) => one !== label);
        return { status: 204 };
      },
      'GET /search/issues': ({ query }) => {
        const words = (query.get('q') ?? '').split(' ');
        const items = issues.filter(({ title, state }) =>
          words.every((word) => (word === 'is:open' ? state === 'open' : title.includes(word))),
        );
        return { json: { total_count: items.length, incomplete_results: false, items: items.slice(0, 2) } };
      },
    },
    { hasTags: true },
  );
  return { api, issues, labels };
}

/** Somebody looks at all lists of a repository, and at one issue. */
async function setupIssues() {
  const { api, issues, labels } = startGitHub();
  const app = setupApp(api);
  const { screens, store, read } = app;
  const { getList, get } = IssueResource;
  await screens.openPages(getList, [twoPages], {
    load: [() => store.dispatch(getList.getNextPage(twoPages))],
    next: (issues: readonly unknown[], { page = 1 }: { page?: number }) =>
      issues.length < 2 ? undefined : { ...twoPages, page: page + 1 },
  });
  await screens.open(getList, { ...repo, state: 'closed' });
  await screens.open(getList, { ...repo, state: 'all' });
  await screens.open(getList, { ...repo, labels: 'bug' });
  await screens.open(getList, { owner: 'octo', repo: 'other' });
  await screens.open(get, { ...repo, number: 1 });
  await screens.open(LabelResource.getList, repo);
  await screens.open(searchIssues, { q: 'Crash is:open' });
  const numbers = (args: Parameters<typeof getList>[0]) => read(getList.select(args))?.map(({ number }) => number);

  return { ...app, api, issues, labels, numbers };
}

describe('an app on GitHub', () => {
  it('shows lists, pages by the Link header, a detail and a search as the server has them', async () => {
    const { screens, numbers, read } = await setupIssues();

    await screens.expectToEqualServer();

    expect(numbers(twoPages)).toEqual([5, 4, 3, 1]);
    expect(read(searchIssues.select({ q: 'Crash is:open' }))).toMatchObject({ total_count: 2 });
  });

  it('creates an issue: it stands at once in the lists that it belongs to, and the search is asked for again', async () => {
    const { screens, store, numbers, read, api } = await setupIssues();
    const held = api.hold(`POST ${prefix}/issues`);

    const create = store.dispatch(IssueResource.getList.unshift(repo, { title: 'Crash in the middle' }));
    const during = [numbers({ ...repo, state: 'all' })?.length, numbers({ ...repo, state: 'closed' })?.length];
    held.release();
    await create;

    expect(during).toEqual([6, 1]);
    await screens.expectToEqualServer();
    expect(read(searchIssues.select({ q: 'Crash is:open' }))).toMatchObject({ total_count: 3 });
  });

  it('renames a label, which is known by its name', async () => {
    const { screens, store, read } = await setupIssues();

    await store.dispatch(
      LabelResource.partialUpdate({ ...repo, name: 'bug' }, { new_name: 'defect', color: 'ff0000' }),
    );

    await screens.expectToEqualServer();
    expect(read(IssueResource.get.select({ ...repo, number: 1 }))?.labels).toMatchObject([{ name: 'defect' }]);
    await store.dispatch(LabelResource.partialUpdate({ ...repo, name: 'defect' }, { color: '00ff00' }));
    await screens.expectToEqualServer();
  });

  it('edits an issue by its number, and not that of another repository', async () => {
    const { screens, store, read, api } = await setupIssues();
    const held = api.hold(`PATCH ${prefix}/issues/1`);

    const edit = store.dispatch(IssueResource.partialUpdate({ ...repo, number: 1 }, { title: 'Crash no more' }));
    const during = read(IssueResource.get.select({ ...repo, number: 1 }))?.title;
    held.release();
    await edit;

    expect(during).toBe('Crash no more');
    await screens.expectToEqualServer();
  });

  it('closes an issue: it moves from the open ones to the closed ones at once', async () => {
    const { screens, store, numbers, api } = await setupIssues();
    const held = api.hold(`PATCH ${prefix}/issues/3`);

    const edit = store.dispatch(IssueResource.partialUpdate({ ...repo, number: 3 }, { state: 'closed' }));
    const during = [numbers(twoPages), numbers({ ...repo, state: 'closed' })];
    held.release();
    await edit;

    expect(during).toEqual([
      [5, 4, 1],
      [2, 3],
    ]);
    await screens.expectToEqualServer();
  });

  it('takes a label off an issue: it leaves the list of that label', async () => {
    const { screens, store, numbers } = await setupIssues();

    await store.dispatch(IssueResource.partialUpdate({ ...repo, number: 3 }, { labels: ['question'] }));

    expect(numbers({ ...repo, labels: 'bug' })).toEqual([1]);
    await screens.expectToEqualServer();
  });

  it('deletes a label: no issue has it any more', async () => {
    const { screens, store, read } = await setupIssues();

    await store.dispatch(LabelResource.delete({ ...repo, name: 'bug' }));

    expect(read(IssueResource.get.select({ ...repo, number: 1 }))?.labels).toEqual([]);
    await screens.expectToEqualServer();
  });

  it('is told by 422 what is wrong with a form, and shows what was', async () => {
    const { screens, store } = await setupIssues();

    const { error } = await store.dispatch(LabelResource.getList.push(repo, { name: 'bug', color: 'f00' }));

    expect(error).toMatchObject({ status: 422, data: { errors: [{ field: 'name', code: 'already_exists' }] } });
    await screens.expectToEqualServer();
  });

  it('is told by 409 that others were faster, and asks what is so', async () => {
    const { screens, store, issues, read } = await setupIssues();
    Object.assign(findIn(issues, { number: 3 }, missing), { head: 'beef', title: 'Crash at end (pushed)' });

    const { error } = await store.dispatch(IssueResource.merge({ ...repo, number: 3 }, { sha: 'c0ffee' }));

    expect(error?.status).toBe(409);
    await screens.expectToEqualServer();
    expect(read(searchIssues.select({ q: 'Crash is:open' }))?.items[0]?.title).toBe('Crash at end (pushed)');
  });

  it('merges a pull request, whose answer does not tell what has become of the issue', async () => {
    const { screens, store } = await setupIssues();

    await store.dispatch(IssueResource.merge({ ...repo, number: 3 }, { sha: 'c0ffee' }));

    await screens.expectToEqualServer();
  });

  it('is answered 304 where nothing has changed', async () => {
    const { screens, store, api, read } = await setupIssues();
    api.remember(`${prefix}/issues/1`);
    const before = read(IssueResource.get.select({ ...repo, number: 1 }));
    await store.dispatch(IssueResource.get({ ...repo, number: 1 }));

    const again = await store.dispatch(IssueResource.get({ ...repo, number: 1 })).unwrap();

    expect(again).toBe(before);
    await screens.expectToEqualServer();
  });

  it('asks what is so where an answer was lost', async () => {
    const { screens, store, api, issues } = await setupIssues();
    api.lose(`PATCH ${prefix}/issues/3`);

    const { error } = await store.dispatch(
      IssueResource.partialUpdate({ ...repo, number: 3 }, { state: 'closed', title: 'Done' }),
    );

    expect(error).toMatchObject({ name: 'NetworkError' });
    expect(findIn(issues, { number: 3 }, missing).title).toBe('Done');
    await screens.expectToEqualServer();
  });

  it('asks for the lists again where the answer to a create was lost', async () => {
    const { screens, store, api } = await setupIssues();
    api.lose(`POST ${prefix}/issues`);

    await store.dispatch(IssueResource.getList.unshift(repo, { title: 'Crash again' }));

    await screens.expectToEqualServer();
  });
});
