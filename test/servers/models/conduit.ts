// conduit.ts
import { Collection, createResource, Entity, RestEndpoint, type HookApi } from 'rtk-resource';

/** One item is in an envelope, as it is sent and as it comes: `{ article: {…} }`. */
class InEnvelope extends RestEndpoint {
  readonly envelope: string = '';
  override getRequestInit(body: unknown, api?: HookApi) {
    return super.getRequestInit(body && { [this.envelope]: body }, api);
  }
  override process(answer: unknown) {
    return (answer as Readonly<Record<string, unknown>> | null)?.[this.envelope] ?? answer;
  }
}
const shared = { urlPrefix: 'https://api.realworld.io/api', optimistic: true, Endpoint: InEnvelope } as const;

export class Profile extends Entity {
  username = '';
  following = false;
  static override key = 'Profile';
  override pk() {
    return this.username;
  }
}
export class Article extends Entity {
  slug = '';
  title = '';
  description = '';
  body = '';
  tagList: readonly string[] = [];
  favorited = false;
  favoritesCount = 0;
  author = new Profile();
  static override key = 'Article';
  static override schema = { author: Profile };
  override pk() {
    return this.slug;
  }
}
const articles = new Collection([Article], {
  belongs: ({ tagList, author: by }, { tag, author, favorited }) => {
    if (favorited || (author && !by)) return undefined; // only the server knows whose favorites they are, and who I am
    return (!tag || tagList?.includes(tag)) && (!author || author === by?.username);
  },
});
export const ArticleResource = createResource({
  ...shared,
  path: '/articles/:slug',
  schema: Article,
  envelope: 'article',
  searchParams: {} as { tag?: string; author?: string; favorited?: string; limit?: number; offset?: number },
})
  .extend({
    getList: { schema: { articles, articlesCount: articles.total } },
    partialUpdate: { method: 'PUT' }, // which changes what it is given
  })
  .extend('favorite', {
    path: '/articles/:slug/favorite',
    method: 'POST',
    body: undefined,
    invalidates: () => ['getList'],
  })
  .extend('unfavorite', { path: '/articles/:slug/favorite', method: 'DELETE', invalidates: () => ['getList'] });

export class Comment extends Entity {
  id = 0;
  body = '';
  author = new Profile();
  static override key = 'Comment';
  static override schema = { author: Profile };
}
export const CommentResource = createResource({
  ...shared,
  path: '/articles/:slug/comments/:id',
  schema: Comment,
  envelope: 'comment',
}).extend({ getList: { schema: { comments: new Collection([Comment]) } } });
