/** A refusal of the server: its own, told as in RFC 9457, or an answer of the user's. */
export class Problem extends Error {
  readonly response: Response;

  constructor(refusal: number | Response, title = '', headers: Readonly<Record<string, string>> = {}) {
    super(title);
    const told = typeof refusal === 'number' ? { status: refusal, title } : undefined;
    const type = { 'content-type': 'application/problem+json' };
    this.response = told
      ? Response.json(told, { status: told.status, headers: { ...headers, ...type } })
      : (refusal as Response).clone();
  }
}
