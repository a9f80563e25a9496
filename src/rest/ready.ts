import { optionsOf, READY, type Internal } from './internal.js';
import { addListMembers, type ListReader } from './listMembers.js';

/** An endpoint that is used: by now, the class fields of a subclass are set, and its options win over them. */
export function ready<T extends object>(endpoint: T): T {
  const internal = endpoint as Internal;
  if (!internal[READY]) Object.defineProperty(applyOptions(endpoint), READY, { value: true });
  return endpoint;
}

/** Options that only tell a type. */
const typesAlone: ReadonlySet<string> = new Set(['body', 'searchParams', 'errorData']);

/** Lets options win over the class fields of a subclass, which are set after the constructor that got the options. */
export function applyOptions<T extends object>(endpoint: T): T {
  const options = optionsOf(endpoint);
  for (const [name, given] of Object.entries(options)) {
    if (given === undefined || typesAlone.has(name)) continue;
    // `fetch` sends `patch` as it is written, which servers do not know.
    const value: unknown = name === 'method' ? String(given).toUpperCase() : given;
    Object.defineProperty(endpoint, name, { value, writable: true, enumerable: true, configurable: true });
  }
  // An endpoint can be extended, which not all of its parts say.
  addListMembers(endpoint as unknown as ListReader, options);
  return endpoint;
}
