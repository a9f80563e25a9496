import { overlapped, type Event } from './event.js';

/** The event that was taken last for a cell: for a field of a row, or for a row's membership of a list. */
export interface Holder extends Pick<Event, 'kind' | 'asked' | 'sent' | 'came'> {
  /** It is a write that names the cell. */
  readonly names?: true;
  /** The version of the row that it told, where the class has one. */
  readonly version?: unknown;
}

/** What is remembered of an event as a holder. */
export function holderOf({ kind, asked, sent, came }: Event, names: boolean): Holder {
  return { kind, asked, sent, came, ...(names && { names }) };
}

/** Whether something was written by hand: made, sent and answered at once. */
export function isByHand({ sent, came }: Pick<Event, 'sent' | 'came'>): boolean {
  return sent === came;
}

/**
 * The rule of order: whether an event takes a cell from its holder. The event that was sent later holds. But of two that
 * overlapped, a write that names the cell keeps it from, and takes it from, one that does not, unless that one has shown news.
 *
 * W names the title and is sent, R is sent, W is answered, R is answered: W holds the title.
 */
export function takes(
  event: Pick<Event, 'sent' | 'came'>,
  names: boolean,
  holder: Holder | undefined,
  hasShownNews: () => boolean,
): boolean {
  if (!holder) return true;
  const isLater = event.sent >= holder.sent;
  if (names === (holder.names ?? false) || !overlapped(event, holder)) return isLater;
  return names && (isLater || !hasShownNews());
}

/** Of what names nothing, and of whole lists and pages, nothing is news. */
export const noNews = (): boolean => false;
