import { reasonOf, resourceError, warnOnce } from '../errors.js';
import { withPrefix } from '../schema/address.js';
import { identify } from '../schema/identify.js';
import { isForm } from '../schema/json.js';
import { isAbsent, isPlain } from '../schema/Schema.js';
import type { Snapshot } from '../store/reading/snapshot.js';
import { protocol, type EndpointProtocol } from '../store/endpoint.js';
import type { HookApi } from '../store/hookApi.js';
import { isFile, toBody, withoutPromise } from '../store/running/plain.js';
import {
  addressOf,
  assertAllowed,
  assertOk,
  assertPosted,
  join,
  noteSent,
  paramsIn,
  parse,
  plainHeaders,
  requestInit,
  searchToString,
  send,
  unchangedBy,
  warnOfHiddenTag,
  withMethod,
  withoutHeaders,
  withoutNames,
  withoutTags,
  withTag,
  type Content,
} from './hooks.js';
import type { AnyParams, CallArgs, HookArgs, ParamsOf } from './infer.js';
import type { EndpointShape, ShapeOptions } from './shape.js';
import { ANSWER, API, PARSED, requestOf, requestUrl, splitArgs, UNCHANGED, type Internal } from './internal.js';
import { assertWanted, within } from './limits.js';
import type { AnyRecipe, EndpointHooks, HooksOf, SentHeaders } from './options.js';
import { compilePath } from './path.js';
import type { Retry } from './retry.js';
import { warnOfNoBody, warnOfOptions, warnOfShape } from './slips.js';
import { ready } from './ready.js';

/**
 * What a request of an endpoint goes through: its address, and the steps from the arguments to the processed response. Each step
 * can be overridden by an option or a subclass.
 */
export class RequestChain<O extends ShapeOptions = EndpointShape> {
  declare readonly [protocol]: EndpointProtocol;
  /** The path, as it was given: `/todos/:id`. */
  declare readonly path: O['path'];
  /** The HTTP method; GET, or with a body POST, unless given. */
  declare readonly method: string;
  /** What stands before every path. */
  declare readonly urlPrefix: string;
  /** What describes the answer. */
  declare readonly schema: O['schema'];
  /** Its name in actions and in the state: `Todo/get`. */
  declare readonly name: string;
  /** Whether a request changes something on the server; such requests are never joined, and cannot be subscribed to. */
  declare readonly sideEffect: boolean;
  /** Whether a write shows its effect before it is confirmed. */
  declare readonly optimistic: boolean | AnyRecipe | undefined;
  /** How the body of an answer is read. */
  declare readonly content: Content | undefined;
  /** What every request of the endpoint starts from: credentials, mode, cache, … */
  declare readonly requestInit: RequestInit | undefined;
  /** Ends all requests of the endpoint. */
  declare readonly signal: AbortSignal | undefined;
  /** Whether the tags are heeded that the server gives its answers. */
  declare readonly etag: boolean | undefined;
  /** Decides where a write is refused because somebody else has changed the same fields. */
  declare onConflict?: HooksOf<O>['onConflict'];
  /** Of a list: the search parameter that asks for a page. */
  declare readonly paginationField: string | undefined;
  /** How long a request may take each time that it is sent, in ms. */
  declare readonly timeout?: number | undefined;
  /** What to show until the answer is there; undefined, or a thrown `snapshot.abort`, for nothing. */
  declare getOptimisticResponse?: (snapshot: Snapshot, ...args: HookArgs<O>) => unknown;
  /** Whether and when a request that failed is sent again. */
  declare readonly retry: number | Retry | undefined;
  /** Whether an outbox keeps its writes, so that they survive the tab. */
  declare readonly durable: boolean | ((args: never) => boolean) | undefined;
  /** Whether writes to one entity are sent one after the other. */
  declare readonly serialize?: EndpointHooks<HookArgs<O>[0], HookArgs<O>[1]>['serialize'];
  /** What a write changes on the server beside what it answers: requests, endpoints, and members of its resource by name. */
  declare invalidates?: HooksOf<O>['invalidates'];

  /** What it asks for, in words. */
  get definition(): string {
    return `${this.method} ${withPrefix(this.urlPrefix, this.path)}`;
  }

