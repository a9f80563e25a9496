import type { FieldErrors } from './readIssue.ts';

/** An error's answer, as in RFC 9457, with what is wrong by field. */
export function problem(status: number, title: string, errors: FieldErrors = {}): Response {
  return Response.json({ status, title, errors }, { status, headers: { 'content-type': 'application/problem+json' } });
}
