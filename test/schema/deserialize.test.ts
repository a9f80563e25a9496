import { BigNumber } from 'bignumber.js';
import { createResource, Entity, isTemporary, schema } from 'rtk-resource';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { setup } from '../support/store.js';
import { expectRefusal, makeEngine, thrown } from './engine.js';

/** An entity with one field that is deserialized like this. */
function makeClass(field: unknown) {
  return class Thing extends Entity {
    id = 0;
    field: unknown = 'default';
    static override key = 'Thing';
    static override schema = { field };
  };
}

const iso = '2024-02-29T12:00:00Z';

class Point {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  static parse(text: string): Point {
    return new Point(text);
  }
}

interface OldStyle {
  wire: unknown;
}

// A constructor as it was written before there were classes.
function OldStyle(this: OldStyle, wire: unknown): void {
  this.wire = wire;
}

// One that can be called either way, and is made anew when it was not.
function EitherWay(this: OldStyle | undefined, wire: unknown): unknown {
  if (this instanceof EitherWay) {
    this.wire = wire;
    return undefined;
  }

  return Reflect.construct(EitherWay, [wire]);
}

const methods = {
  double(wire: number): number {
    return wire * 2;
  },
};

describe('a deserializer', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['an arrow', (text: string) => text.toUpperCase(), 'a', 'A'],
    [
      'a function',
      function (text: string) {
        return text.length;
      },
      'abc',
      3,
    ],
    ['a method', methods.double, 2, 4],
    ['a static method', Point.parse, '1,2', new Point('1,2')],
    ['Number', Number, '12.50', 12.5],
    ['String', String, 5, '5'],
    ['Boolean', Boolean, 1, true],
    ['BigInt', BigInt, '9007199254740993', 9007199254740993n],
    ['Date', Date, iso, new Date(iso)],
    ['URL', URL, 'http://a/b', new URL('http://a/b')],
    ['Set', Set, [1, 1], new Set([1])],
    ['a class', Point, '1,2', new Point('1,2')],
    ['parseInt', parseInt, '12px', 12],
    ['JSON.parse', JSON.parse, '[1]', [1]],
    ['a bound function', methods.double.bind(methods), 3, 6],
  ])('may be %s', (_, field, wire, value) => {
    const { give } = makeEngine();

    const thing = give(makeClass(field), { id: 1, field: wire });

    expect(thing?.field).toEqual(value);
  });

  it('may be a decimal type', () => {
    const { give } = makeEngine();

    const thing = give(makeClass(BigNumber), { id: 1, field: '0.1' });

    expect(BigNumber.isBigNumber(thing?.field)).toBe(true);
    expect((thing?.field as BigNumber).plus('0.2').toString()).toBe('0.3');
  });

  it('may be a function from an ISO 8601 string to an instant', () => {
    const { give } = makeEngine();

    const thing = give(makeClass(Temporal.Instant.from), { id: 1, field: iso });

    expect(thing?.field).toBeInstanceOf(Temporal.Instant);
    expect(String(thing?.field)).toBe(iso);
  });

  it('may be an old-style constructor', () => {
    const { give } = makeEngine();
    const Class = makeClass(OldStyle);

    const things = give(
      [Class],
      [
        { id: 1, field: 'a' },
        { id: 2, field: 'b' },
      ],
    );

    expect(things?.map(({ field }) => field instanceof OldStyle)).toEqual([true, true]);
    expect(things?.map(({ field }) => (field as OldStyle).wire)).toEqual(['a', 'b']);
  });

  it('may be a constructor that can be called either way', () => {
    const { give } = makeEngine();

    const thing = give(makeClass(EitherWay), { id: 1, field: 'a' });

    expect(thing?.field).toBeInstanceOf(EitherWay);
    expect((thing?.field as OldStyle).wire).toBe('a');
  });

  it('is given the wire form alone', () => {
    const given: unknown[] = [];
    const { give } = makeEngine();

    give(
      makeClass((...all: unknown[]) => given.push(all)),
      { id: 1, field: 'a' },
    );

    expect(given).toEqual([['a']]);
  });

  it.each<[string, unknown, unknown, unknown]>([
    ['an array', [Date], [iso, null], [new Date(iso), null]],
    ['an array of arrays', [[Date]], [[iso], []], [[new Date(iso)], []]],
    ['values by name', new schema.Values(Date), { a: iso }, { a: new Date(iso) }],
    ['an object', [{ at: Date }], [{ at: iso }], [{ at: new Date(iso) }]],
  ])('reads what lies in %s', (_, field, wire, value) => {
    const { give } = makeEngine();

    const thing = give(makeClass(field), { id: 1, field: wire });

    expect(thing?.field).toEqual(value);
  });

  it('is not asked about null, nor about what is missing', () => {
    const field = (): never => {
      throw new Error('There is nothing to read.');
    };
    const { give } = makeEngine();

    const things = give([makeClass(field)], [{ id: 1, field: null }, { id: 2 }]);

    expect(things?.map((thing) => thing.field)).toEqual([null, 'default']);
  });

  it('is asked about everything else that means nothing', () => {
    const { give } = makeEngine();

    const things = give(
      [makeClass((wire: unknown) => [wire])],
      [
        { id: 1, field: 0 },
        { id: 2, field: '' },
        { id: 3, field: false },
      ],
    );

    expect(things?.map((thing) => thing.field)).toEqual([[0], [''], [false]]);
  });

  it('leaves the row in its wire form', () => {
    const { give, row } = makeEngine();

    give(makeClass(Date), { id: 1, field: iso });

    expect(row('Thing', '1')).toEqual({ id: 1, field: iso });
  });

  it('is applied once for each row, until the row changes', () => {
    let count = 0;
    const Class = makeClass((wire: string) => ({ wire, count: ++count }));
    const { give, read, take } = makeEngine();
    give(Class, { id: 1, field: 'a' });
    read(Class, '1');

    take(Class, { id: 1, field: 'a' });
    const same = read(Class, '1')?.field;
    take(Class, { id: 1, field: 'b' });
    const other = read(Class, '1')?.field;

    expect([same, other]).toEqual([
      { wire: 'a', count: 1 },
      { wire: 'b', count: 2 },
    ]);
  });

  it('may give undefined', () => {
    const { give } = makeEngine();

    const thing = give(
      makeClass(() => undefined),
      { id: 1, field: 'a' },
    );

    expect(thing).toHaveProperty('field', undefined);
  });

  it('reads a field of a shape as well', () => {
    const { give } = makeEngine();

    const value = give({ at: Date, total: Number }, { at: iso, total: '5' });

    expect(value).toEqual({ at: new Date(iso), total: 5 });
  });

  it('skips temporary ids', async () => {
    class Task extends Entity {
      id = 0n;
      title = '';
      static override key = 'Task';
      static override schema = { id: BigInt };
    }
    let answer: (response: Response) => void = () => undefined;
    const TaskResource = createResource({
      path: '/tasks/:id',
      schema: Task,
      optimistic: true,
      fetchResponse: () => new Promise<Response>((resolve) => (answer = resolve)),
    });
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(TaskResource.getList, undefined, []));

    const promise = store.dispatch(TaskResource.getList.push({ title: 'new' }));
    await Promise.resolve();
    const [shown] = read(TaskResource.getList.select()) ?? [];
    await Promise.resolve();
    answer(Response.json({ id: '12', title: 'new' }));
    const created = await promise.unwrap();

    expect(isTemporary(shown?.id)).toBe(true);
    expect(created.id).toBe(12n);
  });
});

