import { orElse } from '../errors.js';
import { withPrefix } from '../schema/address.js';

/** A path as it is matched against addresses. */
export interface Address {
  readonly template: string;
  /** The parameters of an address; undefined where it is another. */
  match(url: URL): Matched | undefined;
  /** The same for all paths that differ in the names of parameters alone; a literal comes before a parameter. */
  readonly shape: string;
  /** Whether it is that of requests with a query string of its own alone. */
  readonly hasQuery: boolean;
  /** The names of its parameters. */
  readonly names: readonly string[];
}

interface Matched {
  readonly params: Readonly<Record<string, readonly string[]>>;
  /** What stands before the path where its endpoint says nothing of it: a store may. */
  readonly prefix: string;
}

const token = /\\([^])|(\/?)([:*])([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)(\??)|[^]/gu;

/** Reads a path, which may begin with what an endpoint has before every path. */
export function addressOf(urlPrefix: string, path: string): Address {
  const template = withPrefix(urlPrefix, path);
  const { parameters, source, shape, hasQuery } = read(template);
  const pattern = new RegExp(`^${beginningOf(urlPrefix, template)}${source}${hasQuery ? '(?:&.*)?' : ''}$`);
  return {
    template,
    shape,
    hasQuery,
    names: parameters.map(({ name }) => name),
    match: (url) => {
      const found = pattern.exec(`${url.origin}${url.pathname}${hasQuery ? url.search : ''}`);
      if (!found) return undefined;
      const values = parameters.flatMap(({ name, isMany }, i) => {
        const text = found[i + 2];
        return text === undefined ? [] : [[name, (isMany ? text.split('/') : [text]).map(decoded)] as const];
      });
      return { params: Object.fromEntries(values), prefix: found[1] ?? '' };
    },
  };
}

/** The parameters of a path, its shape, and the pattern of the addresses that it stands for. */
function read(template: string) {
  const parameters: { readonly name: string; readonly isMany: boolean }[] = [];
  let [source, shape, hasQuery] = ['', '', false];
  for (const [text, escaped, slash = '', sign, name, mark = ''] of template.matchAll(token)) {
    // What a path has behind a question mark is told by its query string.
    if (text === '?') break;
    if (name !== undefined) {
      const isMany = sign === '*';
      parameters.push({ name, isMany });
      source += `(?:${slash}(${isMany ? '.+' : '[^/]+?'}))${mark}`;
      shape += `${slash}\uffff${isMany ? '*' : ''}`;
    } else if (text === '{') source += '(?:';
    else if (text === '}') source += ')?';
    else {
      hasQuery ||= escaped === '?';
      shape += escaped ?? text;
      source += literal(escaped ?? text);
    }
  }
  return { parameters, source, shape, hasQuery };
}

/** The pattern of what stands before a path: the origin, and what a store, a proxy, or a `url` of the user's own may put there; any other path is that of something else. */
function beginningOf(urlPrefix: string, template: string): string {
  if (/^(?:[a-z][^/]*:)?\/\//i.test(template)) return template.startsWith('//') ? '[a-z]+:()' : '()';
  const prefix = urlPrefix === '' ? '((?:/api)?(?:/v\\d+)?)' : '()';
  return `[a-z]+://[^/]+${prefix}${/^[/{]|^$/.test(template) ? '' : '/'}`;
}

function literal(text: string): string {
  return (/[!-~]/.test(text) ? text : encodeURIComponent(text)).replace(/[.*+?^${}()|[\]\\]/, '\\$&');
}

function decoded(text: string): string {
  return orElse(() => decodeURIComponent(text), text);
}
