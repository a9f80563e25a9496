/** The entry `rtk-resource/normalize`: the engine by hand, without a store, and what a schema of one's own implements. */
export type { ValueOf, Widened } from '../schema/infer.js';
export type {
  AnswerMeta,
  Candidate,
  Definition,
  Finder,
  List,
  ListOperation,
  NestingSchema,
  Normalizer,
  Owner,
  Reader,
  Ref,
  Resolve,
  Row,
  RowSchema,
  Schema,
  UnionRef,
} from '../schema/Schema.js';
export type { Changes, RowChanges } from './changes.js';
export type { ListChange } from './members.js';
export { denormalize } from './denormalize.js';
export { Memory } from './Memory.js';
export { normalize, type Normalized, type NormalizeOptions } from './normalize.js';
export type { Place, Places } from './Places.js';
export type { Table, Tables } from './tables.js';