describe('a deserializer that throws', () => {
  const Class = makeClass((text: string) => {
    if (text === 'bad') throw new RangeError('not a good text');
    return text;
  });

  it('fails the read, and tells which field and why', () => {
    const { take, read } = makeEngine();
    take(Class, { id: 1, field: 'bad' });

    expectRefusal(() => read(Class, '1'), 'R18', 'Thing.field', 'not a good text');

    expect((thrown(() => read(Class, '1')) as Error).cause).toBeInstanceOf(RangeError);
  });

  it('is told of by what it throws, also where that is plain data', () => {
    const throwPlain = (text: string): never => {
      const thrown: unknown = { status: 'odd', text };
      throw thrown;
    };
    const Class = makeClass(throwPlain);
    const { take, read } = makeEngine();
    take(Class, { id: 1, field: 'a' });

    expectRefusal(() => read(Class, '1'), 'R18', 'Thing.field', '{"status":"odd","text":"a"}');
  });

  it('fails no other read', () => {
    const { take, read } = makeEngine();
    const result = take(
      [Class],
      [
        { id: 1, field: 'good' },
        { id: 2, field: 'bad' },
      ],
    );

    expectRefusal(() => read([Class], result), 'R18', 'Thing.field');

    expect(read(Class, '1')?.field).toBe('good');
  });

  it('is asked again when the row is another', () => {
    const { take, read } = makeEngine();
    take(Class, { id: 1, field: 'bad' });
    thrown(() => read(Class, '1'));

    take(Class, { id: 1, field: 'good' });

    expect(read(Class, '1')?.field).toBe('good');
  });

  it.each([
    ['a class that throws', Point2D, 'x'],
    ['BigInt', BigInt, 'x'],
    ['Temporal', Temporal.Instant.from, 'yesterday'],
    ['a function that throws a TypeError', (wire: { a: { b: string } }) => wire.a.b, {}],
    [
      'an old function that throws a TypeError',
      function (wire: { a: { b: string } }) {
        return wire.a.b;
      },
      {},
    ],
  ])('may be %s', (_, field, wire) => {
    const { take, read } = makeEngine();
    const Broken = makeClass(field);
    take(Broken, { id: 1, field: wire });

    expectRefusal(() => read(Broken, '1'), 'R18', 'Thing.field');
  });

  it('fails the request that brought the row, and keeps the store usable', async () => {
    const ThingResource = createResource({
      path: '/things/:id',
      schema: Class,
      fetchResponse: (input) =>
        Promise.resolve(Response.json({ id: Number(input.at(-1)), field: input.endsWith('2') ? 'bad' : 'good' })),
    });
    const { store, resources, read } = setup();

    const bad = store.dispatch(ThingResource.get({ id: 2 }));
    const error: unknown = await bad.unwrap().catch((reason: unknown) => reason);
    const good = await store.dispatch(ThingResource.get({ id: 1 })).unwrap();

    expect(error).toMatchObject({ code: 'R18' });
    expect(good.field).toBe('good');
    expectRefusal(() => read(resources.selectEntity(Class, 2)), 'R18', 'Thing.field');
    expect(read(resources.selectEntity(Class, 1))).toBe(good);
  });
});

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- what matters is that making one fails
class Point2D {
  constructor() {
    throw new Error('no such point');
  }
}
