import type { Flight } from '../store/running/flight.js';
import type { KeeperParts } from '../store/running/keeping.js';
import type { Seen } from './entries.js';

/** What the user has seen of the row of a write, and the tag that it would be sent with; undefined where its endpoint heeds no tags. */
export function seenBy(flight: Flight, etags: KeeperParts['etags']): Seen | undefined {
  const { seen, tag, merged } = flight;
  if (!seen && !tag) return undefined;
  return { row: seen, tag: etags.tagFor(flight)?.value, ...(merged && { merged }) };
}

/** A write has seen what was stored of that. */
export function see(flight: Flight, { row, tag, merged }: Seen): void {
  Object.assign(flight, { seen: row, tag, merged });
}
