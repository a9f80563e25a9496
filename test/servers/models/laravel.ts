// laravel.ts
import { Collection, createResource, Entity } from 'rtk-resource';

/** One item is `{ data: {…} }`; a list has `meta` beside its data. */
const open = (answer: unknown): unknown => {
  const { data, meta } = (answer ?? {}) as { readonly data?: unknown; readonly meta?: unknown };
  return meta === undefined ? (data ?? answer) : answer;
};

export class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}
export class Post extends Entity {
  id = 0;
  slug = '';
  title = '';
  status = '';
  author_id = 0;
  author = new Author();
  static override key = 'Post';
  static override schema = { author: Author };
  static override indexes = ['slug']; // getRouteKeyName() is 'slug'
}
const posts = new Collection([Post], {
  belongs: (post, { 'filter[search]': search, 'filter[status]': status }) => {
    if (search || (status && !post.status)) return undefined; // only the server knows
    return !status || status === post.status;
  },
});
interface Search {
  readonly 'filter[search]'?: string;
  readonly 'filter[status]'?: string;
  readonly page?: number;
}
export const PostResource = createResource({
  urlPrefix: 'https://example.com/api',
  path: '/posts/:slug',
  schema: Post,
  searchParams: {} as Search,
  body: {} as { title?: string; status?: string; author_id?: number },
  errorData: {} as { message: string; errors?: Readonly<Record<string, readonly string[]>> },
  optimistic: true,
  process: open,
})
  .extend({ getList: { schema: { data: posts, meta: { total: posts.total, current_page: 1, last_page: 1 } } } })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: ({ meta: { current_page: page, last_page: last } }, params) =>
        page < last ? { ...params, page: page + 1 } : undefined,
    }),
  }));
