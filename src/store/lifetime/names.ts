import { warnOnce } from '../../errors.js';
import { findLists, type ListsSchema } from '../../schema/ListsSchema.js';
import type { AnyEndpoint } from '../endpoint.js';

/** Warns of two endpoints with one name, which share what they have read. */
export function warnAboutNames(known: AnyEndpoint | undefined, { name, definition }: AnyEndpoint): void {
  if (!known || known.definition === definition) return;
  warnOnce(() => {
    // Two resources of one class have all of their members in common.
    const [, resource] = /^(.+)\/\w+$/.exec(name) ?? [];
    return [
      `name ${resource ?? name}`,
      `two endpoints are named "${name}": ${String(known.definition)} and ${String(definition)}. So they share what they have read. ` +
        (resource === undefined
          ? 'Give one of them a name of its own.'
          : `If they are of two resources, give one of these a name: createResource({ name: '…', … }). Else give one of the endpoints a name of its own.`),
    ];
  });
}

/** Lists at addresses that differ in more than their parameters are one where their Collections have one table: `/users/:id/followers`, `/users/:id/following`. */
export function warnAboutLists(endpoint: AnyEndpoint, met: ReadonlyMap<string, AnyEndpoint>): void {
  warnOnce(() => {
    const lists = listsReadBy(endpoint);
    const others = lists ? [...met.values()] : [];
    const other = others.find((one) => {
      const isOne = listsReadBy(one)?.table === lists?.table && paramsIn(one) === paramsIn(endpoint);
      // Of those with one name, the other warning says what to do: a name of its own has lists of its own.
      return isOne && one.definition !== endpoint.definition && one.name !== endpoint.name;
    });
    return (
      other && [
        `lists ${endpoint.name} ${other.name}`,
        `${String(other.definition)} and ${String(endpoint.definition)} read the same lists: with the same arguments, what one has read is taken for what the other asks for. If they are others, give one of their Collections a name: new Collection([…], { name: '…' }).`,
      ]
    );
  });
}

/** The lists that an endpoint reads whole. */
function listsReadBy({ sideEffect, pageOf, schema }: AnyEndpoint): ListsSchema | undefined {
  return sideEffect || pageOf ? undefined : findLists(schema);
}

function paramsIn({ definition = '' }: AnyEndpoint): string {
  return (definition.match(/[:*]\w+/g) ?? []).sort().join();
}
