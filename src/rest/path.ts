/**
 * Reads the paths of resources and endpoints, and fills them with values.
 *
 * `:name` is a parameter, `:name?` one that may be absent and then takes the `/` before it along, `{…}` a group that is left out
 * when a parameter in it is absent, `*rest` an array of segments; a backslash makes the next character a literal one. No value can
 * add a segment, a query parameter or a host. Patterns, as in `:id(\d+)`, are not read: paths are filled here, never matched.
 */
import { resourceError, show } from '../errors.js';

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

/** The path of the list, of that of an item: without its last parameter segment and what follows, but for a slash or a suffix (`.json`) at its end. */
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

/** A path that was read. */
export interface CompiledPath {
  readonly names: ReadonlySet<string>;
  /** What `shortenPath` gives. */
  readonly short: string;
  /** Whether a parameter cannot be left out. */
  readonly needsParams: boolean;
  /** Whether an address can be one of this path. */
  matches(address: string): boolean;
  /**
   * The address for these values.
   *
   * @throws R3 where a required value is missing or is no string, number or boolean; R12 where it would lead to another address.
   */
  fill(params: Readonly<Record<string, unknown>>, endpoint: string): string;
}

type Param = { readonly name: string; readonly needed: boolean; readonly value: unknown };
type Needed<Found extends Param> = Extract<Found, { needed: true }>;
type OptionalName<P extends Param, Found extends Param> = Exclude<P['name'], Needed<Found>['name']>;
type Flat<T> = T extends infer Shape ? { [K in keyof Shape]: Shape[K] } : never;
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

/** Walks a path as `shortenPath` does. */
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

/** A literal text, a parameter, or a group of parts that is left out as a whole. */
type Part = string | Name | Part[];
type Name = { readonly name: string; readonly wildcard: boolean };

