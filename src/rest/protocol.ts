import { show, warnOnce } from '../errors.js';
import { isForm } from '../schema/json.js';
import { hasValues } from '../schema/listKey.js';
import { getOrMake, isPlain, isRecord, none, type Definition, type Row } from '../schema/Schema.js';
import type {
  About,
  AnyEndpoint,
  EndpointProtocol,
  Expectation,
  Around,
  RecipeAbout,
  Renames,
  Outdated,
  RunRecipe,
  RunResult,
  Sent,
} from '../store/endpoint.js';
import type { Conflict, StoreApi } from '../store/hookApi.js';
import type { Request } from '../store/request.js';
import type { Snapshot } from '../store/reading/snapshot.js';
import type { Tables } from '../tables/tables.js';
import { isRefusal, isUnknown as mayBeDone, serialize } from '../store/running/failure.js';
import { assertNoEvent, describe, isWire, withoutUndefined, withoutPromise } from '../store/running/plain.js';
import { aboutOf, effectOf, entityOf, isVariant, paramsOfRow, subjectIn } from './about.js';
import {
  expectation,
  fieldsOf,
  isAcknowledgement,
  isForeign,
  itemIn,
  whyForeign,
  withoutNotes,
  withSent,
} from './expectation.js';
import { paramsIn, withoutHeaders } from './hooks.js';
import { ANSWER, PARSED, requestOf, requestUrl, resourceOf, splitArgs, UNCHANGED, type Internal } from './internal.js';
import { within } from './limits.js';
import type { AnyRecipe, EndpointSettings, Invalidated } from './options.js';
import { compilePath } from './path.js';
import { RequestChain } from './RequestChain.js';
import { retryOf, withRetries } from './retry.js';

/** A REST endpoint as the store has it run: there, arguments are whatever the caller's types have let through. */
interface Runnable extends AnyEndpoint, Pick<EndpointSettings, 'content' | 'signal' | 'retry'> {
  readonly path: string;
  readonly method: string;
  url(params?: never): string;
  fetch(...args: never): Promise<unknown>;
  process(...args: never): unknown;
  parseResponse(response: Response): Promise<unknown>;
  getOptimisticResponse?(snapshot: Snapshot, params: never, body: never): unknown;
  readonly invalidates?: ((answer: never, args: never) => readonly Invalidated[]) | undefined;
  readonly optimistic?: boolean | AnyRecipe | undefined;
  readonly etag?: boolean | undefined;
  readonly onConflict?: ((conflict: never) => unknown) | undefined;
  extend(options: object): AnyEndpoint;
  readonly serialize?: boolean | ((params: never, body: never) => string) | undefined;
}

const protocols = new WeakMap<Runnable, EndpointProtocol>();

/** What the store asks of an endpoint; made once. */
export function protocolOf(endpoint: Runnable): EndpointProtocol {
  return getOrMake(protocols, endpoint, () => new RestProtocol(endpoint));
}

/** Whether what comes of a request is as JSON gives it: no hook of the user's has made something else of it. */
function isStandard(endpoint: Runnable): boolean {
  const { fetch, process, parseResponse } = RequestChain.prototype;
  return endpoint.fetch === fetch && endpoint.process === process && endpoint.parseResponse === parseResponse;
}

/** Whether nothing of an expected response fits the schema of its endpoint; says so in development. */
function isUnknown(name: string, schema: Definition, response: unknown): boolean {
  if (!isForeign(schema, response)) return false;
  warnOnce(() => [
    `guess ${name}`,
    `getOptimisticResponse of ${name} gave ${show(response)}, of which nothing fits its schema, so nothing is shown before the answer. Likely it has ${whyForeign(schema, response) ?? 'an envelope too many, or one too few'}: have it give what process gives.`,
  ]);
  return true;
}

type Target = Exclude<Invalidated, Request>;

function isPair(target: Target): target is Extract<Target, readonly unknown[]> {
  return Array.isArray(target);
}

