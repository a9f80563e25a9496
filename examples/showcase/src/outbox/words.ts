import { isTemporary } from 'rtk-resource';
import type { OutboxEntry } from 'rtk-resource/offline';
import { isRecord, isString } from '../guards';
import { reasonOf } from '../reasonOf';
import { CommentResource } from '../resources/comments';
import { IssueResource } from '../resources/issues';
import { fieldErrorsOf } from '../resources/problem';

type Fields = Readonly<Record<string, unknown>>;

/** What a write does to its issue, and what is said when it was refused. */
interface Words {
  readonly does: string | ((body: Fields) => string);
  readonly refusal: string;
}

const edits: Words = { does: (body) => Object.keys(body).join(', '), refusal: 'The change was not saved' };

const wordsOf: Readonly<Record<string, Words>> = {
  [IssueResource.partialUpdate.name]: edits,
  [IssueResource.saveBody.name]: edits,
  [IssueResource.getList.unshift.name]: { does: 'created', refusal: 'The issue was not created' },
  [IssueResource.delete.name]: { does: 'deleted', refusal: 'The issue was not deleted' },
  [IssueResource.restore.name]: { does: 'brought back', refusal: 'The issue was not brought back' },
  [CommentResource.getList.push.name]: { does: 'comment', refusal: 'The comment was not added' },
  [CommentResource.delete.name]: { does: 'comment deleted', refusal: 'The comment was not deleted' },
};

/** How a write stands, in a few words. */
export const standings: Readonly<Record<OutboxEntry['status'], string>> = {
  queued: 'waits',
  sent: 'is being sent',
  waiting: 'no answer yet, is sent again',
  unknown: 'unknown whether saved',
  failed: 'refused',
};

/** The fields that a person has written, and may write anew. */
const texts = ['title', 'text', 'body'];

/** What a write is about, as in `#2000: title`. */
export function nameOf({ endpointName, args: [params, ...rest] }: OutboxEntry): string {
  const about = fieldsIn(params);
  const id = about['issueId'] ?? about['id'];
  const isThere = typeof id === 'number' || (isString(id) && !isTemporary(id));
  const issue = isThere ? `#${id}` : 'New issue';
  const does = wordsOf[endpointName]?.does ?? endpointName;
  return `${issue}: ${typeof does === 'string' ? does : does(fieldsIn(rest.at(-1)))}`;
}

/** The field of a write whose text may be changed: the one that the server complains of, else the first. */
export function textFieldOf(entry: OutboxEntry): string | undefined {
  const [body, refused] = [bodyOf(entry), fieldErrorsOf(entry.error)];
  const fields = texts.filter((field) => isString(body[field]));
  return fields.find((field) => field in refused) ?? fields[0];
}

/** What a write sends, as far as a person can read it. */
export function textOf(entry: OutboxEntry): string {
  const { title, text, body, status, labels } = bodyOf(entry);
  const said = title ?? text ?? body ?? status ?? labels;
  return Array.isArray(said) ? said.join(', ') : isString(said) ? said : '';
}

/** What a write sends. */
export function bodyOf({ args }: OutboxEntry): Fields {
  return fieldsIn(args.at(-1));
}

/** Why a write was refused. */
export function refusalOf({ endpointName, error }: OutboxEntry): string {
  const [problem = error && reasonOf(error)] = Object.values(fieldErrorsOf(error));
  return `${wordsOf[endpointName]?.refusal ?? endpointName}: ${problem ?? 'nobody knows why'}`;
}

function fieldsIn(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
