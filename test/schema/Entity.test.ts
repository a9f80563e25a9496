import { createResource, Entity, EntityMixin, schema, type AnswerMeta, type Row } from 'rtk-resource';
import { normalize, type Tables } from 'rtk-resource/normalize';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { applyChanges } from '../../src/tables/changes.js';
import { rowOf, tableOf } from '../../src/tables/tables.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';
import { expectRefusal, makeEngine, thrown } from './engine.js';

class User extends Entity {
  id = 0;
  name = '';
  nick: string | null = 'nobody';
  tags: readonly string[] = [];
  static override key = 'User';
  static override indexes = ['name'];

  get loudName(): string {
    return this.name.toUpperCase();
  }

  greet(other: string): string {
    return `${this.name} greets ${other}`;
  }
}

class Article extends Entity {
  id = 0;
  title = '';
  author: User | undefined = undefined;
  static override key = 'Article';
  static override schema = { author: User };
}

describe('an entity', () => {
  it('is an instance of its class', () => {
    const { give } = makeEngine();

    const user = give(User, { id: 1, name: 'Ada' });

    expect(user).toBeInstanceOf(User);
    expect(user).toEqual(User.fromJS({ id: 1, name: 'Ada' }));
    expectTypeOf(user).toEqualTypeOf<User | undefined>();
  });

  it('has the methods and getters of its class', () => {
    const { give } = makeEngine();

    const user = give(User, { id: 1, name: 'Ada' });

    expect(user?.loudName).toBe('ADA');
    expect(user?.greet('Bob')).toBe('Ada greets Bob');
  });

  it('keeps its getters, whatever a response says', () => {
    const { give } = makeEngine();

    const user = give(User, { id: 1, name: 'Ada', loudName: 'Eve' });

    expect(user?.loudName).toBe('ADA');
  });

  it('has the default of its class for what a response leaves out', () => {
    const { give, row } = makeEngine();

    const user = give(User, { id: 1 });

    expect(user).toMatchObject({ name: '', nick: 'nobody', tags: [] });
    expect(row('User', '1')).toEqual({ id: 1 });
  });

  it('has null where a response says null', () => {
    const { give } = makeEngine();

    const user = give(User, { id: 1, nick: null, tags: null });

    expect(user).toMatchObject({ nick: null, tags: null });
  });

  it('has the fields that its class does not declare', () => {
    const { give } = makeEngine();

    const user = give(User, { id: 1, extra: { deep: [1] } });

    expect(user).toHaveProperty('extra', { deep: [1] });
  });

  it('is kept as the plain fields of the response', () => {
    const { take, row } = makeEngine();
    const response = { id: 1, name: 'Ada', nick: null };

    const result = take(User, response);

    expect(result).toBe('1');
    expect(row('User', '1')).toEqual(response);
  });

  it('has other entities in its fields', () => {
    const { give, row } = makeEngine();

    const article = give(Article, { id: 1, title: 'Notes', author: { id: 7, name: 'Ada' } });

    expect(article?.author).toBeInstanceOf(User);
    expect(article?.author?.name).toBe('Ada');
    expect(row('Article', '1')).toEqual({ id: 1, title: 'Notes', author: '7' });
    expect(row('User', '7')).toEqual({ id: 7, name: 'Ada' });
  });

  it('is one object, from wherever it is read', () => {
    const { give, read } = makeEngine();

    const article = give(Article, { id: 1, author: { id: 7 } });

    expect(read(User, '7')).toBe(article?.author);
  });

  it('is referred to by a pk where it is nested', () => {
    const { take, give } = makeEngine();
    take(User, { id: 7, name: 'Ada' });

    const articles = give(
      [Article],
      [
        { id: 1, author: 7 },
        { id: 2, author: '7' },
      ],
    );

    expect(articles?.map(({ author }) => author?.name)).toEqual(['Ada', 'Ada']);
  });

  it('is no pk at the top level', () => {
    const { take, tables } = makeEngine();
    take(User, { id: 7 });
    const before = tables();

    expectRefusal(() => take(User, '7'), 'R6', 'Test/get', 'User', '"7"');
    expectRefusal(() => take(User, 7), 'R6', 'Test/get', 'User', '7');

    expect(tables()).toBe(before);
  });

  it('leaves the response as it was', () => {
    const { give } = makeEngine();
    const response = { id: 1, author: { id: 7, name: 'Ada' } };

    give(Article, response);

    expect(response).toEqual({ id: 1, author: { id: 7, name: 'Ada' } });
  });
});

