import { assertEndpoint } from './assertions.js';
import type { Row } from '../schema/Schema.js';
import type { AnyEndpoint, RequestFilter } from './endpoint.js';
import { toWire } from './running/plain.js';

/** The requests that are meant: one of an endpoint, or all of them. */
export function filterOf<Args extends readonly unknown[]>(
  member: string,
  endpoint: Pick<AnyEndpoint, 'name'> & { key(...args: Args): string },
  args?: Args,
): RequestFilter {
  assertEndpoint(member, endpoint);
  return { name: endpoint.name, ...(args && { key: endpoint.key(...args) }) };
}

/** Those whose first argument has some values. */
export function paramsOf(part: object | undefined, { name }: Pick<AnyEndpoint, 'name'>): Pick<RequestFilter, 'params'> {
  // The copy of an object is one.
  return part === undefined ? {} : { params: toWire(part, name) as Row };
}
