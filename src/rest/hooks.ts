import {
  abortError,
  behindPrefix,
  isNetworkError,
  isUnanswered,
  NetworkError,
  orElse,
  outsideBrowser,
  reasonOf,
  resourceError,
  show,
  warnOnce,
} from '../errors.js';
import { assertResponse } from '../store/assertions.js';
import { withPrefix } from '../schema/address.js';
import { isForm, isOf } from '../schema/json.js';
import { isPlain, isRecord, pick, setOwn, type Definition } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import type { HookApi, Tag } from '../store/hookApi.js';
import { assertSendable } from '../store/running/plain.js';
import { assertWanted } from './limits.js';

/** Bundlers replace `process.env.NODE_ENV`, and leave out of production what stands behind it: the texts of advice are else in each bundle. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * How the body of a response is read; JSON, unless said otherwise.
 *
 * @example
 * const content: Content = 'blob';
 * const download = new RestEndpoint({ path: '/files/:name', content });
 */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** A body that fetch knows how to send as it is. */
function isBodyInit(body: unknown): body is BodyInit {
  const isBytes = body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return typeof body === 'string' || isBytes || isForm(body) || isOf(body, 'Blob') || isOf(body, 'ReadableStream');
}

/** What is sent: JSON for everything that fetch does not know how to send. */
export function requestInit(method: string, body: unknown, content: Content | undefined, name: string): RequestInit {
  const headers: Record<string, string> = {};
  if (content === undefined || content === 'json') headers['Accept'] = 'application/json';
  if (body === undefined || body === null) return { method, headers };
  if (isBodyInit(body)) {
    // Node demands to be told that the request ends before the answer does.
    return { method, headers, body, ...(isOf(body, 'ReadableStream') && { duplex: 'half' }) };
  }
  headers['Content-Type'] = 'application/json';
  assertSendable(body, name);
  return { method, headers, body: JSON.stringify(body) };
}

/**
 * What `getRequestInit` has given, with the method of the endpoint where that says none. Throws R11 for a Request, of which a copy has nothing.
 */
export function withMethod(
  init: RequestInit,
  { method, name }: { readonly method: string; readonly name: string },
): RequestInit {
  if (init instanceof Request) throw resourceError('R11', 'getRequestInit', name, 'a Request');
  return { method, ...init };
}

/** Headers as a plain object; of those with one name, in whatever case, the last holds. */
export function plainHeaders(...all: readonly (HeadersInit | undefined)[]): Record<string, string> {
  const last = new Map<string, readonly [name: string, value: string]>();
  for (const headers of all) {
    const pairs: Iterable<readonly (string | undefined)[]> =
      headers instanceof Headers || Array.isArray(headers) ? headers : Object.entries(headers ?? {});
    for (const [name = '', value] of pairs) if (value !== undefined) last.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(last.values());
}

/** A query string, sorted by name; what is absent is left out, arrays repeat their name. Throws R5 for nested objects, and for dates that are none. */
export function searchToString(params: Readonly<Record<string, unknown>>, endpoint: string): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(params).sort()) {
    const value = params[name];
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (one === undefined || one === null) continue;
      // Of an invalid date JSON has nothing but null.
      const plain: unknown = one instanceof Date ? one.toJSON() : one;
      if (typeof plain === 'object' || typeof plain === 'function' || typeof plain === 'symbol')
        throw resourceError('R5', endpoint, name);
      search.append(name, (plain as string | number | boolean | bigint).toString());
    }
  }
  return search.toString();
}

/** What each response answers: one that a `fetchFn` has made has no address, and the platform does not always tell for what reason its reading ended. */
const sent = new WeakMap<Response, { readonly url: string; readonly signal: AbortSignal | null | undefined }>();

export function addressOf(response: Response): string {
  return response.url || (sent.get(response)?.url ?? '');
}

/** Notes what a response answers. */
export function noteSent(response: Response, url: string, signal: AbortSignal | null | undefined): void {
  sent.set(response, { url, signal });
}

/** The status of an answer that says that the one before still holds. */
const NOT_MODIFIED = 304;

/** Sends a request; what is not ok becomes a NetworkError with the parsed body. */
export async function send(input: string, init: RequestInit, api?: HookApi): Promise<Response> {
  // A hook of the user's own may have waited.
  for (const signal of [api?.signal, init.signal]) assertWanted(signal, input);
  const { fetchFn = fetch } = api ?? {};
  let response: Response;
  try {
    response = await fetchFn(input, { ...init, headers: plainHeaders(init.headers) });
  } catch (cause) {
    if (init.signal?.aborted) throw abortError(init.signal.reason, input);
    if (quotesHeader(cause, init.headers, input)) throw cause;
    const advice = process.env.NODE_ENV !== 'production' && fetchFn === fetch ? outsideBrowser(input) : '';
    throw unanswered(input, init, cause, advice);
  }
  assertResponse(response);
  if (response.status !== NOT_MODIFIED) await assertOk(response, input, init.method);
  return response;
}