describe('pk', () => {
  it.each([
    [0, '0'],
    [-1, '-1'],
    [1.5, '1.5'],
    [1e21, '1e+21'],
    ['a b/c', 'a b/c'],
    ['0', '0'],
    [' ', ' '],
  ])('of id %j is %j', (id, pk) => {
    const { take, read } = makeEngine();
    if (id === 1e21) expectWarning(/beyond 2 \*\* 53/);

    const result = take(User, { id });

    expect(result).toBe(pk);
    expect(read(User, pk)).toHaveProperty('id', id);
  });

  it.each([[''], [null], [undefined], [NaN], ['undefined'], ['null'], ['NaN'], [true], [{}], [['1']]])(
    'is never made of id %j',
    (id) => {
      const { take, tables } = makeEngine();

      expectRefusal(() => take(User, { id, name: 'Ada' }), 'R7', 'User', 'Test/get', 'Ada');

      expect(tables()).toEqual({});
    },
  );

  it('is never the default of the class', () => {
    const { take } = makeEngine();

    expectRefusal(() => take(User, { name: 'Ada' }), 'R7', 'User', 'Test/get', '{"name":"Ada"}');
  });

  it('may be computed of whatever the response has, by methods and getters too', () => {
    class Score extends Entity {
      game = 'none';
      player = 'nobody';
      static override key = 'Score';
      get place() {
        return `${this.game}-${this.player}`;
      }
      clean(text: string) {
        return text.toLowerCase();
      }
      override pk() {
        return this.clean(this.place);
      }
    }
    const { take, read } = makeEngine();

    const result = take(Score, { game: 'Go', player: 'Ada' });

    expect(result).toBe('go-ada');
    expect(read(Score, 'go-ada')).toEqual(Score.fromJS({ game: 'Go', player: 'Ada' }));
  });

  it('is asked without the defaults of the class', () => {
    class Score extends Entity {
      game = 'none';
      static override key = 'Score';
      override pk() {
        return this.game;
      }
    }
    const { take } = makeEngine();

    expectRefusal(() => take(Score, {}), 'R7', 'Score');
  });

  it('may be a number', () => {
    class Year extends Entity {
      year = 0;
      static override key = 'Year';
      override pk() {
        return this.year;
      }
    }
    const { take } = makeEngine();

    const result = take([Year], [{ year: 1815 }, { year: 0 }]);

    expect(result).toEqual(['1815', '0']);
  });

  it('is told the parent, the key on it and the arguments of the request', () => {
    const told: unknown[] = [];
    class Line extends Entity {
      no = 0;
      static override key = 'Line';
      override pk(parent?: unknown, key?: string, args?: readonly unknown[]) {
        told.push([parent, key, args]);
        return `${(parent as { id: number }).id}.${this.no}`;
      }
    }
    class Bill extends Entity {
      id = 0;
      lines: Line[] = [];
      static override key = 'Bill';
      static override schema = { lines: [Line] };
    }
    const { give, row } = makeEngine();
    const response = { id: 3, lines: [{ no: 1 }, { no: 2 }] };

    give(Bill, response, { id: 3 }, { body: true });

    expect(told).toEqual([
      [response, 'lines', [{ id: 3 }, { body: true }]],
      [response, 'lines', [{ id: 3 }, { body: true }]],
    ]);
    expect(row('Bill', '3')).toEqual({ id: 3, lines: ['3.1', '3.2'] });
  });
});

