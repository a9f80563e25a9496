// A library of resources as a company shares them: all of it is exported, so all of it must be declared.
import { Collection, Entity, EntityMixin, schema } from 'rtk-resource';

export class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  createdAt = new Date(0);
  author = User.fromJS();
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso), author: User };
}

export abstract class FeedItem extends Entity {
  id = 0;
  abstract readonly type: 'post' | 'link';
}
export class Post extends FeedItem {
  override readonly type = 'post' as const;
  text = '';
  static override key = 'Post';
}
export class Link extends FeedItem {
  override readonly type = 'link' as const;
  href = '';
  static override key = 'Link';
}

class Plain {
  id = '';
  label = '';
}
export class Label extends EntityMixin(Plain) {}

export class Album extends Entity {
  id = 0;
  title = '';
  items: (Post | Link)[] = [];
  cover: Post | Link | null = null;
  byName: Record<string, User> = {};
  owner: { user: User | null; since: number } = { user: null, since: 0 };
  parts: Album[] = [];
  static override key = 'Album';
  static override schema = {
    items: [new schema.Union({ post: Post, link: Link }, 'type')],
    cover: new schema.Union({ post: Post, link: Link }, 'type'),
    byName: new schema.Values(User),
    owner: new schema.Object({ user: User }),
    parts: new schema.Array(new schema.Lazy((): typeof Album => Album)),
  };
}

export const anItem = new schema.Union({ post: Post, link: Link }, 'type');
export const items = new schema.Array(anItem);
export const byName = new schema.Values({ post: Post, link: Link }, 'type');
export const page = new schema.Object({ results: new Collection([Todo]), total: 0, next: '' });
export const gone = new schema.Invalidate(Todo);
export const everyTodo = new schema.All(Todo);
export const later = new schema.Lazy(() => Todo);
export const lists = new schema.Collection([Todo], { nonFilterArgumentKeys: ['orderBy'] });
export const openTodos = new schema.Query(everyTodo, (todos, by: { readonly userId: number }) =>
  todos.filter((todo) => !todo.completed && todo.userId === by.userId),
);
