/** What is refused in development, as something else than what is taken there. */
import { resourceError, shortened, show } from '../errors.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Refuses, in development, what is no endpoint where one is taken. */
export function assertEndpoint(member: string, given: unknown): void {
  if (process.env.NODE_ENV !== 'production') {
    const isEndpoint = typeof (given as { key?: unknown } | null | undefined)?.key === 'function';
    if (!isEndpoint) throw resourceError('R25', calledAs(member), 'an endpoint', whatIs(given));
  }
}

/** Refuses, in development, `select` itself in place of the selector that it makes: it is given the state, and no `this`. */
export function assertCalled(selector: string, endpoint: { readonly name: string } | undefined, given: unknown): void {
  if (process.env.NODE_ENV !== 'production') {
    const state = given as { readonly resources?: { readonly anchor?: unknown } } | null | undefined;
    if (endpoint === undefined || state?.resources?.anchor !== undefined)
      throw resourceError('R8', endpoint?.name ?? 'an endpoint', selector);
  }
}

/** Refuses, in development, what `fetchFn` gives that is no response. */
export function assertResponse(given: unknown): void {
  if (process.env.NODE_ENV !== 'production') {
    const isResponse = typeof (given as { ok?: unknown } | null | undefined)?.ok === 'boolean';
    if (!isResponse) throw resourceError('R11', 'fetchFn', 'the store', show(given));
  }
}

/** Refuses, in development, what is no entity class where one is taken. */
export function assertEntity(member: string, given: unknown): void {
  if (
    process.env.NODE_ENV !== 'production' &&
    !(typeof given === 'function' && 'merge' in given && 'validate' in given)
  )
    throw resourceError('R25', calledAs(member), 'an entity class', whatIs(given));
}

/** A function as the user calls it: what is no hook is a member of what configureResources gives. */
function calledAs(member: string): string {
  return /^use|\./.test(member) ? member : `resources.${member}`;
}

/** What somebody mistakes for something else, in words. */
function whatIs(given: unknown): string {
  const isObject = (typeof given === 'object' && given !== null) || typeof given === 'function';
  if (isObject && 'endpoint' in given) return `a request of ${(given.endpoint as { readonly name: string }).name}`;
  if (Array.isArray(given)) return `the list [${shortened(given.map(nameOf).join(', '))}]`;
  if (typeof given === 'function' && 'merge' in given) return `the class ${given.name}`;
  return isObject && 'getList' in given ? 'a whole resource' : show(given);
}

function nameOf(given: unknown): string {
  return typeof given === 'function' ? given.name || 'a function' : show(given);
}
