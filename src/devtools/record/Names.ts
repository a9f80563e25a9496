import { orElse } from '../../errors.js';
import { keyValue, listKey, tablesOfLists } from '../../schema/listKey.js';
import type { Row } from '../../schema/Schema.js';
import { isTotal } from '../../schema/Total.js';
import type { AnyEndpoint, RequestFilter } from '../../store/endpoint.js';
import type { RequestArg } from '../../store/request.js';
import { requestPk, type ResourcesState } from '../../store/state.js';
import { sameValue } from '../../tables/same.js';
import { rowOf } from '../../tables/tables.js';
import { redactArgs, redactRow, type Redact } from './redact.js';

type Requests = Pick<ResourcesState, 'requests'>;

/** What requests and lists are called, without what `redact` changes in arguments. Each has a name that no other has, so it is found by it. */
export class Names {
  readonly #redact: Redact | undefined;
  readonly #endpointOf: (name: string) => AnyEndpoint | undefined;
  readonly #told = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** Arguments that were changed, as the keys of lists have them. */
  readonly #secrets = new Map<string, string>();

  constructor(redact: Redact | undefined, endpointOf: (name: string) => AnyEndpoint | undefined) {
    this.#redact = redact;
    this.#endpointOf = endpointOf;
  }

  /** A request as it is told. */
  request(arg: RequestArg): RequestArg {
    const { endpointName, key, args: given } = arg;
    const redact = this.#redact;
    if (!redact) return arg;
    const args = redactArgs(given, endpointName, redact);
    given.forEach((part, i) => {
      this.#learn({ part, ...(part as object) }, { part: args[i], ...(args[i] as object) });
    });
    return { ...arg, args, key: key && this.#tell(requestPk(endpointName, key), endpointName, given, args) };
  }

  #learn(given: Row, told: Row): void {
    for (const field of Object.keys(given)) {
      const secret = keyValue(given, field);
      if (secret !== undefined && !sameValue(given[field], told[field])) this.#secrets.set(secret, String(told[field]));
    }
  }

  /** The key of a request, by what it is kept under. */
  key(name: string, { requests }: Requests): string {
    const endpoint = this.#endpointOf(name);
    const redact = this.#redact;
    if (!redact) return endpoint ? name.slice(endpoint.name.length + 1) : name;
    // Each event is asked about: what is told already, is not redacted anew.
    const known = this.#told.get(name);
    if (known !== undefined) return known;
    // Who it is of, its name begins with.
    const endpointName = endpoint?.name ?? name.split(' ', 1).join();
    const params = rowOf(requests, name)?.params;
    const given = params ? [params] : [];
    return this.#tell(name, endpointName, given, redactArgs(given, endpointName, redact));
  }

  /** The key of a request of an endpoint, also of one that the store has not met. */
  keyOf(endpointName: string, key: string, slice: Requests): string {
    return this.#redact ? this.key(requestPk(endpointName, key), slice) : key;
  }

  /** What a request is kept under, as events have it. */
  name(name: string, slice: Requests): string {
    if (!this.#redact) return name;
    const key = this.key(name, slice);
    return requestPk(this.#endpointOf(name)?.name ?? name.split(' ', 1).join(), key);
  }

  target({ name, key, params }: RequestFilter, slice: Requests): RequestFilter {
    return {
      name,
      ...(key !== undefined && { key: this.keyOf(name, key, slice) }),
      ...(params && { params: this.params(name, params) }),
    };
  }

  params(name: string, params: Row): Row {
    return (this.#redact && redactRow(params, `${name}/0`, this.#redact)) ?? params;
  }

  /** The pk of a row or a list: that of a list, and of the number of its items, has its arguments. */
  pk(table: string, pk: string): string {
    if (!this.#redact || (tablesOfLists(table).length === 0 && !isTotal(table))) return pk;
    const key = listKey(pk);
    const told = Object.entries(key).map(([name, value]) => [name, this.argument(table, name, value)] as const);
    const isSame = told.every(([name, value]) => value === key[name]);
    return isSame ? pk : this.#unique(requestPk(table, pk), table, JSON.stringify(Object.fromEntries(told)));
  }

  /** An argument of a list. */
  argument(table: string, name: string, value: string): string {
    return this.#secrets.get(value) ?? String(this.#redact ? this.#redact(value, `${table}/${name}`) : value);
  }

  /** The address of the given arguments where they are told, else that of the others; where there is none, the endpoint alone. */
  #tell(name: string, endpointName: string, given: readonly unknown[], args: readonly unknown[]): string {
    const known = this.#told.get(name);
    if (known !== undefined) return known;
    const key = name.slice(endpointName.length + 1);
    const address = orElse(() => this.#endpointOf(name)?.key(...args), undefined);
    const told = sameValue(given, args) && address === key ? key : (address ?? endpointName);
    return this.#unique(name, endpointName, String(this.#redact?.(told, `${endpointName}/key`)));
  }

  #unique(name: string, of: string, told: string): string {
    const known = this.#told.get(name);
    if (known !== undefined) return known;
    let text = told;
    for (let n = 2; this.#taken.has(requestPk(of, text)); n++) text = `${told} (${n})`;
    this.#taken.add(requestPk(of, text));
    this.#told.set(name, text);
    return text;
  }
}

/** What of a message quotes an answer, behind what says of which. */
const quoted = /(response of \S+|was expected|parsed as JSON|schema: expected .+?)(?:: |, but got ).*/;

/** What has gone wrong, without what was answered, and with the address of the request as it is told. */
export function messageTold(message: string, key: string, told: string): string {
  const [sent = '', safe = ''] = [key, told].map((one) => one.replace(/^(?:.*? )?[A-Z]+ /, ''));
  const text = message.replace(quoted, '$1.');
  return sent === safe ? text : text.replace(/^[A-Z]+ \S+/, () => told).replaceAll(sent, () => safe);
}
