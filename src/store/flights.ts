import { findCollection } from '../schema/Collection.js';
import { originOf } from '../schema/temporary.js';
import type { Cancellation, Outcome, Waiting } from './outcome.js';
import type { Request } from './request.js';
import { requestPk } from './state.js';
import { temporariesIn, withReal } from './temporaries.js';

/** One request on its way, and all who wait for it. */
export interface Flight extends Waiting {
  readonly request: Request;
  readonly cancellation: Cancellation;
  /** The arguments; temporary ids in them are replaced when the real ones are known. */
  args: readonly unknown[];
  /** The temporary ids in them. */
  temporaries: ReturnType<typeof temporariesIn>;
  /** Position at which it was sent; undefined while the server cannot have heard of it. */
  sentSeq: number | undefined;
  /** Whether an item that it names could not be created. */
  isOrphaned: boolean;
  /** Whether something has happened since that its answer cannot know of. */
  isOutdated: boolean;
}

/** The requests of one store that are under way. */
export class Flights {
  readonly #all = new Map<string, Flight>();
  /** Reads that an identical one may join, by what they are kept under. */
  readonly #joinable = new Map<string, Flight>();

  add(flight: Flight): void {
    const { request, meta } = flight;
    this.#all.set(meta.requestId, flight);
    if (!request.endpoint.sideEffect) this.#joinable.set(nameOf(flight), flight);
  }

  remove(flight: Flight): void {
    this.#all.delete(flight.meta.requestId);
    const name = nameOf(flight);
    if (this.#joinable.get(name) === flight) this.#joinable.delete(name);
  }

  /** Cancels all. */
  abort(reason: string): void {
    for (const { cancellation } of this.#all.values()) cancellation.abort(reason);
    this.#all.clear();
    this.#joinable.clear();
  }

  /** The same read, where it is under way. */
  twin({ endpoint }: Request, key: string): Flight | undefined {
    const flight = endpoint.sideEffect ? undefined : this.#joinable.get(requestPk(endpoint.name, key));
    return flight?.request.endpoint === endpoint && !flight.cancellation.signal.aborted ? flight : undefined;
  }

  /** Lets nobody join these any more: what they bring is stale already. */
  part(isMeant: (name: string) => boolean): void {
    for (const flight of this.#all.values()) {
      if (flight.request.endpoint.sideEffect || !isMeant(nameOf(flight))) continue;
      flight.isOutdated = true;
      this.#joinable.delete(nameOf(flight));
    }
  }

  /** The position of the oldest, beside one. */
  oldest(except?: string): number | undefined {
    let oldest: number | undefined;
    for (const { meta } of this.#all.values()) {
      if (meta.requestId !== except && (oldest === undefined || meta.seq < oldest)) oldest = meta.seq;
    }
    return oldest;
  }

  /** The lists that reads will bring. */
  expectedLists(): { readonly table: string; readonly pk: string }[] {
    return [...this.#all.values()].flatMap(({ request: { endpoint, args } }) => {
      const collection = endpoint.sideEffect ? undefined : findCollection(endpoint.schema);
      return collection ? [{ table: collection.table, pk: collection.pkOfArgs(args) }] : [];
    });
  }

  /** What a request has to wait for before it is sent: creates whose items it names, and its predecessor in line. */
  obstacles(flight: Flight): readonly Promise<Outcome>[] {
    const creates = flight.temporaries.flatMap((id) => this.#all.get(originOf(id).requestId)?.settled ?? []);
    const before = this.#predecessor(flight);
    return before ? [...creates, before.settled] : creates;
  }

  #predecessor({ request: { endpoint }, args, meta }: Flight): Flight | undefined {
    const line = endpoint.line?.(args);
    if (line === undefined) return undefined;
    return [...this.#all.values()].findLast(
      (other) => other.meta.seq < meta.seq && other.request.endpoint.line?.(other.args) === line,
    );
  }

  /** Whether a request names an item that could not be created. */
  isOrphaned(requestId: string): boolean {
    return this.#all.get(requestId)?.isOrphaned ?? false;
  }

  /** Those that name an item of this create. */
  awaiting(requestId: string): readonly Flight[] {
    return [...this.#all.values()].filter(({ temporaries }) =>
      temporaries.some((id) => originOf(id).requestId === requestId),
    );
  }

  /** Gives those that name an item of this create its real id. */
  resolve(requestId: string, ids: readonly unknown[]): readonly Flight[] {
    const waiting = this.awaiting(requestId);
    for (const flight of waiting) {
      flight.args = withReal(flight.args, requestId, ids);
      flight.temporaries = temporariesIn(flight.args);
    }
    return waiting;
  }
}

function nameOf({ meta }: Flight): string {
  return requestPk(meta.arg.endpointName, meta.arg.key);
}
