import { Hono } from 'hono';
import type { Listeners } from '../events.ts';
import { InOrder } from '../InOrder.ts';
import type { IssueDetailJson, IssueFields, Issues } from '../issues.ts';
import { problem } from '../problem.ts';
import { readIssue } from '../readIssue.ts';
import type { Variables } from './session.ts';

/** `/api/issues` and `/api/issues/:id`. */
export function issueRoutes(issues: Issues, listeners: Listeners): Hono<Variables> {
  const routes = new Hono<Variables>();
  const edits = new InOrder();
  const notThere = () => problem(404, 'This issue is not there any more.');
  const clientOf = (c: { req: { header(name: string): string | undefined } }) => c.req.header('x-client') ?? '';

  routes.get('/', (c) => c.json(issues.list(c.req.query())));

  routes.post('/', async (c) => {
    const { fields, errors } = readIssue(await c.req.json());
    const refusals = { ...(fields.title === undefined && { title: 'An issue needs a title.' }), ...errors };
    if (fields.title !== undefined && issues.hasTitle(fields.title))
      refusals['title'] = 'Another issue has this title already.';
    if (Object.keys(refusals).length > 0) return problem(422, 'The issue cannot be created like this.', refusals);
    const issue = issues.create(fields, c.get('personId'));
    if (issue) listeners.tell({ type: 'created', issue }, clientOf(c));
    return c.json(issue, 201);
  });

  routes.get('/:id', (c) => {
    const id = Number(c.req.param('id'));
    const issue = issues.find(id);
    if (!issue) return notThere();
    const tag = issues.tagOf(id);
    c.header('ETag', tag);
    return c.req.header('if-none-match') === tag ? c.body(null, 304) : c.json(issue);
  });

  routes.patch('/:id', async (c) => {
    const id = Number(c.req.param('id'));
    if (!issues.find(id)) return notThere();
    const wanted = c.req.header('if-match');
    if (wanted !== undefined && wanted !== issues.tagOf(id))
      return problem(412, 'Somebody has changed this issue meanwhile.');
    const { fields, errors } = readIssue(await c.req.json());
    if (Object.keys(errors).length > 0) return problem(422, Object.values(errors).join(' '), errors);

    const decided = edits.take(id, fields, Number(c.req.header('x-sent') ?? Date.now()));
    issues.update(id, fields);
    const answer = issues.find(id);
    issues.update(id, decided);
    listeners.tell({ type: 'changed', issue: { ...changedIn(issues.find(id), fields), id } }, clientOf(c));
    c.header('ETag', issues.tagOf(id));
    return c.json(answer);
  });

  routes.delete('/:id', (c) => {
    const id = Number(c.req.param('id'));
    if (!issues.find(id)) return notThere();
    issues.delete(id);
    listeners.tell({ type: 'deleted', id }, clientOf(c));
    return c.body(null, 204);
  });

  routes.post('/:id/restore', (c) => {
    const issue = issues.restore(Number(c.req.param('id')));
    if (!issue) return notThere();
    listeners.tell({ type: 'created', issue }, clientOf(c));
    return c.json(issue);
  });
  return routes;
}

/** What an edit has changed, as an issue is sent. */
function changedIn(issue: IssueDetailJson | undefined, fields: IssueFields): Partial<IssueDetailJson> {
  return Object.fromEntries(Object.entries(issue ?? {}).filter(([name]) => Object.hasOwn(fields, name)));
}