describe('key', () => {
  it('names the table', () => {
    class Person extends Entity {
      id = 0;
      static override key = 'people';
    }
    const { take, tables } = makeEngine();

    take(Person, { id: 1 });

    expect(Object.keys(tables())).toEqual(['people']);
  });

  it('is the name of the class unless given, with a warning that minifiers change it', () => {
    class Nameless extends Entity {
      id = 0;
    }
    expectWarning(/Nameless has no static key.*static key = 'Nameless'/s);
    const { take, tables } = makeEngine();

    take(Nameless, { id: 1 });
    take(Nameless, { id: 2 });

    expect(Nameless.key).toBe('Nameless');
    expect(Object.keys(tables())).toEqual(['Nameless']);
  });

  it('of another class is not taken by the name of a class alone', () => {
    const makeTwin = () =>
      class Twin extends Entity {
        id = 0;
      };
    expectWarning(/Twin has no static key/);
    const { take } = makeEngine();
    take(makeTwin(), { id: 1 });

    expectRefusal(() => take(makeTwin(), { id: 1 }), 'R10', 'Twin', 'static key');
  });

  it('is inherited', () => {
    class Admin extends User {
      rights = 'all';
    }
    const { give, read } = makeEngine();

    const admin = give(Admin, { id: 1, name: 'Ada' });

    expect(admin).toBeInstanceOf(Admin);
    expect(admin?.rights).toBe('all');
    expect(read(User, '1')?.name).toBe('Ada');
  });
});

describe('two classes with one key', () => {
  class Summary extends Entity {
    id = 0;
    title = '';
    static override key = 'Story';
  }
  class Detail extends Summary {
    text = 'not loaded';
    author: User | undefined = undefined;
    static override schema = { author: User };
  }

  it('show one row, each in its way', () => {
    const { take, read } = makeEngine();

    take(Detail, { id: 1, title: 'Old', text: 'Once', author: { id: 7, name: 'Ada' } });
    take([Summary], [{ id: 1, title: 'New' }]);

    expect(read(Detail, '1')).toBeInstanceOf(Detail);
    expect(read(Detail, '1')).toMatchObject({ title: 'New', text: 'Once', author: { name: 'Ada' } });
    expect(read(Summary, '1')).toBeInstanceOf(Summary);
    expect(read(Summary, '1')).not.toBeInstanceOf(Detail);
    expect(read(Summary, '1')).toMatchObject({ title: 'New' });
  });

  it('have each their defaults', () => {
    const { take, read } = makeEngine();

    take(Summary, { id: 1, title: 'New' });

    expect(read(Detail, '1')).toEqual(Detail.fromJS({ id: 1, title: 'New' }));
  });

  it('bring their fields together in one response', () => {
    const { give, read } = makeEngine();

    give({ list: [Summary], open: Detail }, { list: [{ id: 1, title: 'A' }], open: { id: 1, text: 'Once' } });

    expect(read(Detail, '1')).toMatchObject({ title: 'A', text: 'Once' });
  });

  it('bring their fields together when one merges by itself', () => {
    class Counted extends Summary {
      seen = 0;
      static override merge(existing: Row, incoming: Row): Row {
        return { ...existing, ...incoming, seen: Number(existing['seen'] ?? 0) + 1 };
      }
    }
    const { give, read } = makeEngine();
    give(Counted, { id: 1, title: 'A' });

    give({ counted: Counted, detail: Detail }, { counted: { id: 1 }, detail: { id: 1, text: 'Once' } });

    expect(read(Counted, '1')).toMatchObject({ title: 'A', seen: 1 });
    expect(read(Detail, '1')).toMatchObject({ title: 'A', text: 'Once' });
  });
});

