/**
 * One deliberate fault in a rule of order.
 * @typedef {object} Fault
 * @property {string} name What is wrong then, in the words of the rules.
 * @property {string} file
 * @property {string} find A text that occurs in the file just once.
 * @property {string} put What stands in its place.
 */

const order = 'src/store/order/';
const running = 'src/store/running/';
const admission = `${order}admission.ts`;
const settle = `${order}settle.ts`;
const settledLists = `${order}SettledLists.ts`;
const journal = `${order}journal.ts`;
const intents = `${order}intents.ts`;
const lists = `${order}lists.ts`;
const waiting = `${order}waiting.ts`;
const landing = `${running}landing.ts`;
const story = `${running}story.ts`;
const guesses = `${running}guesses.ts`;
const answers = `${running}answers.ts`;
const flights = `${running}flights.ts`;
const paging = `${running}paging.ts`;
const turns = `${running}turns.ts`;
const moves = `${order}moves.ts`;
const changes = 'src/tables/changes.ts';
const overlay = 'src/tables/Overlay.ts';

/** @type {readonly Fault[]} */
export const faults = [
  // Rows, field by field.
  {
    name: 'the earlier start holds a field, not the later',
    file: admission,
    find: 'return !holder.names && answer.seq > holder.seq;',
    put: 'return !holder.names && answer.seq < holder.seq;',
  },
  {
    name: 'of two reads that overlapped, the one that lands last holds a row',
    file: admission,
    find: '(kind === all.kind && seq > all.seq)',
    put: '(kind === all.kind)',
  },
  {
    name: 'an answer that was sent just before another settled did not overlap it',
    file: admission,
    find: 'if (!holder || answer.seq > holder.settledSeq) return true;',
    put: 'if (!holder || answer.seq >= holder.settledSeq) return true;',
  },
  {
    name: 'a field that a write named is taken back by a later read that overlapped it',
    file: admission,
    find: 'return !holder.names && answer.seq > holder.seq;',
    put: 'return answer.seq > holder.seq;',
  },
  {
    name: 'a write that has lost a field to a later one takes it back',
    file: admission,
    find: 'if ((namedIn(clock, field)?.seq ?? 0) > answer.seq) return false;',
    put: '',
  },
  {
    name: 'a write that lost is forgotten: only the last that named a field counts',
    file: admission,
    find: 'setOwn(named, field, laterOf(at, own(named, field)))',
    put: 'setOwn(named, field, at)',
  },
  {
    name: 'news is ignored: a write takes what it names from any later read',
    file: admission,
    find: '!hasSeenNews(((clock.changed && own(clock.changed, field)) ?? 0) > answer.seq)',
    put: 'true',
  },
  {
    name: 'news always wins: a later read that came before keeps what a write names',
    file: admission,
    find: '!hasSeenNews(((clock.changed && own(clock.changed, field)) ?? 0) > answer.seq)',
    put: 'false',
  },
  {
    name: 'a guess of its own does not cover: news beneath it counts as seen',
    file: answers,
    find: 'if (Object.hasOwn(rowIn(shown, table, pk) ?? {}, field)) return false;',
    put: '',
  },
  {
    name: 'what was confirmed when a write was sent counts as news',
    file: answers,
    find: 'return hasChanged || !sameValue(known?.[field], value);',
    put: 'return true;',
  },
  {
    name: 'what a write itself has sent counts as news',
    file: answers,
    find: 'if (sameValue(rowIn(sent, table, pk)?.[field], value)) return false;',
    put: '',
  },
  {
    name: 'what was confirmed when a write was sent, and is again after it was another, does not count as news',
    file: answers,
    find: 'return hasChanged || !sameValue(known?.[field], value);',
    put: 'return !sameValue(known?.[field], value);',
  },
  {
    name: 'a write names the fields of its body in every row of its answer, not only in the outermost',
    file: answers,
    find: 'named ? (isOutermost ? named : []) :',
    put: 'named ? named :',
  },
  {
    name: 'a write without a body names nothing',
    file: answers,
    find: ': Object.keys(rowIn(guess ?? noChanges, table, pk) ?? {}),',
    put: ': [],',
  },
  {
    name: 'set names nothing',
    file: landing,
    find: '(isOutermost ? fields(pk) : [])',
    put: '[]',
  },
  {
    name: 'doubt is never noted',
    file: settle,
    find: 'if (isOverlapping && isOfBoth && !isSame) this.#noteDoubt(place, kept);',
    put: '',
  },
  {
    name: 'a list that a row may be in is not in doubt with it',
    file: settle,
    find: 'for (const list of this.#moves.ofRow({ table }, pk, kept, row)) this.doubts.set(list.table, list.pk, true);',
    put: '',
  },
  {
    name: 'what is created under the id of a row that is being deleted raises no doubt',
    file: settle,
    find: 'if (this.lists.isOverDeleted(answer, change)) this.doubts.set(change.table, change.pk, true);',
    put: '',
  },
  {
    name: 'doubt is noted of reads among themselves, too',
    file: settle,
    find: 'const isOfBoth = answer.kind !== holder.kind;',
    put: 'const isOfBoth = true;',
  },
  {
    name: 'doubt is noted of what was sent after the other had come, too',
    file: settle,
    find: 'answer.seq <= holder.settledSeq && holder.seq <= answer.settledSeq;',
    put: 'answer.seq <= holder.settledSeq;',
  },
  {
    name: 'what is added to a list that was never there stays, though it was deleted since',
    file: settledLists,
    find: 'this.#isGone(place.table, ref, seq) || this.#isMisfit(place, ref)',
    put: 'this.#isMisfit(place, ref)',
  },
  {
    name: 'a vote for a row that is being deleted names nothing',
    file: guesses,
    find: 'shown === slice.tables ? undefined : beneath(find, slice.tables)',
    put: 'undefined',
  },
  {
    name: 'a write that was cancelled, or refused, names the fields that it has shown',
    file: landing,
    find: 'settlement.release();',
    put: `if (own && !incoming) {
      const answer = { requestId: own.requestId, kind: 'write', seq: own.seq, askedSeq: own.seq, settledSeq: slice.seq, names: () => [], hasSeenNews: () => false };
      for (const { table, pks, rows } of own.changes.rows) pks.forEach((pk, i) => settlement.admit(answer, { table, pk, row: {}, names: Object.keys(rows[i] ?? {}) }));
    }
    settlement.release();`,
  },
  {
    name: 'an answer that brings some fields holds all of its row',
    file: settle,
    find: 'const isAll = !kept || hasNoOthers(kept, row);',
    put: 'const isAll = true;',
  },
  {
    name: 'an answer of a class with versions is judged by when it was sent',
    file: settle,
    find: 'if (isOrdered || !holder ||',
    put: 'if (!holder ||',
  },
  {
    name: 'an edit that is answered with nothing is forgotten at once where no answer has brought its row yet',
    file: settle,
    find: 'const isAwaited = isPatient && (this.#beside.oldest ?? Infinity) <= entry.settledSeq;',
    put: 'const isAwaited = false;',
  },
  {
    name: 'an edit that is answered with nothing makes a row of what it has sent',
    file: settle,
    find: 'if (existing && !this.#row(table, pk))\n            unknown.push(untilKnown(this.waiting, answer, { table, pk, row, names }));\n          else if',
    put: 'if',
  },
  {
    name: 'a write that has waited to be sent is as old as when it was asked for',
    file: story,
    find: 'flight.sentSeq = hasToWait ? store.nextSeq() : meta.seq;',
    put: 'flight.sentSeq = meta.seq;',
  },
  {
    name: 'a write of which nobody knows what it has done makes nothing stale',
    file: landing,
    find: 'isUnknownWrite ? this.#stale.touchedBy(flight) : []',
    put: '[]',
  },

  // Deletions.
  {
    name: 'a deletion is forgotten: an answer that was sent before it brings the row back',
    file: settle,
    find: 'this.#clocks.set(table, pk, { goneSeq: settledSeq });',
    put: 'this.#clocks.set(table, pk, {});',
  },
  {
    name: 'a deleted row comes back in a list',
    file: settledLists,
    find: "const list = operation === 'remove' ? given.list : this.withoutGone(table, given.list, seq);",
    put: 'const list = given.list;',
  },
  {
    name: 'a read of an older time takes a row away that a later answer has brought',
    file: admission,
    find: 'return [all, ...Object.values(fields)].some(isLater);',
    put: 'return false;',
  },

  // What a pending guess shows.
  {
    name: 'the guess of a write that has settled stays',
    file: 'src/store/reducer.ts',
    find: 'if (settled && ((isOwn && !waits) || isEmpty(changes))) continue;',
    put: 'if (settled && isEmpty(changes)) continue;',
  },
  {
    name: 'the guess of a write stays when its answer has waited, and landed',
    file: intents,
    find: 'if (!waiting) return noChanges;',
    put: 'if (!waiting) return { rows, lists };',
  },
  {
    name: 'the guess of a write goes while its answer waits',
    file: landing,
    find: 'const waits = own !== undefined && settlement.waiting.some((entry) => entry.requestId === requestId);',
    put: 'const waits = undefined;',
  },
  {
    name: 'a pending guess is applied twice: it is found anew on top of itself',
    file: intents,
    find: 'next = again(recipe, base());',
    put: 'next = again(recipe, showIntents(base(), [intent], settlement.lists));',
  },
  {
    name: 'a pending guess is found anew without those before it',
    file: intents,
    find: 'return showIntents(confirmed, done, settlement.lists, overlay);',
    put: 'return confirmed;',
  },
  {
    name: 'recipes are not run again',
    file: intents,
    find: 'if (recipe && (renamed.has(requestId) || hasNewLists || !recipe.onLists)) {',
    put: 'if (recipe && renamed.has(requestId)) {',
  },
  {
    name: 'a pending create does not join a list that is fetched meanwhile',
    file: intents,
    find: 'if (recipe && (renamed.has(requestId) || hasNewLists || !recipe.onLists)) {',
    put: 'if (recipe && (renamed.has(requestId) || !recipe.onLists)) {',
  },
  {
    name: 'a field that a later write has covered is shown again',
    file: intents,
    find: '(namedIn(clock, field)?.askedSeq ?? 0) <= seq',
    put: 'true',
  },
  {
    name: 'a guess is covered by writes that were asked for before it, too',
    file: intents,
    find: '(namedIn(clock, field)?.askedSeq ?? 0) <= seq',
    put: '(namedIn(clock, field)?.askedSeq ?? 0) === 0',
  },
  {
    name: 'a guess shows a row that has been deleted since',
    file: intents,
    find: 'if ((clock.goneSeq ?? 0) >= seq) return undefined;',
    put: '',
  },
  {
    name: 'what is being deleted is shown again by what is asked of it later',
    file: overlay,
    find: 'there = undefined;\n      break;',
    put: 'there = undefined;\n      continue;',
  },

  // Lists.
  {
    name: 'what was done to a list is not done again to an older answer',
    file: lists,
    find: ': step.settledSeq >= seq));',
    put: ': false));',
  },
  {
    name: 'pages that were asked for later are not added again to an older answer',
    file: lists,
    find: "(step.operation === 'append' ? step.seq > seq :",
    put: "(step.operation === 'append' ? false :",
  },
  {
    name: 'pages that were asked for before a whole answer are added to it',
    file: lists,
    find: "(step.operation === 'append' ? step.seq > seq :",
    put: "(step.operation === 'append' ? true :",
  },
  {
    name: 'steps stand in the order of landing',
    file: lists,
    find: 'steps: [...beforeReturn(steps, step), step].sort(bySeq) };',
    put: 'steps: [...beforeReturn(steps, step), step] };',
  },
  {
    name: 'operations on lists stand in the order of sending, not of asking',
    file: settledLists,
    find: ': isAnswer ? seq : askedSeq;',
    put: ': seq;',
  },
  {
    name: 'a page replaces the list',
    file: lists,
    find: "if (step.operation === 'set') return withBase(record, step, kind);",
    put: "if (step.operation === 'set' || step.operation === 'append') return withBase(record, step, kind);",
  },
  {
    name: 'the whole answer that lands last is the list, not the one that was sent last',
    file: lists,
    find: 'if (isLate) return record;',
    put: '',
  },
  {
    name: 'a read that was sent before a write answered with the whole list replaces it',
    file: lists,
    find: ' || (baseSettled !== undefined && baseSettled >= seq)',
    put: '',
  },
  {
    name: 'a pending create is shown in a list of which a later answer has come',
    file: lists,
    find: 'else if (change.follows || createdSeq(change.list) > Math.max(record.baseSeq, record.knownSeq ?? 0)) {',
    put: 'else {',
  },
  {
    name: 'what is created does not reach a list whose first answer is under way',
    file: landing,
    find: 'expected: () => this.#parts.flights.expectedLists(),',
    put: 'expected: () => [],',
  },
  {
    name: 'to a list of which only pages are known is done what settled before the first of them was sent',
    file: lists,
    find: "operation === 'append' || settledSeq >= firstSeq",
    put: 'true',
  },

  // Pages, and lists that rows move between.
  {
    name: 'an edit moves nothing',
    file: moves,
    find: 'if (changed.length === 0) return none;',
    put: 'if (changed.length >= 0) return none;',
  },
  {
    name: 'a row joins lists of which it matches one filter',
    file: moves,
    find: 'matches &&= is === value;',
    put: 'matches ||= is === value;',
  },
  {
    name: 'moves are not done again to older answers',
    file: lists,
    find: "settledSeq: kind === 'read' ? seq : settledSeq,",
    put: 'settledSeq: 0,',
  },
  {
    name: 'a write that names a filter field as it was tells older answers nothing',
    file: settle,
    find: 'if (kept && this.#moves.areNames(table, restated)) {',
    put: 'if (false) {',
  },
  {
    name: 'a write that names a filter field as it was puts its row into lists',
    file: settle,
    find: "moves.filter((move) => move.operation === 'remove' || isShown(move))",
    put: 'moves',
  },
  {
    name: 'a write that names a filter field takes its row out of a list where its own guess has shown it',
    file: settle,
    find: 'answer.moves.some((guessed) => sameValue(guessed, move))',
    put: 'false',
  },
  {
    name: 'a write that names a filter field takes its row out of a list that has it on a page which was not read',
    file: settledLists,
    find: '[...older, ...moves, ...beside]',
    put: '[...older, ...beside]',
  },
  {
    name: 'an edit that names a filter field as it is does not keep its row where it is while it is pending',
    file: intents,
    find: '[...all.of(changes), ...all.staying(changes)]',
    put: 'all.of(changes)',
  },
  {
    name: 'an edit back to where a pending edit moves its row out of leaves it out of the list',
    file: settledLists,
    find: '[...older, ...moves, ...beside]',
    put: '[...older, ...moves]',
  },
  {
    name: 'an edit back, against a pending one, leaves its row out of a list whose first answer is on its way',
    file: settle,
    find: 'answer.askedSeq < answer.seq || this.#isGuessedElse({ table, pk }, restated, row)',
    put: 'answer.askedSeq < answer.seq',
  },
  {
    name: 'an edit that has waited to be sent takes its row out of a list where it was shown',
    file: settle,
    find: 'answer.askedSeq < answer.seq || this.#isGuessedElse({ table, pk }, restated, row)',
    put: 'this.#isGuessedElse({ table, pk }, restated, row)',
  },
  {
    name: 'an answer that waits decides already for its list',
    file: settle,
    find: 'for (const { table, pk } of this.#held.lists) whole.in(table).delete(pk);',
    put: '',
  },
  {
    name: 'a created item comes back into a list that was read after it had been told of, and had left',
    file: settledLists,
    find: 'if (isNew && toldSeq < known.baseSeq) return undefined;',
    put: '',
  },
  {
    name: 'a list is not expected any more when one of two requests for it has failed',
    file: flights,
    find: 'return [...this.#expected.values()];',
    put: 'return [...this.#joinable.values()].flatMap((flight) => this.#expected.get(flight) ?? []);',
  },
  {
    name: 'what is done again to an older answer puts rows into lists that they do not match any more',
    file: settledLists,
    find: 'if (misfits.length > 0) this.land(',
    put: 'if (false) this.land(',
  },
  {
    name: 'what is done again to an older answer takes rows out of lists that they match again',
    file: settledLists,
    find: "for (const ref of back) this.land(answer, { ...move, operation: 'push', list: [ref] }, pending);",
    put: '',
  },
  {
    name: 'an answer puts a row into a list that the row does not match as it is held',
    file: settle,
    find: 'this.#beside.followed.fitting(change, gaveWay, this.#row)',
    put: 'change',
  },
  {
    name: 'an edit does not move what is being created into a list of which a later answer has come',
    file: lists,
    find: 'else if (change.follows || createdSeq(change.list)',
    put: 'else if (createdSeq(change.list)',
  },
  {
    name: 'of a list of several pages only the first is read again',
    file: turns,
    find: "{ ...turn, how: 'again', fetches: pages.all }",
    put: "{ ...turn, how: 'again', fetches: pages.all.slice(0, 1) }",
  },
  {
    name: 'by cursor, pages are read again with the cursors of the old answers',
    file: turns,
    find: 'page = args && after && { name: after.name, args: toWireArgs(args, list.name) };',
    put: 'page = args && after;',
  },
  {
    name: 'a page goes behind what was created here',
    file: paging,
    find: 'const created = now.filter((ref) => !isBrought(ref));',
    put: 'const created = none;',
  },
  {
    name: 'a page that is done again goes behind what was created before it',
    file: changes,
    find: 'const place = page && created.length > 0 ? { ...page, created: page.created.concat(created) } : page;',
    put: 'const place = page;',
  },
  {
    name: 'a page that was asked for before the first answer came is remembered twice',
    file: paging,
    find: 'page.seq > this.#seq && !isIn(this.#fetched, page);',
    put: 'page.seq > this.#seq;',
  },
  {
    name: 'a next page stands before pages that were read again meanwhile',
    file: paging,
    find: ' && !isIn(known, other);',
    put: ';',
  },
  {
    name: 'a list that begins anew loses the page before one that was asked for later',
    file: paging,
    find: "(how === 'again' ? !this.#turn.known.includes(page) : hasLater);",
    put: "how === 'again' && !this.#turn.known.includes(page);",
  },
  {
    name: 'a page adds once more what is there already',
    file: changes,
    find: 'const fresh = missingFrom(kept, refs);',
    put: 'const fresh = refs;',
  },

  // Waiting.
  {
    name: 'an answer with a list does not wait for a create',
    file: waiting,
    find: 'return intent.seq < seq || (creator !== undefined && bringsUnknown(table, list, knownAt(creator)));',
    put: 'return false;',
  },
  {
    name: 'an older answer with a list does not wait for a create though it brings what was not known then',
    file: waiting,
    find: 'return intent.seq < seq || (creator !== undefined && bringsUnknown(table, list, knownAt(creator)));',
    put: 'return intent.seq < seq;',
  },
  {
    name: 'an older answer with a list waits for a create though it brings nothing new',
    file: waiting,
    find: 'return intent.seq < seq || (creator !== undefined && bringsUnknown(table, list, knownAt(creator)));',
    put: 'return intent.seq < seq || creator !== undefined;',
  },
  {
    name: 'an answer with a list waits for moves',
    file: lists,
    find: 'return !change.moves && !isDone(list, change);',
    put: 'return !isDone(list, change);',
  },
  {
    name: 'a held field does not wait',
    file: waiting,
    find: 'if (!intent.holdsRows || intent.seq >= seq) continue;',
    put: 'continue;',
  },
  {
    name: 'answers that were sent before a guess wait for it, too',
    file: waiting,
    find: 'if (!intent.holdsRows || intent.seq >= seq) continue;',
    put: 'if (!intent.holdsRows) continue;',
  },
  {
    name: 'plain edits make others wait',
    file: waiting,
    find: 'if (!intent.holdsRows || intent.seq >= seq) continue;',
    put: 'if (intent.seq >= seq) continue;',
  },
  {
    name: 'what waits is never released',
    file: settle,
    find: 'entry.rows.every(isHeld) &&',
    put: 'true ||',
  },
  {
    name: 'holdTimeout is ignored',
    file: settle,
    find: 'entry.since + this.#beside.holdTimeout > this.#now',
    put: 'true',
  },
  {
    name: 'what has waited counts as seen',
    file: settle,
    find: 'names: () => none, moves: none, hasSeenNews: () => false };',
    put: 'names: () => none, moves: none, hasSeenNews: () => true };',
  },
  {
    name: 'what waits is named before it lands',
    file: settle,
    find: 'const names = claimed.filter((field) => !waits(field));',
    put: 'const names = claimed;',
  },

  // Temporary pks.
  {
    name: 'temporary pks are not replaced in waiting requests',
    file: flights,
    find: 'flight.args = withReal(flight.args, requestId, ids);',
    put: '',
  },
  {
    name: 'a request does not wait for the create of the item that it names',
    file: flights,
    find: 'return before ? [...creates, before.settled] : creates;',
    put: 'return before ? [before.settled] : [];',
  },
  {
    name: 'writes of one line are sent at once',
    file: flights,
    find: 'return before ? [...creates, before.settled] : creates;',
    put: 'return creates;',
  },
  {
    name: 'dependants of a failed create are sent',
    file: flights,
    find: "if (flight.isOrphaned || flight.temporaries.length > 0) throw resourceError('R14', flight.request.endpoint.name);",
    put: '',
  },
  {
    name: 'dependants of a failed create are shown until they are told',
    file: landing,
    find: 'for (const id of isOrphan) shown.rebased[id] = noChanges;',
    put: '',
  },

  // The journal.
  {
    name: 'rows are forgotten one request too early',
    file: journal,
    find: '(clock: RowClock) => lastOf(clock) < oldest)',
    put: '(clock: RowClock) => lastOf(clock) < oldest + 1)',
  },
  {
    name: 'lists are forgotten one request too early',
    file: journal,
    find: '!isNeeded(record, oldest))',
    put: '!isNeeded(record, oldest + 1))',
  },
  {
    name: 'an idle store keeps its journal',
    file: journal,
    find: 'if (changes.isOver) return emptyJournal;',
    put: '',
  },
];
