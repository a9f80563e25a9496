import { allFilters, matches, nameOf, type Filters, type IssueRow } from './issueServer.js';

/** What the server did for a request of HTTP; a list of several pages takes several. */
export interface Served {
  readonly at: number;
  readonly status: number;
  readonly json: unknown;
  /** The rows that the answer holds, in order. */
  readonly rows: readonly IssueRow[];
  /** Of a page by cursor: what the next is asked for with; empty where there is none. */
  readonly next?: string;
  /** The lists that the row of a write has come into. */
  readonly joined?: readonly string[];
  /** The lists that its row matches, where it names what lists are filtered by. */
  readonly restated?: readonly string[];
  /** The client may not see that the row has come into them; it keeps the row where it shows it. */
  readonly isUnseen?: boolean;
  /** An earlier write of the row is under way. */
  readonly isOvertaking?: boolean;
}

/** A request of the client under test, from its dispatch to its end. */
export interface Request {
  readonly requestId: string;
  readonly is: 'whole' | 'page' | 'get' | 'push' | 'edit' | 'delete';
  /** Of a list: its name. */
  readonly list: string;
  /** Of an edit and a deletion: the row, as it was called then. */
  readonly pk: string;
  readonly startedAt: number;
  readonly served: Served[];
  /** It begins its list anew, and asks for one page. */
  begins?: true;
  isRefused?: boolean;
  end?: { readonly at: number; readonly isDone: boolean };
}

interface Action {
  readonly type: string;
  readonly meta?: {
    readonly requestId?: string;
    readonly arg?: { readonly args: readonly [params?: Filters & { readonly id?: number | string }] };
  };
}

/** The lists that a row is in now, and was not in before. */
export function joinedLists(before: Filters | undefined, after: Filters): readonly string[] {
  return allFilters.filter((of) => matches(of, after) && !(before && matches(of, before))).map(nameOf);
}

/** All that was asked, served, and has ended, in the order of one clock. */
export class IssueLog {
  readonly #all: Request[] = [];
  readonly #requests = new Map<string, Request>();
  #now = 0;

  tick(): number {
    return ++this.#now;
  }

  all(): readonly Request[] {
    return this.#all;
  }

  request(requestId: string): Request | undefined {
    return this.#requests.get(requestId);
  }

  /** What begins or ends with an action; gives the request that ends. */
  take({ type, meta: { requestId = '', arg } = {} }: Action): Request | undefined {
    const [params = {}] = arg?.args ?? [];
    const [, verb = '', last] = /^Issue\/(\w+).*?(?:\/(\w+))?\/(?:pending|fulfilled|rejected)$/.exec(type) ?? [];
    if (verb === '') return undefined;
    if (type.endsWith('/pending')) {
      const is = kindOf(verb, last);
      const pk = String(params.id ?? '');
      const request = { requestId, is, pk, list: nameOf(params), startedAt: this.tick(), served: [] };
      this.#requests.set(requestId, request);
      this.#all.push(request);
      return undefined;
    }
    const request = this.#requests.get(requestId);
    if (request) request.end = { at: this.tick(), isDone: type.endsWith('/fulfilled') };
    return request;
  }

  isQuiet(): boolean {
    return this.all().every(({ end }) => end !== undefined);
  }

  /** Answers that have come, of those who asked for a list or pages of it. */
  answersOf(list: string): readonly Request[] {
    return this.all().filter(
      (one) => (one.is === 'whole' || one.is === 'page') && one.list === list && one.end?.isDone,
    );
  }

  /** The request that creates what has a temporary pk, or had. */
  creatorOf(pk: string): Request | undefined {
    return this.all().find((one) => one.is === 'push' && (pk === `~${one.requestId}` || pk === createdBy(one)));
  }

  /** One name for an item, before and after it has got its pk. */
  itemOf(pk: string): string {
    return this.creatorOf(pk)?.requestId ?? pk;
  }

  /** Whether others that asked for the same list were under way at the same time. */
  hasOverlapped(request: Request): boolean {
    const end = request.end?.at ?? Infinity;
    return this.all().some(
      (other) =>
        other !== request &&
        (other.is === 'whole' || other.is === 'page') &&
        other.list === request.list &&
        other.startedAt < end &&
        (other.end?.at ?? Infinity) > request.startedAt,
    );
  }
}

function kindOf(verb: string, last: string | undefined): Request['is'] {
  if (verb === 'partialUpdate') return 'edit';
  if (verb === 'delete' || verb === 'get') return verb;
  if (last === 'push') return 'push';
  return last === 'getNextPage' ? 'page' : 'whole';
}

/** The pk of what a request has created on the server. */
export function createdBy({ served: [served] }: Request): string | undefined {
  const [row] = served?.rows ?? [];
  return row && String(row.id);
}

/** When an answer was read by the server: where it is of several pages, the first of them. */
export function servedAt({ served: [first] }: Request): number {
  return first?.at ?? Infinity;
}

export function idsIn({ served }: Request): readonly string[] {
  return served.flatMap(({ rows }) => rows.map(({ id }) => String(id)));
}
