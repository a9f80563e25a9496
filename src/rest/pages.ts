import type { Collection } from '../schema/Collection.js';
import type { ValueOf } from '../schema/infer.js';
import type { WireOf } from '../schema/wire.js';
import type { AnyParams, BodyIn, ParamsOf } from './infer.js';
import type { Flat, Given, ShapeOptions, Undeclared } from './shape.js';
import type { CollectionIn } from './inferItems.js';
import type { PageRequest } from './listMembers.js';
import type { PathValue } from './pathTypes.js';

/**
 * How the pages of a list follow each other.
 *
 * @example
 * const next: CursorOptions<{ path: '/todos'; schema: Collection<readonly [typeof Todo]> }>['next'] = (todos, args) =>
 *   todos.length < 20 ? undefined : { ...args, after: todos.at(-1)?.id };
 */
export interface CursorOptions<O extends ShapeOptions> {
  /**
   * The whole parameters of the page after the one with this answer and these parameters, or `[params, body]` where the cursor stands in the
   * body; undefined where there is none.
   */
  readonly next: (
    answer: PageAnswer<O['schema']>,
    params: ParamsOf<O>,
    request: PageRequest<BodyIn<O>>,
  ) => object | readonly [params: object, body: BodyIn<O>] | undefined;
  /** The same of the page before. */
  readonly previous?: CursorOptions<O>['next'];
  /** The most pages that the list is made of; those at the other end are dropped, and can be fetched again. */
  readonly maxPages?: number;
}

/** A processed response with a page: its list in wire form, and beside it what the schema has defaults for. */
type PageAnswer<S> =
  S extends Collection<infer D>
    ? WireOf<Collection<D>>
    : { readonly [Field in keyof S]: CollectionIn<S[Field]> extends never ? ValueOf<S[Field]> : WireOf<S[Field]> };

export type ErrorDataIn<O> = Given<O, 'errorData', Undeclared>;
export type ItemBody<O> = Given<O, 'itemBody', Undeclared>;
export type SearchIn<O> = Given<O, 'searchParams', Undeclared>;

/** The search parameters of a create: those of its list, of which it needs none. */
export type CreateSearch<O> = [SearchIn<O>] extends [Undeclared] ? Undeclared : Flat<Partial<SearchIn<O>>>;

export type PageParams<O extends ShapeOptions> = Flat<
  ([SearchIn<O>] extends [Undeclared]
    ? AnyParams
    : SearchIn<O> extends undefined
      ? unknown
      : Partial<NonNullable<SearchIn<O>>>) &
    Readonly<Record<NonNullable<O['paginationField']>, PathValue>>
>;