describe('an abstract class', () => {
  abstract class Feed extends Entity {
    id = 0;
    abstract type: string;
    createdAt = '';
    static override key: string = 'Feed';
  }
  class Post extends Feed {
    override readonly type = 'post' as const;
    text = '';
    static override key = 'Post';
  }
  class Link extends Feed {
    override readonly type = 'link' as const;
    href = '';
    static override key = 'Link';
  }
  const posts = [
    { id: 1, type: 'post', text: 'Hello' },
    { id: 1, type: 'link', href: '/' },
  ];

  it.each([
    ['Union', [new schema.Union({ post: Post, link: Link }, 'type')]],
    ['Array', new schema.Array({ post: Post, link: Link }, 'type')],
  ] as const)('has the subclass that the type of each chooses in a mapped %s', (_, definition) => {
    const { give } = makeEngine();

    const values: unknown = give(definition, posts);

    const [post, link] = values as [unknown, unknown];
    expect(values).toEqual([Post.fromJS({ id: 1, text: 'Hello' }), Link.fromJS({ id: 1, href: '/' })]);
    expect([post, link].every((value) => value instanceof Feed)).toBe(true);
    expect(post).toBeInstanceOf(Post);
    expect(link).toBeInstanceOf(Link);
  });

  it('lets TypeScript tell its subclasses by their type', () => {
    const { give } = makeEngine();

    const [first] = give(new schema.Array({ post: Post, link: Link }, 'type'), posts) ?? [];

    expect(first?.type === 'post' && first.text).toBe('Hello');
  });

  it('fixes the type, so that an instance has it though a response does not', () => {
    const { give } = makeEngine();

    const link = give(Link, { id: 1, href: '/' });

    expect(link?.type).toBe('link');
  });

  it('may be shared by subclasses of one table', () => {
    abstract class Animal extends Entity {
      id = 0;
      abstract type: string;
      static override key = 'Animal';
    }
    class Cat extends Animal {
      override readonly type = 'cat' as const;
      lives = 9;
    }
    class Dog extends Animal {
      override readonly type = 'dog' as const;
      tricks = 0;
    }
    const { give } = makeEngine();

    const animals = give(new schema.Array({ cat: Cat, dog: Dog }, 'type'), [
      { id: 1, type: 'cat' },
      { id: 2, type: 'dog' },
    ]);

    expect(animals).toEqual([Cat.fromJS({ id: 1 }), Dog.fromJS({ id: 2 })]);
  });
});

describe('process', () => {
  it('reshapes the input before its pk is asked for', () => {
    class Renamed extends Entity {
      id = 0;
      name = '';
      static override key = 'Renamed';
      static override process(input: Row): Row {
        return { id: input['ID'], name: input['NAME'] };
      }
    }
    const { give, row } = makeEngine();

    const value = give(Renamed, { ID: 5, NAME: 'Ada' });

    expect(value).toEqual(Renamed.fromJS({ id: 5, name: 'Ada' }));
    expect(row('Renamed', '5')).toEqual({ id: 5, name: 'Ada' });
  });

  it('may be watched by a test when the class was used already, as may validate', () => {
    class Watched extends Entity {
      id = 0;
      static override key = 'Watched';
    }
    const { take } = makeEngine();
    take(Watched, { id: 1 });
    const process = vi.spyOn(Watched, 'process');
    const validate = vi.spyOn(Watched, 'validate');

    take(Watched, { id: 2 });

    expect(process).toHaveBeenCalledOnce();
    expect(validate).toHaveBeenCalledOnce();
  });

  it('is told the parent, the key and the arguments', () => {
    class Child extends Entity {
      id = 0;
      from = '';
      static override key = 'Child';
      static override process(input: Row, parent: unknown, key: string, args: readonly unknown[]): Row {
        return { ...input, from: JSON.stringify([(parent as { id: number }).id, key, args]) };
      }
    }
    class Parent extends Entity {
      id = 0;
      child: Child | undefined = undefined;
      static override key = 'Parent';
      static override schema = { child: Child };
    }
    const { give } = makeEngine();

    const parent = give(Parent, { id: 1, child: { id: 2 } }, { id: 1 });

    expect(parent?.child?.from).toBe('[1,"child",[{"id":1}]]');
  });

  it('may change its input, and the response stays as it was', () => {
    class Careless extends Entity {
      id = 0;
      static override key = 'Careless';
      static override process(input: Record<string, unknown>): Row {
        input['id'] = 9;
        return input;
      }
    }
    const { take } = makeEngine();
    const response = { id: 1 };

    const result = take(Careless, response);

    expect(result).toBe('9');
    expect(response).toEqual({ id: 1 });
  });

  it('that throws fails the response and nothing else', () => {
    class Broken extends Entity {
      id = 0;
      static override key = 'Broken';
      static override process(): Row {
        throw new Error('cannot read this');
      }
    }
    const { take, tables } = makeEngine();
    take(User, { id: 1 });
    const before = tables();

    const error = thrown(() => take([Broken], [{ id: 1 }]));

    expect(String(error)).toContain('cannot read this');
    expect(tables()).toBe(before);
  });
});

