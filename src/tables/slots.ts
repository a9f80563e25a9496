/**
 * Where a pk is: an index that is derived from the state and kept outside of it, so that the state stays plain and every
 * version of it (time travel, hydration, an overlay) can be read. One write costs one `Map` entry, where building an
 * index anew takes 2 ms at 10 000 rows.
 *
 * An index belongs to the newest version of its table, and is handed on from version to version. A place it gives is
 * checked against the pages, so a hit is right in any version. A miss is right in the newest, and in those from which
 * only additions led there; any other version builds an index of its own, once.
 */

/** The pks of a table, page by page. */
export type Pks = readonly (readonly string[])[];

const PAGE_BITS = 8;
/** Places to a page. */
export const PAGE = 1 << PAGE_BITS;

/** The page of a place. */
export function pageOf(slot: number): number {
  return slot >> PAGE_BITS;
}

/** The position of a place within its page. */
export function offsetOf(slot: number): number {
  return slot & (PAGE - 1);
}

/** The pk of a place: `''` for a freed one, undefined where there is none. */
export function pkAt(pks: Pks, slot: number): string | undefined {
  return pks[pageOf(slot)]?.[offsetOf(slot)];
}

interface Index {
  readonly places: Map<string, number>;
  /** The version whose index it is. */
  newest: Pks;
  /** Grows when a place is freed or used again. */
  lineage: number;
}

interface Entry {
  readonly index: Index;
  readonly lineage: number;
  /** The version under an overlay, whose rows this one has too, but for those removed. */
  readonly under?: Pks | undefined;
}

const entries = new WeakMap<Pks, Entry>();

/** Where each of some pks is among them, as it was found when they were collected. */
const collected = new WeakMap<readonly string[], Map<string, number>>();

/** Keeps the places of pks for the table that is made of nothing but them: to find them again takes 1.5 ms for 10 000. */
export function keepPlaces(pks: readonly string[], places: Map<string, number>): void {
  collected.set(pks, places);
}

/** The places of pks, for one taker: an index changes with its table. */
export function takePlaces(pks: readonly string[]): Map<string, number> | undefined {
  const places = collected.get(pks);
  collected.delete(pks);
  return places?.size === pks.length ? places : undefined;
}

/** The place of a pk, or -1. */
export function indexOf(pks: Pks, pk: string): number {
  return placeIn(entryOf(pks), pks, pk);
}

/** Finds places in one version, for whoever looks for many: to find its index each time costs 20 ns. */
export function slotsIn(pks: Pks): (pk: string) => number {
  const entry = entryOf(pks);
  return (pk) => placeIn(entry, pks, pk);
}

function placeIn(entry: Entry, pks: Pks, pk: string): number {
  const place = entry.index.places.get(pk);
  if (place !== undefined && pkAt(pks, place) === pk) return place;
  if (entry.under) {
    const below = indexOf(entry.under, pk);
    return below >= 0 && pkAt(pks, below) === pk ? below : -1;
  }
  if (entry.lineage === entry.index.lineage) return -1;
  const own = entries.get(pks);
  return own && own !== entry ? placeIn(own, pks, pk) : (build(pks).index.places.get(pk) ?? -1);
}

/** What became of the places of a version. */
interface Moves {
  readonly added: Map<string, number>;
  readonly removed: readonly string[];
  /** Whether places were freed or used again. */
  readonly isReused: boolean;
}

/** Hands the index of one version on to the next; what was added is taken over. */
export function deriveIndex(before: Pks, after: Pks, { added, removed, isReused }: Moves): void {
  if (before.length === 0) {
    // What was added is all there is.
    begin(after, added);
    return;
  }
  const entry = entryOf(before);
  const { index } = entry.index.newest === before && !entry.under ? entry : build(before);
  if (isReused) index.lineage++;
  for (const pk of removed) index.places.delete(pk);
  for (const [pk, place] of added) index.places.set(pk, place);
  index.newest = after;
  entries.set(after, { index, lineage: index.lineage });
}

/** Makes the index of an overlay, of what it adds; one of an overlay keeps both layers in one, so that looking up never goes deeper than two. */
export function layIndex(before: Pks, after: Pks, added: ReadonlyMap<string, number>): void {
  const { index, under } = entryOf(before);
  begin(after, new Map(under ? [...index.places, ...added] : added), under ?? before);
}

function entryOf(pks: Pks): Entry {
  return entries.get(pks) ?? build(pks);
}

function build(pks: Pks): Entry {
  const places = new Map<string, number>();
  pks.forEach((page, number) => {
    page.forEach((pk, offset) => {
      if (pk !== '') places.set(pk, number * PAGE + offset);
    });
  });
  return begin(pks, places);
}

/** Begins an index. */
function begin(pks: Pks, places: Map<string, number>, under?: Pks): Entry {
  const entry = { index: { places, newest: pks, lineage: 0 }, lineage: 0, under };
  entries.set(pks, entry);
  return entry;
}