  /**
   * What tells one request from another: the method and the URL, and for a read that has a body, the body.
   *
   * @example
   * TodoResource.get.key({ id: 5 }); // 'GET /todos/5'
   */
  key(...args: CallArgs<O>): string {
    const [params, body] = splitArgs(ready(this), args);
    const address = `${this.method} ${withoutPromise(this.url(params as ParamsOf<O>), 'url', this.name)}`;
    return this.sideEffect || body === undefined
      ? address
      : `${address} ${JSON.stringify(toBody(body, this.name), inOrder)}${filesIn(body)}`;
  }

  /**
   * Whether a key is of this endpoint.
   *
   * @example
   * TodoResource.get.testKey('GET /todos/5'); // true
   */
  testKey(key: string): boolean {
    const [method, url = ''] = key.split(' ', 2);
    const { urlPrefix, path } = ready(this);
    // A slash at the end of the prefix may be that of the address.
    const addresses = [urlPrefix.length, urlPrefix.length - 1].map((at) => url.slice(at));
    const isOurs = (address: string): boolean =>
      withPrefix(urlPrefix, address) === url && compilePath(path).matches(address);
    return method === this.method && addresses.some(isOurs);
  }

  /**
   * The address of a request. Throws R3 for a missing path parameter, R12 for one that leads elsewhere.
   *
   * @example
   * TodoResource.getList.url({ userId: 1 }); // '/todos?userId=1'
   */
  url(params?: ParamsOf<O, AnyParams>): string {
    const path = compilePath(ready(this).path);
    const given = paramsIn(params, path.names);
    const address = join(this.urlPrefix, path.fill(given, this.name), this.path);
    const query = this.searchToString(withoutNames(given, path.names));
    return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  }

  /**
   * The query string, of what the path does not name.
   *
   * @example
   * const getTags = new RestEndpoint({
   *   path: '/tags',
   *   searchToString: ({ ids }) => `ids=${String(ids)}`,
   * });
   */
  searchToString(params: Readonly<Record<string, unknown>>): string {
    return searchToString(params, this.name);
  }

  /**
   * What is sent beside the address.
   *
   * @example
   * class FormEndpoint extends RestEndpoint {
   *   override getRequestInit(body: unknown, api?: HookApi) {
   *     return super.getRequestInit(new URLSearchParams(body as Record<string, string>), api);
   *   }
   * }
   */
  getRequestInit(body: unknown, _api?: HookApi): RequestInit | Promise<RequestInit> {
    const init = requestInit(this.method, body, this.content, this.name);
    const { requestInit: base } = this;
    return base ? { ...base, ...init, headers: plainHeaders(init.headers, base.headers) } : init;
  }

  /**
   * The headers, of those that the request has by now.
   *
   * @example
   * class TeamEndpoint extends RestEndpoint {
   *   override getHeaders(headers: Record<string, string>): HeadersInit {
   *     return { ...headers, 'X-Team': 'blue' };
   *   }
   * }
   */
  getHeaders(headers: Record<string, string>, _api?: HookApi): SentHeaders | Promise<SentHeaders> {
    return headers;
  }

  /**
   * Sends the request. Throws a NetworkError when the answer is not ok, or there is none.
   *
   * @example
   * const getFaked = TodoResource.get.extend({ fetchResponse: () => Promise.resolve(Response.json({ id: 5 })) });
   */
  fetchResponse(input: string, init: RequestInit): Promise<Response> {
    const { body, method = 'GET' } = init;
    if (!isAbsent(body) && /^(GET|HEAD)$/.test(method)) throw resourceError('R26', this.name, method);
    return send(input, init, this.api);
  }

  /**
   * Reads the body of the response. Throws a NetworkError where a `fetchResponse` of your own has let through what is not ok.
   *
   * @example
   * class TaggedEndpoint extends RestEndpoint {
   *   override async parseResponse(response: Response) {
   *     return { ...Object(await super.parseResponse(response)), etag: response.headers.get('etag') };
   *   }
   * }
   */
  async parseResponse(response: Response): Promise<unknown> {
    if (!response.ok) await assertOk(response, addressOf(response), this.method);
    const { value, isJson } = await parse(response, this);
    (this as unknown as Internal)[PARSED] = isJson;
    return value;
  }

