import type { MockOptions, MockServer } from './options.js';
import type { Served } from './routes.js';
import { Server } from './Server.js';
import type { TableOf } from './tablesOf.js';

export type { AnswerContext, Call, MockOptions, MockServer, RowChange, ShapeContext } from './options.js';
export type { Served, ServedEndpoint } from './routes.js';
export type { Match, Method, Undo } from './rules.js';
export type { TableOf } from './tablesOf.js';
export type { Held } from './traffic.js';
export type { WriteContext } from './writes.js';

/**
 * A REST server in memory, made of the resources whose requests it answers. It is deterministic: what it makes by chance, and the time, are the same
 * at every run. Throws a TypeError for a seed that does not fit the resources.
 *
 * @example
 * const server = mockServer([TodoResource], { seed: { Todo: [{ id: 1, title: 'Read' }] } });
 * const resources = configureResources({ fetchFn: server.fetch });
 */
export function mockServer<const S extends Served>(
  endpoints: readonly S[],
  options: MockOptions<TableOf<S>> = {},
): MockServer {
  return new Server(endpoints, options);
}
