import { outbox } from 'rtk-resource/offline';
import { CommentResource } from '../resources/comments';
import { IssueResource } from '../resources/issues';
import type { Session } from '../session/session';

/** What is written to issues and comments survives the tab. The server heeds keys, so that it does nothing twice. */
export const queue = outbox({
  name: 'showcase',
  resources: [IssueResource, CommentResource],
  owner: ({ session: { person } }: { readonly session: Session }) => person?.name,
  idempotencyKey: true,
});
