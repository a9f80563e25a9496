/**
 * Reads the paths of resources and endpoints, and fills them with values.
 *
 * `:name` is a parameter, `:name?` one that may be absent and then takes the `/` before it along, `{…}` a group that is left out
 * when a parameter in it is absent, `*rest` an array of segments; a backslash makes the next character a literal one. No value can
 * add a segment, a query parameter or a host. Patterns, as in `:id(\d+)`, are not read: paths are filled here, never matched.
 */
import { resourceError, show, warnOnce } from '../errors.js';
import { getOrMake, none, own } from '../schema/Schema.js';
import type { PathValue } from './pathTypes.js';

/** A path that was read. */
export interface CompiledPath {
  readonly names: ReadonlySet<string>;
  /** The path of the list, of that of an item: without its last parameter segment and what follows, but for a slash or a suffix at its end; parameters of the host or the query are no segments. */
  readonly short: string;
  /** Whether no other segment stands behind its last parameter: it is the path of one item. */
  readonly isItem: boolean;
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

/** A literal text, a parameter, or a group of parts that is left out as a whole. */
type Part = string | Name | Part[];
type Name = { readonly name: string; readonly wildcard: boolean };

// Beyond ASCII everything counts as a letter, so that the types, which know no Unicode classes, read the same names.
const token = /\\([^])|(\/?)([:*])([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)([?+(]?)|[^\\/:*{}?(]+|[^]/g;
const compiledPaths = new Map<string, CompiledPath>();

/** Reads a path, once per path. */
export function compilePath(path: string): CompiledPath {
  return getOrMake(compiledPaths, path, () => read(path));
}

function read(path: string): CompiledPath {
  warnOnce(() => {
    // As others write it: {id}, <id> and <int:id>; [id] and [...id], and a colon alone, where they are a whole segment.
    const foreign = /(?:^|[^\\])(\{(\w+)\}|<(?:\w+:)?(\w+)>)|\/(\[(?:\.{3})?(\w+)\]|:)(?=\/|$)/;
    const [found, word, inBraces, inAngles, segment = word, inBrackets = 'name'] = foreign.exec(path) ?? [];
    return found === undefined
      ? undefined
      : [
          `parameter ${path}`,
          `${String(segment)} in the path "${path}" is no parameter: write :${inBraces ?? inAngles ?? inBrackets}.`,
        ];
  });
  const { names, parts, end } = partsOf(path);
  const [firstName = path] = names;
  const needsParams = parts.some((part) => typeof part === 'object' && !Array.isArray(part));
  const short = shortOf(path);
  const isItem = names.size > 0 && !/\/[^?#]/.test(end);
  return {
    names,
    short,
    isItem,
    needsParams,
    matches: (address) =>
      [...endsOf(parts, address, [0])].some((end) => /^(?:[?&#]|$)/.test(address.slice(end, end + 1))),
    fill: (params, endpoint) => new Filling(params, endpoint).fill(parts, firstName),
  };
}

/** What a path is made of, the names in it, and what stands behind the last of them. */
function partsOf(path: string): {
  readonly names: ReadonlySet<string>;
  readonly parts: readonly Part[];
  readonly end: string;
} {
  const unexpected = (text: string) => resourceError('R4', path, `unexpected "${text}"`);
  const names = new Set<string>();
  const parts: Part[] = [];
  const outer: Part[][] = [];
  let group = parts;
  let end = '';
  for (const [text, escaped = text, slash = '', sign, name, mark] of path.matchAll(token)) {
    end = name === undefined ? end + text : '';
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
  return { names, parts, end };
}

/** The path of the list, of that of an item. */
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

/** A path that is being filled. A class, because a request fills its path twice, and closures would take half of that time. */
class Filling {
  readonly #params: Readonly<Record<string, unknown>>;
  readonly #endpoint: string;
  #url = '';
  /** What stands before the first parameter. */
  #lead: string | undefined;
  /** Where values stand. */
  readonly #filled: (readonly [at: number, name: string])[] = [];

  constructor(params: Readonly<Record<string, unknown>>, endpoint: string) {
    this.#params = params;
    this.#endpoint = endpoint;
  }

  fill(parts: readonly Part[], firstName: string): string {
    for (const part of parts) this.#write(part);
    const [address = ''] = this.#url.split(/[?#]/, 1);
    // Most addresses have no dot at all.
    for (const [at, name] of /\.|%2e/i.test(address) ? this.#filled : none) {
      const segment = `${address.slice(0, at).split('/').at(-1)}${address.slice(at).split('/', 1)[0]}`;
      if (at < address.length && /^(\.|%2e){1,2}$/i.test(segment)) throw this.#refusal('R12', name);
    }
    // Two slashes make a host, so they must be the path's own, and not what an absent parameter left behind.
    const [host] = /^([^/]*:)?\/\/+/.exec(address) ?? [''];
    if (this.#lead !== undefined && !this.#lead.startsWith(host)) throw this.#refusal('R12', firstName);
    return this.#url;
  }

  #write(part: Part): void {
    if (typeof part === 'string') {
      this.#url += part;
      return;
    }
    this.#lead ??= this.#url;
    if (!Array.isArray(part)) this.#writeValue(part);
    else if (part.every((one) => typeof one === 'string' || Array.isArray(one) || this.#segmentsOf(one).length > 0))
      for (const one of part) this.#write(one);
  }

  #writeValue(part: Name): void {
    const { name } = part;
    const segments = this.#segmentsOf(part);
    if (segments.length === 0) throw this.#refusal('R3', name);
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i];
      if (!isPathValue(segment)) throw this.#refusal('R3', name);
      // Half a surrogate pair has no encoding.
      if (/\p{Cs}/u.test(String(segment))) throw this.#refusal('R12', name);
      if (i > 0) this.#url += '/';
      this.#filled.push([this.#url.length, name]);
      this.#url += encodeURIComponent(segment);
    }
  }

  #segmentsOf({ name, wildcard }: Name): readonly unknown[] {
    const value = own(this.#params, name);
    if (wildcard && Array.isArray(value)) return value;
    return isMissing(value) ? none : [value];
  }

  #refusal(code: 'R3' | 'R12', name: string): Error {
    return resourceError(code, this.#endpoint, name, show(own(this.#params, name)));
  }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

function isPathValue(value: unknown): value is PathValue {
  return !isMissing(value) && ['string', 'number', 'boolean'].includes(typeof value);
}
