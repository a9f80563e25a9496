import { joinAnswers } from '../../schema/joinAnswers.js';
import { sameValue } from '../../tables/changes.js';
import { rowOf } from '../../tables/tables.js';
import type { FulfilledMeta } from '../actions.js';
import { protocol, type AnyEndpoint, type HookApi, type PageOf, type Paging, type RunResult } from '../endpoint.js';
import type { Request } from '../request.js';
import { requestPk, type Page, type Pages, type ResourcesState } from '../state.js';
import { toWireArgs } from './plain.js';

/** A list that is read page by page. */
type PagedList = AnyEndpoint & { readonly paging: Paging };

/** What a request does to the pages that a list is made of. */
export interface Turn {
  readonly list: PagedList;
  readonly key: string;
  /** What the request of the list is kept under. */
  readonly of: string;
  /** The list begins anew, all its pages are fetched again, or one is added. */
  readonly how: 'begin' | 'again' | 'add' | 'next' | 'previous';
  /** The list is fetched once more, and nobody has asked for it anew: what was created is in it, though its pages have not come to that yet. */
  readonly isRefetch: boolean;
  /** What is asked for. */
  fetches: readonly Pick<Page, 'name' | 'args'>[];
  /** The pages that the list was made of when it was asked for, and when it had begun. */
  readonly known: readonly Page[];
  readonly begun: number;
  /** Where a page that is asked for stands. */
  readonly place: number;
  /** What came, page by page. */
  answers: readonly unknown[];
}

/** What a request does to pages; undefined where it has nothing to do with any. */
export function turnOf(
  { endpoint, args, allPages }: Request,
  ownKey: string,
  { requests }: ResourcesState,
): Turn | undefined {
  const { pageOf } = endpoint;
  const list = pageOf?.endpoint ?? endpoint;
  if (!isPaged(list)) return undefined;
  const listArgs = pageOf ? args : list.paging.listArgs(args);
  const key = pageOf ? pageOf.key(...args) : listArgs === args ? ownKey : list.key(...listArgs);
  const of = requestPk(list.name, key);
  const pages = rowOf(requests, of)?.pages;
  const plain = { name: endpoint.name, args: toWireArgs(args, endpoint.name) };
  const { all: known = [], begun = 0 } = pages ?? {};
  const place =
    pageOf?.turn === 'previous'
      ? (known[0]?.place ?? 0) - 1
      : (known.at(-1)?.place ?? (pageOf && !pageOf.turn ? 0 : -1)) + 1;
  const turn = { list, key, of, isRefetch: allPages, known, begun, place, answers: [] as readonly unknown[] };
  if (pageOf?.turn) {
    const next = nextArgs(pageOf.turn, pages, plain.args);
    return { ...turn, how: pageOf.turn, fetches: next ? [{ name: endpoint.name, args: next }] : [] };
  }
  if (pageOf) return { ...turn, how: 'add', fetches: [plain] };
  const isAgain = allPages && pages !== undefined && (listArgs === args || isPageOf(pages, list, plain.args));
  return isAgain ? { ...turn, how: 'again', fetches: pages.all } : { ...turn, how: 'begin', fetches: [plain] };
}

/** The list that a page is added to; undefined for what is no page, and for a page that was asked for as the list itself. */
export function listExtendedBy(
  {
    request,
    args,
    turn,
  }: { readonly request: Request; readonly args: readonly unknown[]; readonly turn: Turn | undefined },
  name: string,
): FulfilledMeta['extends'] {
  const { pageOf } = request.endpoint;
  if (pageOf) return { name: pageOf.endpoint.name, key: pageOf.key(...args) };
  return turn && turn.of !== name ? { name: turn.list.name, key: turn.key } : undefined;
}

function isPaged(endpoint: AnyEndpoint): endpoint is PagedList {
  return endpoint.paging !== undefined;
}

/** The arguments of the page beside those that are there; of a list that nobody has asked for yet, its own. */
function nextArgs(
  turn: NonNullable<PageOf['turn']>,
  pages: Pages | undefined,
  args: readonly unknown[],
): readonly unknown[] | undefined {
  if (turn === 'previous') return pages?.before.at(-1);
  return pages ? pages.next : args;
}

/** Whether a list is made of the page with these arguments, or of none that was asked for as the list itself. */
function isPageOf({ all }: Pages, list: AnyEndpoint, args: readonly unknown[]): boolean {
  return all.every(({ name }) => name !== list.name) || all.some((page) => sameValue(page.args, args));
}

/** Gets all that a turn asks for, as one answer. By cursor, each page is asked for with what the one before it has told. */
export async function fetchTurn(
  turn: Turn,
  { endpoint }: Request,
  args: readonly unknown[],
  api: HookApi,
  endpointOf: (name: string) => AnyEndpoint | undefined,
): Promise<RunResult> {
  const { list, how, fetches } = turn;
  if (how !== 'again') {
    const result = await endpoint[protocol].run(
      how === 'next' || how === 'previous' ? (fetches[0]?.args ?? args) : args,
      api,
    );
    turn.answers = [result.response];
    return result;
  }
  const read = ({ name, args: of }: Pick<Page, 'name' | 'args'>): Promise<RunResult> =>
    (endpointOf(`${name} `) ?? list)[protocol].run(of, api);
  const results = list.paging.isByCursor ? await inSequence(turn, read) : await Promise.all(fetches.map(read));
  turn.answers = results.map(({ response }) => response);
  return {
    response: joinAnswers(list.schema, turn.answers),
    isOpaque: false,
    isJson: results.every(({ isJson }) => isJson),
  };
}

type Fetch = Turn['fetches'][number];

async function inSequence(turn: Turn, read: (page: Fetch) => Promise<RunResult>): Promise<readonly RunResult[]> {
  const { list, fetches } = turn;
  const results: RunResult[] = [];
  const asked: Fetch[] = [];
  for (let page = fetches[0]; page;) {
    const result = await read(page);
    results.push(result);
    asked.push(page);
    const args = list.paging.next?.(result.response, page.args, true);
    const after = fetches[asked.length];
    page = args && after && { name: after.name, args: toWireArgs(args, list.name) };
  }
  turn.fetches = asked;
  return results;
}
