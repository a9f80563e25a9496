/** What the types know of a path: its parameters, and the path of its list, as `path.ts` reads them at run time. */
import type { Flat } from './shape.js';

/**
 * What a path parameter may be given as.
 *
 * @example
 * const urlOf = (id: PathValue) => TodoResource.get.url({ id });
 */
export type PathValue = string | number | boolean;

/** The parameters a path names: required, optional (`:x?` or in a group), and arrays for wildcards. */
export type PathParams<Path extends string> = Path extends string
  ? PlainNames<Path> extends infer Names extends string
    ? { [Name in Names]: PathValue }
    : AnyParams<Path>
  : never;

/** The parameters of a path that is not plain. */
type AnyParams<Path extends string> =
  ParamsOf<Path> extends infer Found extends Param
    ? Flat<
        { [P in Needed<Found> as P['name']]: P['value'] } & {
          [P in Found as OptionalName<P, Found>]?: P['value'] | null | undefined;
        }
      >
    : Record<string, unknown>;

/**
 * The path of the list, of that of an item: without its last parameter segment and what follows, but for a slash or a suffix (`.json`) at its end.
 *
 * @example
 * type Lists = ShortenPath<'/users/:user/todos/:id'>; // '/users/:user/todos'
 */
export type ShortenPath<Path extends string> = Path extends string
  ? PlainNames<Path> extends string
    ? PlainCut<Path>
    : AnyShort<Path>
  : never;

/** What most paths are like is read a segment at a time, which costs a compiler a tenth: `/a/:b/c`, without any other sign. */
type PlainNames<Path extends string> = Path extends `/${infer Rest}`
  ? Path extends `${string}${'\\' | '{' | '}' | '*' | '?' | '//'}${string}`
    ? null
    : Record<never, never> extends Record<Path, unknown>
      ? null
      : NamesIn<Rest>
  : null;
type NamesIn<Path extends string, Found extends string = never> = Path extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> extends infer Name extends string
    ? NamesIn<Rest, Found | Name>
    : null
  : NameOf<Path> extends infer Name extends string
    ? Found | Name
    : null;
type NameOf<Segment extends string> = Segment extends `${infer Before}:${infer Name}`
  ? [Before, Name] extends ['', NoName]
    ? null
    : Before extends ''
      ? Name
      : null
  : never;
type NoName = '' | `${number}${string}` | `${string}${Stop}${string}`;
type PlainCut<
  Path extends string,
  Head extends string = '',
  Short extends string = Path,
> = Path extends `${infer Segment}/${infer Rest}`
  ? PlainCut<Rest, `${Head}${Segment}/`, Segment extends `:${string}` ? Parent<Head> : Short>
  : Path extends ''
    ? WithSlash<Short>
    : Path extends `:${string}`
      ? Parent<Head>
      : Short;
type WithSlash<Short extends string> = Short extends '' | `${string}/` ? Short : `${Short}/`;
type Parent<Head extends string> = Head extends `${infer Rest}/` ? (Rest extends '' ? '/' : Rest) : Head;

type AnyShort<Path extends string> = Path extends `${infer Scheme}//${infer Rest}`
  ? Scheme extends `${string}${'/' | '{' | '}' | '?'}${string}`
    ? Cut<Path>
    : Scheme extends '' | `${string}:`
      ? Cut<Rest, `${Scheme}//`, '', Path, '', true>
      : Cut<Path>
  : Cut<Path>;

type Param = { readonly name: string; readonly needed: boolean; readonly value: unknown };
type Needed<Found extends Param> = Extract<Found, { needed: true }>;
type OptionalName<P extends Param, Found extends Param> = Exclude<P['name'], Needed<Found>['name']>;
type CharsOf<Text extends string> = Text extends `${infer Char}${infer Rest}` ? Char | CharsOf<Rest> : never;
/** What ends a name: all of ASCII but letters, digits, `_` and `$`. */
type Stop = CharsOf<'\t\n\r !"#%&\'()*+,-./:;<=>?@[\\]^`{|}~'>;

