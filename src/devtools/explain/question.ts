/**
 * What may be asked of a recorder: a row or one of its fields, a list or whether a row is in it, or a request.
 *
 * @example
 * const question: Question = { list: 'Todo/getList', args: [{ userId: 1 }], pk: '5' };
 */
export type Question = EntityQuestion | ListQuestion | RequestQuestion;

/**
 * A row, or one field of it.
 *
 * @example
 * const question: EntityQuestion = { entity: 'Todo', pk: '5', field: 'title' };
 */
export interface EntityQuestion {
  /** The name of its table. */
  readonly entity: string;
  readonly pk: string;
  readonly field?: string;
  readonly list?: never;
  readonly args?: never;
  readonly request?: never;
}

/**
 * A list, or whether a row is in it.
 *
 * @example
 * const question: ListQuestion = { list: 'Todo/getList', args: [{ userId: 1 }], pk: '5' };
 */
export interface ListQuestion {
  /** The name of the endpoint that reads it. */
  readonly list: string;
  /** What that is called with. */
  readonly args: readonly unknown[];
  readonly pk?: string;
  readonly entity?: never;
  readonly field?: never;
  readonly request?: never;
}

/**
 * A request.
 *
 * @example
 * const question: RequestQuestion = { request: 'Todo/get GET /todos/5' };
 */
export interface RequestQuestion {
  /** Its name and key, as in the state. */
  readonly request: string;
  readonly entity?: never;
  readonly pk?: never;
  readonly field?: never;
  readonly list?: never;
  readonly args?: never;
}

/**
 * What is shown, and why.
 *
 * @example
 * const tell = ({ because }: Explanation) => because.map(({ text }) => text).join(' ');
 */
export interface Explanation {
  /** What selectors show, in wire form: of a list its pks, of a membership a boolean, of a request its status. */
  readonly value: unknown;
  /** Why: what decides it first, then the newest first. */
  readonly because: readonly Reason[];
}

/**
 * Why something is shown as it is, or is not.
 *
 * @example
 * const isGuessed = (reason: Reason) => reason.kind === 'guess';
 */
export interface Reason {
  readonly kind:
    | 'answer'
    | 'guess'
    | 'set'
    | 'covered'
    | 'older'
    | 'waits'
    | 'doubt'
    | 'expired'
    | 'invalid'
    | 'belongs'
    | 'deleted'
    | 'hidden-double'
    | 'partial'
    | 'default'
    | 'hydrated'
    | 'collected'
    | 'before-recording';
  /** It in plain English. */
  readonly text: string;
  /** The event that it follows from, if it was recorded. */
  readonly eventId?: string;
}
