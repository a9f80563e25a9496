import { isStatus, labels } from './labels.ts';
import { people } from './people.ts';
import type { IssueFields } from './issues.ts';

const longestTitle = 80;

/** What is wrong with a form, by its fields. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Reads what somebody has sent of an issue: what can be used of it, and what is wrong with it. */
export function readIssue(sent: unknown): { fields: IssueFields; errors: FieldErrors } {
  const { title, body, status, labels: labelIds, assignee } = recordOf(sent);
  const errors: Record<string, string> = {};
  const fields: { -readonly [Name in keyof IssueFields]: IssueFields[Name] } = {};

  if (typeof title === 'string') {
    fields.title = title.trim();
    if (fields.title.length < 3) errors['title'] = 'A title has at least 3 characters.';
    if (fields.title.length > longestTitle) errors['title'] = `A title has at most ${longestTitle} characters.`;
  }
  if (typeof body === 'string') {
    fields.body = body;
    if (/\basap\b/i.test(body)) errors['body'] = 'Say by when, and why.';
  }
  if (typeof status === 'string') {
    if (isStatus(status)) fields.status = status;
    else errors['status'] = 'There is no such column.';
  }
  if (Array.isArray(labelIds)) {
    fields.labels = labelIds.map(String);
    if (fields.labels.some((id) => labels.every((label) => label.id !== id))) errors['labels'] = 'No such label.';
  }
  if (assignee === null || typeof assignee === 'number') {
    fields.assignee = assignee;
    if (assignee !== null && people.every(({ id }) => id !== assignee)) errors['assignee'] = 'No such person.';
  }
  return { fields, errors };
}

/** The fields of something that was sent; none, where it is no object. */
export function recordOf(sent: unknown): Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null ? Object.fromEntries(Object.entries(sent)) : {};
}