/** The first token of a path and what follows it; `[]` at the end, `null` at what is not literal. */
type Next<Path extends string> = Path extends `\\${infer Char}${infer Rest}`
  ? [`\\${Char}`, Rest]
  : Path extends `${infer Char}${infer Rest}`
    ? string extends Char
      ? null
      : [Char, Rest] extends [':' | '*', `${infer First}${string}`]
        ? First extends Stop | `${number}`
          ? [Char, Rest]
          : WithName<Char, Rest>
        : [Char, Rest]
    : Path extends ''
      ? []
      : null;
type WithName<Token extends string, Text extends string> = Text extends `?${infer Rest}`
  ? [`${Token}?`, Rest]
  : Text extends `${infer Char}${infer Rest}`
    ? Char extends Stop
      ? [Token, Text]
      : WithName<`${Token}${Char}`, Rest>
    : [Token, Text];

/** The parameters of a path; `null` where it is not wholly literal. */
type ParamsOf<Path extends string, Open extends string = '', Found = never> =
  Next<Path> extends [infer Token extends string, infer Rest extends string]
    ? ParamsOf<Rest, OpenAfter<Token, Open>, Found | ParamOf<Token, Open>>
    : Next<Path> extends []
      ? Found
      : null;
type ParamOf<Token extends string, Open extends string> = Token extends `${infer Sign extends ':' | '*'}${infer Marked}`
  ? Marked extends ''
    ? never
    : {
        name: Marked extends `${infer Name}?` ? Name : Marked;
        needed: [Marked, Open] extends [`${string}?`, string] | [string, `}${string}`] ? false : true;
        value: Sign extends '*' ? readonly PathValue[] : PathValue;
      }
  : never;

/** Walks a path as `compilePath` does for `short`. */
type Cut<
  Path extends string,
  Head extends string = '',
  Open extends string = '',
  Short extends string = Path,
  Start extends string = '',
  InHost extends boolean = false,
  Tail extends string | null = null,
> =
  Next<Path> extends [infer Token extends string, infer Rest extends string]
    ? Token extends '?' | '\\?'
      ? WithEnd<Short, Tail>
      : Token extends '/' | '\\/'
        ? Cut<Rest, `${Head}${Token}`, Open, Short, Before<Head, Open, InHost>, false, Follow<Tail, Token>>
        : [InHost, ParamOf<Token, Open>] extends [true, unknown] | [boolean, never]
          ? Cut<
              Rest,
              `${Head}${Token}`,
              OpenAfter<Token, Open>,
              Short,
              [Token, Head, InHost] extends ['(' | '\\(', infer Text, false]
                ? Text extends '' | `${string}/`
                  ? Start
                  : Before<Head, Open, InHost>
                : Start,
              InHost,
              Follow<Tail, Token>
            >
          : Cut<Rest, `${Head}${Token}`, Open, Start, Start, InHost, ''>
    : Next<Path> extends []
      ? WithEnd<Short, Tail>
      : string;
type Follow<Tail extends string | null, Token extends string> = Tail extends string ? `${Tail}${Token}` : null;
/** A shortened path with the slash or the suffix that the path ends with. */
type WithEnd<Short extends string, Tail extends string | null> = Short extends '' | `${string}/`
  ? Short
  : Tail extends `${string}/`
    ? `${Short}/`
    : Tail extends `}${infer Rest}`
      ? WithEnd<Short, Rest>
      : Tail extends `.${infer Suffix}`
        ? Suffix extends '' | `${string}${Exclude<Stop, '.'>}${string}`
          ? Short
          : `${Short}.${Suffix}`
        : Short;
type OpenAfter<Token extends string, Open extends string> = Token extends '{'
  ? `}${Open}`
  : [Token, Open] extends ['}', `}${infer Outer}`]
    ? Outer
    : Open;
/** The path before a segment, with its groups closed. */
type Before<Head extends string, Open extends string, InHost extends boolean> = Head extends `${infer Rest}{`
  ? Rest extends `${string}\\`
    ? `${Head}${InHost extends true ? '/' : ''}${Open}`
    : Before<Rest, OpenAfter<'}', Open>, InHost>
  : `${Head}${[Head, InHost] extends ['', boolean] | [string, true] ? '/' : ''}${Open}`;
