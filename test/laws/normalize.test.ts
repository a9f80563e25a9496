import fc from 'fast-check';
import { Collection, Entity, schema, type Row } from 'rtk-resource';
import { normalize, type Definition } from 'rtk-resource/normalize';
import { describe, expect, it, vi } from 'vitest';
import { rowOf, tableOf } from '../../src/tables/tables.js';
import { expectWarning } from '../support/strict.js';
import { Shelf } from '../support/memory.js';
import { world, World, type Answer } from '../support/worlds.js';
import '../support/search.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 30_000 });

class Item extends Entity {
  id = '';
  static override key = 'Item';
}

/** A shelf that has taken in the answers of a world, each to arguments of its own. */
class WorldShelf extends Shelf {
  readonly #world: World;
  readonly #results = new Map<Answer, unknown>();

  constructor(of: World, order: readonly Answer[] = of.answers) {
    super();
    this.#world = of;
    for (const answer of order) this.takeAnswer(answer);
  }

  takeAnswer(answer: Answer) {
    const args = { answer: this.#world.answers.indexOf(answer) };
    const taken = this.take(this.#world.definition(answer), this.#world.sent(answer.tree), args);
    this.#results.set(answer, taken.result);

    return taken;
  }

  readAnswer(answer: Answer): unknown {
    return this.read(
      this.#world.definition(answer),
      this.#results.get(answer),
      `${this.#world.answers.indexOf(answer)}`,
    );
  }

  readAnswers(): readonly unknown[] {
    return this.#world.answers.map((answer) => this.readAnswer(answer));
  }
}

/** Every object in a value, by the way to it. */
function objectsIn(value: unknown, way = '', found = new Map<string, object>()): Map<string, object> {
  if (typeof value !== 'object' || value === null) return found;
  found.set(way, value);
  for (const [name, inner] of Object.entries(value)) objectsIn(inner, `${way}/${name}`, found);

  return found;
}

/** Every entity in a value, by the way to it. */
function entitiesIn(value: unknown): Map<string, Entity> {
  return new Map([...objectsIn(value)].filter((entry): entry is [string, Entity] => entry[1] instanceof Entity));
}

describe('a response', () => {
  it('reads as it was sent: in classes, with their defaults', () => {
    fc.assert(
      fc.property(world, (spec) => {
        const of = new World(spec);
        const shelf = new WorldShelf(of);

        for (const answer of of.answers) {
          expect(shelf.readAnswer(answer)).toStrictEqual(of.shown(answer.tree, answer.shape));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is one object by every way to a row', () => {
    fc.assert(
      fc.property(world, (spec) => {
        const seen = new Map<string, Entity>();

        for (const entity of entitiesIn(new WorldShelf(new World(spec)).readAnswers()).values()) {
          const { id, kind } = entity as Entity & { readonly id: string; readonly kind: string };
          const name = `${kind} ${id}`;
          expect(seen.get(name) ?? entity).toBe(entity);
          seen.set(name, entity);
        }
      }),
    );
  });

  it('changes nothing when it comes again: no row, no list, no reference', () => {
    fc.assert(
      fc.property(world, (spec) => {
        const of = new World(spec);
        const shelf = new WorldShelf(of);
        const { tables } = shelf;
        const before = shelf.readAnswers();
        const objects = objectsIn(before);

        const again = of.answers.map((answer) => shelf.takeAnswer(answer).changes);

        for (const changes of again) expect(changes).toEqual({ rows: [], lists: [] });
        expect(shelf.tables).toBe(tables);
        shelf.readAnswers().forEach((value, i) => {
          expect(value).toBe(before[i]);
        });
        for (const [way, object] of objectsIn(shelf.readAnswers()))
          if (way !== '') expect(object).toBe(objects.get(way));
      }),
      { numRuns: 200 },
    );
  });

  it('shows the same in whatever order it came among others', () => {
    const shuffled = world.chain((spec) =>
      fc.tuple(
        fc.constant(spec),
        fc.shuffledSubarray(
          spec.answers.map((_, i) => i),
          { minLength: spec.answers.length },
        ),
      ),
    );

    fc.assert(
      fc.property(shuffled, ([spec, order]) => {
        const of = new World(spec);
        const other = new WorldShelf(
          of,
          order.flatMap((i) => of.answers[i] ?? []),
        );

        expect(other.readAnswers()).toStrictEqual(new WorldShelf(of).readAnswers());
      }),
    );
  });

  it('may bring an entity in pieces, of which later ones win', () => {
    const piece = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 1 }), {
      noNullPrototype: true,
    });

    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        (answers) => {
          const shelf = new Shelf();
          for (const pieces of answers) {
            shelf.take(
              [Item],
              pieces.map((fields) => ({ id: 'x', ...fields })),
            );
          }

          expect(shelf.read(Item, 'x')).toStrictEqual(
            Item.fromJS(Object.assign({ id: 'x' }, ...answers.flat()) as object),
          );
        },
      ),
    );
  });

  it('that changes one row makes exactly the values made of that row anew', () => {
    const change = fc.record({ of: fc.nat(3), at: fc.nat(2), note: fc.jsonValue({ maxDepth: 1 }) });

    fc.assert(
      fc.property(world, change, (spec, { of: position, at, note }) => {
        const of = new World(spec);
        const shelf = new WorldShelf(of);
        const { pk } = of.row(position, at);
        const changed = `Class${position} ${pk}`;
        fc.pre(rowOf(tableOf(shelf.tables, `Class${position}`), pk) !== undefined);
        const before = entitiesIn(shelf.readAnswers());

        shelf.take(of.class(position), { id: pk, note: [note] });
        const after = entitiesIn(shelf.readAnswers());

        expect([...after.keys()].filter((way) => !way.includes('/note'))).toEqual([...before.keys()]);
        for (const [way, entity] of before) {
          const { id, kind } = entity as Entity & { readonly id: string; readonly kind: string };
          const isMadeOfIt = of.parts(Number(kind.slice('Class'.length)), Number(id)).has(changed);
          expect(after.get(way) !== entity, `${kind} ${id} at ${way}`).toBe(isMadeOfIt);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('that changes no row of an answer leaves the answer as it is', () => {
    fc.assert(
      fc.property(world, (spec) => {
        const shelf = new WorldShelf(new World(spec));
        const before = shelf.readAnswers();

        shelf.take([Item], [{ id: '0' }, { id: '1' }]);
        // A row of a class that answers have, but none of theirs.
        shelf.take(new World(spec).class(3), { id: 'unheard of' });

        shelf.readAnswers().forEach((value, i) => {
          expect(value).toBe(before[i]);
        });
      }),
    );
  });
});

/** Nodes of a graph, and where their edges lead. */
interface Graph {
  readonly edges: readonly (readonly number[])[];
}

const graph: fc.Arbitrary<Graph> = fc.integer({ min: 1, max: 6 }).chain((size) =>
  fc.record({
    edges: fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
  }),
);

interface Node {
  readonly id: string;
  readonly kind: string;
  next: unknown;
}

/** How a node may hold those it leads to: as sent, and as read. */
interface Holding {
  readonly definition: (node: () => Definition) => Definition;
  readonly hold: (nodes: readonly object[]) => unknown;
  readonly held: (next: unknown) => readonly unknown[];
}

const holdings: Readonly<Record<string, Holding>> = {
  'in a list': {
    definition: (node) => [new schema.Lazy(node)],
    hold: (nodes) => [...nodes],
    held: (next) => next as unknown[],
  },
  'in a list of a union': {
    definition: (node) => new schema.Array({ node: new schema.Lazy(node) }, 'kind'),
    hold: (nodes) => [...nodes],
    held: (next) => next as unknown[],
  },
  'in a Collection': {
    definition: (node) => new Collection([new schema.Lazy(node)]),
    hold: (nodes) => [...nodes],
    held: (next) => next as unknown[],
  },
  'by name': {
    definition: (node) => new schema.Values(new schema.Lazy(node)),
    hold: (nodes) => Object.fromEntries(nodes.map((node, i) => [`n${i}`, node])),
    held: (next) => Object.values(next as Readonly<Record<string, unknown>>),
  },
  'in a shape': {
    definition: (node) => ({ inside: { all: [new schema.Lazy(node)] } }),
    hold: (nodes) => ({ inside: { all: [...nodes] } }),
    held: (next) => (next as { readonly inside: { readonly all: readonly unknown[] } }).inside.all,
  },
};

/** A class whose entities hold others of it; `reshapes` has its own process, as a class may. */
function nodeClass({ definition }: Holding, reshapes: boolean) {
  let asked = 0;
  class GraphNode extends Entity {
    id = '';
    kind = '';
    next: unknown = undefined;
    static override key = 'Node';

    static override process(input: Row): Row {
      // A circle that is not recognised would be followed for ever.
      if (reshapes && ++asked > 10_000) throw new RangeError('The circle is followed again and again.');

      return reshapes ? { ...input, kind: 'node' } : input;
    }
  }
  GraphNode.schema = { next: definition(() => GraphNode) };

  return GraphNode;
}

describe.each(Object.entries(holdings))('a circle of entities that are held %s', (_, holding) => {
  it.each([false, true])('is read as the circle it is (own process: %s)', (reshapes) => {
    fc.assert(
      fc.property(graph, ({ edges }) => {
        const GraphNode = nodeClass(holding, reshapes);
        const nodes = edges.map((_edge, i): Node => ({ id: `${i}`, kind: 'node', next: undefined }));
        nodes.forEach((node, i) => (node.next = holding.hold((edges[i] ?? []).flatMap((to) => nodes[to] ?? []))));
        const shelf = new Shelf();

        const { result } = shelf.take([GraphNode], nodes);
        const shown = shelf.read([GraphNode], result) as readonly Node[];

        expect(shown.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id));
        shown.forEach((node, i) => {
          expect(node).toBeInstanceOf(GraphNode);
          const held = holding.held(node.next);
          // Told as positions, for an assertion would compare the circles themselves.
          expect(held.map((next) => shown.indexOf(next as Node))).toEqual(edges[i]);
        });
      }),
      { numRuns: 40 },
    );
  });

  it('changes nothing when it comes again, and is all new when one row of it changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(4), (size, at) => {
        const GraphNode = nodeClass(holding, false);
        const ring = (): readonly object[] => {
          const nodes = Array.from({ length: size }, (_node, i): Node => ({ id: `${i}`, kind: 'node', next: {} }));
          nodes.forEach((node, i) => (node.next = holding.hold(nodes.slice((i + 1) % size, ((i + 1) % size) + 1))));
          return nodes;
        };
        const shelf = new Shelf();
        const { result } = shelf.take([GraphNode], ring());
        const { tables } = shelf;
        const before = shelf.read([GraphNode], result) as readonly Node[];

        shelf.take([GraphNode], ring());
        expect(shelf.tables).toBe(tables);
        expect(shelf.read([GraphNode], result) === before).toBe(true);

        shelf.take(GraphNode, { id: `${at % size}`, note: 'new' });
        const after = shelf.read([GraphNode], result) as readonly Node[];
        after.forEach((node, i) => {
          expect(node === before[i]).toBe(false);
          expect(holding.held(node.next).map((next) => after.indexOf(next as Node))).toEqual([(i + 1) % size]);
        });
      }),
      { numRuns: 20 },
    );
  });

  it('may be 10 000 long', () => {
    const GraphNode = nodeClass(holding, false);
    const length = 10_000;
    let chain = { id: '0', kind: 'node', next: holding.hold([]) };
    for (let i = 1; i < length; i++) chain = { id: `${i}`, kind: 'node', next: holding.hold([chain]) };
    const shelf = new Shelf();

    const { result } = shelf.take(GraphNode, chain);
    const first = shelf.read(GraphNode, result) as Node;
    let count = 0;
    for (let node: Node | undefined = first; node && count <= length; count++)
      node = holding.held(node.next)[0] as Node | undefined;

    expect(count).toBe(length);
    // Compared here, for an assertion would compare the whole chain.
    expect(shelf.read(GraphNode, result) === first).toBe(true);
    shelf.take(GraphNode, { id: '0', kind: 'node', note: 'new' });
    expect(shelf.read(GraphNode, result) === first).toBe(false);
  });
});

describe('a chain of entities that cannot be without one another', () => {
  class Link extends Entity {
    id = '';
    next: unknown = { isDefault: true };
    static override key = 'Link';
    static override schema: Record<string, Definition> = { next: new schema.Lazy(() => Link) };
  }
  const chainOf = (length: number): object => {
    let chain: object = { id: '0', next: null };
    for (let i = 1; i < length; i++) chain = { id: `${i}`, next: chain };
    return chain;
  };

  it('is gone with any of its links, and back with it, whatever its length', () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(99, 100, 101, 250, 10_000));

    fc.assert(
      fc.property(length, fc.nat(), fc.boolean(), (size, seed, isRead) => {
        const shelf = new Shelf();
        const at = seed % size;
        shelf.take(Link, chainOf(size));
        if (isRead) shelf.read(Link, `${size - 1}`);

        shelf.take(new schema.Invalidate(Link), { id: `${at}` });
        const ids = [0, at - 1, at, at + 1, size - 1].filter((id) => id >= 0 && id < size);
        for (const id of ids) expect(shelf.read(Link, `${id}`) !== undefined, `link ${id}`).toBe(id < at);

        shelf.take(Link, { id: `${at}`, next: at === 0 ? null : `${at - 1}` });
        for (const id of ids) expect(shelf.read(Link, `${id}`) !== undefined, `link ${id}`).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

/** Names that objects have anyway, and those that they keep in an order of their own. */
const hostile = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('0', '1', '-1', '01', '1e3', '4294967295', ' ', '|', 'pk', 'schema', 'table'),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 3 }) },
);
const hostileValue = fc.oneof(
  fc.constantFrom<unknown>({}, [], null, { polluted: true }, 'text', 0),
  hostile.map((name) => Object.fromEntries([[name, { polluted: true }]])),
);
/** A pk may be neither '' nor what failed conversions leave. */
const hostileName = hostile.filter((name) => !['undefined', 'null', 'NaN'].includes(name));
const hostileFields = fc
  .array(fc.tuple(hostile, hostileValue), { maxLength: 3 })
  .map((entries): Readonly<Record<string, unknown>> =>
    Object.fromEntries(entries.filter(([name]) => name !== 'id' && name !== 'pk')),
  );

/** What all objects share: the names, each followed by what it stands for. */
function shared(): readonly unknown[] {
  return [Object.prototype, Function.prototype, Array.prototype, Entity, Entity.prototype].flatMap((object) =>
    Reflect.ownKeys(object).flatMap((name) => {
      const of: PropertyDescriptor = Object.getOwnPropertyDescriptor(object, name) ?? {};

      return [name, of.value as unknown, of.get, of.set];
    }),
  );
}

function entriesOf(value: unknown): readonly unknown[] {
  return Object.entries(value as object).sort(([one], [other]) => (one < other ? -1 : 1));
}

describe('a hostile name', () => {
  const untouched = shared();
  /** A law of two names and the fields of two objects. */
  interface Names {
    readonly one: string;
    readonly other: string;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly later: Readonly<Record<string, unknown>>;
  }
  const names = fc.record({ one: hostileName, other: hostileName, fields: hostileFields, later: hostileFields });
  const holds = (law: (names: Names) => void): void => {
    // What is empty looks like what all objects inherit.
    const empty: Names = { one: '__proto__', other: 'x', fields: {}, later: Object.fromEntries([['__proto__', {}]]) };
    fc.assert(fc.property(names, law), { numRuns: 200, examples: [[empty]] });
    const now = shared();
    expect(now.length).toBe(untouched.length);
    expect(now.filter((one, i) => one !== untouched[i])).toEqual([]);
    expect('polluted' in {}).toBe(false);
  };

  it('is a pk like any other', () => {
    holds(({ one, other, fields }) => {
      const shelf = new Shelf();
      const { result } = shelf.take([Item], [{ ...fields, id: one }]);

      expect(result).toEqual([one]);
      expect(shelf.read(Item, one)).toMatchObject({ id: one });
      expect(shelf.read(Item, other) === undefined).toBe(one !== other);
      expect(rowOf(tableOf(shelf.tables, 'Item'), other) === undefined).toBe(one !== other);
    });
  });

  it('is a field like any other, and merged like any other', () => {
    holds(({ one: pk, fields, later }) => {
      const shelf = new Shelf();
      shelf.take(Item, { ...fields, id: pk });
      const first = shelf.read(Item, pk);
      shelf.take(Item, { ...later, id: pk });
      const second = shelf.read(Item, pk);

      expect(entriesOf(first)).toEqual(entriesOf({ ...fields, id: pk }));
      expect(entriesOf(second)).toEqual(entriesOf({ ...fields, ...later, id: pk }));
      expect(Object.getPrototypeOf(second)).toBe(Item.prototype);
    });
  });

  it('is the key of an entity like any other', () => {
    holds(({ one: key, other, fields }) => {
      class Hostile extends Entity {
        id = '';
        static override key = key;
      }
      const shelf = new Shelf();
      shelf.take([Hostile], [{ ...fields, id: 'x' }]);

      expect(shelf.read(Hostile, 'x')).toBeInstanceOf(Hostile);
      expect(Object.keys(shelf.tables)).toEqual([key]);
      expect(tableOf(shelf.tables, other) === undefined).toBe(key !== other);
      expect(tableOf({}, key)).toBeUndefined();
    });
  });

  it('is a name of Values and of a shape like any other, where entities nest too', () => {
    holds(({ one, other }) => {
      class Box extends Entity {
        id = '';
        static override key = 'Box';
        static override schema = Object.fromEntries<Definition>([
          [`${one}!`, Item],
          [one, new schema.Values(Item)],
        ]);
      }
      fc.pre(one !== 'id');
      const shape = Object.fromEntries([[one, Item]]);
      const byName = Object.fromEntries([
        [other, { id: 'a' }],
        [one, { id: 'b' }],
      ]);
      const shelf = new Shelf();
      const values = shelf.take(new schema.Values(Item), byName).result;
      const shaped = shelf.take(shape, byName).result;
      shelf.take(
        [Box],
        [
          Object.fromEntries([
            ['id', 'box'],
            [`${one}!`, { id: 'a' }],
            [one, byName],
          ]),
        ],
      );

      const a = shelf.read(Item, 'a');
      const b = shelf.read(Item, 'b');
      const named =
        one === other
          ? [[one, b]]
          : entriesOf(
              Object.fromEntries([
                [other, a],
                [one, b],
              ]),
            );
      expect(entriesOf(shelf.read(new schema.Values(Item), values))).toEqual(named);
      expect(Object.getOwnPropertyDescriptor(shelf.read(shape, shaped), one)?.value).toBe(b);
      const box = shelf.read(Box, 'box') as object;
      expect(Object.getPrototypeOf(box)).toBe(Box.prototype);
      expect(entriesOf(Object.getOwnPropertyDescriptor(box, one)?.value as unknown)).toEqual(named);
    });
  });

  it('chooses of a mapping what the mapping has', () => {
    holds(({ one: kind, other: pk }) => {
      const choice = new schema.Union(Object.fromEntries([[kind, Item]]), 'kind' as never);
      const shelf = new Shelf();
      const { result } = shelf.take([choice], [{ id: pk, kind }]);

      expect(shelf.read([choice], result)).toEqual([shelf.read(Item, pk)]);
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])('chooses nothing of a mapping that lacks it: %s', (kind) => {
    const choice = new schema.Union({ item: Item }, 'kind' as never);
    const shelf = new Shelf();
    expectWarning(new RegExp(`chose "${kind}"`));

    const { result } = shelf.take([choice], [{ id: 'x', kind }]);

    expect(shelf.read([choice], result)).toEqual([{ id: 'x', kind }]);
    expect(shelf.tables).toEqual({});
  });

  it('is an argument of a list like any other, by name and by value', () => {
    holds(({ one: name, other: value }) => {
      // A name that begins with a sign would be taken for a server's own.
      const lists = new Collection([Item], { nonFilterArgumentKeys: [] });
      const shelf = new Shelf();
      const args = Object.fromEntries([[name, value]]);
      const one = shelf.take(lists, [{ id: 'a' }], args).result;
      const other = shelf.take(lists, [{ id: 'b' }], Object.fromEntries([[name, `${value}!`]])).result;
      shelf.take(lists.push, { id: 'c' }, args);

      expect(one).not.toEqual(other);
      expect(shelf.read(lists, one)).toMatchObject([{ id: 'a' }, { id: 'c' }]);
      expect(shelf.read(lists, other)).toMatchObject([{ id: 'b' }]);
    });
  });

  it('in a preview or an answer of one entity leaves what it inherits alone', () => {
    const input = JSON.parse(
      '{ "id": "x", "__proto__": { "polluted": true }, "constructor": { "name": "evil" } }',
    ) as Row;
    const shelf = new Shelf();

    shelf.take(Item, input);
    const shown = shelf.read(Item, 'x');

    expect(shown).toBeInstanceOf(Item);
    expect(Object.getOwnPropertyDescriptor(shown, '__proto__')?.value).toEqual({ polluted: true });
    expect(shown).not.toHaveProperty('polluted');
    expect(JSON.parse(JSON.stringify(normalize(Item, input).changes))).toEqual(normalize(Item, input).changes);
  });
});

describe('data that looks like ours', () => {
  it('stays as it came where its mapping has no schema for it', () => {
    const choice = new schema.Array({ item: Item }, 'kind' as never);
    const lookalikes = [
      { pk: 'x', schema: 'item', table: 'Item' },
      { schema: 'item', value: 'x' },
    ];
    expectWarning(/undefined/);
    const shelf = new Shelf();
    shelf.take(Item, { id: 'x' });

    const { result } = shelf.take(choice, lookalikes);

    expect(shelf.read(choice, result)).toEqual(lookalikes);
  });
});
