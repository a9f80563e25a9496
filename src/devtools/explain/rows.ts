import { none, own, type Row } from '../../schema/Schema.js';
import { rowIn } from '../../tables/changes.js';
import { sameValue } from '../../tables/same.js';
import { rowFrom } from '../../tables/tables.js';
import type { Intent } from '../../store/order/intent.js';
import type { ResourceEvent, RowNews } from '../record/events.js';
import { redactRow } from '../record/redact.js';
import type { Case } from './Case.js';
import type { EntityQuestion, Explanation, Reason } from './question.js';
import { before, guesserTold, quoted, reason, since, textOf, timeOf, titleOf, told, unrecorded } from './sentences.js';
import { takenBack } from './takenBack.js';
import { isUnsent, stateTold } from './waits.js';
import { ofAbsence, ofWriter } from './writers.js';

/** So many answers that were passed over are told. */
const MOST = 3;

/** A row, or a field of it, that is asked about. */
interface Asked {
  readonly table: string;
  readonly pk: string;
  /** All the pks that it has had. */
  readonly pks: ReadonlySet<string>;
  readonly field?: string | undefined;
  /** Where its value stands. */
  readonly path: string;
  /** The row as it is confirmed. */
  readonly row: Row | undefined;
  /** The row as the guesses leave it, whether selectors show it or not. */
  readonly shown: Row | undefined;
}

/** Why a row is there, or not, or why a field of it has its value. */
export function explainRow(the: Case, { entity: table, pk: given, field }: EntityQuestion): Explanation {
  const pk = the.realPk(table, given);
  const path = field === undefined ? `${table}/${pk}` : `${table}/${pk}/${field}`;
  const [row, shown] = [the.slice.tables, the.shown].map((tables) => rowFrom(tables, table, pk));
  const asked: Asked = { table, pk, pks: the.pksOf(table, pk), field, path, row, shown };
  const [guesses, writer, gone] = [guessesOf(the, asked), writerOf(the, asked), goneOf(the, asked)];
  const isTop = gone.length === 0;
  const back = takenBack(the, writer, (guess, event) => wanted(the, asked, guess.rows, event));
  // Where a guess had brought it, that it is not there follows from what became of that.
  const isKnown = back.length > 0 && !writer && !shown;
  const confirmed = isKnown ? none : ofConfirmed(the, asked, writer, isTop && guesses.length === 0);
  const because = [
    ...gone,
    ...guesses.map((guess, i) => ofGuess(the, asked, guess, isTop && i === 0)),
    ...confirmed,
    ...back,
    ...coveredBy(the, asked, writer),
    ...waitingFor(the, asked),
    ...passedOver(the, asked, writer),
    ...lacking(the, asked),
  ];
  return { value: valueOf(the, asked), because };
}

/** What selectors show of it, in wire form. */
function valueOf(the: Case, { table, pk, field, path }: Asked): unknown {
  const row = the.isShown(table, pk) ? the.wireRow(table, pk) : undefined;
  if (!row || field === undefined) return row && redactRow(row, path, the.redact);
  return the.redact(Object.hasOwn(row, field) ? row[field] : defaultOf(the, table, field), path);
}

/** What the class of a row gives a field that it lacks. */
function defaultOf(the: Case, table: string, field: string): unknown {
  return own(the.schemaOf(table, field)?.defaults, field);
}

/** What keeps a row from being shown that is in the store, or a field from showing all that it refers to. */
function goneOf(the: Case, { table, pk, field = '', shown = {} }: Asked): readonly Reason[] {
  const lack = the.lackIn(table, shown);
  const name = lack?.field ?? field;
  const place = lack?.place ?? the.awayIn(the.nestedIn(table, name), own(shown, name));
  if (!place) return none;
  const ref = quoted(the.redact(the.names.pk(place.table, place.pk), `${table}/${pk}/${name}`));
  const what = lack
    ? `Not shown, in no list either: its field "${name}" is required, and what it refers to (${ref}) is not shown.`
    : `It refers to ${ref}, which is not shown.`;
  const [why] = explainRow(the, { entity: place.table, pk: place.pk }).because;
  return [{ ...why, kind: why?.eventId ? why.kind : 'partial', text: `${what} ${why?.text ?? ''}` }];
}

/** What a guess makes of the row; null where it deletes it. */
interface Guess {
  readonly intent: Intent;
  readonly row: Row | null;
}

