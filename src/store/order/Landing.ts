import type { ListsSchema } from '../../schema/ListsSchema.js';
import { none, pick, type AnswerMeta, type Ref, type Row } from '../../schema/Schema.js';
import { flatMapRows, goneIn, type Changes, type RowChanges } from '../../tables/changes.js';
import { type ListChange, onlyThose } from '../../tables/members.js';
import { metaSuffix } from '../../tables/inputs.js';
import type { Complete, NormalizeOptions, Normalized } from '../../tables/NormalizeOptions.js';
import { Places, type Place } from '../../tables/Places.js';
import { differs, sameValue } from '../../tables/same.js';
import { knownIn, rowsWith, type FindRow } from '../../tables/wireRow.js';
import type { Beside } from './beside.js';
import type { Event, Incoming, IncomingRow } from './event.js';
import { inPlaceOfRows, type JournalChanges } from './journal.js';
import { Lists, rowsOf } from './lists.js';
import { Membership, type Edit, type Move } from './membership.js';
import { listsOpenTo } from './openLists.js';
import { renaming } from './renaming.js';
import { Rows } from './rows.js';
import { isByHand } from './takes.js';
import { Totals } from './Totals.js';

/**
 * What one action writes: an event lands, row by row and list by list, as far as it takes them from their holders; then
 * what has waited. Nothing is written here: it is told as changes.
 */
export class Landing {
  readonly rows: Rows;
  readonly lists: Lists;
  readonly beside: Beside;
  /** Lists that have become others, and of which nobody but the server knows how. */
  readonly outdated = new Places();
  readonly #membership: Membership;
  readonly #totals: Totals;
  /** Rows as they came of which the event did not take all. */
  readonly #behind = new Places<Row>();
  /** Rows that are written as they came. */
  #asTheyCame: Changes['rows'] = none;
  #came: number | undefined;
  /** Finds a row as it is after the event. */
  #findAfter: FindRow = (table, pk) => this.rows.row(table, pk);

  constructor(beside: Beside) {
    const { tables, followed, expected } = beside;
    this.beside = beside;
    this.rows = new Rows(beside);
    this.lists = new Lists(beside, this.rows);
    const findAfter: FindRow = (table, pk) => this.#findAfter(table, pk);
    this.#membership = new Membership(followed, tables, expected, findAfter);
    this.#totals = new Totals(beside, this.rows, this.lists, this.outdated, findAfter);
  }

  /** How much is to be told of an answer: the more, the more there is beside it. */
  tellingOf(event: Incoming): Pick<NormalizeOptions, 'complete' | 'notes'> {
    const { isAlone, isCalm } = this.beside;
    if (isCalm) return { notes: !isAlone };
    const complete: Complete = {
      removes: (table, pk) => this.rows.isBelieved(event, { table, pk }),
      waits: (table, pk, field) => this.rows.waiting.has({ table, pk }, field),
      take: ({ isOutermost, ...row }) => {
        const names = event.names(row.table, row.pk, isOutermost);
        return this.#take(event, { names, ...row });
      },
    };
    return { complete };
  }

  land(incoming: Incoming, given: Omit<Normalized, 'result'>): void {
    const event = given.renamed ? renaming(incoming, given.renamed, this.beside, this.lists) : incoming;
    const normalized = this.#totals.land(event, given);
    const { changes, behind, outdated } = normalized;
    this.#behind.addAll(behind);
    this.#came = event.came;
    const { isAlone, isCalm } = this.beside;
    const moves = isCalm ? this.#landAsItCame(event, normalized) : this.#landRows(event, normalized);
    for (const change of isAlone ? none : changes.lists) this.lists.land(event, this.#fitting(change));
    this.#landMoves(event, moves, changes.lists);
    this.#landCreated(event, normalized.created);
    if (outdated) this.outdated.addAll(outdated);
  }

  /** Lists of other Collections become stale that what was created may belong to. */
  #landCreated(event: Incoming, created: Normalized['created']): void {
    this.#totals.create(event, created);
    for (const { list: own, ref, item, call } of created)
      for (const [table, pk] of rowsOf(own, ref)) {
        this.outdated.add(listsOpenTo({ table, item, call }, this.beside, (collection) => collection.table !== own));
        this.#landHeld(event, { table, pk });
      }
  }

