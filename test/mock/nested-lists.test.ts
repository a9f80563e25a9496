import { createResource } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { expect, it } from 'vitest';
import { ids } from '../support/mocked.js';
import { Post } from '../support/posts.js';

const PostResource = createResource({ path: '/posts/:id', schema: Post });

it.each([
  ['comments.text=a', [1]],
  ['comments.id=8', [2]],
  ['comments.text=c', []],
])('posts are filtered by their comments: %s', async (query, expected) => {
  const server = mockServer([PostResource], {
    seed: {
      Post: [1, 2, 3].map((id) => ({ id, title: '', comments: [] })),
      Comment: [
        { id: 7, postId: 1, text: 'a' },
        { id: 8, postId: 2, text: 'b' },
        { id: 9, postId: 1, text: 'b' },
      ],
    },
  });

  expect(await ids(server, `/posts?${query}`)).toEqual(expected);
});