/** The guesses that say something of it, the one that is on top first: as they are laid over each other. */
function guessesOf(the: Case, { table, pk, field, row: confirmed }: Asked): readonly Guess[] {
  const found: Guess[] = [];
  let isThere = confirmed !== undefined;
  for (const intent of the.slice.intents)
    for (const change of intent.changes.rows) {
      const row = change.table === table ? change.rows[change.pks.indexOf(pk)] : undefined;
      if (row === undefined || (change.existing && !isThere)) continue;
      // What is being deleted is not shown, whatever is asked of it later.
      if (row === null) return [{ intent, row }, ...found.reverse()];
      isThere = true;
      if (field === undefined || Object.hasOwn(row, field)) found.push({ intent, row });
    }
  return found.reverse();
}

function ofGuess(the: Case, asked: Asked, { intent, row }: Guess, isTop: boolean): Reason {
  const name = guesserTold(the, intent);
  const state = stateTold(the, intent);
  const sent = isUnsent(the, intent.requestId) ? 'has it to send' : 'sent it';
  const how = intent.isPatch ? 'wrote it' : intent.holdsRows ? 'has guessed it' : sent;
  const text = row
    ? `${lead(isTop)} ${valueIn(the, asked, row, 'the row')}: ${name} ${how} and ${state}.`
    : `Not shown: ${name} deletes it and ${state}.`;
  return reason(intent.settled ? 'waits' : 'guess', text, the.begun(intent.requestId));
}

function lead(isTop: boolean): string {
  return isTop ? 'Shows' : 'Under it:';
}

/** The value of the field that is asked about in a row, in a sentence; `whole` where it is the row that is asked about. */
function valueIn(the: Case, { field, path }: Asked, row: Row | null | undefined, whole: string): string {
  return field === undefined ? whole : quoted(the.redact(own(row ?? {}, field), path));
}

/** What some news say of a row; undefined where they do not. */
export function rowNews(
  news: readonly RowNews[] | undefined,
  { table, pks, field }: Pick<Asked, 'table' | 'pks'> & Partial<Asked>,
): Row | null | undefined {
  for (const one of news ?? none) {
    const at = one.table === table ? one.pks.findIndex((pk) => pks.has(pk)) : -1;
    const row = at < 0 ? undefined : one.rows[at];
    if (row === null || (row && (field === undefined || Object.hasOwn(row, field)))) return row;
  }
  return undefined;
}

/** What a guess has made of it, in words; undefined where it is shown, or where what else is told says why not. */
function wanted(the: Case, asked: Asked, guess: readonly RowNews[], { meta }: ResourceEvent): string | undefined {
  const { field, path, row: confirmed = {} } = asked;
  const row = rowNews(guess, asked);
  const isPassedOver = meta.waits === true || rowNews(meta.passedOver, asked) !== undefined;
  if (row === undefined || (!meta.error && (field === undefined || isPassedOver))) return undefined;
  if (row === null) return 'wanted to delete the row';
  if (field === undefined) return 'wanted to change it';
  const [value, other] = [row, confirmed].map((one) => the.redact(own(one, field), path));
  // What reads the same is no other value: a form has texts for numbers, and what is redacted has no other.
  const isSame = sameValue(value, other) || textOf(value) === textOf(other);
  return isSame ? undefined : `wanted ${quoted(value)}`;
}

/** The newest event that has written it. */
function writerOf(the: Case, asked: Asked): ResourceEvent | undefined {
  return the.newest(({ meta }) => meta.requestStatus !== 'pending' && rowNews(meta.changes?.rows, asked) !== undefined);
}

/** Who wrote what is confirmed. */
function ofConfirmed(the: Case, asked: Asked, writer: ResourceEvent | undefined, isTop: boolean): readonly Reason[] {
  const { table, field = '', row } = asked;
  const whole = { ...asked, field: undefined };
  if (!row) {
    const [guess] = isTop ? guessesOf(the, whole) : none;
    if (guess) return [ofDefault(the, asked, the.begun(guess.intent.requestId))];
    if (writer) return [ofAbsence(writer)];
    return isTop ? [unrecorded(`Nothing that was recorded has brought it${since(the)}.`)] : none;
  }
  if (asked.field !== undefined && !Object.hasOwn(row, field))
    return isTop ? [ofDefault(the, asked, writerOf(the, whole))] : none;
  const ref = own(row, field);
  const value = typeof ref === 'string' ? the.wire(the.nestedIn(table, field), ref, the.told) : ref;
  const what = `${lead(isTop)} ${valueIn(the, asked, { [field]: value }, 'the row')}`;
  // What is older than the recording is told by the answers that show the row: they are in the state.
  return [
    writer ? ofWriter(what, writer) : unrecorded(`${what}, from ${before(the)}${since(the)}.${shownBy(the, asked)}`),
  ];
}

