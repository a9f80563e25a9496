import type { Ref, Row } from '../../schema/Schema.js';
import type { Place } from '../../tables/Places.js';

/**
 * A request that was answered, or a write by hand, by its places on the clock of the store. The clock ticks whenever one is
 * made, sent or answered, so no two places are equal. A write by hand has one place for all three.
 */
export interface Event {
  readonly kind: 'read' | 'write';
  /** Empty for a write by hand. */
  readonly requestId: string;
  /** When it was made. */
  readonly asked: number;
  /** When it was sent. */
  readonly sent: number;
  /** When its answer came. */
  readonly came: number;
  /** When it was made, in ms since the epoch. */
  readonly startedTimeStamp: number;
}

/** An event that lands, and what it can be asked. */
export interface Incoming extends Event {
  /** It confirms what was computed of what is there: it takes that over now, and holds it from then on, in the place where it was made. */
  readonly madeAt?: number;
  /** It has shown something before its answer, which is shown as long as that waits. */
  readonly isGuessed?: boolean;
  /** The fields of a row that it names. */
  names(table: string, pk: string, isOutermost: boolean): readonly string[];
  /** Whether the value of a field that it names has been seen, and is news: neither what it sent nor what was there before, and not hidden by its own guess. */
  hasShownNews(table: string, pk: string, field: string, value: unknown): boolean;
  /** Whether a field had this value, confirmed, when it was sent. */
  wasConfirmed(table: string, pk: string, field: string, value: unknown): boolean;
  /** Whether it is an action on a row: it sends nothing, or what is no field of the row, and may have changed any. */
  actsOn(table: string, pk: string): boolean;
  /** Whether a list had a row, confirmed, when it was sent. */
  hadMember(list: Place, ref: Ref): boolean;
  /** Whether its guess shows a row in a list. */
  hasShown(list: Place, ref: Ref): boolean;
  /** A row as it was shown when the event was asked. */
  shownBefore(table: string, pk: string): Row | undefined;
}

/** A row that an event brings. */
export interface IncomingRow extends Place {
  readonly row: Row;
  /** The fields of it that the event names. */
  readonly names: readonly string[];
  /** The class of the row has said that the answer is in time, however the requests overlapped. */
  readonly isOrdered?: boolean;
  /** The version of the row, where the class has one and the event tells it. */
  readonly version?: { readonly is: unknown } | undefined;
  /** All of a row of which some has waited, where its class is to be asked again. */
  readonly whole?: Row;
}

/** What an event says of which nobody knows what was shown and confirmed before it. */
export const unseen: Omit<Incoming, keyof Event | 'madeAt' | 'isGuessed' | 'names'> = {
  hasShownNews: () => false,
  wasConfirmed: () => false,
  actsOn: () => false,
  hadMember: () => false,
  hasShown: () => false,
  shownBefore: () => undefined,
};

/** Neither was sent after the other had come. */
export function overlapped(one: Pick<Event, 'sent' | 'came'>, other: Pick<Event, 'sent' | 'came'>): boolean {
  return one.sent < other.came && other.sent < one.came;
}