/** The names of an endpoint, or of a member of the resource that an endpoint is a member of. */
function namesOf(endpoint: Runnable, member: Exclude<Target, readonly unknown[]>): readonly string[] {
  if (typeof member !== 'string') return [member.name];
  const names = resourceOf(endpoint)?.names.get(member);
  if (!names) throw new Error(`its resource has no member "${member}".`);
  return [...names];
}

/** Runs the requests of one REST endpoint, and tells what they are to change. */
class RestProtocol implements EndpointProtocol {
  readonly #endpoint: Runnable;

  constructor(endpoint: Runnable) {
    this.#endpoint = endpoint;
  }

  get asksForFile(): boolean {
    const { content = 'json' } = this.#endpoint;
    return content !== 'json';
  }

  /** Runs the chain on a `this` of its own each time, which holds what the hooks may use of the store. */
  async run(args: readonly unknown[], api: StoreApi): Promise<RunResult> {
    const endpoint = this.#endpoint;
    const isOpen = endpoint.content === 'stream';
    // An outbox sends it again.
    const retry = api.isKept ? undefined : retryOf(endpoint.retry, endpoint);
    // Of what a read puts together of several answers, the first is the oldest; a write is done when the last is.
    let isInDoubt = false;
    let isSent = false;
    let self!: Runnable & Internal;
    const sends = (): void => {
      if (!isSent || endpoint.sideEffect) api.sends?.(isInDoubt);
      isSent = true;
    };
    const fetch = (outer: AbortSignal): Promise<unknown> => {
      isSent = false;
      // A `fetch` of the user's own may send a write in a way of its own.
      const isOwn = endpoint.fetch !== RequestChain.prototype.fetch;
      if (endpoint.sideEffect && isOwn) sends();
      const url = isOwn ? undefined : (): string => requestUrl(endpoint, args);
      const answer = within({ signals: [outer], timeout: api.timeout, url, isOpen }, (signal = outer) => {
        // What the user's code goes on with when a try is over has the signal of that try.
        self = requestOf(endpoint, args, { ...api, signal, sends });
        return self.fetch(...(args as never));
      });
      return answer.catch((error: unknown) => {
        // What was refused was not done.
        isInDoubt ||= isSent && mayBeDone(serialize(error));
        throw error;
      });
    };
    // Not all that the user's hooks wait for listens to the signal.
    const response = await withoutHeaders(
      () =>
        within({ signals: [endpoint.signal, api.signal], isOpen }, (signal = api.signal) =>
          retry ? withRetries(() => fetch(signal), retry, signal) : fetch(signal),
        ),
      endpoint.name,
    );
    const isParsed = self[PARSED] ?? true;
    // What `process` has made of a text for the schema to describe is data like any other.
    const isData = isParsed || (endpoint.schema !== undefined && (Array.isArray(response) || isPlain(response)));
    const isJson = (isParsed && isStandard(endpoint)) || isWire(response);
    return {
      response: (isJson ? response : withoutUndefined(response, endpoint.name)) ?? null,
      isOpaque: !isData,
      isJson,
      ...self[ANSWER],
      unchanged: self[UNCHANGED],
    };
  }

  expect(args: readonly unknown[], snapshot: Snapshot, { about, held }: Around = {}): Expectation | undefined {
    const endpoint = this.#endpoint;
    const { getOptimisticResponse, name, optimistic, schema, sideEffect } = endpoint;
    if (!sideEffect) return undefined;
    const [params, body] = splitArgs(endpoint, args);
    if (!getOptimisticResponse) {
      const expected = optimistic ? expectation(endpoint, params, body, held) : undefined;
      if (optimistic && !expected)
        warnOnce(() => [
          `guess ${name}`,
          `${name} is not shown before its answer: its schema does not tell where in the answer it stands. Use getOptimisticResponse.`,
        ]);
      return expected;
    }
    const self = requestOf(endpoint, args, about ?? {});
    const response = getOptimisticResponse.call(self, snapshot, params as never, body as never);
    if (response === undefined || isUnknown(name, schema, withoutPromise(response, 'getOptimisticResponse', name)))
      return undefined;
    return { response, creates: true, holdsRows: true };
  }

