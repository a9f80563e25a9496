import { argumentKind } from '../schema/listKey.js';
import { isRecord, own } from '../schema/Schema.js';
import { answerOf, type Turns } from './answers.js';
import { responseOf } from './bodies.js';
import { fieldOf, fits, isField, namesOf, textOf, unknownField, type Params, type PlainParams } from './filters.js';
import { hasTag, tagOf } from './keys.js';
import { listOf, type Listed } from './lists.js';
import { roleOf } from './names.js';
import type { MockOptions } from './options.js';
import { asked, Problem } from './problem.js';
import { namesIn, type Route } from './routes.js';
import { shown, type Tables } from './tables.js';
import { Entry, type Table } from './Table.js';
import { change, create, leave, type Write } from './writes.js';

/** What a request asks for, taken apart. */
export interface Work {
  readonly route: Route;
  readonly path: Params;
  readonly search: Params;
  /** Those of the path and of the query string, as functions of the user's have them. */
  readonly params: PlainParams;
  readonly body: unknown;
  readonly isForm: boolean;
  readonly request: Request;
  readonly url: URL;
}

/** What a service has of its server. */
interface Has {
  readonly tables: Tables;
  readonly routes: readonly Route[];
  readonly options: MockOptions;
  readonly random: () => number;
  /** The time of the next write, in ms since the epoch. */
  readonly tick: () => number;
}

/** Answers requests as a REST server does. */
export class Service {
  readonly #has: Has;

  constructor(has: Has) {
    this.#has = has;
    for (const route of has.routes) {
      // Those of its endpoints, or of the list that one of them belongs to.
      const names = namesIn(route).flatMap((name) => [name, name.slice(0, name.lastIndexOf('/'))]);
      const columns = (route.columns = optionOf(has.options.columns, names) ?? {});
      const tables = this.#tablesOf(route);
      // An address of one row may be that of several classes.
      if (/^(?:one|replace|patch|delete)$/.test(route.kind) && route.address.names.length > 0)
        for (const table of tables) table.besides(tables, route.address.template);
      if (route.kind !== 'list') continue;
      const [table] = tables;
      const pk = route.address.names.find((name) => name === table?.pkField && !Object.hasOwn(columns, name));
      if (table && pk !== undefined) throw new TypeError(pkAsFilter(route, table, pk));
    }
  }

  /** Answers a request; throws a Problem for what is refused. */
  respond(work: Work): Response {
    const { route, url } = work;
    const { tables } = this.#has;
    const { kind } = route;
    if (kind === 'custom') throw new Problem(501, customText(route));
    if (kind === 'list') return this.#answer(work, this.#listed(work));
    if (kind === 'create' || kind === 'assign') {
      const made = create(tables, this.#write(work));
      if (!(made instanceof Entry)) return responseOf(this.#shaped(work, shown(made)), { status: 201 });
      const location = this.#locationOf(made, route, url);
      return this.#answer(work, made, { status: 201, headers: { location } });
    }
    const entry = kind === 'remove' ? this.#named(work) : this.#find(work);
    if (!entry) throw new Problem(404, `There is no ${namesOf(this.#tablesOf(route))} at ${url.pathname}`);
    if (kind === 'one') return this.#answer(work, entry);

    const condition = hasTags(route) ? work.request.headers.get('if-match') : null;
    if (condition !== null && !hasTag(condition, tagOfRow(entry)))
      throw new Problem(412, `${entry.table.name} ${entry.pk} has changed`);
    const write = this.#write(work);
    if (kind === 'delete') {
      const row = shown(entry);
      tables.remove(entry);
      return responseOf(this.#shaped(work, row, false));
    }
    const changed = kind === 'remove' ? leave(tables, entry, write) : change(tables, entry, kind === 'patch', write);
    return this.#answer(work, changed);
  }

  #tablesOf({ content, definition }: Route): readonly Table[] {
    return this.#has.tables.in(content?.definition ?? definition);
  }

  #write({ route, path, search, body, isForm, request }: Work): Write {
    const { options, random, tick } = this.#has;
    const context = { request, random, now: tick() };
    const { columns, content } = route;
    const definition = content?.definition ?? route.definition;
    return { definition, columns, body, isForm, path, search, context, hooks: options.write ?? {} };
  }

  #listed({ route, path, search, params }: Work): Listed {
    const { pageSize = 20, unknownFilters } = this.#has.options;
    const { endpoints, content } = route;
    const told = this.#pagesOf(route);
    const paginationField =
      told ?? endpoints.map((endpoint) => endpoint.paginationField).find((one) => typeof one === 'string');
    const role = roleOf(paginationField ?? '');
    const paging = endpoints.map((endpoint) => endpoint.paging).find(Boolean);
    // What tells the next page may be a number of one, too.
    const hasCursor = content?.hasCursor === true && role !== 'page' && role !== 'offset';
    const kind = {
      tables: this.#tablesOf(route),
      collection: content?.collection,
      paginationField,
      isPaged: paging !== undefined || paginationField !== undefined,
      isByCursor: role === 'cursor' || (told === undefined && (paging?.isByCursor === true || hasCursor)),
      pageSize,
      ignoresUnknown: unknownFilters === 'ignore',
    };
    return listOf(kind, { path, search, params, columns: route.columns });
  }

  /** The parameter that an option names. */
  #pagesOf(route: Route): string | undefined {
    return optionOf(this.#has.options.pages, namesIn(route));
  }

