// github.ts
import { Collection, createResource, Entity, RestEndpoint, type Row } from 'rtk-resource';

const shared = { urlPrefix: 'https://api.github.com', optimistic: true } as const;

/** Names and numbers are of one repository; its address tells which. */
class InRepo extends Entity {
  static override process(row: Row): Row {
    const [, owner, repo] = /repos\/(.+?)\/(.+?)\//.exec(String(row['url'])) ?? [];
    return owner === undefined ? row : { ...row, owner, repo };
  }
}
export class Label extends InRepo {
  id = 0;
  name = '';
  color = '';
  static override key = 'Label';
  static override indexes = ['name'];
}
export class Issue extends InRepo {
  id = 0;
  number = 0;
  title = '';
  body: string | null = null;
  state = 'open';
  labels: readonly Label[] = [];
  comments = 0;
  static override key = 'Issue';
  static override schema = { labels: [Label] };
  static override indexes = ['number'];
}

export const IssueResource = createResource({
  ...shared,
  path: '/repos/:owner/:repo/issues/:number',
  schema: Issue,
  searchParams: {} as { state?: 'open' | 'closed' | 'all'; labels?: string; per_page?: number; page?: number },
  body: {} as { title?: string; body?: string; state?: 'open' | 'closed'; labels?: readonly string[] },
  belongs: ({ state: its = 'open', labels: has = [] }, { state = 'open', labels }) =>
    (state === 'all' || state === its) &&
    (!labels || labels.split(',').every((name) => has.some((label) => label.name === name))),
})
  .extend('merge', {
    path: '/repos/:owner/:repo/pulls/:number/merge',
    method: 'PUT',
    body: {} as { sha?: string },
    invalidates: () => ['get', 'getList'], // its answer does not tell that the issue is closed
  })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: (_issues, params, { headers }) => {
        const [, page] = /[?&]page=(\d+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
        return page === undefined ? undefined : { ...params, page: Number(page) };
      },
    }),
  }));

export const LabelResource = createResource({
  ...shared,
  path: '/repos/:owner/:repo/labels/:name',
  schema: Label,
  body: {} as { name?: string; new_name?: string; color?: string },
  invalidates: () => [IssueResource.getList], // whose `labels` name them
});

const found = new Collection([Issue], { name: 'found', belongs: () => undefined });
export const searchIssues = new RestEndpoint({
  ...shared,
  path: '/search/issues',
  searchParams: {} as { q: string },
  schema: { total_count: found.total, items: found },
});
