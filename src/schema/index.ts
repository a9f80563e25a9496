import { All } from './All.js';
import { ArraySchema } from './Array.js';
import { Collection } from './Collection.js';
import { Invalidate } from './Invalidate.js';
import { Lazy } from './Lazy.js';
import { ObjectSchema } from './Object.js';
import { Query } from './Query.js';
import { UnionSchema } from './Union.js';
import { ValuesSchema } from './Values.js';

/** The schemas by the names they have in the field. */
export const schema = {
  Array: ArraySchema,
  Object: ObjectSchema,
  Values: ValuesSchema,
  Union: UnionSchema,
  Invalidate,
  Collection,
  All,
  Query,
  Lazy,
} as const;
