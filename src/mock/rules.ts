import { addressOf } from './addresses.js';
import { nearestText } from './names.js';
import { isEndpoint, type Route, type ServedEndpoint } from './routes.js';

/**
 * Undoes what it was given for.
 *
 * @example
 * const undo: Undo = server.hold('PATCH');
 * undo();
 */
export type Undo = () => void;

/**
 * A method of HTTP.
 *
 * @example
 * const method: Method = 'PATCH';
 * server.hold(`${method} /todos/:id`);
 */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Which requests are meant: those of an endpoint, of a method, of a path, or those that a function chooses.
 *
 * @example
 * const matches: readonly Match[] = [TodoResource.get, 'PATCH', '/todos/:id', 'GET /todos', (request) => request.headers.has('x-slow')];
 */
export type Match = ServedEndpoint | Method | `/${string}` | `${Method} /${string}` | ((request: Request) => boolean);

/** A request, as far as rules look at it. */
export interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly route: Route;
}

/** What is done with requests that are meant, until it is undone or has been done so many times. */
export class Rules<Value> {
  #rules: { readonly isMeant: (asked: Asked) => boolean; readonly value: Value; times: number }[] = [];

  add(isMeant: (asked: Asked) => boolean, value: Value, times = Infinity): Undo {
    const rule = { isMeant, value, times };
    this.#rules.push(rule);
    return () => {
      this.#rules = this.#rules.filter((one) => one !== rule);
    };
  }

  /** The value of the newest rule that means a request; this is one of its times. */
  take(asked: Asked): Value | undefined {
    const rule = this.#rules.findLast(({ isMeant, times }) => times > 0 && isMeant(asked));
    if (rule) rule.times--;
    return rule?.value;
  }

  clear(): void {
    this.#rules = [];
  }
}

/** Reads which requests are meant. Throws a TypeError for an endpoint, a path, or a method of a path that the server does not have. */
export function meaningOf(match: Match, routes: readonly Route[]): (asked: Asked) => boolean {
  if (isEndpoint(match)) {
    const { method, urlPrefix, path, name } = match;
    const { shape } = addressOf(urlPrefix, path);
    const isOf = (route: Route): boolean => route.method === method && route.address.shape === shape;
    if (!routes.some(isOf))
      throw new TypeError(`The server does not have ${name}. ${nearRoutes(`${method} ${path}`, routes)}`);
    return ({ route }) => isOf(route);
  }
  if (typeof match === 'function') return ({ request }) => match(request);
  const [, method, path = ''] = /^([A-Z]*) ?(.*)$/.exec(match) ?? [];
  // What stands behind the question mark of `/todos/:id?` is no query string.
  const [place = '', query] = path.split(/\?(?=\w)/);
  const wanted = [...new URLSearchParams(query)];
  const fits = ({ request, url }: Asked): boolean =>
    (!method || request.method === method) &&
    wanted.every(([name, text]) => text.startsWith(':') || url.searchParams.getAll(name).includes(text));
  if (!path) return fits;
  const isOf = ({ address, endpoints }: Route): boolean =>
    [address.template, ...endpoints.map((endpoint) => endpoint.path)].some(
      // A path with a query string of its own is at the address before that.
      (one) => one === path || one.split('\\?', 1)[0] === place,
    );
  const served = routes.filter((route) => !method || route.method === (method === 'HEAD' ? 'GET' : method));
  if (served.some(isOf)) return (asked) => fits(asked) && isOf(asked.route);
  const address = addressOf('', place);
  const isThere = served.some((route) => route.address.match(new URL(place, 'http://localhost')));
  if (!isThere) throw new TypeError(`The server has no route ${match}. ${nearRoutes(match, routes)}`);
  return (asked) => fits(asked) && address.match(asked.url) !== undefined;
}

/** The routes that are most like what was asked for, in words. */
export function nearRoutes(asked: string, routes: readonly Route[]): string {
  return nearestText(asked, new Set(routes.map(({ method, address }) => `${method} ${address.template}`)));
}