describe('merge', () => {
  it('is shallow: the incoming fields over the others', () => {
    const { give } = makeEngine();
    give(User, { id: 1, name: 'Ada', nick: 'A', meta: { a: 1, b: 2 } });

    const user = give(User, { id: 1, nick: null, meta: { a: 3 } });

    expect(user).toMatchObject({ name: 'Ada', nick: null });
    expect(user).toHaveProperty('meta', { a: 3 });
  });

  it('makes one of the same entity twice in a response', () => {
    const { give, row } = makeEngine();

    const users = give(
      [User],
      [
        { id: 1, name: 'Ada', nick: 'A' },
        { id: 1, nick: 'B' },
      ],
    );

    expect(users).toHaveLength(2);
    expect(users?.[0]).toBe(users?.[1]);
    expect(row('User', '1')).toEqual({ id: 1, name: 'Ada', nick: 'B' });
  });

  it('goes by the last mention, though it says what is known already', () => {
    const { take, row } = makeEngine();
    take(User, { id: 1, name: 'Ada' });

    take(
      [User],
      [
        { id: 1, name: 'Bob' },
        { id: 1, name: 'Ada' },
      ],
    );

    expect(row('User', '1')).toEqual({ id: 1, name: 'Ada' });
  });

  it('of a class of its own decides what becomes of a row', () => {
    class Log extends Entity {
      id = 0;
      lines: readonly string[] = [];
      static override key = 'Log';
      static override merge(existing: Row, incoming: Row): Row {
        return { ...incoming, lines: [...(existing['lines'] as string[]), ...(incoming['lines'] as string[])] };
      }
    }
    const { give } = makeEngine();
    give(Log, { id: 1, lines: ['a'] });

    const log = give(
      [Log],
      [
        { id: 1, lines: ['b'] },
        { id: 1, lines: ['c'] },
      ],
    );

    expect(log?.[0]?.lines).toEqual(['a', 'b', 'c']);
  });

  it.each(['update', 'partialUpdate', 'get'] as const)('is what happens to the answer of %s', (member) => {
    const UserResource = createResource({ path: '/users/:id', schema: User });
    const { store, resources, read } = setup();
    store.dispatch(resources.set(User, { id: 1, name: 'Ada', nick: 'A' }));
    const answer = { id: 1, nick: 'B' };

    if (member === 'get') store.dispatch(resources.setResponse(UserResource.get, { id: 1 }, answer));
    else store.dispatch(resources.setResponse(UserResource[member], { id: 1 }, {}, answer));

    expect(read(resources.selectEntity(User, 1))).toMatchObject({ name: 'Ada', nick: 'B' });
  });

  it('is not asked about a row that is new', () => {
    class Strict extends Entity {
      id = 0;
      static override key = 'Strict';
      static override merge(): Row {
        throw new Error('There is nothing to merge with.');
      }
    }
    const { give } = makeEngine();

    const value = give(Strict, { id: 1 });

    expect(value?.id).toBe(1);
  });

  it('of nothing new changes nothing', () => {
    const { take, tables } = makeEngine();
    const response = [
      { id: 1, author: { id: 7, tags: ['a', { b: [null] }] } },
      { id: 2, author: null },
    ];
    take([Article], response);
    const before = tables();

    const { changes } = normalize([Article], structuredClone(response), { tables: before });

    expect(changes).toEqual({ rows: [], lists: [] });
  });

  it('of one changed row leaves the others the same objects', () => {
    const { give, take, read } = makeEngine();
    const [ada, bob] =
      give(
        [User],
        [
          { id: 1, name: 'Ada' },
          { id: 2, name: 'Bob' },
        ],
      ) ?? [];

    take(
      [User],
      [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bo' },
      ],
    );

    expect(read(User, '1')).toBe(ada);
    expect(read(User, '2')).not.toBe(bob);
    expect(read(User, '2')?.name).toBe('Bo');
  });
});

