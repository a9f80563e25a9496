import { Collection, createResource, Entity } from 'rtk-resource';
import { mockServer, type MockOptions, type MockServer, type Served } from 'rtk-resource/mock';
import { setup } from './store.js';

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
  static override key = 'Todo';
}

class Comment extends Entity {
  id = 0;
  issueId = 0;
  text = '';
  static override key = 'Comment';
}

export class Issue extends Entity {
  id = 0;
  title = '';
  priority: number | null = null;
  author: User | null = null;
  labels: string[] = [];
  static override key = 'Issue';
  static override schema = { author: User };
}

const searchParams = {} as Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
export const UserResource = createResource({ path: '/users/:id', schema: User });
export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, searchParams });
export const CommentResource = createResource({ path: '/issues/:issueId/comments/:id', schema: Comment });
export const IssueResource = createResource({ path: '/issues/:id', schema: Issue, searchParams });
export const PagedResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  paginationField: 'page',
});
const todos = new Collection([Todo]);
/** Todos whose answer says how many there are, and where the next page is. */
export const EnvelopedResource = TodoResource.extend(({ getList }) => ({
  getList: getList.extend({ schema: { results: todos, total: todos.total, next: '', hasMore: false } }),
}));

export const seed = {
  User: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Grace' },
  ],
  Todo: [
    { id: 1, userId: 1, title: 'Read', completed: false },
    { id: 2, userId: 1, title: 'Write', completed: true },
    { id: 3, userId: 2, title: 'Count', completed: false },
  ],
};

/** A server, and a store whose requests it answers. */
export function serve(endpoints: readonly Served[], options: MockOptions = { seed }) {
  const server = mockServer([...endpoints, UserResource, TodoResource, IssueResource], options);
  return { server, ...setup({ fetchFn: server.fetch }) };
}

/** What the server answers, and its body. */
export async function ask(server: MockServer, address: string, init: RequestInit = {}) {
  const [path = '', method = 'GET'] = address.split(' ').reverse();
  const response = await server.fetch(path, { method, ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as never,
  };
}

/** The ids of what an address lists, else what it answers. */
export async function ids(server: MockServer, address: string): Promise<unknown> {
  const { status, body } = await ask(server, address);
  return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : body;
}

/** What is sent as JSON. */
export function json(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}