// Beyond ASCII everything counts as a letter, so that the types, which know no Unicode classes, read the same names.
const token = /\\([^])|(\/?)([:*])([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)([?+(]?)|[^\\/:*{}?(]+|[^]/g;
const compiledPaths = new Map<string, CompiledPath>();

/** Reads a path, once per path. */
export function compilePath(path: string): CompiledPath {
  let compiled = compiledPaths.get(path);
  if (!compiled) compiledPaths.set(path, (compiled = read(path)));
  return compiled;
}

/** The path of the list, of that of an item: without its last parameter segment and what follows, but for a slash or a suffix at its end; parameters of the host or the query are no segments. */
export function shortenPath(path: string): string {
  return compilePath(path).short;
}

function read(path: string): CompiledPath {
  const { names, parts } = partsOf(path);
  const [firstName = path] = names;
  const needsParams = parts.some((part) => typeof part === 'object' && !Array.isArray(part));
  const short = shortOf(path);
  return { names, short, needsParams, matches: (address) => matches(parts, address), fill: fillerOf(parts, firstName) };
}

/** What a path is made of, and the names in it. */
function partsOf(path: string): { readonly names: ReadonlySet<string>; readonly parts: readonly Part[] } {
  const unexpected = (text: string) => resourceError('R4', path, `unexpected "${text}"`);
  const names = new Set<string>();
  const parts: Part[] = [];
  const outer: Part[][] = [];
  let group = parts;
  for (const [text, escaped = text, slash = '', sign, name, mark] of path.matchAll(token)) {
    if (name !== undefined) {
      if (mark === '+' || mark === '(') throw unexpected(mark);
      names.add(name);
      const param = [slash, { name, wildcard: sign === '*' }];
      if (mark) group.push(param);
      else group.push(...param);
    } else if (text === '{') {
      outer.push(group);
      group.push((group = []));
    } else if (text === '}') {
      const around = outer.pop();
      if (!around) throw unexpected(text);
      group = around;
    } else {
      if (text === '*' || text === '\\') throw unexpected(text);
      // The URL parser drops white space and takes a backslash for a slash, which would join or part what is checked here.
      group.push(escaped.replace(/[\0-\x20\\]/g, encodeURIComponent));
    }
  }
  if (outer.length) throw unexpected('{');
  return { names, parts };
}

/** What `shortenPath` gives. */
function shortOf(path: string): string {
  const [origin] = /^(?:[^/{}?]*:)?\/\//.exec(path) ?? [''];
  let isHost = origin !== '';
  let depth = 0;
  let [head, start, short, tail] = ['', '', path, ''];
  for (const [text, escaped = text, slash, , name] of path.matchAll(token)) {
    if (escaped === '?') break;
    if ((slash || escaped === '/') && head.length >= origin.length) {
      start = closed(head, depth, isHost);
      isHost = false;
    } else if (escaped === '(' && !isHost && /[^/]$/.test(head)) start = closed(head, depth);
    head += text;
    if (!isHost) {
      tail += text;
      if (name !== undefined) [short, tail] = [start, ''];
    }
    depth += Number(text === '{') - Number(text === '}');
  }
  const end = /\/$/.exec(tail) ?? /^\}*(\.[\w$.\u0080-\uffff]+)$/.exec(tail);
  return short !== path && /[^/]$/.test(short) ? short + (end?.at(-1) ?? '') : short;
}

/** The path before a segment, with its groups closed. */
function closed(head: string, depth: number, isHost = false): string {
  const kept = head.replace(/(^|[^\\])\{+$/, '$1');
  return kept + (isHost || !kept ? '/' : '') + '}'.repeat(depth + kept.length - head.length);
}

function matches(parts: readonly Part[], address: string): boolean {
  return [...endsOf(parts, address, [0])].some((end) => /^(?:[?&#]|$)/.test(address.slice(end, end + 1)));
}

/** Where these parts may end that begin at one of some places. Tried all at once, for a search that goes back takes seconds. */
function endsOf(parts: readonly Part[], address: string, starts: Iterable<number>): ReadonlySet<number> {
  let ends = new Set(starts);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of Array.isArray(part) ? [...ends, ...endsOf(part, address, ends)] : ends) {
      if (Array.isArray(part)) next.add(at);
      else if (typeof part !== 'string') addSegment(next, part, address, at);
      else if (address.startsWith(part, at)) next.add(at + part.length);
    }
    ends = next;
  }
  return ends;
}

/** Adds where a value may end; what is there already has all that is behind it. */
function addSegment(ends: Set<number>, { wildcard }: Name, address: string, at: number): void {
  const stop = wildcard ? '?#' : '/?#&';
  for (let end = at; end < address.length && !stop.includes(address.charAt(end)) && !ends.has(end + 1);)
    ends.add(++end);
}

function fillerOf(parts: readonly Part[], firstName: string): CompiledPath['fill'] {
  return (params, endpoint) => {
    const valueOf = (name: string) => (Object.hasOwn(params, name) ? params[name] : undefined);
    const refuse = (code: 'R3' | 'R12', name: string) => resourceError(code, endpoint, name, show(valueOf(name)));
    const segmentsOf = ({ name, wildcard }: Name): readonly unknown[] => {
      const value = valueOf(name);
      return wildcard && Array.isArray(value) ? value : isMissing(value) ? [] : [value];
    };
    const isPresent = (part: Part) => typeof part === 'string' || Array.isArray(part) || segmentsOf(part).length > 0;
    const filled: (readonly [at: number, name: string])[] = [];
    let url = '';
    let lead: string | undefined;

    const write = (part: Part): void => {
      if (typeof part !== 'string') lead ??= url;
      if (typeof part === 'string') url += part;
      else if (!Array.isArray(part)) writeValue(part);
      else if (part.every(isPresent)) part.forEach(write);
    };
    const writeValue = (part: Name) => {
      const segments = segmentsOf(part);
      if (!segments.length) throw refuse('R3', part.name);
      for (const [index, segment] of segments.entries()) {
        if (!isPathValue(segment)) throw refuse('R3', part.name);
        // Half a surrogate pair has no encoding.
        if (/\p{Cs}/u.test(String(segment))) throw refuse('R12', part.name);
        if (index) url += '/';
        filled.push([url.length, part.name]);
        url += encodeURIComponent(segment);
      }
    };
    parts.forEach(write);

    const [address = ''] = url.split(/[?#]/, 1);
    for (const [at, name] of filled) {
      const segment = `${address.slice(0, at).split('/').at(-1)}${address.slice(at).split('/', 1)[0]}`;
      if (at < address.length && /^(\.|%2e){1,2}$/i.test(segment)) throw refuse('R12', name);
    }
    // Two slashes make a host, so they must be the path's own, and not what an absent parameter left behind.
    const [host] = /^([^/]*:)?\/\/+/.exec(address) ?? [''];
    if (lead !== undefined && !lead.startsWith(host)) throw refuse('R12', firstName);
    return url;
  };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

function isPathValue(value: unknown): value is PathValue {
  return !isMissing(value) && ['string', 'number', 'boolean'].includes(typeof value);
}