  attempted(args: readonly unknown[], held?: Row): Expectation | undefined {
    const endpoint = this.#endpoint;
    return endpoint.schema === undefined ? undefined : expectation(endpoint, ...splitArgs(endpoint, args), held);
  }

  /** What was shown, else the fields that were sent. A create learns nothing from an empty answer; a deletion needs nothing. */
  confirmed(args: readonly unknown[], snapshot: Snapshot, around: Around): Expectation | undefined {
    const endpoint = this.#endpoint;
    if (endpoint.getOptimisticResponse) {
      const expected = this.expect(args, snapshot, around);
      return expected && { response: expected.response };
    }
    const effect = effectOf(endpoint);
    return effect === 'create' || effect === 'delete' ? undefined : this.attempted(args, around.held);
  }

  about(args: readonly unknown[], tables?: Tables): About | undefined {
    return aboutOf(this.#endpoint, ...splitArgs(this.#endpoint, args), tables);
  }

  address(args: readonly unknown[]): string {
    return `GET ${requestUrl(this.#endpoint, args)}`;
  }

  siblings(): Iterable<AnyEndpoint> {
    return resourceOf(this.#endpoint)?.members.values() ?? [];
  }

  naming(args: readonly unknown[]): readonly unknown[] {
    const [params, ...others] = args;
    return isPlain(params) ? [paramsOfRow(this.#endpoint, params), ...others] : args;
  }

  isVariant([params]: readonly unknown[]): boolean {
    return isPlain(params) && isVariant(this.#endpoint, params);
  }

  renamed(args: readonly unknown[], renames: Renames): readonly unknown[] {
    const { path } = this.#endpoint;
    return renames.reduce((given, rename) => {
      const [params, ...others] = given;
      const isMeant = path.startsWith(rename.path) && hasValues(params, rename.was);
      return isMeant && isPlain(params) ? [{ ...params, ...rename.now }, ...others] : given;
    }, args);
  }

  heard(answer: unknown, row: Row | undefined, tables: Tables): unknown {
    const endpoint = this.#endpoint;
    if (Array.isArray(answer)) return withoutNotes(endpoint, answer, tables);
    if (!isAcknowledgement(endpoint, answer, row)) return answer;
    warnOnce(() => {
      const why = whyForeign(endpoint.schema, answer);
      if (why === undefined || (isRecord(answer) && isRefusal(answer))) return undefined;
      return [
        `acknowledged ${endpoint.name}`,
        `The answer to ${endpoint.name} has nothing that its schema describes, so it counts as empty. Likely it has ${why}: take that off in process.`,
      ];
    });
    // What was created, nobody knows then.
    const { schema } = endpoint;
    return !row && isRecord(answer) && effectOf(endpoint) === 'create' && itemIn(schema) === schema
      ? answer
      : undefined;
  }

  completed(args: readonly unknown[], answer: unknown, known: Sent): unknown {
    return withSent(this.#endpoint, ...splitArgs(this.#endpoint, args), answer, known);
  }

  recipe(args: readonly unknown[], about: RecipeAbout): RunRecipe | undefined {
    const endpoint = this.#endpoint;
    const { getOptimisticResponse, optimistic, sideEffect } = endpoint;
    if (typeof optimistic !== 'function' || !sideEffect || getOptimisticResponse) return undefined;
    warnOnce(() =>
      endpoint.schema !== undefined && !this.attempted(args)
        ? [
            `recipe ${endpoint.name}`,
            `The recipe of ${endpoint.name} is not run: its answer has several entities, and nothing tells before it comes which. Use getOptimisticResponse.`,
          ]
        : undefined,
    );
    const [params, body] = splitArgs(endpoint, args);
    const given = [params, isForm(body) ? describe(body) : body];
    // What a recipe is given, and what it gives, its declared types say.
    const change = optimistic as (this: unknown, draft: unknown, args: unknown, api: unknown) => unknown;
    return (draft, tools) => change.call(endpoint, draft, given, { ...about, ...tools });
  }

  tagged(args: readonly unknown[]): string | undefined {
    const endpoint = this.#endpoint;
    // What a create or an action is answered with is another thing than what its address has.
    const isTagged = endpoint.etag && !(endpoint.sideEffect && effectOf(endpoint) === 'create');
    return isTagged ? endpoint.url(splitArgs(endpoint, args)[0] as never) : undefined;
  }

  reading(args: readonly unknown[], known: AnyEndpoint | undefined | ''): [AnyEndpoint, readonly unknown[]] {
    const endpoint = this.#endpoint;
    const params = splitArgs(endpoint, args).slice(0, 1);
    if (known && known.key(...params).endsWith(` ${String(this.tagged(args))}`)) return [known, params];
    const options = {
      method: 'GET',
      body: undefined,
      optimistic: false,
      schema: this.about(args) && subjectIn(endpoint.schema),
    };
    return [endpoint.extend({ ...options, sideEffect: false, name: `${endpoint.name}/read` }), params];
  }

  async resolved(args: readonly unknown[], conflict: Conflict): Promise<readonly unknown[] | undefined> {
    const endpoint = this.#endpoint;
    const [params, body] = splitArgs(endpoint, args);
    // What the user's code is given, its declared parameters say.
    const next: unknown = await endpoint.onConflict?.({ ...conflict, mine: body, args: [params, body] } as never);
    if (next === undefined) return undefined;
    return effectOf(endpoint) === 'delete' || body === undefined ? args : [params, next];
  }

  named(args: readonly unknown[]): readonly string[] | undefined {
    const [, body] = splitArgs(this.#endpoint, args);
    // What is sent in a list to the address of an item are no fields of that.
    if (Array.isArray(body) && this.about(args)) return none;
    return body === undefined ? undefined : fieldsOf(body);
  }

  /** The line of a write is that of its entity, where it is known, else of its address. */
  line(args: readonly unknown[]): string | undefined {
    const endpoint = this.#endpoint;
    const { etag, name, serialize = etag, sideEffect } = endpoint;
    if (!serialize || !sideEffect) return undefined;
    const [params, body] = splitArgs(endpoint, args);
    if (typeof serialize === 'function')
      return withoutPromise(serialize.call(endpoint, params as never, body as never), 'serialize', name);
    return entityOf(endpoint, params, body) ?? endpoint.url(params as never);
  }

  /** What the hook `invalidates` gives, as the store understands it. */
  invalidated(args: readonly unknown[], response: unknown): readonly Outdated[] {
    const endpoint = this.#endpoint;
    if (!endpoint.sideEffect) return [];
    const told = endpoint.invalidates?.(response as never, args as never) ?? [];
    if (!Array.isArray(withoutPromise(told, 'invalidates', endpoint.name))) throw new Error('it gave no array.');
    return told.flatMap((target): readonly Outdated[] => {
      if (typeof target !== 'string' && 'endpoint' in target)
        return [{ name: target.endpoint.name, key: target.endpoint.key(...target.args), request: target }];
      const [member, params] = isPair(target) ? target : [target];
      return namesOf(endpoint, member).map((name) => ({ name, params }));
    });
  }

  plainArgs(args: readonly unknown[]): readonly unknown[] {
    const [first, ...others] = args;
    if (typeof first !== 'object' || first === null || splitArgs(this.#endpoint, args)[0] !== first) return args;
    const { names } = compilePath(this.#endpoint.path);
    const given = paramsIn(first, names);
    if (given === first) return args;
    // Where the path names nothing, an event does no harm.
    if (names.size > 0) assertNoEvent(first, this.#endpoint.name);
    return [given, ...others];
  }
}
