import { mockServer } from 'rtk-resource/mock';
import { Article, ArticleResource, CommentResource } from '../models/conduit.js';

const author = { username: 'ada', following: false };
export const server = mockServer([ArticleResource, CommentResource], {
  seed: {
    Article: [{ slug: 'ants', title: 'Ants', tagList: ['insects'], author }],
    Comment: [{ id: 1, slug: 'ants', body: 'Lovely', author }],
  },
  write: { Article: (row) => ({ ...row, slug: String(row['title']).toLowerCase().replaceAll(' ', '-') }) },
});
server.use(ArticleResource.favorite, ({ params: { slug } }) => {
  server.set(Article, { slug, favorited: true });
  return { article: server.rows(Article).find((article) => article.slug === slug) };
});
