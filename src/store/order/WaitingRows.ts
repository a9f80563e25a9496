import { none, pick, type Row } from '../../schema/Schema.js';
import { rowIn } from '../../tables/changes.js';
import type { Place } from '../../tables/Places.js';
import { some } from '../../tables/same.js';
import type { Beside } from './beside.js';
import { unseen, type Event, type Incoming, type IncomingRow } from './event.js';
import { counts, type Intent } from './intent.js';
import type { Waiting } from './journal.js';
import { isByHand } from './takes.js';

/** Where rows go that wait for nothing any more. */
interface Releasing {
  has(table: string, pk: string): boolean;
  land(event: Incoming, row: IncomingRow, isPatient: boolean): void;
}

/** What of rows has come and waits for a guess that counts: nobody knows yet whether the server had counted it in. */
export class WaitingRows {
  all: readonly Waiting[];
  /** Guesses that count. */
  readonly #counting: readonly Intent[];
  readonly #beside: Beside;
  /** Whether a write has named a field of a row that was made after a guess: this shows nothing over it. */
  readonly #isNamedAfter: (place: Place, field: string, seq: number) => boolean;
  readonly #now = Date.now();

  constructor(beside: Beside, isNamedAfter: (place: Place, field: string, seq: number) => boolean) {
    const { intents, journal } = beside;
    this.all = journal.waiting;
    this.#beside = beside;
    this.#isNamedAfter = isNamedAfter;
    this.#counting = intents.filter(counts);
  }

  /** What waits of a row by the answer to one request. */
  of(requestId: string, { table, pk }: Place): Waiting | undefined {
    return this.all.find((one) => one.requestId === requestId && one.table === table && one.pk === pk);
  }

  /** Whether a field of a row waits, by whichever answer. */
  has({ table, pk }: Place, field: string): boolean {
    return this.all.some((one) => one.table === table && one.pk === pk && Object.hasOwn(one.row, field));
  }

  /** Forgets what waits of fields of a row: these are newer by now. What waits for the row itself was confirmed before it was there. */
  drop({ table, pk }: Place, fields: Row): void {
    this.all = this.all.flatMap((one) => {
      if (one.existing || one.table !== table || one.pk !== pk) return one;
      const row = some(one.row, (field) => !Object.hasOwn(fields, field));
      return row ? { ...one, row } : none;
    });
  }

  /** The fields of a row that a guess changes which counts, was made before the event was sent, and may have been counted in. */
  fieldsHeld(
    event: Incoming,
    { table, pk, version }: Pick<IncomingRow, 'table' | 'pk' | 'version'>,
  ): ReadonlySet<string> | undefined {
    if (isByHand(event)) return undefined;
    let held: Set<string> | undefined;
    for (const intent of this.#counting) {
      const guess = this.#mayHaveCounted(event, intent, version) && rowIn(intent.changes, table, pk);
      if (!guess) continue;
      const shown = Object.keys(guess).filter((field) => !this.#isNamedAfter({ table, pk }, field, intent.seq));
      held = new Set([...(held ?? []), ...shown]);
    }
    return held;
  }

  /** Whether a server that has answered an event may have served the request of a guess before. */
  #mayHaveCounted(event: Incoming, { requestId, seq }: Intent, version: IncomingRow['version']): boolean {
    // A server that counts versions may have served what was sent later before.
    const isInAnyOrder = version !== undefined && (event.kind === 'read' || event.isGuessed === true);
    const sentAt = this.#beside.sentAt(requestId) ?? Infinity;
    // What another life of the tab has sent is shown here later than that.
    return (Math.min(seq, sentAt) <= event.sent || isInAnyOrder) && sentAt < event.came;
  }

  add(
    { kind, requestId, asked, sent, came, startedTimeStamp }: Event,
    { table, pk, row, names }: IncomingRow,
    why: Pick<Waiting, 'existing' | 'whole'> | false,
  ): void {
    if (Object.keys(row).length === 0) return;
    const what = { table, pk, row, names, ...why };
    this.all = [...this.all, { kind, requestId, asked, sent, came, startedTimeStamp, since: this.#now, ...what }];
  }

  /** Lets go of what waits for nothing any more, or has waited too long, in the order of sending. */
  release({ has, land }: Releasing): void {
    const { holdTimeout, oldest } = this.#beside;
    const all = [...this.all].sort((one, other) => one.sent - other.sent);
    for (const entry of all) {
      const { table, pk, names, whole, since } = entry;
      const isPatient = since <= this.#now && this.#now < since + holdTimeout;
      const isThere = !entry.existing || has(table, pk);
      const row = this.#standing(entry);
      const event: Incoming = { ...entry, ...unseen, isGuessed: true, names: () => names };
      // Only what was sent before the answer came can bring the row as it was before.
      const isExpected = !isThere && oldest < entry.came;
      if (isPatient && (isExpected || this.#waitsOn(event, entry))) continue;
      const others = this.all.filter((other) => other !== entry);
      this.all = others;
      if (isThere) land(event, { table, pk, row, names, ...(whole && { whole }) }, isPatient);
      // What goes on waiting has waited as long as before.
      this.all = this.all.map((other) => (others.includes(other) ? other : { ...other, since }));
    }
  }

  /** What of an entry stands: what an empty answer confirms of a field is over where a write has named the field later. */
  #standing({ existing, table, pk, row, asked }: Waiting): Row {
    return existing ? pick(row, (field) => !this.#isNamedAfter({ table, pk }, field, asked)) : row;
  }

  /** Whether all of what waits waits for some guess still. */
  #waitsOn(event: Incoming, { table, pk, row, whole }: Waiting): boolean {
    const version = whole && this.#beside.followed.versionTold(table, whole);
    const held = this.fieldsHeld(event, { table, pk, version });
    return held !== undefined && Object.keys(row).every((field) => held.has(field));
  }
}
