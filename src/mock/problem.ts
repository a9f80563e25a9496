/** A refusal of the server: its own, told as in RFC 9457, or an answer of the user's. */
export class Problem extends Error {
  readonly response: Response;

  constructor(refusal: number | Response, title = '', headers: Readonly<Record<string, string>> = {}) {
    super(title);
    const told = typeof refusal === 'number' ? { status: refusal, title } : undefined;
    const type = { 'content-type': 'application/problem+json' };
    // What an error of the client quotes; HTTP allows no other characters there.
    const statusText = title.replaceAll('…', '...').replace(/[^\x20-\x7e]/g, ' ');
    this.response = told
      ? Response.json(told, { status: told.status, statusText, headers: { ...headers, ...type } })
      : (refusal as Response).clone();
  }
}

/** What a function of the user's has thrown: an error of the server, that names the option that the function is. */
export class Fault extends Problem {
  constructor(option: string, cause: unknown) {
    super(500, `${option} has thrown: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.cause = cause;
  }
}

/** Calls a function of the user's. */
export function asked<Value>(option: string, call: () => Value): Value {
  try {
    return call();
  } catch (error) {
    throw new Fault(option, error);
  }
}