  /** The row that an address is about: by its pk, else the first that has what the address says. */
  #find({ route, path, search }: Work): Entry | undefined {
    const tables = this.#tablesOf(route);
    const filters = Object.entries(search).filter(([name]) => argumentKind(name) === 'filter');
    const told = (Object.keys(path).length > 0 ? Object.entries(path) : filters).map(
      ([name, texts]) => [name, fieldOf(route.columns, name), texts] as const,
    );
    const fields = told.filter(([, field]) => isField(tables, field));
    const others = told.filter((one) => !fields.includes(one));
    // A name that is no field is the pk, where it is the last.
    const last = others.at(-1) === told.at(-1) ? others.pop()?.[2][0] : undefined;
    const [unknown] = this.#has.options.unknownFilters === 'ignore' ? [] : others;
    if (unknown) throw unknownField(tables, unknown[0], unknown[1]);
    for (const table of tables) {
      const pk = table.pkOf(Object.fromEntries(told.map(([, field, [text]]) => [field, text])));
      const there = table.rows.get(pk ?? '') ?? table.rows.get(last ?? '');
      for (const entry of there ? [there] : last === undefined ? table.rows.values() : [])
        if (fields.every(([, field, texts]) => fits(entry, field.split('.'), texts))) return entry;
    }
    return undefined;
  }

  /** Where a created row is: below its list, by the fields that the address of an item has beside, else by its pk. */
  #locationOf({ pk, row }: Entry, { address: list }: Route, { pathname }: URL): string {
    const isItem = ({ kind, address }: Route): boolean =>
      kind === 'one' && address.shape === list.shape.replace(/\/?$/, '/\uffff$&');
    const item = this.#has.routes.find(isItem);
    const name = item?.address.names.at(-1) ?? '';
    const told = textOf(own(row, fieldOf(item?.columns, name)) ?? pk);
    // A slash at the end of a path is at the end of all.
    return pathname.replace(/\/?$/, `/${encodeURIComponent(told)}$&`);
  }

  /** The row that a body is about. */
  #named({ route, body }: Work): Entry | undefined {
    if (!isRecord(body)) throw new Problem(400, 'The body must be an object');
    return this.#tablesOf(route).flatMap((table) => table.rows.get(table.pkOf(body) ?? '') ?? [])[0];
  }

  /** What the user's own shape makes of what there is to answer; without one, that where it is told. */
  #shaped({ route, params, request }: Work, json: unknown, isTold = true): unknown {
    const { shape: shapes } = this.#has.options;
    const name = namesIn(route).find((one) => own(shapes, one)) ?? '';
    const shape = own(shapes, name);
    if (shape) return asked(`shape of ${name}`, () => shape(json, { params, request }));
    return isTold ? json : undefined;
  }

  #answer(
    work: Work,
    about: Entry | Listed,
    init: { status?: number; headers?: Record<string, string> } = {},
  ): Response {
    const { route, request } = work;
    const { definition, content } = route;
    if (!content) throw new Problem(501, customText(route));
    const listed = 'entries' in about ? about : undefined;
    const turns = listed && addressesOf(work.url, listed);
    const links = this.#pagesOf(route) ? turns : undefined;
    const { json, hasTotal, hasTurns } = answerOf(this.#has.tables, definition, content, about, links);
    const body = this.#shaped(work, json);
    const headers: Record<string, string> = { ...init.headers };
    if (listed && !hasTotal) headers['x-total-count'] = String(listed.total);
    if (listed?.window && turns && !hasTurns) headers['link'] = linksOf(work.url, turns);
    if (hasTags(route)) {
      const tag = (headers['etag'] = about instanceof Entry ? tagOfRow(about) : tagOf(JSON.stringify(json)));
      const known = request.headers.get('if-none-match');
      if (route.method === 'GET' && known !== null && hasTag(known, tag))
        return new Response(null, { status: 304, headers });
    }
    return responseOf(body, { ...init, headers });
  }
}

/** What an option says under the first of these names that it has. */
function optionOf<Value>(
  option: Readonly<Record<string, Value>> | undefined,
  names: readonly string[],
): Value | undefined {
  return names.map((name) => own(option, name)).find(Boolean);
}

function hasTags({ endpoints }: Route): boolean {
  return endpoints.some(({ etag }) => etag === true);
}

function tagOfRow(entry: Entry): string {
  return tagOf(JSON.stringify(shown(entry)));
}

/** The addresses of the pages beside one. */
function addressesOf(url: URL, { next, previous, pageName, endName, window }: Listed): Turns<string> {
  const addressOf = (at: number | string | undefined): string | undefined => {
    if (at === undefined) return undefined;
    const to = new URL(url);
    to.searchParams.set(pageName, String(at));
    if (endName) to.searchParams.set(endName, String(Number(at) + (window?.size ?? 0)));
    return to.href;
  };
  return { next: addressOf(next), previous: addressOf(previous) };
}

/** The same as a header (RFC 8288), of the server's own paths. */
function linksOf({ origin }: URL, { next, previous }: Turns<string>): string {
  const links = Object.entries({ next, prev: previous });
  return links.flatMap(([rel, to]) => (to ? [`<${to.slice(origin.length)}>; rel="${rel}"`] : [])).join(', ');
}

function customText({ endpoints }: Route): string {
  return `What ${endpoints[0]?.name ?? ''} does is known to you alone: tell it with server.use(…)`;
}

function pkAsFilter({ address, endpoints: [first] }: Route, table: Table, pk: string): string {
  return `:${pk} in ${address.template} would be the ${pk} of each ${table.name} in the list. Tell which field it is: columns: { '${first?.name ?? ''}': { ${pk}: '…' } }`;
}
