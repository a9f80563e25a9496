import type { Store } from '@reduxjs/toolkit';

/** A todo as the server has it. Its title begins with the letter that tells which one it is. */
export interface Todo {
  readonly id: number | string;
  readonly title: string;
  readonly userId: number;
  readonly done: boolean;
}

export type Fields = Partial<Pick<Todo, 'title' | 'userId' | 'done'>>;

/** What a list is asked for with. */
export type Filter = Partial<Pick<Todo, 'userId' | 'done'>>;

/** An application that shows todos: the same with either library. A promise of it resolves once the request has settled, well or not. */
export interface App {
  /** What showed the list of all todos, from the time it was there: the titles, each time they changed. */
  readonly seen: readonly string[];
  /** Shows a list, as a component does. */
  load(filter?: Filter): Promise<void>;
  /** Waits until the list of all todos has been asked for once more, because it is polled. */
  poll(): Promise<void>;
  /** Waits until the lists and items that are being fetched are there. */
  fetched(): Promise<void>;
  /** Shows one todo, as a component does. */
  open(letter: string): Promise<void>;
  /** Asks for one todo once more. */
  reload(letter: string): Promise<void>;
  edit(letter: string, fields: Fields): Promise<void>;
  remove(letter: string): Promise<void>;
  /** Creates a todo at the end of the lists. */
  create(fields: Fields): Promise<void>;
  /** The titles in a list. */
  titles(filter?: Filter): string;
  /** What the list of all todos shows of one. */
  item(letter: string): Todo | undefined;
  /** What is shown of one todo by itself. */
  detail(letter: string): Todo | undefined;
}

/** The id of a todo that the server has: a is 1, b is 2. */
export function idOf(letter: string): number {
  return letter.charCodeAt(0) - 96;
}

/** A todo of this title, as the server sends it. */
export function row(title: string, fields: Fields = {}): Todo {
  return { id: idOf(title), title, userId: 1, done: false, ...fields };
}

/** Todos of these titles, as the server sends them. */
export function rows(titles: string): readonly Todo[] {
  return titles
    .split(' ')
    .filter(Boolean)
    .map((title) => row(title));
}

export function titlesOf(todos: readonly Pick<Todo, 'title'>[] = []): string {
  return todos.map(({ title }) => title).join(' ');
}

/** Lets everything happen that waits for no answer of the server, as time does between two clicks. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits until a request has settled, well or not, and all has happened that it leads to. */
export async function settled(request: PromiseLike<unknown>): Promise<void> {
  await request;
  await turn();
}

/** Finds todos of a list by the letter that their titles begin with. */
export function byLetter<One extends Pick<Todo, 'id' | 'title'>>(list: () => readonly One[]) {
  const item = (letter: string): One | undefined => list().find(({ title }) => title.startsWith(letter));
  return { item, idIn: (letter: string): One['id'] => item(letter)?.id ?? 0 };
}

/** Waits until something holds, looking whenever the state has changed. */
export async function until(store: Pick<Store, 'subscribe'>, holds: () => boolean): Promise<void> {
  await turn();
  if (holds()) return;

  await new Promise<void>((resolve) => {
    const stop = store.subscribe(() => {
      if (!holds()) return;
      stop();
      resolve();
    });
  });
  await turn();
}

/** The values that a subscriber sees from now on, each as it changes. */
export function watch(store: Pick<Store, 'subscribe'>, read: () => string): readonly string[] {
  const seen = [read()];
  store.subscribe(() => {
    const now = read();
    if (now !== seen.at(-1)) seen.push(now);
  });
  return seen;
}
