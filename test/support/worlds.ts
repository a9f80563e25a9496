import fc from 'fast-check';
import { Collection, Entity, schema } from 'rtk-resource';
import { type Definition } from 'rtk-resource/normalize';

/** What one place of a response may hold. Entities nest only entities of later classes, so that data is finite. */
export type Shape =
  | { readonly is: 'plain' | 'date' }
  | { readonly is: 'entity'; readonly of: number }
  | { readonly is: 'union'; readonly of: readonly number[] }
  | { readonly is: 'array' | 'values' | 'collection'; readonly of: Shape }
  | { readonly is: 'object'; readonly fields: Readonly<Record<string, Shape>> };

/** What one place does hold; a row is named by its class and, modulo their number, its position among the rows. */
export type Tree =
  | { readonly is: 'plain'; readonly value: unknown }
  | { readonly is: 'date'; readonly iso: string }
  | { readonly is: 'row'; readonly of: number; readonly at: number }
  | { readonly is: 'list'; readonly members: readonly Tree[] }
  | { readonly is: 'values' | 'object'; readonly members: Readonly<Record<string, Tree>> };

/** One field of a class; a required one has a default that is something. */
interface Field {
  readonly shape: Shape;
  readonly required: boolean;
}

type ClassSpec = Readonly<Record<string, Field>>;
type RowSpec = Readonly<Record<string, Tree>>;

/** A response and what describes it. */
export interface Answer {
  readonly shape: Shape;
  readonly tree: Tree;
}

/** Classes, a consistent set of their rows, and responses that tell of these. */
export interface WorldSpec {
  readonly classes: readonly ClassSpec[];
  readonly rows: readonly (readonly RowSpec[])[];
  readonly answers: readonly Answer[];
}

const CLASSES = 4;
const absent: Tree = { is: 'plain', value: undefined };
const nothing: Tree = { is: 'plain', value: null };

const plainValue = fc.jsonValue({ maxDepth: 1 });
const iso = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Schemas whose entities are of class `from` or later. */
function shapeOf(from: number, depth: number): fc.Arbitrary<Shape> {
  const plain = fc.constantFrom<Shape>({ is: 'plain' }, { is: 'date' });
  if (from >= CLASSES) return plain;
  const entity = fc.integer({ min: from, max: CLASSES - 1 });
  const flat = fc.oneof(
    { weight: 1, arbitrary: plain },
    { weight: 3, arbitrary: entity.map((of): Shape => ({ is: 'entity', of })) },
    { weight: 2, arbitrary: fc.uniqueArray(entity, { minLength: 1 }).map((of): Shape => ({ is: 'union', of })) },
  );
  if (depth === 0) return flat;
  const inner = schemaShape(from, depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: flat },
    { weight: 2, arbitrary: inner.map((of): Shape => ({ is: 'array', of })) },
    { weight: 1, arbitrary: inner.map((of): Shape => ({ is: 'values', of })) },
    { weight: 1, arbitrary: objectShape(from, depth - 1) },
  );
}

/** What may stand inside a list: there, deserializers are no schema. */
function schemaShape(from: number, depth: number): fc.Arbitrary<Shape> {
  return shapeOf(from, depth).filter(({ is }) => is !== 'plain' && is !== 'date');
}

function objectShape(from: number, depth: number): fc.Arbitrary<Shape> {
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), shapeOf(from, depth), {
    minKeys: 1,
    noNullPrototype: true,
  });
  return fields.map((of): Shape => ({ is: 'object', fields: of }));
}

/** Lists with a key of their own: of entities, or of unions. */
function collectionShape(from: number): fc.Arbitrary<Shape> {
  return schemaShape(from, 0).map((of): Shape => ({ is: 'collection', of }));
}

function classSpec(position: number): fc.Arbitrary<ClassSpec> {
  const nests = position + 1 < CLASSES;
  const shape = nests
    ? fc.oneof({ weight: 4, arbitrary: shapeOf(position + 1, 1) }, collectionShape(position + 1))
    : shapeOf(CLASSES, 0);
  return fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.record({ shape, required: fc.boolean() }), {
    noNullPrototype: true,
  });
}