/** What the class gives a field that its row lacks, if it has it, and who brought the row; that may have the field by another name. */
function ofDefault(
  the: Case,
  { table, field = '', path, shown = {} }: Asked,
  event: ResourceEvent | undefined,
): Reason {
  const schema = the.schemaOf(table, field);
  const whose = schema?.declares(field) ? 'this is the default of its class' : 'its class has no such field either';
  const others = Object.keys(shown).filter((name) => the.schemaOf(table, name)?.declares(name) === false);
  const has = others.length > 0 ? `; what it has and its class does not: ${others.map(quoted).join(', ')}` : '';
  const why = schema ? `, and ${whose}${has}` : '; its class is not known yet';
  const value = quoted(the.redact(defaultOf(the, table, field), path));
  return reason('default', `Shows ${value}: its row has no such field${why}.`, event);
}

/** The newest answer that shows a row, behind a sentence about it; that need not be the one that brought it, as of two pages of a list each shows the whole list. */
function shownBy(the: Case, { table, pk }: Asked): string {
  const bringer = the.bringer(table, pk);
  return bringer
    ? ` The newest answer that shows the row is that of ${the.keyOf(bringer.name)} (${timeOf(bringer.at)}).`
    : '';
}

/** Guesses that show nothing of it any more: a write that was made later names it, and is answered. */
function coveredBy(the: Case, asked: Asked, writer: ResourceEvent | undefined): readonly Reason[] {
  const { table, pk, field } = asked;
  if (field === undefined || !writer) return none;
  return the.guesses.flatMap((intent): readonly Reason[] => {
    const event = the.begun(intent.requestId);
    const guessed = rowNews(event?.meta.changes?.rows, asked);
    const isShown = Object.hasOwn(rowIn(intent.changes, table, pk) ?? {}, field);
    if (!event || !guessed || isShown || (writer.meta.seq ?? 0) < intent.seq) return none;
    const what = `${told(event)} has guessed ${valueIn(the, asked, guessed, '')}, which is hidden`;
    return [reason('covered', `${what}: ${told(writer)} was made later, and is answered.`, event)];
  });
}

/** What has come, and waits for a guess that may be counted in it. */
function waitingFor(the: Case, asked: Asked): readonly Reason[] {
  return the.slice.journal.waiting.flatMap(({ table, pk, row, asked: seq }): readonly Reason[] => {
    if (pk !== asked.pk || !rowNews([{ table, pks: [pk], rows: [row] }], asked)) return none;
    const event = the.at(seq);
    const what = `${event ? told(event) : 'An answer'} said ${valueIn(the, asked, row, 'some of it')}`;
    const why = 'which waits for a pending request: the server may have counted that already';
    return [reason('waits', `${what}, ${why}.`, event)];
  });
}

/** Answers that came since, and did not take it. */
function passedOver(the: Case, asked: Asked, writer: ResourceEvent | undefined): readonly Reason[] {
  const from = writer ? the.events.indexOf(writer) : -1;
  const waiting = new Set<number | undefined>(the.slice.journal.waiting.map((entry) => entry.asked));
  return the.events
    .slice(from + 1)
    .filter(({ meta }) => rowNews(meta.passedOver, asked) && !waiting.has(meta.seq))
    .slice(-MOST)
    .reverse()
    .map((event) => {
      const value = valueIn(the, asked, rowNews(event.meta.passedOver, asked), 'something else of it');
      const why = whyOlder(the, asked, event, writer);
      return reason('older', `${told(event)} said ${value}; passed over: ${why}.`, event);
    });
}

/** Why an answer did not take it. */
function whyOlder(the: Case, asked: Asked, { meta }: ResourceEvent, writer: ResourceEvent | undefined): string {
  const version = the.schemaOf(asked.table)?.version;
  if (version !== undefined && rowNews(meta.passedOver, { ...asked, field: version }))
    return `its version (\`${version}\`) is lower than that of what is shown`;
  return writer?.meta.seq !== undefined && (meta.seq ?? 0) < writer.meta.seq
    ? `it was sent before ${titleOf(writer)}, and answered after it`
    : 'what is shown counts as newer';
}

/** What the row lacks. */
function lacking(the: Case, asked: Asked): readonly Reason[] {
  const { table, field, row } = asked;
  const isThere = row && field !== undefined && Object.hasOwn(row, field);
  if (!row || isThere || the.schemaOf(table)?.isComplete(row) !== false) return none;
  const text = 'The row is partial: no answer has brought all fields that its class has defaults for.';
  return [reason('partial', `${text}${shownBy(the, asked)}`)];
}
