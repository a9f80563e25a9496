/**
 * The value that a definition describes, or that an endpoint gives.
 *
 * @example
 * const page = { results: [Todo], next: '' };
 * type Page = ValueOf<typeof page>; // { results: Todo[]; next: string }
 */
export type ValueOf<D> = D extends abstract new (...args: never) => infer Instance
  ? D extends (wire: never) => infer Value
    ? ConstructedBy<D, Value>
    : Instance
  : D extends { denormalize(ref: never, from: never): infer Value }
    ? Shown<Value>
    : D extends readonly (infer Item)[]
      ? ValueOf<Item>[]
      : D extends (...args: never) => infer Value
        ? Unwrapped<Value>
        : D extends Readonly<Record<string, unknown>>
          ? { -readonly [Field in keyof D]: ValueOf<D[Field]> }
          : Widened<D>;

/** What a schema gives, when it is there. */
type Shown<Value> = [Value] extends [undefined] ? Value : Exclude<Value, undefined>;

/** What comes of a constructor that can be called: `Number` is called, `Date` gets `new`. */
type ConstructedBy<D, Called> = D extends DateConstructor ? Date : Called;

/** A default value as what it is one of. */
export type Widened<D> = D extends string ? string : D extends number ? number : D extends boolean ? boolean : D;

/** What a call gives: a value, or a request, whose promise has it. */
type Unwrapped<Called> = Called extends (...args: never) => { unwrap(): Promise<infer Value> } ? Value : Called;
