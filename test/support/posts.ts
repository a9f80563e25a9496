import { Collection, Entity } from 'rtk-resource';

export class Comment extends Entity {
  id = 0;
  postId = 0;
  text = '';
  static override key = 'Comment';
}

/** A post with its comments, which are the same list as `/comments?postId=`. */
export class Post extends Entity {
  id = 0;
  title = '';
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    comments: new Collection([Comment], { nestKey: ({ id }: { id: number }) => ({ postId: id }) }),
  };
}