function unanswered(url: string, { method = 'GET' }: RequestInit, cause: unknown, advice = ''): NetworkError {
  return new NetworkError(`${method} ${url} was not answered: ${because(cause)}${advice}`, { url, cause });
}

/** What to throw of an answer that says that the one before still holds, where there is none; undefined for any other answer. */
export function unchangedBy(response: Response, url: string): NetworkError | undefined {
  if (response.status !== NOT_MODIFIED) return undefined;
  const text = `GET ${url} was answered with 304 (not modified), but there is no answer here that could still hold.`;
  return new NetworkError(`${text} Send no If-None-Match for it.`, { url, response });
}

/** Headers that ask for no answer where nothing has changed. */
const TAGS = new Set(['if-none-match', 'if-modified-since']);

/** Headers without those. */
export function withoutTags(headers: HeadersInit): Record<string, string> {
  return Object.fromEntries(Object.entries(plainHeaders(headers)).filter(([name]) => !TAGS.has(name.toLowerCase())));
}

/** Headers with a tag, unless they have one of the user's own. */
export function withTag(headers: HeadersInit, tag: Tag | undefined): HeadersInit {
  return tag ? plainHeaders({ [tag.name]: tag.value }, headers) : headers;
}

/** Warns once where a server of another origin does not let a page read its tags. */
export function warnOfHiddenTag({ type, headers, ok }: Response, url: string): void {
  if (type !== 'cors' || !ok || headers.has('etag')) return;
  warnOnce(() => [
    'etag',
    `${url} was answered from another origin without an ETag that the page may read, so etag: true does nothing there. Have the server answer with Access-Control-Expose-Headers: ETag.`,
  ]);
}

/** Throws a NetworkError where the server has refused. */
export async function assertOk(response: Response, url = response.url, method = 'GET'): Promise<void> {
  if (response.ok) return;
  const data = await errorBody(response);
  const reason = `${String(response.status)} ${response.statusText}`.trim();
  throw new NetworkError(`${method} ${url} failed: ${reason}`, { url, response, data });
}

/** Throws a NetworkError where a redirect has likely made the create of one item a GET, as 301 and 302 do: what came is a list. */
export function assertPosted(
  response: Response,
  { method, schema: definition }: { readonly method: string; readonly schema: Definition },
  { url, body }: { readonly url: string; readonly body: unknown },
  made: unknown,
): void {
  const isCreate = method === 'POST' && schemaOf(definition)?.addsItems;
  if (!response.redirected || !isCreate || Array.isArray(body) || !Array.isArray(made)) return;
  const text = `POST ${url} was redirected to ${response.url}, and answered with a list: likely it has become a GET, and nothing was created.`;
  throw new NetworkError(`${text} Write the address that the redirect leads to.`, { url, response, data: made });
}

/** Throws R20 where HTTP does not allow a header: each platform refuses it in words of its own, which may quote it. */
export function assertAllowed(headers: HeadersInit, name: string): void {
  if (orElse(() => !new Headers(headers), true)) throw resourceError('R20', name);
}

/** What comes of something; an error that quotes a header, which may be secret, becomes R20, and of a request that is sent, one that no answer came by is told as that. */
export async function withoutHeaders<Value>(
  act: () => Promise<Value>,
  name: string,
  init?: RequestInit,
  url = '',
): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (isNetworkError(error)) throw error;
    if (quotesHeader(error, init?.headers, url)) throw resourceError('R20', name);
    throw init && isUnanswered(error) ? unanswered(url, init, error) : error;
  }
}

/** Headers of which everybody knows the value. */
const PUBLIC = /^(?:accept|content-type)$/i;

/** The words of a header that may be secret; short ones mean nothing. */
const WORDS = /[^\s\p{Cc}"',;]{7,}/gu;

/** Whether an error says what platforms say of a header that they refuse, or some of what was sent in one and does not stand in the address, which is no secret. */
function quotesHeader(error: unknown, headers: HeadersInit = {}, url = ''): boolean {
  const text = `${reasonOf(error)} ${because(error)}`;
  const parts = Object.entries(plainHeaders(headers)).flatMap(([name, value]) =>
    PUBLIC.test(name) ? [] : (value.match(WORDS) ?? []),
  );
  // What platforms say; clients say it again in errors of their own, and what the user's code says of its data is no such sentence.
  const isRefusal =
    /(?:invalid|http) header (?:name|value)|header field (?:name|value)|on 'Headers'|\bheader\b.* has invalid value/i.test(
      text,
    );
  return isRefusal || parts.some((part) => text.includes(part) && !url.includes(part));
}

/** Why something failed, in the words of what lies behind it, if that has any: msw gives a `Response` there. */
function because(cause: unknown): string {
  const behind = cause instanceof Error ? (cause.cause as Partial<Error> | null | undefined) : undefined;
  return reasonOf(behind?.message ? behind : cause);
}

/** The body of an error response: parsed where it is JSON, else its text. */
async function errorBody(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '');
  return text === '' ? undefined : orElse(() => JSON.parse(text) as unknown, text);
}

