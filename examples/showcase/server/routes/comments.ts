import { Hono } from 'hono';
import type { Listeners } from '../events.ts';
import type { Issues } from '../issues.ts';
import { problem } from '../problem.ts';
import { recordOf } from '../readIssue.ts';
import type { Variables } from './session.ts';

/** `/api/issues/:issueId/comments` and one of them. */
export function commentRoutes(issues: Issues, listeners: Listeners): Hono<Variables> {
  const routes = new Hono<Variables>();

  routes.get('/:issueId/comments', (c) => c.json(issues.comments(Number(c.req.param('issueId')))));

  routes.post('/:issueId/comments', async (c) => {
    const issue = issues.find(Number(c.req.param('issueId')));
    if (!issue) return problem(404, 'This issue is not there any more.');
    const { text } = recordOf(await c.req.json());
    if (typeof text !== 'string' || text.trim() === '')
      return problem(422, 'A comment says something.', { text: 'A comment says something.' });
    const comment = issues.comment(issue.id, c.get('personId'), text.trim());
    const client = c.req.header('x-client') ?? '';
    if (comment) listeners.tell({ type: 'commented', comment }, client);
    return c.json(comment, 201);
  });

  routes.delete('/:issueId/comments/:id', (c) => {
    const [issueId, id] = [Number(c.req.param('issueId')), Number(c.req.param('id'))];
    issues.deleteComment(issueId, id);
    listeners.tell({ type: 'uncommented', issueId, id }, c.req.header('x-client') ?? '');
    return c.body(null, 204);
  });
  return routes;
}
