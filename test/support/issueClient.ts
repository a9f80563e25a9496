import { Collection, createResource, Entity } from 'rtk-resource';
import { allFilters, nameOf, type Filters, type IssueBody, type IssueRow } from './issueServer.js';
import type { How } from './issueSteps.js';
import { setup, type RootState } from './store.js';

class Issue extends Entity {
  id: number | string = 0;
  status = '';
  owner = '';
  title = '';
  static override key = 'Issue';
}

interface Search extends Filters {
  readonly page?: number;
  readonly cursor?: string;
}
const searchParams: Search = {};
const body: IssueBody = {};

/** A request on its way. */
export interface Flight {
  readonly requestId: string;
}

/** A request of HTTP, as it reaches the server. */
export interface Arrival {
  readonly requestId: string;
  readonly method: string;
  readonly url: URL;
  readonly body: IssueBody;
  readonly respond: (response: Response) => void;
}

/** What the client shows. */
export interface Sight {
  /** The lists that it has, by name. */
  readonly lists: ReadonlyMap<string, readonly Shown[]>;
  /** A row by its pk. */
  readonly row: (pk: string) => Shown | undefined;
}
type Shown = Omit<IssueRow, 'id'> & { readonly id: number | string };

type Dispatch = ReturnType<typeof setup>['store']['dispatch'];
type Resources = ReturnType<typeof setup>['resources'];

interface Beginnings {
  readonly isByCursor: boolean;
  readonly arrive: (arrival: Arrival) => void;
  /** Called for each state that subscribers of the store see, with the actions since the last. */
  readonly see: (actions: readonly Action[]) => void;
}

export interface Action {
  readonly type: string;
  readonly meta?: { readonly requestId?: string };
}

/** A store that shows lists of issues, of which pages have numbers, or cursors. */
export class IssueClient {
  // What has failed is asked again at once.
  readonly #tools = setup({ errorExpiryLength: 0 });
  readonly #loud;
  readonly #quiet;
  readonly #unsubscribes: (() => void)[] = [];

  constructor({ isByCursor, arrive, see }: Beginnings) {
    const lists = isByCursor ? byCursor : byNumber;
    this.#loud = lists({ ...common(arrive), optimistic: true });
    this.#quiet = lists({ ...common(arrive), optimistic: false });
    const { store, actions } = this.#tools;
    let seen = 0;
    store.subscribe(() => {
      const news = actions.slice(seen) as readonly Action[];
      seen = actions.length;
      see(news);
    });
  }

  begin(filters: Filters): Flight {
    return this.#loud.begin(this.#tools.store.dispatch, filters);
  }

  next(filters: Filters): Flight {
    return this.#loud.next(this.#tools.store.dispatch, filters);
  }

  /** Says that a list is stale, and reads all its pages again. */
  again(filters: Filters): Flight {
    const { store, resources } = this.#tools;
    store.dispatch(this.#loud.expire(resources, filters));
    return this.#loud.ifStale(store.dispatch, filters);
  }

  #created = 0;

  watch(filters: Filters): void {
    this.#unsubscribes.push(this.#loud.watch(this.#tools.store.dispatch, filters).unsubscribe);
  }

  get(id: number | string): Flight {
    return this.#tools.store.dispatch(this.#loud.get({ id }));
  }

  /** Each has a title of its own: by what is sent, a row is told from what is being created. */
  push(sent: IssueBody, how: How): Flight {
    const title = `created ${++this.#created}`;
    return this.#of(how).push(this.#tools.store.dispatch, { title, ...sent });
  }

  edit(id: number | string, sent: IssueBody, how: How): Flight {
    return this.#tools.store.dispatch(this.#of(how).partialUpdate({ id }, sent));
  }

  delete(id: number | string, how: How): Flight {
    return this.#tools.store.dispatch(this.#of(how).delete({ id }));
  }

  /** What a socket tells. */
  tell(row: IssueBody & { readonly id: number }): void {
    this.#tools.store.dispatch(this.#tools.resources.set(Issue, row));
  }

  sight(): Sight {
    const state = this.#tools.store.getState();
    const lists = new Map<string, readonly Shown[]>();
    for (const filters of allFilters) {
      const rows = this.#loud.shown(filters)(state);
      if (rows) lists.set(nameOf(filters), rows);
    }
    return { lists, row: (pk) => this.#tools.resources.selectEntity(Issue, pk)(state) };
  }

  end(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#tools.store.dispatch(this.#tools.resources.reset());
  }

  #of({ isOptimistic }: How) {
    return isOptimistic ? this.#loud : this.#quiet;
  }
}

function common(arrive: (arrival: Arrival) => void) {
  return {
    urlPrefix: 'http://issues.test',
    path: '/issues/:id' as const,
    schema: Issue,
    searchParams,
    body,
    getHeaders: (headers: HeadersInit, api: { readonly requestId: string } | undefined) => ({
      ...(headers as Readonly<Record<string, string>>),
      'x-request': api?.requestId ?? '',
    }),
    fetchResponse: (input: unknown, { method = 'GET', headers, body: text }: RequestInit) =>
      new Promise<Response>((respond) => {
        arrive({
          requestId: new Headers(headers).get('x-request') ?? '',
          method,
          url: new URL(String(input)),
          body: typeof text === 'string' ? (JSON.parse(text) as IssueBody) : {},
          respond,
        });
      }),
  };
}

type Common = ReturnType<typeof common> & { readonly optimistic: boolean };

function byNumber(options: Common) {
  const { getList, ...rest } = createResource({ ...options, paginationField: 'page' });
  return {
    ...rest,
    begin: (dispatch: Dispatch, filters: Filters): Flight => dispatch(getList(filters)),
    next: (dispatch: Dispatch, filters: Filters): Flight => dispatch(getList.getNextPage(filters)),
    ifStale: (dispatch: Dispatch, filters: Filters): Flight => dispatch(getList.ifStale(filters)),
    watch: (dispatch: Dispatch, filters: Filters) => dispatch(getList.subscribe(filters)),
    push: (dispatch: Dispatch, sent: IssueBody): Flight => dispatch(getList.push({}, sent)),
    expire: ({ expire }: Resources, filters: Filters) => expire(getList, filters),
    shown: (filters: Filters) => getList.select(filters),
  };
}

function byCursor(options: Common) {
  const { getList, ...rest } = createResource(options).extend({
    getList: { schema: { results: new Collection([Issue]), next: '' } },
  });
  const getPages = getList.paginated({
    next: ({ next }, args) => (next === '' ? undefined : { ...args, cursor: next }),
  });
  return {
    ...rest,
    begin: (dispatch: Dispatch, filters: Filters): Flight => dispatch(getPages(filters)),
    next: (dispatch: Dispatch, filters: Filters): Flight => dispatch(getPages.getNextPage(filters)),
    ifStale: (dispatch: Dispatch, filters: Filters): Flight => dispatch(getPages.ifStale(filters)),
    watch: (dispatch: Dispatch, filters: Filters) => dispatch(getPages.subscribe(filters)),
    push: (dispatch: Dispatch, sent: IssueBody): Flight => dispatch(getPages.push({}, sent)),
    expire: ({ expire }: Resources, filters: Filters) => expire(getPages, filters),
    shown: (filters: Filters) => (state: RootState) => getPages.select(filters)(state)?.results,
  };
}
