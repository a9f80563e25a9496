import type { LiveMessage } from '../../server/events';
import type { CommentJson, IssueDetailJson } from '../../server/issues';
import type { PublicPerson } from '../../server/people';
import { isAnyOf, isListOf, isNumber, isObject, isOneOf, isPartOf, isString } from '../guards';
import { statuses } from '../resources/issues';

type Message<Type> = Extract<LiveMessage, { readonly type: Type }>;
type ChangedIssue = Message<'changed'>['issue'];

const isPerson = isObject<PublicPerson>({ id: isNumber, name: isString, color: isString });

const isComment = isObject<CommentJson>({
  id: isNumber,
  issueId: isNumber,
  text: isString,
  author: isPerson,
  createdAt: isString,
});

const issueFields = {
  id: isNumber,
  title: isString,
  body: isString,
  status: isOneOf(...statuses),
  author: isPerson,
  assignee: isAnyOf(isPerson, isOneOf(null)),
  labels: isListOf(isObject({ id: isString, color: isString })),
  comments: isListOf(isComment),
  createdAt: isString,
};

const isSomeOfIssue = isPartOf<IssueDetailJson>(issueFields);
const isChangedIssue = (value: unknown): value is ChangedIssue => isSomeOfIssue(value) && value.id !== undefined;

/** Whether what the server has sent is a message, with all that is in it. */
export const isLiveMessage = isAnyOf(
  isObject<Message<'changed'>>({ type: isOneOf('changed'), issue: isChangedIssue }),
  isObject<Message<'created'>>({ type: isOneOf('created'), issue: isObject<IssueDetailJson>(issueFields) }),
  isObject<Message<'deleted'>>({ type: isOneOf('deleted'), id: isNumber }),
  isObject<Message<'commented'>>({ type: isOneOf('commented'), comment: isComment }),
  isObject<Message<'uncommented'>>({ type: isOneOf('uncommented'), issueId: isNumber, id: isNumber }),
);