/** A parsed response, and whether it is JSON, which alone may be kept. */
export interface Parsed {
  readonly value: unknown;
  readonly isJson: boolean;
}

const nothing: Parsed = { value: null, isJson: true };

/** What a body is expected to be. */
interface Expected {
  readonly content: Content | undefined;
  /** A schema describes it. */
  readonly schema: unknown;
  readonly sideEffect: boolean;
}

/** Reads the body of a response. Throws a NetworkError that quotes the beginning of what cannot be read. */
export async function parse(response: Response, { content, schema, sideEffect }: Expected): Promise<Parsed> {
  const needsJson = schema !== undefined;
  if (response.status === 204 || response.status === 205) return nothing;
  if (content === 'stream') return { value: response.body, isJson: false };
  if (content !== undefined && content !== 'json') return { value: await bodyAs(content, response), isJson: false };
  const type = response.headers.get('content-type') ?? '';
  const isJson = content === 'json' || /\bjson\b/i.test(type);
  if (!isJson && !needsJson && !isTextual(type)) {
    const blob = await bodyAs('blob', response);
    return blob.size === 0 ? nothing : { value: blob, isJson: false };
  }
  const text = await bodyAs('text', response);
  if (text === '') return nothing;
  if (!isJson && type !== '') {
    if (!needsJson) return { value: text, isJson: false };
    if (sideEffect && isWord(type, text)) return nothing;
    throw unreadable(response, `is ${type} where JSON was expected`, text);
  }
  return parseText(response, text, isJson || needsJson);
}

/** Reads a text that may be JSON, or must be. */
function parseText(response: Response, text: string, isJson: boolean): Parsed {
  try {
    return { value: JSON.parse(text) as unknown, isJson: true };
  } catch (cause) {
    // Without a content type it may be a text.
    if (isJson) throw unreadable(response, 'cannot be parsed as JSON', text, cause);
    return { value: text, isJson: false };
  }
}

function isTextual(type: string): boolean {
  return type === '' || /^(?:text\/|application\/(?:.+\+)?xml\b)/i.test(type);
}

/** Whether a text only says that a write is done, as the `OK` of many servers; one that may be JSON, or a page, is not what it is declared to be. */
function isWord(type: string, text: string): boolean {
  return /^text\/(?:plain|html)\b/i.test(type) && !/^\s*["[{<]/.test(text);
}

async function bodyAs<Kind extends 'text' | 'blob' | 'arrayBuffer'>(
  kind: Kind,
  response: Response,
): Promise<Awaited<ReturnType<Response[Kind]>>> {
  try {
    return (await response[kind]()) as Awaited<ReturnType<Response[Kind]>>;
  } catch (cause) {
    const signal = sent.get(response)?.signal;
    const url = addressOf(response);
    if (signal?.aborted) throw abortError(signal.reason, url);
    if (cause instanceof Error && cause.name === 'AbortError') throw cause;
    throw new NetworkError(`The response of ${url} could not be read: ${because(cause)}`, { url, cause });
  }
}

function unreadable(response: Response, what: string, text: string, cause?: unknown): NetworkError {
  const url = addressOf(response);
  return new NetworkError(`The response of ${url} ${what}: ${show(text)}`, { url, response, data: text, cause });
}

/** The parameters that a request is made of: of what is no plain object, as an entity, only those that its path names. */
export function paramsIn(params: unknown, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  if (isPlain(params)) return params;
  const given: Record<string, unknown> = {};
  if (!isRecord(params)) return given;
  for (const name of names) if (!(name in Object.prototype)) setOwn(given, name, params[name]);
  return given;
}

/** An address after what it begins with. Throws R4 where it would go on with the name of the host. */
export function join(prefix: string, address: string, path: string): string {
  if (/^(?:[^/?#]*:)?\/\/[^/?#]+$/.test(prefix) && /^[^/?#]/.test(address))
    throw resourceError('R4', path, `after ${prefix}`);
  warnOnce(() =>
    /\w$/.test(prefix) && /^\w/.test(address)
      ? [
          `path ${path}`,
          `The path "${path}" begins without "/", so its address is ${prefix}${address}. ${behindPrefix(path)}`,
        ]
      : undefined,
  );
  return withPrefix(prefix, address);
}

/** What is left of the parameters for the query string. */
export function withoutNames(params: unknown, names: ReadonlySet<string>): Record<string, unknown> {
  return isPlain(params) ? pick(params, (name) => !names.has(name)) : {};
}