  /** An item was told newer before it was told as created: it joins the lists that it fits as it is held. */
  #landHeld(event: Incoming, place: Place): void {
    const came = this.#behind.get(place.table, place.pk);
    const held = came && this.rows.row(place.table, place.pk);
    if (!held) return;
    this.#totals.count(event, place, came, held);
    this.#landMoves(event, this.#edited(event, { ...place, before: came, after: held, named: none }), none);
  }

  /** Parts of lists are shifted by what is deleted; what the store did not know may have been counted, too. */
  #landRemoved(event: Incoming, { table, pk }: Place): void {
    const row = this.rows.row(table, pk);
    this.#totals.count(event, { table, pk }, row, undefined);
    // A row that was shown when the event was asked may have been deleted by another since, who has done all this; a row that was collected has not left the lists.
    const isDone = (): boolean => this.rows.isGone(table, pk, event.sent) && !!event.shownBefore(table, pk);
    if (event.kind !== 'write' || (!row && (isByHand(event) || isDone()))) return;
    const known = knownIn(this.beside.tables);
    const isCut = (lists: ListsSchema, list: string): boolean =>
      lists.isPart(list, known) || (!row && this.#totals.isTold(lists, list));
    this.outdated.add(listsOpenTo({ table, row }, this.beside, isCut));
  }

  #landAsItCame(event: Incoming, { changes: { rows, lists }, told }: Omit<Normalized, 'result'>): readonly Move[] {
    const { isAlone } = this.beside;
    this.#asTheyCame = rows;
    this.#findAfter = rowsWith(this.beside.tables, rows);
    if (isAlone)
      for (const { told: _, isOpen: __, isPage: ___, within: ____, ...change } of lists)
        this.lists.changes.push(this.#fitting(change));
    else this.rows.holdAll(event, told, rows);
    for (const place of goneIn(rows)) this.#landRemoved(event, place);
    // By the fields that lists are filtered by, what is confirmed tells all, if they were known before; a rule of the user's own may not know.
    const named = ({ table, pk }: Place, before: Row): readonly string[] => {
      const isRuled = this.beside.followed.hasRule(table);
      // A read sends no field, and may bring 10 000 rows.
      if (event.kind === 'read' && !isRuled) return none;
      return event.names(table, pk, true).filter((name) => isRuled || !Object.hasOwn(before, name));
    };
    const mayMove = ({ table }: RowChanges): boolean =>
      this.#membership.isFiltered(table) || this.beside.followed.counts(table);
    return flatMapRows(rows.filter(mayMove), (table, pk, row) => {
      const before = row && this.rows.row(table, pk);
      // An answer may say something of one row twice.
      const after = before && this.#findAfter(table, pk);
      if (!before || !after) return none;
      this.#totals.count(event, { table, pk }, before, after);
      return this.#edited(event, { table, pk, before, after, named: named({ table, pk }, before) });
    });
  }

  #landRows(event: Incoming, { changes, outermost, ordered }: Omit<Normalized, 'result'>): readonly Move[] {
    const edits = flatMapRows(
      changes.rows,
      (table, pk, row, { whole, existing }): readonly (() => readonly Move[])[] => {
        const place = { table, pk };
        if (!row) {
          this.#landRemoved(event, place);
          this.rows.remove(event, place);
          return none;
        }
        const names = event.names(table, pk, outermost.has(table, pk));
        const incoming = { row, names, isOrdered: ordered.has(table, pk), ...place };
        // Nothing is shown of a row that is not there.
        if (existing && !this.rows.row(table, place.pk)) {
          this.rows.nameUnknown(event, incoming);
          this.rows.waiting.add({ ...event, requestId: '' }, incoming, { existing: true });
          return none;
        }
        return [whole ? this.#writeWhole(event, incoming) : this.#landRow(event, incoming)];
      },
    );
    // Who belongs to a list may depend on rows beside, as they are by now.
    return edits.flatMap((movesOf) => movesOf());
  }

  /** What of a row the event takes; a row of which it does not take all is noted as it came. */
  #take(event: Incoming, incoming: IncomingRow, isPatient = true): Row | undefined {
    const { table, pk, row } = incoming;
    const kept = this.rows.row(table, pk);
    const taken = this.rows.take(event, incoming, isPatient);
    if (taken !== row && !this.#behind.has(table, pk)) this.#behind.set(table, pk, row);
    // With a row that is in doubt are the lists that it would leave or join by what the event says.
    if (kept && this.rows.doubts.has(table, pk))
      this.rows.doubts.add(
        this.#membership.moves({
          table,
          pk,
          befores: [kept],
          after: { ...kept, ...row },
          named: none,
        }),
      );
    return taken;
  }

  /** Lands a row; gives what finds its moves. */
  #landRow(event: Incoming, incoming: IncomingRow, isPatient = true): () => readonly Move[] {
    const { table, pk, names } = incoming;
    const before = this.rows.row(table, pk);
    const taken = this.#take(event, incoming, isPatient);
    const isTaken = (field: string): boolean => taken !== undefined && Object.hasOwn(taken, field);
    const after = taken ? this.rows.write(incoming, taken) : before;
    const named = names.filter(isTaken);
    return () => {
      this.#totals.count(event, { table, pk }, before, after);
      if (!taken || !after || !before) return none;
      // A list has no version; a row that tells one says itself in which lists it is.
      const { isOrdered: isInOrder = false, whole = incoming.row } = incoming;
      const isOrdered = isInOrder || this.rows.versionOf(table, whole) !== undefined;
      return this.#undoubted(incoming, after, this.#edited(event, { table, pk, before, after, named, isOrdered }));
    };
  }

  /** The moves of a row; of one that is in doubt, without those into lists that the answer itself denies: nobody has said that the row fits them as it is held. */
  #undoubted({ table, pk, row }: IncomingRow, held: Row, moves: readonly Move[]): readonly Move[] {
    if (!this.rows.doubts.has(table, pk)) return moves;
    const came = { ...held, ...row };
    const isDenied = (move: Move): boolean => move.isIn && this.#isMisfit(move, [held, came], table);
    this.rows.doubts.add(moves.filter(isDenied));
    return moves.filter((move) => !isDenied(move));
  }

  #writeWhole(event: Incoming, { table, pk, row }: IncomingRow): () => readonly Move[] {
    const before = this.rows.row(table, pk);
    this.rows.writeWhole({ table, pk }, row);
    return () => {
      this.#totals.count(event, { table, pk }, before, row);
      return before
        ? this.#edited(event, { table, pk, before, after: row, named: event.names(table, pk, true) })
        : none;
    };
  }

  /** The lists that a row leaves and joins: by what is confirmed, and by what was shown when a write was made that names the fields. */
  #edited(event: Incoming, { before, ...edited }: Omit<Edit, 'befores'> & { readonly before: Row }): readonly Move[] {
    const { table, pk, after, named } = edited;
    if ((before === after && named.length === 0) || !this.#membership.isFiltered(table)) return none;
    const wasShown = asShown(event, edited, after, named);
    const befores = wasShown ? [before, wasShown] : [before];
    const has = (list: Place, ref: Ref): boolean => this.lists.has(list, ref) || event.hasShown(list, ref);
    // What is written by hand, as a message is, may tell what was so before.
    const isEdited = (field: string): boolean => !isByHand(event) || Object.hasOwn(before, field);
    const edit = { ...edited, befores, named: named.filter(isEdited), isByAction: event.actsOn(table, pk) };
    // Whoever writes by hand, as a socket does at each message, says by hand what is stale.
    if (event.kind === 'write' && !isByHand(event)) this.outdated.add(this.#membership.openTo(edit));
    return this.#membership.moves(edit, has);
  }

  /** An answer with a whole list decides who is in that list. */
  #landMoves(event: Incoming, moves: readonly Move[], lists: readonly ListChange[]): void {
    if (moves.length === 0) return;
    const whole = new Places();
    whole.add(lists.filter(({ operation }) => operation === 'set'));
    for (const move of moves) {
      const { table, pk, ref, isIn, name, names, isOrdered } = move;
      if (whole.has(table, pk)) continue;
      if (move.isOpen) this.outdated.set(table, pk, true);
      if (move.isLeftToServer) continue;
      const incomer = { ref, isIn, ...(name !== undefined && { name }) };
      this.lists.put(event, { table, pk }, [incomer], { names, isForced: !isIn, isOrdered });
    }
  }

  /** A change of a list without the rows that came as ones that match, and are held as ones that do not; where a move takes rows out, the other way round. */
  #fitting(change: ListChange): ListChange {
    const { operation, moves } = change;
    const isRemoval = operation === 'remove';
    if (this.#behind.tables().length === 0 || (isRemoval && !moves)) return change;
    const isFit = (ref: unknown): boolean =>
      !rowsOf(change.table, ref as Ref).some(([table, pk]) => {
        const came = this.#behind.get(table, pk);
        const held = came && this.rows.row(table, pk);
        if (!held) return false;
        return this.#isMisfit(change, isRemoval ? [held, came] : [came, held], table);
      });
    const list = onlyThose(change.list, isFit);
    return list === change.list ? change : { ...change, list };
  }

  #isMisfit(list: Place, both: readonly [Row, Row], ofRows: string): boolean {
    const { followed, tables } = this.beside;
    return followed.isMisfit(list, both, knownIn(tables, this.#findAfter), ofRows);
  }

  /** Lets land what waits for nothing any more. A class that orders its answers is asked now. */
  release(): void {
    this.rows.waiting.release({
      has: (table, pk) => this.rows.row(table, pk) !== undefined,
      land: (event, incoming, isPatient) => {
        const ordered = this.#inOrder(event, incoming);
        if (ordered) this.#landMoves(event, this.#landRow(event, ordered, isPatient)(), none);
      },
    });
  }

  /** What a class that orders its answers takes of a row that has waited; undefined where that is nothing. */
  #inOrder({ kind, asked, came, startedTimeStamp }: Event, incoming: IncomingRow): IncomingRow | undefined {
    const { table, pk, whole } = incoming;
    const order = whole && this.beside.followed.orderingOf(table)?.order;
    const kept = order && this.rows.row(table, pk);
    // What is kept in a table of this name was put there by the class.
    const known = kept && (this.rows.row(`${table}${metaSuffix}`, pk) as AnswerMeta | undefined);
    if (!known) return incoming;
    const verdict = order(known, { kind, seq: asked, settledSeq: came, startedTimeStamp }, kept, whole);
    if (verdict === 'over') return { ...incoming, isOrdered: true };
    if (verdict === 'keep') return undefined;
    return { ...incoming, row: pick(incoming.row, (field) => !Object.hasOwn(kept, field)) };
  }

  changes(): Changes {
    return {
      rows: this.beside.isCalm ? [...this.#asTheyCame, ...this.rows.changes()] : this.rows.changes(),
      lists: this.lists.changes,
    };
  }

  /** Rows as they came of which not all is taken. */
  passedOver(): readonly RowChanges[] {
    return inPlaceOfRows(this.#behind);
  }

  /** Whether all that an answer says is confirmed by now. */
  isTaken({ lists }: Changes): boolean {
    const isRowTaken = (table: string, [pk, came]: readonly [string, Row]): boolean => {
      const row = this.rows.row(table, pk);
      return row !== undefined && !differs(row, came);
    };
    const isListTaken = ({ table, pk, operation, list }: ListChange): boolean =>
      this.beside.isAlone || operation !== 'set' || sameValue(this.lists.list(table, pk), list);
    const areTaken = this.#behind.tables().every(([table, rows]) => [...rows].every((one) => isRowTaken(table, one)));
    return areTaken && lists.every(isListTaken);
  }

  /** What the journal remembers of it; undefined where that stays as it is. */
  journalChanges(): JournalChanges | undefined {
    const { journal } = this.beside;
    const [rows, lists] = [this.rows.records(), this.lists.records()];
    const isWaiting = this.rows.waiting.all !== journal.waiting;
    if (this.beside.isAlone || (rows.length + lists.length === 0 && !isWaiting)) return undefined;
    return {
      rows,
      lists,
      ...(this.#came !== undefined && { came: this.#came }),
      ...(isWaiting && { waiting: this.rows.waiting.all }),
      ...(this.rows.gone !== journal.goneSeq && { goneSeq: this.rows.gone }),
    };
  }
}

/** A row with some fields as they were shown when an event was asked; undefined where nothing was. */
function asShown(event: Incoming, { table, pk }: Place, row: Row, fields: readonly string[]): Row | undefined {
  const shown = fields.length > 0 ? event.shownBefore(table, pk) : undefined;
  return shown && { ...row, ...pick(shown, (field) => fields.includes(field)) };
}
