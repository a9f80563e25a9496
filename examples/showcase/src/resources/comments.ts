import { createResource, Entity } from 'rtk-resource';
import { GatedEndpoint } from '../network/GatedEndpoint';
import { Person } from './people';

export class Comment extends Entity {
  id = 0;
  issueId = 0;
  text = '';
  author = Person.fromJS();
  createdAt = new Date(0);
  static key = 'Comment';
  static schema = { author: Person, createdAt: (iso: string) => new Date(iso) };
}

export const CommentResource = createResource({
  path: '/api/issues/:issueId/comments/:id',
  schema: Comment,
  optimistic: true,
  Endpoint: GatedEndpoint,
});