describe('shouldUpdate and shouldReorder', () => {
  const meta = (seq: number): AnswerMeta => ({ kind: 'read', seq, startedTimeStamp: seq * 100 });

  class Versioned extends Entity {
    id = 0;
    version = 0;
    text = '';
    note = '';
    static override key = 'Versioned';
  }

  const makeOrdered = (Class: typeof Versioned) => {
    let tables: Tables = {};

    return {
      take(input: Row, about: AnswerMeta): void {
        tables = applyChanges(tables, [normalize(Class, input, { tables, meta: about }).changes]);
      },
      row: (pk: string) => rowOf(tableOf(tables, 'Versioned'), pk),
    };
  };

  it('are told when both answers came about, and both rows', () => {
    const asked: unknown[] = [];
    class Asking extends Versioned {
      static override shouldUpdate(...told: [AnswerMeta, AnswerMeta, Row, Row]) {
        asked.push(['shouldUpdate', ...told]);
        return true;
      }
      static override shouldReorder(...told: [AnswerMeta, AnswerMeta, Row, Row]) {
        asked.push(['shouldReorder', ...told]);
        return false;
      }
    }
    const engine = makeOrdered(Asking);

    engine.take({ id: 1, version: 1 }, meta(1));
    engine.take({ id: 1, version: 2 }, meta(2));

    const told = [meta(1), meta(2), { id: 1, version: 1 }, { id: 1, version: 2 }];
    expect(asked).toEqual([
      ['shouldUpdate', ...told],
      ['shouldReorder', ...told],
    ]);
    expect(engine.row('1')).toEqual({ id: 1, version: 2 });
  });

  it('let an answer pass by that shouldUpdate turns down', () => {
    class Newer extends Versioned {
      static override shouldUpdate(_one: AnswerMeta, _other: AnswerMeta, existing: Row, incoming: Row) {
        return Number(incoming['version']) > Number(existing['version']);
      }
    }
    const engine = makeOrdered(Newer);
    engine.take({ id: 1, version: 2, text: 'new' }, meta(1));

    engine.take({ id: 1, version: 1, text: 'old' }, meta(2));
    engine.take({ id: 2, version: 1, text: 'other' }, meta(3));

    expect(engine.row('1')).toEqual({ id: 1, version: 2, text: 'new' });
    expect(engine.row('2')).toEqual({ id: 2, version: 1, text: 'other' });
  });

  it('put an answer behind the row where shouldReorder says that it is older', () => {
    class ByVersion extends Versioned {
      static override shouldReorder(_one: AnswerMeta, _other: AnswerMeta, existing: Row, incoming: Row) {
        return Number(incoming['version']) < Number(existing['version']);
      }
    }
    const engine = makeOrdered(ByVersion);
    engine.take({ id: 1, version: 2, text: 'new' }, meta(1));

    engine.take({ id: 1, version: 1, text: 'old', note: 'kept' }, meta(2));

    expect(engine.row('1')).toEqual({ id: 1, version: 2, text: 'new', note: 'kept' });
  });

  it('go through the merge of the class', () => {
    class Collecting extends Versioned {
      static override merge(existing: Row, incoming: Row): Row {
        return { ...existing, ...incoming, text: `${String(existing['text'])}${String(incoming['text'])}` };
      }
      static override shouldReorder(_one: AnswerMeta, _other: AnswerMeta, existing: Row, incoming: Row) {
        return Number(incoming['version']) < Number(existing['version']);
      }
    }
    const engine = makeOrdered(Collecting);
    engine.take({ id: 1, version: 2, text: 'b' }, meta(1));

    engine.take({ id: 1, version: 1, text: 'a' }, meta(2));

    expect(engine.row('1')).toEqual({ id: 1, version: 2, text: 'ab' });
  });

  it('go by what a store knows of its requests', () => {
    const metas: AnswerMeta[] = [];
    class Watched extends Versioned {
      static override key = 'Watched';
      static override shouldUpdate(existing: AnswerMeta, incoming: AnswerMeta) {
        metas.push(existing, incoming);
        return true;
      }
    }
    const WatchedResource = createResource({ path: '/watched/:id', schema: Watched });
    const { store, resources } = setup();

    store.dispatch(resources.setResponse(WatchedResource.get, { id: 1 }, { id: 1, version: 1 }));
    store.dispatch(resources.setResponse(WatchedResource.get, { id: 1 }, { id: 1, version: 2 }));

    const [existing, incoming] = metas;
    expect(metas).toHaveLength(2);
    expect(existing?.kind).toBe('write');
    expect(Number(incoming?.seq)).toBeGreaterThan(Number(existing?.seq));
  });
});

