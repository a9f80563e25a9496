// json-api.ts
import { Collection, createResource, Entity, RestEndpoint, type HookApi } from 'rtk-resource';

const origin = 'https://example.com'; // of links, too, that begin with a slash
const mediaType = 'application/vnd.api+json';
interface Link {
  readonly type: string;
  readonly id: string;
}
interface Item extends Link {
  readonly attributes?: object;
  readonly relationships?: Readonly<Record<string, { readonly data?: Link | readonly Link[] | null }>>;
}
interface Answer {
  readonly data?: Item | readonly Item[] | null;
  readonly included?: readonly Item[];
}
const mapValues = <In, Out>(fields: Readonly<Record<string, In>>, map: (value: In, name: string) => Out) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));

/** An item without its envelopes: what is included stands in its place, else its id. */
function flat(
  { id, attributes, relationships = {} }: Item,
  included: readonly Item[] = [],
  path: readonly Item[] = [],
): object {
  const one = (link: Link) => {
    const item = included.find(({ type, id: its }) => type === link.type && its === link.id);
    // An item inside of itself is its id.
    return item && !path.includes(item) ? flat(item, included, [...path, item]) : link.id;
  };
  // With links alone, a relation does not say where it leads.
  const told = Object.fromEntries(Object.entries(relationships).filter(([, { data }]) => data !== undefined));
  const relations = mapValues(told, ({ data = null }) =>
    Array.isArray(data) ? (data as readonly Link[]).map(one) : data && one(data as Link),
  );
  return { id, ...attributes, ...relations };
}

class JsonApiEndpoint extends RestEndpoint {
  readonly type: string = '';
  /** The types of what relations lead to. */
  readonly relations: Readonly<Record<string, string>> = {};
  override getHeaders(headers: Record<string, string>) {
    return { ...headers, Accept: mediaType, ...(headers['Content-Type'] && { 'Content-Type': mediaType }) };
  }
  override getRequestInit(body: unknown, api?: HookApi) {
    if (!body || body instanceof FormData || Array.isArray(body)) return super.getRequestInit(body, api);
    const [params] = (api?.args ?? []) as readonly { readonly id?: string }[];
    const fields = Object.entries(body);
    const attributes = Object.fromEntries(fields.filter(([name]) => !(name in this.relations)));
    const linkTo = (name: string) => (id: unknown) => ({ type: this.relations[name], id });
    const relationships = mapValues(
      Object.fromEntries(fields.filter(([name]) => name in this.relations)),
      (told: unknown, name) => ({
        data: Array.isArray(told) ? told.map(linkTo(name)) : told === null ? null : linkTo(name)(told),
      }),
    );
    return super.getRequestInit({ data: { type: this.type, id: params?.id, attributes, relationships } }, api);
  }
  override process(answer: unknown) {
    const { data, included, ...rest } = (answer ?? {}) as Answer;
    if (!data) return null; // 204, or `meta` alone
    return Array.isArray(data)
      ? { links: {}, ...rest, data: (data as readonly Item[]).map((item) => flat(item, included)) }
      : flat(data as Item, included);
  }
}

export class Person extends Entity {
  id = '';
  name = '';
  static override key = 'Person';
}
export class Article extends Entity {
  id = '';
  title = '';
  status = '';
  author?: Person | null = null; // undefined where an answer without `include` has the id alone
  static override key = 'Article';
  static override schema = { author: Person };
}
const articles = new Collection([Article], {
  belongs: (article, { 'filter[search]': search, 'filter[status]': status, 'filter[author]': author }) => {
    // Only the server knows; who the author is, it tells with `include`.
    if (search || (status && !article.status) || (author && !article.author)) return undefined;
    return (!status || status === article.status) && (!author || author === article.author?.id);
  },
});
interface Search {
  readonly include?: string;
  readonly 'filter[search]'?: string;
  readonly 'filter[status]'?: string;
  readonly 'filter[author]'?: string;
  readonly 'page[number]'?: number;
}
export const ArticleResource = createResource({
  urlPrefix: `${origin}/api`,
  path: '/articles/:id',
  schema: Article,
  searchParams: {} as Search,
  body: {} as { title?: string; status?: string; author?: string | null },
  optimistic: true,
  Endpoint: JsonApiEndpoint,
  type: 'articles',
  relations: { author: 'people' },
  errorData: {} as { errors: readonly { detail: string; source?: { pointer: string } }[] },
})
  .extend({
    get: { searchParams: {} as Pick<Search, 'include'> },
    getList: { schema: { data: articles, meta: { total: articles.total }, links: { next: null as string | null } } },
  })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: ({ links: { next } }, params) =>
        typeof next === 'string'
          ? { ...params, 'page[number]': Number(new URL(next, origin).searchParams.get('page[number]')) }
          : undefined,
    }),
  }));
