import type { Schema } from './Schema.js';

/** The value that a definition describes. */
export type ValueOf<D> =
  D extends Schema<infer Value>
    ? Value
    : D extends abstract new (...args: never) => infer Instance
      ? Instance
      : D extends readonly [infer Item]
        ? ValueOf<Item>[]
        : D extends (wire: never) => infer Value
          ? Value
          : D extends Readonly<Record<string, unknown>>
            ? { -readonly [Field in keyof D]: ValueOf<D[Field]> }
            : Widen<D>;

type Widen<D> = D extends string ? string : D extends number ? number : D extends boolean ? boolean : D;
