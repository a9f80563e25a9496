import { none, own, type Row } from '../../schema/Schema.js';
import { rowIn } from '../../tables/changes.js';
import { sameValue } from '../../tables/same.js';
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
  readonly field: string | undefined;
  /** Where its value stands. */
  readonly path: string;
}

/** Why a row is there, or not, or why a field of it has its value. */
export function explainRow(the: Case, { entity: table, pk: given, field }: EntityQuestion): Explanation {
  const pk = the.realPk(table, given);
  const path = field === undefined ? `${table}/${pk}` : `${table}/${pk}/${field}`;
  const asked: Asked = { table, pk, pks: the.pksOf(table, pk), field, path };
  const value = valueOf(the, asked);
  const [guesses, writer, gone] = [guessesOf(the, asked), writerOf(the, asked), goneOf(the, asked)];
  const isTop = gone.length === 0;
  const back = takenBack(the, writer, (guess, event) => wanted(the, asked, guess.rows, event));
  // Where a guess had brought it, that it is not there follows from what became of that.
  const isKnown = back.length > 0 && !writer && !the.row(the.shown, table, pk);
  const confirmed = isKnown ? none : ofConfirmed(the, asked, writer, isTop && guesses.length === 0);
  const reasons = [
    ...gone,
    ...guesses.map((guess, i) => ofGuess(the, asked, guess, isTop && i === 0)),
    ...confirmed,
    ...back,
    ...coveredBy(the, asked, writer),
    ...waitingFor(the, asked),
    ...passedOver(the, asked, writer),
    ...lacking(the, asked),
  ];
  return { value, because: reasons };
}

/** What selectors show of it, in wire form. */
function valueOf(the: Case, { table, pk, field, path }: Asked): unknown {
  const row = the.isShown(table, pk) ? the.wireRow(table, pk) : undefined;
  if (!row) return undefined;
  if (field === undefined) return redactRow(row, path, the.redact);
  return the.redact(Object.hasOwn(row, field) ? row[field] : own(the.schemaOf(table, field)?.defaults, field), path);
}

/** What keeps a row from being shown that is in the store, or a field from showing all that it refers to. */
function goneOf(the: Case, { table, pk, field }: Asked): readonly Reason[] {
  const row = the.row(the.shown, table, pk) ?? {};
  const lack = the.lackIn(table, row);
  const name = lack?.field ?? field ?? '';
  const inner = the.nestedIn(table, name);
  const place = lack?.place ?? (inner && the.awayIn(inner, own(row, name)));
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
function guessesOf(the: Case, { table, pk, field }: Asked): readonly Guess[] {
  const found: Guess[] = [];
  let isThere = the.row(the.slice.tables, table, pk) !== undefined;
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
  const event = the.begun(intent.requestId);
  const name = guesserTold(the, intent);
  const state = stateTold(the, intent);
  const sent = isUnsent(the, intent.requestId) ? 'has it to send' : 'sent it';
  const how = intent.isPatch ? 'wrote it' : intent.holdsRows ? 'has guessed it' : sent;
  const value = valueIn(the, asked, row, 'the row');
  const text = !row
    ? `Not shown: ${name} deletes it and ${state}.`
    : `${isTop ? 'Shows' : 'Under it:'} ${value}: ${name} ${how} and ${state}.`;
  return reason(intent.settled ? 'waits' : 'guess', text, event);
}

/** The value of the field that is asked about in a row, in a sentence; `whole` where it is the row that is asked about. */
function valueIn(the: Case, { field, path }: Asked, row: Row | null | undefined, whole: string): string {
  return field === undefined ? whole : quoted(the.redact(own(row ?? {}, field), path));
}

/** What some news say of a row; undefined where they do not. */
function newsOf(news: readonly RowNews[] | undefined, { table, pks, field }: Asked): Row | null | undefined {
  for (const one of news ?? none) {
    const at = one.table === table ? one.pks.findIndex((pk) => pks.has(pk)) : -1;
    const row = at < 0 ? undefined : one.rows[at];
    if (row === null || (row && (field === undefined || Object.hasOwn(row, field)))) return row;
  }
  return undefined;
}

/** What a guess has made of it, in words; undefined where it is shown, or where what else is told says why not. */
function wanted(the: Case, asked: Asked, guess: readonly RowNews[], { meta }: ResourceEvent): string | undefined {
  const { table, pk, field, path } = asked;
  const row = newsOf(guess, asked);
  const isPassedOver = meta.waits === true || newsOf(meta.passedOver, asked) !== undefined;
  if (row === undefined || (!meta.error && (field === undefined || isPassedOver))) return undefined;
  if (row === null) return 'wanted to delete the row';
  if (field === undefined) return 'wanted to change it';
  const confirmed = own(the.row(the.slice.tables, table, pk) ?? {}, field);
  const [value, other] = [own(row, field), confirmed].map((one) => the.redact(one, path));
  // What reads the same is no other value: a form has texts for numbers, and what is redacted has no other.
  const isSame = sameValue(value, other) || textOf(value) === textOf(other);
  return isSame ? undefined : `wanted ${quoted(value)}`;
}

/** The newest event that has written it. */
function writerOf(the: Case, asked: Asked): ResourceEvent | undefined {
  return the.newest(({ meta }) => meta.requestStatus !== 'pending' && newsOf(meta.changes?.rows, asked) !== undefined);
}

/** Who wrote what is confirmed. */
function ofConfirmed(the: Case, asked: Asked, writer: ResourceEvent | undefined, isTop: boolean): readonly Reason[] {
  const { table, pk, field, path } = asked;
  const row = the.row(the.slice.tables, table, pk);
  if (!row) {
    const [guess] = isTop ? guessesOf(the, { ...asked, field: undefined }) : none;
    if (guess) return [ofDefault(the, asked, the.begun(guess.intent.requestId))];
    if (writer) return [ofAbsence(writer)];
    return isTop ? [unrecorded(`Nothing that was recorded has brought it${since(the)}.`)] : none;
  }
  if (field !== undefined && !Object.hasOwn(row, field))
    return isTop ? [ofDefault(the, asked, writerOf(the, { ...asked, field: undefined }))] : none;
  const ref = field === undefined ? undefined : own(row, field);
  const told = typeof ref === 'string' ? the.wire(the.nestedIn(table, field ?? ''), ref, the.told) : ref;
  const value = field === undefined ? 'the row' : quoted(the.redact(told, path));
  const what = `${isTop ? 'Shows' : 'Under it:'} ${value}`;
  return [writer ? ofWriter(what, writer) : older(the, asked, what)];
}

/** What the class gives a field that its row lacks, if it has it, and who brought the row; that may have the field by another name. */
function ofDefault(the: Case, { table, pk, field = '', path }: Asked, event: ResourceEvent | undefined): Reason {
  const schema = the.schemaOf(table, field);
  const value = quoted(the.redact(own(schema?.defaults, field), path));
  const whose = schema?.declares(field) ? 'this is the default of its class' : 'its class has no such field either';
  const isOther = (name: string): boolean => the.schemaOf(table, name)?.declares(name) === false;
  const others = Object.keys(the.row(the.shown, table, pk) ?? {}).filter(isOther);
  const has = others.length > 0 ? `; what it has and its class does not: ${others.map(quoted).join(', ')}` : '';
  const why = schema ? `, and ${whose}${has}` : '; its class is not known yet';
  return reason('default', `Shows ${value}: its row has no such field${why}.`, event);
}

/** What is older than the recording: the answers that show its row are in the state. */
function older(the: Case, asked: Asked, what: string): Reason {
  return unrecorded(`${what}, from ${before(the)}${since(the)}.${shownBy(the, asked)}`);
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
    const guessed = newsOf(event?.meta.changes?.rows, asked);
    const isShown = Object.hasOwn(rowIn(intent.changes, table, pk) ?? {}, field);
    if (!event || !guessed || isShown || (writer.meta.seq ?? 0) < intent.seq) return none;
    const value = valueIn(the, asked, guessed, '');
    return [
      reason(
        'covered',
        `${told(event)} has guessed ${value}, which is hidden: ${told(writer)} was made later, and is answered.`,
        event,
      ),
    ];
  });
}

