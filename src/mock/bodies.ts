import { orElse } from '../errors.js';

/** A body as the server has it: what JSON says, the fields of a form, else its text. */
export function bodyOf(request: Request, given: unknown): unknown {
  if (typeof given === 'string') {
    const said = parsed(given);
    const isCoded = typeof said === 'string' && /urlencoded/.test(typeIn(request));
    return isCoded ? fieldsOf(new URLSearchParams(given)) : said;
  }
  if (isForm(given)) return fieldsOf(given);
  if (request.method === 'GET' || request.method === 'HEAD' || !request.body) return undefined;
  // Hooks and answers of the user's may read the request itself.
  const copy = request.clone();
  return isFormIn(request, given) ? copy.formData().then(fieldsOf) : copy.text().then(parsed);
}

/** Whether a request has a form, whose values are texts. */
export function isFormIn(request: Request, given: unknown): boolean {
  return isForm(given) || /form-data|urlencoded/.test(typeIn(request));
}

function typeIn({ headers }: Request): string {
  return headers.get('content-type') ?? '';
}

/** What is a list of names and values, of whichever realm. */
interface Form {
  entries(): Iterable<readonly [string, unknown]>;
}

function isForm(body: unknown): body is Form {
  return typeof body === 'object' && body !== null && 'entries' in body && 'getAll' in body;
}

function parsed(text: string): unknown {
  return text === '' ? undefined : orElse(() => JSON.parse(text) as unknown, text);
}

/** The fields of a form; several of one name are a list, a file is what it is called, its size and its type. */
function fieldsOf(form: Form): Record<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of form.entries()) {
    const { size, type, name: file } = value as Partial<File>;
    const plain = typeof value === 'string' ? value : { name: file, size, type };
    values.set(name, [...(values.get(name) ?? []), plain]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
}

/** What an answer of the user's is sent as: JSON, a Response as it is, nothing as no content; `keep` gets it before a body is broken off. */
export function responseOf(
  answer: unknown,
  init?: ResponseInit,
  keep: (response: Response) => Response = (response) => response,
  signal?: AbortSignal,
): Response {
  if (answer instanceof Response) return breakable(keep(answer.clone()), signal, answer);
  return keep(answer === undefined ? new Response(null, { ...init, status: 204 }) : Response.json(answer, init));
}

/** One Response may be the answer to many requests, here a copy of `source`; a body that is cancelled or aborted ends what it comes from. */
export function breakable(copy: Response, signal: AbortSignal | undefined, source?: Response): Response {
  const reader = copy.body?.getReader();
  if (!reader) return copy;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // A stream that was copied ends when all copies are cancelled, the first too.
    cancel: async (reason) => {
      await Promise.all([reader.cancel(reason), source?.body?.cancel(reason)]);
    },
  });
  return new Response(body.pipeThrough(new TransformStream(), signal && { signal }), copy);
}