  /**
   * Reshapes the parsed response; what it returns is normalized.
   *
   * @example
   * const getWrapped = new RestEndpoint({ path: '/todos/:id', schema: Todo, process: (value: unknown) => Object(value).data });
   */
  process(value: unknown, ..._args: HookArgs<O>): unknown {
    return value;
  }

  /**
   * The chain of one request, without a store: from the arguments to the processed response.
   *
   * @example
   * const response = await TodoResource.get.fetch({ id: 5 });
   */
  async fetch(...args: CallArgs<O>): Promise<unknown> {
    const { api } = this;
    if (!api) return alone(this, args);
    const [params, body] = splitArgs(this, args);
    const url = this.url(params as ParamsOf<O>);
    warnOfNoBody(this, params, body);
    warnOfOptions(this, params);
    assertWanted(api.signal, url);
    const init = withMethod(await this.getRequestInit(body, api), this);
    assertWanted(api.signal, url);
    const given = await this.getHeaders(plainHeaders(init.headers, api.keyHeaders?.(url)), api);
    const headers = api.isPart ? withoutTags(given) : withTag(given, api.tag);
    const isOpen = this.content === 'stream';
    return within({ signals: [init.signal, api.signal], url: () => url, isOpen }, async (signal) => {
      assertWanted(signal, url);
      const sent = Object.assign({}, init, { headers }, signal && { signal });
      assertAllowed(headers, this.name);
      const internal = this as unknown as Internal;
      internal[API]?.sends?.();
      const response = await withoutHeaders(() => this.fetchResponse(url, sent), this.name, sent, url);
      noteSent(response, url, signal);
      assertWanted(signal, url);
      internal[ANSWER] = { headers: response.headers, status: response.status };
      if (this.etag) warnOfHiddenTag(response, url);
      internal[UNCHANGED] = this.sideEffect ? undefined : unchangedBy(response, url);
      if (internal[UNCHANGED]) return undefined;
      const value = await this.parseResponse(response);
      assertWanted(signal, url);
      const made = await processed(this.name, value, () => this.process(value, ...([params, body] as HookArgs<O>)));
      assertPosted(response, this, { url, body }, made);
      warnOfShape(this, made);
      return made;
    });
  }

  /** What the hooks of this request may use of the store that runs it; undefined without one. */
  protected get api(): HookApi | undefined {
    return (this as unknown as Internal)[API];
  }
}

/** What `process` makes of an answer; of an empty one, for which it may not be written, nothing where it throws: what the server has done is no failure. */
async function processed(name: string, value: unknown, process: () => unknown): Promise<unknown> {
  try {
    const made = await process();
    if (made === undefined && !isAbsent(value))
      warnOnce(() => [
        `process nothing ${name}`,
        `process of ${name} returned undefined for an answer that has content, so the answer counts as empty. Is its return missing? To drop the answer, return null.`,
      ]);
    return made;
  } catch (error) {
    if (!isAbsent(value)) throw error;
    warnOnce(() => [
      `process ${name}`,
      `process of ${name} failed for an answer without content, which counts as one that process leaves as it is: ${reasonOf(error)}`,
    ]);
    return undefined;
  }
}

/** Runs the chain of a request without a store, on a `this` of its own as with one. */
async function alone<O extends ShapeOptions>(endpoint: RequestChain<O>, args: CallArgs<O>): Promise<unknown> {
  const { content, signal: outer, timeout } = ready(endpoint);
  const url = (): string => requestUrl(endpoint, args);
  return within({ signals: [outer], timeout, url, isOpen: content === 'stream' }, async (signal) => {
    const self = requestOf(endpoint, args, { signal });
    const response = await RequestChain.prototype.fetch.call(self, ...(args as CallArgs<EndpointShape>));
    const unchanged = self[UNCHANGED];
    if (unchanged) throw unchanged;
    return response;
  });
}

/** What tells the files and bytes of a body from others of their size: which objects files are, and what bytes say. */
function filesIn(body: unknown): string {
  const parts = isForm(body) ? [...body] : body;
  return isFile(parts) ? ` ${identify(parts)}` : '';
}

/** A body with its fields sorted by name, so that the same search is the same request. What lies deeper may be an order, as of `{ sort: { title: 1, id: -1 } }`. */
function inOrder(name: string, value: unknown): unknown {
  return name === '' && isPlain(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
}