/** What has come, and waits for a guess that may be counted in it. */
function waitingFor(the: Case, asked: Asked): readonly Reason[] {
  const { table, pk, field } = asked;
  return the.slice.journal.waiting.flatMap((entry): readonly Reason[] => {
    if (entry.table !== table || entry.pk !== pk || (field !== undefined && !Object.hasOwn(entry.row, field)))
      return none;
    const event = the.at(entry.asked);
    const value = valueIn(the, asked, entry.row, 'some of it');
    const name = event ? told(event) : 'An answer';
    return [
      reason(
        'waits',
        `${name} said ${value}, which waits for a pending request: the server may have counted that already.`,
        event,
      ),
    ];
  });
}

/** Answers that came since, and did not take it. */
function passedOver(the: Case, asked: Asked, writer: ResourceEvent | undefined): readonly Reason[] {
  const from = writer ? the.events.indexOf(writer) : -1;
  const isWaiting = (seq: number | undefined): boolean => the.slice.journal.waiting.some(({ asked }) => asked === seq);
  const events = the.events
    .slice(from + 1)
    .filter(({ meta }) => newsOf(meta.passedOver, asked) && !isWaiting(meta.seq));
  return events
    .slice(-MOST)
    .reverse()
    .map((event) => {
      const value = valueIn(the, asked, newsOf(event.meta.passedOver, asked), 'something else of it');
      return reason(
        'older',
        `${told(event)} said ${value}; passed over: ${whyOlder(the, asked, event, writer)}.`,
        event,
      );
    });
}

/** Why an answer did not take it. */
function whyOlder(the: Case, asked: Asked, { meta }: ResourceEvent, writer: ResourceEvent | undefined): string {
  const version = the.schemaOf(asked.table)?.version;
  if (version !== undefined && newsOf(meta.passedOver, { ...asked, field: version }))
    return `its version (\`${version}\`) is lower than that of what is shown`;
  return writer?.meta.seq !== undefined && (meta.seq ?? 0) < writer.meta.seq
    ? `it was sent before ${titleOf(writer)}, and answered after it`
    : 'what is shown counts as newer';
}

/** What the row lacks. */
function lacking(the: Case, asked: Asked): readonly Reason[] {
  const { table, pk, field } = asked;
  const row = the.row(the.slice.tables, table, pk);
  const schema = the.schemaOf(table);
  if (!row || !schema || schema.isComplete(row) || (field !== undefined && Object.hasOwn(row, field))) return none;
  return [
    reason(
      'partial',
      `The row is partial: no answer has brought all fields that its class has defaults for.${shownBy(the, asked)}`,
    ),
  ];
}
