import { Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { setup } from '../support/store.js';
import { expectRefusal, makeEngine } from './engine.js';

class Author extends Entity {
  id = 0;
  books: Book[] = [];
  static override key = 'Author';
  static override schema = { books: new schema.Lazy((): readonly unknown[] => [Book]) };
}

class Book extends Entity {
  id = 0;
  author: Author | undefined = undefined;
  static override key = 'Book';
  static override schema = { author: Author };
}

describe('schema.Lazy', () => {
  it('lets classes name one another', () => {
    const { give, row } = makeEngine();

    const author = give(Author, { id: 1, books: [{ id: 2, author: 1 }] });

    expect(author?.books[0]).toBeInstanceOf(Book);
    expect(author?.books[0]?.author).toBe(author);
    expect(row('Author', '1')).toEqual({ id: 1, books: ['2'] });
  });

  it('asks for its definition on use, not before', () => {
    let asked = 0;
    const lazy = new schema.Lazy(() => {
      asked++;
      return Book;
    });
    const endpoint = new RestEndpoint({ path: '/books/:id', schema: lazy });
    const before = asked;
    const { store, resources, read } = setup();

    store.dispatch(resources.setResponse(endpoint, { id: 1 }, { id: 1 }));

    expect(before).toBe(0);
    expect(read(endpoint.select({ id: 1 }))).toBeInstanceOf(Book);
  });

  it('may stand for something else later', () => {
    let isLate = false;
    const later = new schema.Lazy((): unknown => (isLate ? Node : Author));
    class Node extends Entity {
      id = 0;
      left: unknown = undefined;
      right: unknown = undefined;
      static override key = 'Node';
      static override schema = { left: later, right: later };
    }
    const { give, row } = makeEngine();
    give(Node, { id: 1, left: { id: 1 } });

    isLate = true;
    give(Node, { id: 1, left: { id: 2 }, right: { id: 3, left: { id: 4 } } });

    expect(row('Node', '1')).toMatchObject({ left: '2', right: '3' });
    expect(row('Node', '3')).toMatchObject({ left: '4' });
  });

  it('is what its definition is', () => {
    const { give } = makeEngine();
    const lazy = new schema.Lazy(() => Book);

    const value = give(lazy, { id: 1 });

    expect(value).toEqual(Book.fromJS({ id: 1 }));
    expectTypeOf(value).toEqualTypeOf<Book | undefined>();
  });

  it('refuses what its definition refuses', () => {
    const { take } = makeEngine();
    const lazy = new schema.Lazy(() => Book);

    expectRefusal(() => take(lazy, 'text'), 'R6', 'Book', '"text"');
  });

  it('answers a read that was never requested', () => {
    const { store, resources, read } = setup();
    const lazy = new schema.Lazy(() => Book);

    store.dispatch(resources.set(Book, { id: 1 }));

    expect(read(resources.select(lazy, { id: 1 }))).toBeInstanceOf(Book);
    expect(read(resources.select(lazy, { id: 2 }))).toBeUndefined();
  });
});