/** Data of a shape. */
function treeOf(shape: Shape): fc.Arbitrary<Tree> {
  switch (shape.is) {
    case 'plain':
      return plainValue.map((value): Tree => ({ is: 'plain', value }));
    case 'date':
      return iso.map((text): Tree => ({ is: 'date', iso: text }));
    case 'entity':
      return fc.nat(9).map((at): Tree => ({ is: 'row', of: shape.of, at }));
    case 'union':
      return fc.record({ is: fc.constant('row' as const), of: fc.constantFrom(...shape.of), at: fc.nat(9) });
    case 'array':
      return fc.array(orNothing(treeOf(shape.of)), { maxLength: 3 }).map((members): Tree => ({ is: 'list', members }));
    case 'collection':
      return fc.array(treeOf(shape.of), { maxLength: 3 }).map((members): Tree => ({ is: 'list', members }));
    case 'values':
      return fc
        .dictionary(fc.constantFrom('x', 'y', '1', 'valueOf'), orNothing(treeOf(shape.of)), {
          noNullPrototype: true,
        })
        .map((members): Tree => ({ is: 'values', members }));
    case 'object':
      return fieldsOf(shape.fields).map((members): Tree => ({ is: 'object', members }));
  }
}

function orNothing(tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc.oneof({ weight: 6, arbitrary: tree }, fc.constant(nothing), fc.constant(absent));
}

function orNull(tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc.oneof({ weight: 6, arbitrary: tree }, fc.constant(nothing));
}

/** Data of some fields; some are missing. */
function fieldsOf(shapes: Readonly<Record<string, Shape>>): fc.Arbitrary<Readonly<Record<string, Tree>>> {
  const trees = Object.entries(shapes).map(([name, shape]) => [name, orNull(treeOf(shape))] as const);
  return fc.record(Object.fromEntries(trees), { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<
    Record<string, Tree>
  >;
}

function rowSpec(fields: ClassSpec): fc.Arbitrary<RowSpec> {
  return fieldsOf(Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape])));
}

const answerOf = fc
  .oneof({ weight: 3, arbitrary: schemaShape(0, 2) }, { weight: 1, arbitrary: collectionShape(0) })
  .chain((shape) => treeOf(shape).map((tree): Answer => ({ shape, tree })));

/** Worlds of four classes, with one to three rows each and up to three responses. */
export const world: fc.Arbitrary<WorldSpec> = fc
  .tuple(...Array.from({ length: CLASSES }, (_, position) => classSpec(position)))
  .chain((classes) =>
    fc.record({
      classes: fc.constant(classes),
      rows: fc.tuple(...classes.map((fields) => fc.array(rowSpec(fields), { minLength: 1, maxLength: 3 }))),
      answers: fc.array(answerOf, { minLength: 1, maxLength: 3 }),
    }),
  );

type Class = ReturnType<typeof makeClass>;

/** A world whose classes are made: what a server sends, and what a reader is to be shown. */
export class World {
  readonly classes: readonly Class[];
  readonly answers: readonly Answer[];
  readonly #spec: WorldSpec;
  readonly #definitions = new Map<Answer, Definition>();

  constructor(spec: WorldSpec) {
    this.#spec = spec;
    this.answers = spec.answers;
    const classes: Class[] = [];
    // The last first, for the others nest it.
    for (let of = CLASSES - 1; of >= 0; of--) classes[of] = makeClass(of, spec.classes[of] ?? {}, classes);
    this.classes = classes;
  }

  definition(answer: Answer): Definition {
    let known = this.#definitions.get(answer);
    if (known === undefined) this.#definitions.set(answer, (known = definitionOf(answer.shape, this.classes)));
    return known;
  }

  /** A response, made anew each time. */
  sent(tree: Tree): unknown {
    switch (tree.is) {
      case 'plain':
        return structuredClone(tree.value);
      case 'date':
        return tree.iso;
      case 'row':
        return this.sentRow(tree.of, tree.at);
      case 'list':
        return tree.members.map((member) => this.sent(member));
      default:
        return mapValues(tree.members, (member) => this.sent(member));
    }
  }

  sentRow(of: number, at: number): Record<string, unknown> {
    const { pk, row } = this.row(of, at);
    return { id: pk, kind: `Class${of}`, ...mapValues(row, (tree) => this.sent(tree)) };
  }

