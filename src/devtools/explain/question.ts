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
export interface EntityQuestion extends Without<'list' | 'args' | 'request'> {
  /** The name of its table. */
  readonly entity: string;
  /** Its pk; also the temporary one that it had. */
  readonly pk: string;
  /** The field; absent for the row. */
  readonly field?: string;
}

/**
 * A list, or whether a row is in it.
 *
 * @example
 * const question: ListQuestion = { list: 'Todo/getList', args: [{ userId: 1 }], pk: '5' };
 */
export interface ListQuestion extends Without<'entity' | 'field' | 'request'> {
  /** The name of the endpoint that reads it. */
  readonly list: string;
  /** What that is called with. */
  readonly args: readonly unknown[];
  /** The pk of the row; absent for the list. */
  readonly pk?: string;
}

/**
 * A request.
 *
 * @example
 * const question: RequestQuestion = { request: 'Todo/get GET /todos/5' };
 */
export interface RequestQuestion extends Without<'entity' | 'pk' | 'field' | 'list' | 'args'> {
  /** Its name and key, as in the state. */
  readonly request: string;
}

/** A question has the parts of one kind, and none of the others. */
type Without<Names extends string> = { readonly [Name in Names]?: never };

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
  /** Which kind of reason it is; the guide tells what each means. */
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
