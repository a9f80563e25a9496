/** The schemas by the names they have in the field; `schema.Union` is a class, and the type of what it makes. */
export { AllSchema as All } from './All.js';
export { ArraySchema as Array } from './Array.js';
export { Collection } from './Collection.js';
export { InvalidateSchema as Invalidate } from './Invalidate.js';
export { LazySchema as Lazy } from './Lazy.js';
export { ObjectSchema as Object } from './Object.js';
export { QuerySchema as Query } from './Query.js';
export { UnionSchema as Union } from './Union.js';
export { ValuesSchema as Values } from './Values.js';
