import { Collection, createResource, Entity } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { expect, it, vi } from 'vitest';
import { ask, ids } from '../support/mocked.js';
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

it('lists inside of rows are made for those that are sent, and for those whose `belongs` reads them', async () => {
  class Reply extends Entity {
    id = 0;
    topicId = 0;
    static override key = 'Reply';
  }
  const nestKey = vi.fn(({ id }: { readonly id: number }) => ({ topicId: id }));
  class Topic extends Entity {
    id = 0;
    isOpen = false;
    replies: Reply[] = [];
    static override key = 'Topic';
    static override schema = { replies: new Collection([Reply], { nestKey }) };
  }
  const belongs = (topic: Topic, params: { readonly replied?: string } | undefined): boolean =>
    topic.isOpen && (params?.replied === undefined || topic.replies.length > 0);
  const searchParams = {} as { readonly replied?: string; readonly limit?: number } | undefined;
  const TopicResource = createResource({ path: '/topics/:id', schema: Topic, searchParams, belongs });
  const server = mockServer([TopicResource], {
    seed: {
      Topic: Array.from({ length: 100 }, (_, i) => ({ id: i + 1, isOpen: i >= 50, replies: [] })),
      Reply: [{ id: 7, topicId: 60 }],
    },
  });
  nestKey.mockClear();

  const open = await ask(server, '/topics?limit=2');
  const { length: calls } = nestKey.mock.calls;
  const replied = await ask(server, '/topics?replied=true');

  expect(open.body).toMatchObject([{ id: 51 }, { id: 52 }]);
  expect(calls).toBeLessThan(10);
  expect(replied.body).toEqual([{ id: 60, isOpen: true, replies: [{ id: 7, topicId: 60 }] }]);
});
