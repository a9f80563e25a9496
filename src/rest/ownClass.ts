import type { SHAPE } from './internal.js';
import type { EndpointValue, Override, ProcessOption, Sound, WithProcess } from './infer.js';
import type { SameAs, ShapeOptions } from './shape.js';
import type { EndpointOptions, HooksOf, MemberSettings } from './options.js';
import type { CursorOptions } from './pages.js';
import type { CursorListEndpoint, Endpoint, PageReadOf, RestEndpoint } from './RestEndpoint.js';

/** A subclass of RestEndpoint; that it is no mere function lets a generic one be told from its options. */
export type EndpointClass<Made extends object = object> = (abstract new (options: never) => Made) & {
  readonly prototype: object;
};

/** What a class of the user's takes beside the options that all take: its own public fields. */
export type OwnOptions<Made> = [keyof Made] extends [keyof RestEndpoint]
  ? unknown
  : { readonly [Name in Exclude<keyof Made, keyof RestEndpoint>]?: Made[Name] };

/** What a member of a resource is made of. */
export type ShapeIn<Member> = Member extends { readonly [SHAPE]?: infer O extends ShapeOptions } ? O : never;

/** The options that extend an endpoint of this shape. */
export type ExtendOptions<O extends ShapeOptions, New, Known = EndpointOptions> = SameAs<New, Known> &
  Partial<ShapeOptions> &
  MemberSettings<EndpointValue<Override<O, New>>> &
  HooksOf<Override<O, New>> &
  Sound<New>;

/** The same for an endpoint of a class of the user's. */
export type OwnExtendOptions<O extends ShapeOptions, New, Made> = ExtendOptions<O, New, EndpointOptions & Made> &
  OwnOptions<Made>;

/** An endpoint of a class of the user's: what the class adds, also on the endpoints that are made of this one. */
export type OfClass<Member, Made> = [keyof Made] extends [keyof RestEndpoint]
  ? Member
  : Omit<Made, keyof RestEndpoint> & OwnExtend<ShapeIn<Member>, Made> & OwnMembers<Member, Made> & Member;

type OwnMembers<Member, Made> = Member extends ListParts
  ? OwnList<Member, ShapeIn<Member>, Made> &
      (Member extends TurnParts ? OwnTurns<Member, Made> : unknown) &
      (Member extends PageParts ? OwnPage<Member, Made> : unknown)
  : unknown;

/**
 * An endpoint of a class of the user's, as far as it can be extended.
 *
 * @example
 * type Extends = OwnExtend<{ path: '/todos/:id'; schema: typeof Todo }, MyEndpoint>['extend'];
 */
export interface OwnExtend<O extends ShapeOptions, Made> {
  /** A new endpoint of the class with other options. */
  extend<New extends Partial<ShapeOptions>, Processed = unknown>(
    options: OwnExtendOptions<O, New, Made> &
      ThisType<RestEndpoint<Override<O, New>> & Omit<Made, keyof RestEndpoint>> &
      ProcessOption<Override<O, New>, Processed>,
  ): OfClass<Endpoint<WithProcess<Override<O, New>, Processed>>, Made>;
}

/** The members of a list that change it. */
interface ListParts {
  readonly push: unknown;
  readonly unshift: unknown;
  readonly assign: unknown;
  readonly remove: unknown;
  readonly move: unknown;
}

/**
 * The members of a list whose endpoints are of a class of the user's.
 *
 * @example
 * type Push = OwnList<typeof TodoResource.getList, { path: '/todos' }, MyEndpoint>['push'];
 */
export interface OwnList<List extends ListParts, O extends ShapeOptions, Made> {
  /** Creates an item, and adds it at the end of every list it belongs to. */
  readonly push: OfClass<List['push'], Made>;
  /** Creates an item, and adds it at the start of every list it belongs to. */
  readonly unshift: OfClass<List['unshift'], Made>;
  /** Adds values by name. */
  readonly assign: OfClass<List['assign'], Made>;
  /** Takes an item out of the lists of these arguments. */
  readonly remove: OfClass<List['remove'], Made>;
  /** Changes an item so that it belongs to other lists. */
  readonly move: OfClass<List['move'], Made>;
  /** Makes what reads a page that other parameters ask for. */
  paginated<Params extends object>(removeCursor: (params: Params) => object): OfClass<PageReadOf<O, Params>, Made>;
  /** Makes the same list, whose pages say how to ask for those beside them. */
  paginated(options: CursorOptions<O>): OfClass<CursorListEndpoint<O>, Made>;
}

interface TurnParts {
  readonly getNextPage: unknown;
  readonly getPreviousPage: unknown;
}

/**
 * What turns the pages of a list whose endpoints are of a class of the user's.
 *
 * @example
 * type Next = OwnTurns<typeof TodoResource.getList, MyEndpoint>['getNextPage'];
 */
export interface OwnTurns<List extends TurnParts, Made> {
  /** Reads the page after the last that the list is made of; sends nothing where there is none. */
  readonly getNextPage: OfClass<List['getNextPage'], Made>;
  /** Reads the page before the first that the list is made of; sends nothing where there is none. */
  readonly getPreviousPage: OfClass<List['getPreviousPage'], Made>;
}

interface PageParts {
  readonly getPage: unknown;
}

/**
 * What reads a page of a list whose endpoints are of a class of the user's.
 *
 * @example
 * type Page = OwnPage<typeof TodoResource.getList, MyEndpoint>['getPage'];
 */
export interface OwnPage<List extends PageParts, Made> {
  /** Reads a page, and adds it to the list. */
  readonly getPage: OfClass<List['getPage'], Made>;
}
