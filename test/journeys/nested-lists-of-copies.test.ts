import { createResource } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { Comment, Post } from '../support/posts.js';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();

const PostResource = createResource({ path: '/posts/:id', schema: Post });
const CommentResource = createResource({
  urlPrefix: server.url,
  path: '/comments/:id',
  schema: Comment,
  searchParams: {} as { postId: number },
});
type Recipe = (posts: readonly Post[]) => unknown;

const comment = (id: number, text: string) => ({ id, postId: 1, text });

function setupPosts() {
  const tools = setup();
  const { store, resources, read } = tools;
  store.dispatch(resources.setResponse(PostResource.getList, [{ id: 1, title: 'one', comments: [comment(1, 'a')] }]));
  return {
    ...tools,
    patch: (recipe: Recipe) => store.dispatch(resources.patch(PostResource.getList, recipe as never)),
    posts: () =>
      (read(PostResource.getList.select()) ?? []).map(({ title, comments }) => [title, ...comments.map((c) => c.text)]),
  };
}

describe('what a recipe puts into a list, with a Collection inside', () => {
  it.each([
    ['has the members that it brings', [{ id: 2, postId: 2, text: 'b' }], ['b']],
    ['is shown where that is empty', [], []],
  ])('%s', (_, comments, texts) => {
    const { patch, posts } = setupPosts();

    const push = (all: object[]) => void all.push({ id: 2, title: 'two', comments });
    const preview = patch(push as never);
    expect(posts()).toEqual([
      ['one', 'a'],
      ['two', ...texts],
    ]);
    preview.commit();

    expect(posts()).toEqual([
      ['one', 'a'],
      ['two', ...texts],
    ]);
  });

  it('changes that of a row of which it is a copy, until it is undone', () => {
    const { patch, posts } = setupPosts();

    const added = patch((all) =>
      all.map(({ comments, ...post }) => ({ ...post, comments: [...comments, comment(2, 'b')] })),
    );
    expect(posts()).toEqual([['one', 'a', 'b']]);
    const emptied = patch((all) => all.map((post) => ({ id: post.id, title: 'empty', comments: [] })));
    expect(posts()).toEqual([['empty']]);
    emptied.undo();
    added.undo();

    expect(posts()).toEqual([['one', 'a']]);
  });

  it('leaves that alone which a copy has left as it was: an answer on its way says more', async () => {
    const { store, patch, posts } = setupPosts();

    const reading = store.dispatch(CommentResource.getList({ postId: 1 }));
    patch((all) => all.map(({ title, ...post }) => ({ ...post, title: `${title}!` }))).commit();
    await server.release('GET /comments', { json: [comment(1, 'a'), comment(2, 'b')] });
    await reading;

    expect(posts()).toEqual([['one!', 'a', 'b']]);
  });
});