describe('validate', () => {
  class Positive extends Entity {
    id = 0;
    amount = 0;
    static override key = 'Positive';
    static override validate(input: Row): string | undefined {
      return Number(input['amount']) < 0 ? 'amount is below zero' : undefined;
    }
  }

  it('refuses a whole response for one entity that is none, and says why', () => {
    const { take, tables } = makeEngine();
    take(Positive, { id: 1, amount: 1 });
    const before = tables();

    const act = () =>
      take(
        [Positive],
        [
          { id: 1, amount: 2 },
          { id: 2, amount: -1 },
        ],
      );

    expectRefusal(act, 'R6', 'Positive', 'amount is below zero', '{"id":2,"amount":-1}', 'Test/get');
    expect(tables()).toBe(before);
  });

  it('lets through what it has nothing to say about', () => {
    const { give } = makeEngine();

    const value = give(Positive, { id: 1, amount: 0 });

    expect(value?.amount).toBe(0);
  });
});

describe('fromJS', () => {
  it('makes an instance, with the defaults for what is not given', () => {
    const user = User.fromJS({ id: 3 });

    expect(user).toBeInstanceOf(User);
    expect(user).toMatchObject({ id: 3, name: '', nick: 'nobody' });
    expect(User.fromJS()).toMatchObject({ id: 0, name: '' });
  });

  it('makes an instance of the subclass it is called on', () => {
    class Admin extends User {
      rights = 'all';
    }

    const admin = Admin.fromJS({ id: 3, rights: 'few' });

    expect(admin).toBeInstanceOf(Admin);
    expect(admin.rights).toBe('few');
  });
});

describe('EntityMixin', () => {
  class Money {
    code = '';
    amount = 0;
    get label(): string {
      return `${this.amount} ${this.code}`;
    }
  }

  it('makes an entity of a class that one does not own', () => {
    const MoneyEntity = EntityMixin(Money, { key: 'Money', pk: 'code' });
    const { give, row } = makeEngine();

    const money = give(MoneyEntity, { code: 'EUR', amount: 5 });

    expect(money).toBeInstanceOf(Money);
    expect(money?.label).toBe('5 EUR');
    expect(row('Money', 'EUR')).toEqual({ code: 'EUR', amount: 5 });
    expect(Object.hasOwn(Money.prototype, 'pk')).toBe(false);
  });

  it('is called after the class unless it is given a key', () => {
    expectWarning(/Money has no static key/);
    const { take, tables } = makeEngine();

    take(EntityMixin(Money, { pk: 'code' }), { code: 'EUR' });

    expect(Object.keys(tables())).toEqual(['Money']);
  });

  it('computes the pk as it is told', () => {
    const MoneyEntity = EntityMixin(Money, {
      key: 'Money',
      pk: ({ code }, _parent, _key, args) => `${code}@${String(args?.length)}`,
    });
    const { take } = makeEngine();

    const result = take(MoneyEntity, { code: 'EUR' }, 'one', 'two');

    expect(result).toBe('EUR@2');
  });

  it('has the pk of the class unless it is told', () => {
    class Coin extends Money {
      pk() {
        return `coin ${this.code}`;
      }
    }
    const { take } = makeEngine();

    const results = [
      take(EntityMixin(Coin, { key: 'A' }), { code: 'EUR' }),
      take(EntityMixin(class extends Coin {}, { key: 'B' }), { code: 'EUR' }),
      take(EntityMixin(Coin, { key: 'C', pk: 'code' }), { code: 'EUR' }),
    ];

    expect(results).toEqual(['coin EUR', 'coin EUR', 'EUR']);
  });

  it('has the id for its pk where nothing else tells', () => {
    class Plain {
      id = 0;
    }
    const { take } = makeEngine();

    const result = take(EntityMixin(Plain, { key: 'Plain' }), { id: 4 });

    expect(result).toBe('4');
  });

  it('has nested schemas, deserializers and indexes', () => {
    class Page {
      slug = '';
      title = '';
      author: User | undefined = undefined;
      at = new Date(0);
    }
    const PageEntity = EntityMixin(Page, {
      key: 'Page',
      pk: 'slug',
      indexes: ['title'],
      schema: { author: User, at: Date },
    });
    const { store, resources, read } = setup();
    const at = '2024-02-29T00:00:00.000Z';

    // The types know the fields of a mixin as values alone.
    const fields: object = { slug: 'home', title: 'Home', author: { id: 7, name: 'Ada' }, at };
    store.dispatch(resources.set(PageEntity, fields));

    const page = read(resources.selectEntity(PageEntity, { title: 'Home' }));
    expect(page).toBeInstanceOf(Page);
    expect(page).toMatchObject({ slug: 'home', author: { name: 'Ada' }, at: new Date(at) });
  });

  it('may be extended with the rules of an entity', () => {
    class MoneyEntity extends EntityMixin(Money, { key: 'Money', pk: 'code' }) {
      static override validate(input: Row) {
        return 'amount' in input ? undefined : 'no amount';
      }
    }
    const { take, give } = makeEngine();

    const money = give(MoneyEntity, { code: 'EUR', amount: 5 });

    expect(money).toBeInstanceOf(MoneyEntity);
    expect(money?.label).toBe('5 EUR');
    expectRefusal(() => take(MoneyEntity, { code: 'EUR' }), 'R6', 'no amount');
  });

  it('makes a resource like any entity', () => {
    const MoneyEntity = EntityMixin(Money, { key: 'Money', pk: 'code' });
    const MoneyResource = createResource({ path: '/money/:code', schema: MoneyEntity });
    const { store, resources, read } = setup();

    store.dispatch(resources.setResponse(MoneyResource.getList, undefined, [{ code: 'EUR', amount: 5 }]));

    expect(read(MoneyResource.getList.select())?.map(({ label }) => label)).toEqual(['5 EUR']);
    expect(read(MoneyResource.get.select({ code: 'EUR' }))?.amount).toBe(5);
  });
});

