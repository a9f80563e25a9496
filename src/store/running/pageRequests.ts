import { findLists } from '../../schema/ListsSchema.js';
import { isRecord, none, type Ref } from '../../schema/Schema.js';
import { joinAnswers } from '../../schema/joinAnswers.js';
import { isCount } from '../../schema/listKey.js';
import { among, refsIn } from '../../tables/members.js';
import { partsOf } from '../../tables/Reach.js';
import { sameValue } from '../../tables/same.js';
import { listFrom, rowOf } from '../../tables/tables.js';
import type { FulfilledMeta } from '../actions.js';
import { protocol, type AnyEndpoint, type Paging, type RunResult } from '../endpoint.js';
import type { StoreApi } from '../hookApi.js';
import type { Request } from '../request.js';
import { noPages, requestPk, type Page, type Pages, type ResourcesState } from '../state.js';
import { isNoSuchPage, serialize } from './failure.js';
import { toWireArgs } from './plain.js';

type PagedList = AnyEndpoint & { readonly paging: Paging };

type Fetch = Pick<Page, 'name' | 'args'>;

/** What a request does to the pages that a list is made of. */
export interface PageRequest {
  readonly list: PagedList;
  readonly key: string;
  /** What the request of the list is kept under. */
  readonly of: string;
  /** The list begins anew, all its pages are fetched again, or one is added. */
  readonly how: 'begin' | 'again' | 'add' | 'next' | 'previous';
  /** The list is fetched once more, and nobody has asked for it anew: what was created is in it, though its pages have not come to that yet. */
  readonly isRefetch: boolean;
  fetches: readonly Fetch[];
  /** The pages that the list was made of when it was asked for, and when it had begun. */
  readonly known: readonly Page[];
  readonly begun: number;
  /** Where a page that is asked for stands. */
  readonly place: number;
  /** So many pages at the start are none any more. */
  lost?: number;
  answers: readonly Pick<RunResult, 'response' | 'headers'>[];
}

/** What a request does to pages; undefined where it has nothing to do with any. */
export function pageRequestOf(request: Request, ownKey: string, { requests }: ResourcesState): PageRequest | undefined {
  const { endpoint, args, allPages } = request;
  const list = endpoint.pageOf?.endpoint ?? endpoint;
  // A write has the options of its list.
  if (endpoint.sideEffect || !isPaged(list)) return undefined;
  const isList = !endpoint.pageOf && list.paging.listArgs(args) === args;
  const keyOfList = (): string => endpoint.pageOf?.key(...args) ?? list.key(...list.paging.listArgs(args));
  const key = isList ? ownKey : keyOfList();
  const of = requestPk(list.name, key);
  const pages = rowOf(requests, of)?.pages;
  const { all: known, begun } = pages ?? noPages;
  const what = whatOf(request, list, pages, isList);
  // Of a list that was given by hand, nobody knows which of its rows were created.
  const isRefetch = allPages && pages !== undefined;
  return { list, key, of, isRefetch, known, begun, answers: none, ...what };
}

/** Whether a page is asked for that stands beside those that are there. */
export function addsPage(pageRequest: Pick<PageRequest, 'how'> | undefined): boolean {
  return pageRequest?.how === 'next' || pageRequest?.how === 'previous';
}

/** Whether one page is asked for, and not all of a list. */
export function isOnePage(pageRequest: Pick<PageRequest, 'how'> | undefined): boolean {
  return addsPage(pageRequest) || pageRequest?.how === 'add';
}

/** Whether a list has lost rows that its pages have brought: as many behind them have moved up. */
export function isShifted({ list, of }: PageRequest, { requests, tables }: ResourcesState): boolean {
  const { pages = noPages, answer } = rowOf(requests, of) ?? {};
  const lists = findLists(list.schema);
  const there = partsOf(list.schema, answer?.result).find(({ table }) => table === lists?.table);
  const has = among(refsIn((there && listFrom(tables, there.table, there.pk)) ?? none));
  return pages.all.some((page) => hasLost(page, has));
}

/** Whether a list lacks rows of a page that the page did not lack when it was read. */
export function hasLost({ refs, left = none }: Page, has: (ref: Ref) => boolean): boolean {
  const isLeft = among(left);
  return refs.some((ref) => !has(ref) && !isLeft(ref));
}

type What = Pick<PageRequest, 'how' | 'fetches' | 'place'>;

/** What is asked for: a list from its start, all its pages again, or a page. */
function whatOf(
  { endpoint: { name, pageOf }, args, allPages }: Request,
  list: PagedList,
  pages: Pages | undefined,
  isList: boolean,
): What {
  const one = { name, args: toWireArgs(args, name) };
  if (pageOf?.direction) return readBeside(pageOf.direction, pages, one);
  if (pageOf) return { how: 'add', fetches: [one], place: placeAmong(pages?.all ?? none, one) };
  const isAgain = allPages && pages && (isList || isPageOf(pages, list, one.args));
  return isAgain ? { how: 'again', fetches: pages.all, place: 0 } : { how: 'begin', fetches: [one], place: 0 };
}

/** One page is asked for: beside those that are there, or, of a list that nobody has asked for yet, the first. */
function readBeside(how: 'next' | 'previous', pages: Pages | undefined, one: Fetch): What {
  const { all, before } = pages ?? noPages;
  const last = all.at(-1)?.place;
  const isNext = how === 'next';
  const after = pages ? pages.next : one.args;
  const args = isNext ? after : before.at(-1);
  const place = isNext ? (last ?? -1) + 1 : (all[0]?.place ?? 0) - 1;
  return { how, fetches: args ? [{ ...one, args }] : none, place };
}