  /** The value that is to come of a response. */
  shown(tree: Tree, shape?: Shape): unknown {
    switch (tree.is) {
      case 'plain':
        return tree.value;
      case 'date':
        return new Date(tree.iso);
      case 'row':
        return this.shownRow(tree.of, tree.at);
      case 'list':
        return tree.members
          .filter((member) => !isPlainly(undefined, member))
          .filter((member, i, all) => shape?.is !== 'collection' || this.#isFirst(member, all.slice(0, i)))
          .map((member) => this.shown(member, inner(shape)));
      case 'values': {
        const there = Object.entries(tree.members).filter(
          ([, member]) => !isPlainly(undefined, member) && !isPlainly(null, member),
        );
        return Object.fromEntries(there.map(([name, member]) => [name, this.shown(member, inner(shape))]));
      }
      case 'object': {
        // A field that the definition has is there, even if it was not sent.
        const fields = shape?.is === 'object' ? shape.fields : {};
        return {
          ...mapValues(fields, () => undefined),
          ...Object.fromEntries(
            Object.entries(tree.members).map(([name, member]) => [name, this.shown(member, fields[name])]),
          ),
        };
      }
    }
  }

  shownRow(of: number, at: number): Entity {
    const { pk, row } = this.row(of, at);
    const fields = this.#spec.classes[of] ?? {};
    const shown: Readonly<Record<string, unknown>> = Object.fromEntries(
      Object.entries(row).map(([name, tree]) => [name, this.shown(tree, fields[name]?.shape)]),
    );
    return this.class(of).fromJS({ id: pk, kind: `Class${of}`, ...shown });
  }

  /** Whether a row is not among those before it: a Collection shows each once. */
  #isFirst(member: Tree, before: readonly Tree[]): boolean {
    const nameOf = (tree: Tree): string => (tree.is === 'row' ? `${tree.of} ${this.row(tree.of, tree.at).pk}` : '');
    return !before.some((other) => nameOf(other) === nameOf(member));
  }

  class(of: number): Class {
    const found = this.classes[of];
    if (!found) throw new RangeError(`There is no class ${of}.`);
    return found;
  }

  row(of: number, at: number): { readonly pk: string; readonly row: RowSpec } {
    const rows = this.#spec.rows[of] ?? [];
    const position = at % rows.length;
    return { pk: `${position}`, row: rows[position] ?? {} };
  }

  /** The names of all rows that a row is made of, itself included. */
  parts(of: number, at: number): ReadonlySet<string> {
    const found = new Set<string>();
    const collect = (tree: Tree): void => {
      if (tree.is === 'row') {
        const { pk, row } = this.row(tree.of, tree.at);
        found.add(`Class${tree.of} ${pk}`);
        Object.values(row).forEach(collect);
      } else if ('members' in tree) Object.values(tree.members).forEach(collect);
    };
    collect({ is: 'row', of, at });
    return found;
  }
}

function isPlainly(value: unknown, tree: Tree): boolean {
  return tree.is === 'plain' && tree.value === value;
}

function inner(shape: Shape | undefined): Shape | undefined {
  return shape?.is === 'array' || shape?.is === 'values' ? shape.of : undefined;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function makeClass(of: number, fields: ClassSpec, classes: readonly (typeof Entity | undefined)[]) {
  // What is plain is not described: a class warns of a definition that is undefined.
  const described = Object.entries(fields).filter(([, { shape }]) => shape.is !== 'plain');
  const definitions = mapValues(Object.fromEntries(described), ({ shape }) => definitionOf(shape, classes));
  return class extends Entity {
    static override key = `Class${of}`;
    static override schema = definitions;
    id = '';
    kind = '';

    constructor() {
      super();
      Object.assign(
        this,
        mapValues(fields, ({ shape, required }) => (required ? defaultOf(shape) : undefined)),
      );
    }
  };
}

function defaultOf({ is }: Shape): unknown {
  if (is === 'array' || is === 'collection') return [];
  return is === 'plain' ? 'a default' : { isDefault: true };
}

function definitionOf(shape: Shape, classes: readonly Definition[]): Definition {
  switch (shape.is) {
    case 'plain':
      return undefined;
    case 'date':
      return (text: string) => new Date(text);
    case 'entity':
      return classes[shape.of];
    case 'union':
      return new schema.Union(Object.fromEntries(shape.of.map((of) => [`Class${of}`, classes[of]])), 'kind');
    case 'array':
      return [definitionOf(shape.of, classes)];
    case 'collection':
      return new Collection([definitionOf(shape.of, classes)]);
    case 'values':
      return new schema.Values(definitionOf(shape.of, classes));
    case 'object':
      return mapValues(shape.fields, (field) => definitionOf(field, classes));
  }
}