describe('indexes', () => {
  const UserResource = createResource({ path: '/users/:id', schema: User });

  it('let an entity be found by a field other than its pk', () => {
    const { store, resources, read } = setup();
    const rows = [
      { id: 1, name: 'Ada', nick: 'A' },
      { id: 2, name: 'Bob', nick: 'B' },
    ];
    store.dispatch(resources.setResponse(UserResource.getList, undefined, rows));

    const found = read(resources.selectEntity(User, { name: 'Bob' }));

    expect(found).toBe(read(resources.selectEntity(User, 2)));
    expect(found?.nick).toBe('B');
  });

  it('give the same object until the row changes, and follow the field', () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(User, { id: 1, name: 'Ada' }));
    const before = read(resources.selectEntity(User, { name: 'Ada' }));
    store.dispatch(resources.set(User, { id: 2, name: 'Bob' }));
    const between = read(resources.selectEntity(User, { name: 'Ada' }));

    store.dispatch(resources.set(User, { id: 1, name: 'Eva' }));

    expect(between).toBe(before);
    expect(read(resources.selectEntity(User, { name: 'Ada' }))).toBeUndefined();
    expect(read(resources.selectEntity(User, { name: 'Eva' }))?.id).toBe(1);
  });

  it('find nothing by a field that is not declared, or a value that is not there', () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(User, { id: 1, name: 'Ada', nick: 'A' }));

    const found = [{ nick: 'A' }, { name: 'Bob' }, {}].map((fields) => read(resources.selectEntity(User, fields)));

    expect(found).toEqual([undefined, undefined, undefined]);
  });

  it('answer a read that was never requested', () => {
    class Member extends Entity {
      id = 0;
      login = '';
      static override key = 'Member';
      static override indexes = ['login'];
    }
    const MemberResource = createResource({ path: '/members/:login', schema: Member });
    const { store, resources, read } = setup();

    store.dispatch(resources.set(Member, { id: 1, login: 'ada' }));

    expect(read(MemberResource.get.select({ login: 'ada' }))?.id).toBe(1);
    expect(read(MemberResource.get.select({ login: 'bob' }))).toBeUndefined();
  });
});
