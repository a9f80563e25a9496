import { mockServer } from 'rtk-resource/mock';
import { PostResource } from '../models/laravel.js';

const author = { id: 1, name: 'Ada' };
export const server = mockServer([PostResource], {
  seed: { Post: 45 },
  make: { Post: (n) => ({ id: n, slug: `post-${n}`, title: `Post ${n}`, status: 'draft', author }) },
  pages: { 'Post/getList': 'page' },
  write: { Post: (post) => ({ ...post, slug: post['slug'] || `post-${String(post['id'])}` }) },
});