/** Where a page stands that is asked for by itself: before those of greater numbers, else behind all, and behind the beginning, also where that is not there yet. */
function placeAmong(all: readonly Page[], one: Fetch): number {
  const number = numberOf(one.args[0]);
  const at = all.findIndex((page) => page.place > 0 && numberOf(page.args[0]) > number);
  const [before, behind] = [all[at - 1], all[at]];
  return behind ? ((before?.place ?? 0) + behind.place) / 2 : Math.max(0, all.at(-1)?.place ?? 0) + 1;
}

/** The number of a page, or how many rows are in front of it; NaN for one that names none. What is nested has its name in brackets: `page[number]`. */
function numberOf(params: unknown, within?: string): number {
  for (const [name, value] of isRecord(params) ? Object.entries(params) : none) {
    const called = within === undefined ? name : `${within}[${name}]`;
    const number = isRecord(value) ? numberOf(value, called) : isCount(called) ? Number(value) : NaN;
    if (Number.isInteger(number)) return number;
  }
  return NaN;
}

/** Whether a page is asked for by its number, or by how many rows are in front of it. */
export function isNumbered(page: Pick<Page, 'args'>): boolean {
  return !Number.isNaN(numberOf(page.args[0]));
}

/** The list that a page is added to; undefined for what is no page, and for a page that was asked for as the list itself. */
export function listExtendedBy(
  { endpoint: { pageOf } }: Request,
  args: readonly unknown[],
  pageRequest: PageRequest | undefined,
  name: string,
): FulfilledMeta['extends'] {
  if (pageOf) return { name: pageOf.endpoint.name, key: pageOf.key(...args) };
  return pageRequest && pageRequest.of !== name ? { name: pageRequest.list.name, key: pageRequest.key } : undefined;
}

function isPaged(endpoint: AnyEndpoint): endpoint is PagedList {
  return endpoint.paging !== undefined;
}

/** Whether a list is made of the page with these arguments, or of none that was asked for as the list itself. */
function isPageOf({ all }: Pages, list: AnyEndpoint, args: readonly unknown[]): boolean {
  return all.every(({ name }) => name !== list.name) || all.some((page) => sameValue(page.args, args));
}

/** Gets all that a page request asks for, as one answer. By cursor, each page is asked for with what the one before it has told. */
export async function fetchPages(
  pageRequest: PageRequest,
  { endpoint }: Request,
  args: readonly unknown[],
  api: StoreApi,
  endpointOf: (name: string) => AnyEndpoint | undefined,
): Promise<RunResult> {
  const { list, how, fetches } = pageRequest;
  if (how !== 'again') {
    const result = await endpoint[protocol].run(addsPage(pageRequest) ? (fetches[0]?.args ?? args) : args, api);
    pageRequest.answers = [result];
    return result;
  }
  const read = ({ name, args: of }: Fetch): Promise<RunResult> =>
    (endpointOf(`${name} `) ?? list)[protocol].run(of, fetches.length > 1 ? { ...api, isPart: true } : api);
  const results = await (list.paging.isByCursor ? inSequence(pageRequest, read) : atOnce(pageRequest, read));
  pageRequest.answers = results;
  const [first] = results;
  if (first && results.length === 1) return first;
  const responses = results.map(({ response }) => response);
  const isJson = results.every((result) => result.isJson);
  return { response: joinAnswers(list.schema, responses), isOpaque: false, isJson };
}

/** Where pages are counted, a later one that is refused is beyond the end. */
async function atOnce(
  pageRequest: PageRequest,
  read: (page: Fetch) => Promise<RunResult>,
): Promise<readonly RunResult[]> {
  const { fetches, list } = pageRequest;
  const ended = (error: unknown): undefined => {
    if (!list.paging.next || !isNoSuchPage(serialize(error))) throw error;
  };
  const all = await Promise.all(fetches.map((page, i) => (i === 0 ? read(page) : read(page).catch(ended))));
  const end = all.indexOf(undefined);
  if (end >= 0) pageRequest.fetches = fetches.slice(0, end);
  return all.slice(0, pageRequest.fetches.length).flatMap((result) => result ?? none);
}

/**
 * Reads the page that the list began with, or of those that are left the nearest; from there the pages before it and those behind, each by what the one
 * beside it tells: what has come meanwhile shifts them.
 */
async function inSequence(
  pageRequest: PageRequest,
  read: (page: Fetch) => Promise<RunResult>,
): Promise<readonly RunResult[]> {
  const { list, fetches, known } = pageRequest;
  const start = Math.max(0, known.filter(({ place }) => place <= 0).length - 1);
  const walk = async (from: Step, pages: readonly Fetch[], turned: Paging['next']): Promise<Step[]> => {
    const steps: Step[] = [];
    let last = from;
    for (const { name } of pages) {
      const args = turned?.({ ...last.result, args: last.page.args });
      if (!args) break;
      const page = { name, args: toWireArgs(args, list.name) };
      steps.push((last = { page, result: await read(page) }));
    }
    return steps;
  };
  const [page] = fetches.slice(start);
  if (!page) return none;
  const first = { page, result: await read(page) };
  const before = await walk(first, fetches.slice(0, start).reverse(), list.paging.previous);
  const behind = await walk(first, fetches.slice(start + 1), list.paging.next);
  const all = [...before.reverse(), first, ...behind];
  pageRequest.lost = start - before.length;
  pageRequest.fetches = all.map((step) => step.page);
  return all.map(({ result }) => result);
}

interface Step {
  readonly page: Fetch;
  readonly result: RunResult;
}
