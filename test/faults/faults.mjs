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
const takes = `${order}takes.ts`;
const event = `${order}event.ts`;
const rows = `${order}rows.ts`;
const waitingRows = `${order}WaitingRows.ts`;
const rowRecord = `${order}rowRecord.ts`;
const lists = `${order}lists.ts`;
const membership = `${order}membership.ts`;
const arrival = `${order}Landing.ts`;
const intents = `${order}intents.ts`;
const doubles = `${order}doubles.ts`;
const journal = `${order}journal.ts`;
const landing = `${running}landing.ts`;
const lander = `${running}Lander.ts`;
const answers = `${running}answers.ts`;
const flights = `${running}flights.ts`;
const story = `${running}story.ts`;
const paging = `${running}paging.ts`;
const pages = `${running}pages.ts`;
const pageRequests = `${running}pageRequests.ts`;

/** @type {readonly Fault[]} */
export const faults = [
  // Who holds a cell.
  {
    name: 'the answer that was sent earlier holds a field, not the later',
    file: takes,
    find: 'const isLater = event.sent >= holder.sent;',
    put: 'const isLater = event.sent <= holder.sent;',
  },
  {
    name: 'the answer that lands last holds a field, whenever it was sent',
    file: takes,
    find: 'const isLater = event.sent >= holder.sent;',
    put: 'const isLater = true;',
  },
  {
    name: 'an answer that was sent just before another came did not overlap it',
    file: event,
    find: 'return one.sent < other.came && other.sent < one.came;',
    put: 'return one.sent + 1 < other.came && other.sent + 1 < one.came;',
  },
  {
    name: 'a field that a write named is kept from a read that was sent after the write had come',
    file: takes,
    find: 'if (names === (holder.names ?? false) || !overlapped(event, holder)) return isLater;',
    put: 'if (names === (holder.names ?? false)) return isLater;',
  },
  {
    name: 'a field that a write named is taken back by a later read that overlapped it',
    file: takes,
    find: 'return names && (isLater || !hasShownNews());',
    put: 'return isLater || (names && !hasShownNews());',
  },
  {
    name: 'news is ignored: a write takes what it names from any later read',
    file: takes,
    find: 'return names && (isLater || !hasShownNews());',
    put: 'return names;',
  },
  {
    name: 'news always wins: a later read that came before keeps what a write names',
    file: takes,
    find: 'return names && (isLater || !hasShownNews());',
    put: 'return names && isLater;',
  },
  {
    name: 'a write that has lost a field to a later one takes it back',
    file: rows,
    find: 'if (isNamed && sentByNamer(record, field) > event.sent) return false;',
    put: '',
  },
  {
    name: 'a write that lost is forgotten: only the last that named a field counts',
    file: rowRecord,
    find: 'const isLast = isNamed && !(lastNamed && lastNamed.sent > taking.naming.sent);',
    put: 'const isLast = isNamed;',
  },
  {
    name: 'an answer that brings some fields holds all of its row',
    file: rows,
    find: 'const isAll = event.madeAt === undefined && (kept ? hasNoOthers(kept, taken) : hasAny(taken));',
    put: 'const isAll = true;',
  },
  {
    name: 'an answer of a class with versions is judged by when it was sent',
    file: rows,
    find: 'if (isOrdered || !holder ||',
    put: 'if (!holder ||',
  },
  {
    name: 'a guess of its own does not cover: news beneath it counts as seen',
    file: answers,
    find: 'if (Object.hasOwn(rowIn(own, table, pk) ?? {}, field)) return false;',
    put: '',
  },
  {
    name: 'what was confirmed when a write was sent counts as news',
    file: answers,
    find: 'return !sameValue(sentValue, value) && !sameValue(rowFrom(sentTables, table, pk)?.[field], value);',
    put: 'return !sameValue(sentValue, value);',
  },
  {
    name: 'what a write itself has sent counts as news',
    file: answers,
    find: 'return !sameValue(sentValue, value) && !sameValue(',
    put: 'return !sameValue(',
  },
  {
    name: 'a write names the fields of its body in every row of its answer, not only in the outermost',
    file: answers,
    find: '...(isOutermost ? fields : none), ',
    put: '...fields, ',
  },
  {
    name: 'a write without a body names nothing',
    file: answers,
    find: ': (rowIn(guess ?? noChanges, table, pk) ?? {});',
    put: ': {};',
  },
  {
    name: 'set names nothing',
    file: landing,
    find: 'names: (table, pk, isOutermost) => fields(table, pk, isOutermost).filter((field) => !isCounted(table, pk, field)),',
    put: 'names: () => [],',
  },
  {
    name: 'a write that has waited to be sent is as old as when it was asked for',
    file: story,
    find: 'for (let tries = 0; ; tries++) {\n      flight.sent = store.nextSeq();',
    put: 'for (let tries = 0; ; tries++) {\n      flight.sent = flight.meta.seq;',
  },
  {
    name: 'an edit that is answered with nothing makes a row of what it has sent',
    file: arrival,
    find: 'if (existing && !this.rows.row(table, place.pk))',
    put: 'if (false)',
  },
  {
    name: 'where a read and a write differ, the row is not in doubt',
    file: rows,
    find: 'if (mayBeLater || !event.wasConfirmed(table, pk, field, told))',
    put: 'if (false)',
  },
  {
    name: 'a list that a row in doubt may be in is not in doubt with it',
    file: arrival,
    find: 'if (kept && this.rows.doubts.has(table, pk))',
    put: 'if (false)',
  },
  {
    name: 'a write of which nobody knows what it has done makes nothing stale',
    file: landing,
    find: 'if (sideEffect && (isUnknown(failure) || flight.isResent))',
    put: 'if (flight.isOrphaned)',
  },

  // Deletions.
  {
    name: 'a deletion is forgotten: an answer that was sent before it came brings the row back',
    file: rows,
    find: 'if ((record.gone ?? 0) > event.sent) return undefined;',
    put: '',
  },
  {
    name: 'a deleted row comes back in a list',
    file: lists,
    find: 'if (this.#rows.gone < sent) return list;',
    put: 'return list;',
  },
  {
    name: 'a deletion does not end what says that the row is in a list',
    file: lists,
    find: '!this.#isDeleted(table, member) && ',
    put: '',
  },
  {
    name: 'a read of an older time takes a row away that a later answer has brought',
    file: rows,
    find: '.every((holder) => takes(event, false, holder, noNews));',
    put: '.every(() => true);',
  },

  // What a pending guess shows.
  {
    name: 'the guess of a write that has settled stays',
    file: 'src/store/reducer.ts',
    find: 'if (isOwn && !waits) return undefined;',
    put: '',
  },
  {
    name: 'the guess of a write stays when its answer has waited, and landed',
    file: intents,
    find: 'if (!settled) return open;',
    put: 'return open;',
  },
  {
    name: 'the guess of a write goes while its answer waits',
    file: lander,
    find: 'const waits = own !== undefined && landing.rows.waiting.all.some((entry) => entry.requestId === requestId);',
    put: 'const waits = false;',
  },
  {
    name: 'a pending guess is found anew without those before it',
    file: intents,
    find: 'return showIntents(confirmed, done, (table, pk) => landing.lists.record(table, pk), overlay);',
    put: 'return confirmed;',
  },
  {
    name: 'recipes are not run again',
    file: intents,
    find: 'recipe && (renamed.has(requestId) || isOutdated(recipe, changes, touched, hasNewLists));',
    put: 'recipe && renamed.has(requestId);',
  },
  {
    name: 'a field that a later write has covered is shown again',
    file: intents,
    find: '!isNamedAfter(record, field, seq)',
    put: '!isNamedAfter(record, field, Infinity)',
  },
  {
    name: 'a guess is covered by writes that were asked for before it, too',
    file: rowRecord,
    find: '(own(fields, field)?.named?.asked ?? 0) > seq',
    put: '(own(fields, field)?.named?.asked ?? 0) > 0',
  },
  {
    name: 'a guess shows a row that has been deleted since',
    file: intents,
    find: 'if ((record.gone ?? 0) > seq) return undefined;',
    put: '',
  },
  {
    name: 'a pending create is shown in a list first answered after it was sent',
    file: intents,
    find: '(landing.beside.sentAt(creator) ?? Infinity) > first',
    put: 'true',
  },
  {
    name: 'a double of a pending create is shown',
    file: intents,
    find: 'return doubles.beside(intent, withMoves(open, moving));',
    put: 'return withMoves(open, moving);',
  },
  {
    name: 'a row that is unlike a pending create is taken for its double',
    file: doubles,
    find: 'return 2 * alike.length - told.length;',
    put: 'return told.length;',
  },
  {
    name: 'an edit that names a filter field as it is does not keep its row where it is while it is pending',
    file: intents,
    find: 'editBy({ table, pk }, before, row),',
    put: '{ ...editBy({ table, pk }, before, row), named: [] },',
  },

  // Who is in a list.
  {
    name: 'the whole answer that lands last is the list, not the one that was sent last',
    file: lists,
    find: 'if (now !== undefined && !isPage && !takes(event, names, record.by, noNews)) return;',
    put: '',
  },
  {
    name: 'an older whole answer takes a confirmed create out',
    file: lists,
    find: 'takes(event, names, by, noNews) && !(',
    put: '!(',
  },
  {
    name: 'a row that came in by itself stays though a later whole answer lacks it',
    file: lists,
    find: 'takes(event, names, by, noNews) && !(since !== undefined && stays(ref));',
    put: 'false;',
  },
  {
    name: 'what is created stands in the order of landing, not of asking',
    file: lists,
    find: 'const beside = besideOf(this.record(table, pk), event.asked, first.isFirst);',
    put: 'const beside = undefined;',
  },
  {
    name: 'a created row comes back into a list that was read after it had been told of, and had left',
    file: lists,
    find: 'isMade ? this.#hasLeft(place, ref, event, record) : ',
    put: 'isMade ? false : ',
  },
  {
    name: 'a row stays in a list that its held field says it has left',
    file: arrival,
    find: '{ names, isForced: !isIn, isOrdered }',
    put: '{ names, isOrdered }',
  },
  {
    name: 'a version says nothing of which lists a row is in',
    file: arrival,
    find: '{ names, isForced: !isIn, isOrdered }',
    put: '{ names, isForced: !isIn }',
  },
  {
    name: 'a row that is deleted stays in a list that a message has put it into',
    file: lists,
    find: ' || this.#isOut(event, place, incomer)',
    put: '',
  },
  {
    name: 'an answer puts a row into a list that the row does not match as it is held',
    file: arrival,
    find: 'this.lists.land(event, this.#fitting(change));',
    put: 'this.lists.land(event, change);',
  },
  {
    name: 'what is created does not reach a list whose first answer is under way',
    file: lander,
    find: 'expected: isAlone ? none : flights.expected(),',
    put: 'expected: none,',
  },
  {
    name: 'an edit moves nothing',
    file: membership,
    find: 'return names.length === 0 && !this.#followed.hasRule(table) ? none : collections.flatMap(movesBy);',
    put: 'return none;',
  },
  {
    name: 'an edit of one of two filter fields joins a list without asking for the other',
    file: membership,
    find: 'const matches = filters.length > 0 && fitting.every((is) => is === true);',
    put: 'const matches = fitting.includes(true);',
  },
  {
    name: 'a write that names a filter field as it was puts its row into lists',
    file: membership,
    find: 'return matches && !isJoined && (!names || isPart() || !has());',
    put: 'return matches && !isJoined && (!names || isPart());',
  },
  {
    name: 'a write that names a filter field as it was does not hold its row where it is shown',
    file: membership,
    find: 'return matches && !isJoined && (!names || isPart() || !has());',
    put: 'return matches && !isJoined;',
  },
  {
    name: 'an edit back to where a pending edit moves its row out of leaves it out of the list',
    file: arrival,
    find: 'const befores = wasShown ? [before, wasShown] : [before];',
    put: 'const befores = [before];',
  },

  // Lists of pages.
  {
    name: 'a page sent before a begin joins after it',
    file: paging,
    find: "if (pages.begun > sent && (how !== 'add' || list.paging.next)) return false;",
    put: '',
  },
  {
    name: 'a page asked for after a begin is lost when the begin lands',
    file: paging,
    find: 'page.asked > asked || page.seq > sent;',
    put: 'false;',
  },
  {
    name: 'a list that begins anew loses the page before one that was asked for later',
    file: paging,
    find: 'others.filter((page) => later.includes(page) || isBetween(page))',
    put: 'later',
  },
  {
    name: 'a refetch drops a page that came during it',
    file: paging,
    find: 'return inPlaces([...this.#fetched, ...there]);',
    put: 'return inPlaces(this.#fetched);',
  },
  {
    name: 'a refetch drops created rows though there is a next page',
    file: paging,
    find: 'const isOpen = !isWhole || this.#isOpenBehind(row);',
    put: 'const isOpen = !isWhole;',
  },
  {
    name: 'a page read again removes the rows it lacks',
    file: paging,
    find: 'this.#left = there?.refs.filter((ref) => !comes(ref)) ?? none;',
    put: 'this.#left = none;',
  },
  {
    name: 'an older answer with a page replaces a newer one with the same page',
    file: paging,
    find: 'if (there) return there.seq <= sent;',
    put: 'if (there) return true;',
  },
  {
    name: 'a page joins though its neighbour is there no more',
    file: paging,
    find: "return how === 'add' || known.length === 0 || this.#isBeside(pages, refs);",
    put: 'return true;',
  },
  {
    name: 'a next page by cursor joins though the page before it leads elsewhere by now',
    file: paging,
    find: 'neighbour.seq < this.#event.sent && refs.some(among(neighbour.refs))',
    put: 'true',
  },
  {
    name: 'a page brings back a row that a later write has taken out of the list',
    file: paging,
    find: 'isWhole || this.#lists.admits(this.#event, change, ref)',
    put: 'true',
  },
  {
    name: 'a page that was not read now brings back the rows that have left it',
    file: paging,
    find: 'page.refs.filter(isIn) : stays(page),',
    put: 'page.refs.filter(isIn) : page.refs,',
  },
  {
    name: 'a page goes behind what was created here',
    file: paging,
    find: '...brought, ...created(behind)])',
    put: '...created(behind), ...brought])',
  },
  {
    name: 'the previous page is put behind',
    file: pages,
    find: 'one.place - other.place || one.asked - other.asked',
    put: 'one.asked - other.asked',
  },
  {
    name: 'maxPages cuts the near end',
    file: paging,
    find: "const isPrevious = how === 'previous';\n    const edge",
    put: "const isPrevious = how !== 'previous';\n    const edge",
  },
  {
    name: 'of a list of several pages only the first is read again',
    file: pageRequests,
    find: "{ how: 'again', fetches: pages.all, place: 0 }",
    put: "{ how: 'again', fetches: pages.all.slice(0, 1), place: 0 }",
  },
  {
    name: 'by cursor, pages are read again with the cursors of the old answers',
    file: pageRequests,
    find: 'for (const { name } of pages) {\n      const args = turned?.({ ...last.result, args: last.page.args });',
    put: 'for (const { name, args: was } of pages) {\n      const args = turned?.({ ...last.result, args: last.page.args }) && was;',
  },
  {
    name: 'pages are read again from the first, and not from the page that the list began with',
    file: pageRequests,
    find: 'const start = Math.max(0, known.filter(({ place }) => place <= 0).length - 1);',
    put: 'const start = 0;',
  },
  {
    name: 'a page read again that leads elsewhere does not make its list stale',
    file: paging,
    find: 'if (!paging.isByCursor) return false;',
    put: 'return false;',
  },

  // Waiting.
  {
    name: 'a field that a guess counts on does not wait',
    file: rows,
    find: 'const held = isPatient ? this.waiting.fieldsHeld(event, incoming) : undefined;',
    put: 'const held = undefined;',
  },
  {
    name: 'answers that were sent before a guess was made wait for it, too',
    file: waitingRows,
    find: 'return (Math.min(seq, sentAt) <= event.sent || isInAnyOrder) && ',
    put: 'return ',
  },
  {
    name: 'plain edits make others wait',
    file: waitingRows,
    find: 'this.#counting = intents.filter(counts);',
    put: 'this.#counting = intents.filter(({ settled }) => !settled);',
  },
  {
    name: 'what waits is never released',
    file: waitingRows,
    find: 'if (isPatient && (isExpected || this.#waitsOn(event, entry))) continue;',
    put: 'continue;',
  },
  {
    name: 'holdTimeout is ignored',
    file: waitingRows,
    find: 'const isPatient = since <= this.#now && this.#now < since + holdTimeout;',
    put: 'const isPatient = true;',
  },
  {
    name: 'what waits is named before it lands',
    file: rows,
    find: 'return { row: pick(row, isPart), names: names.filter(isPart), ...place };',
    put: 'return { row: pick(row, isPart), names, ...place };',
  },

  // Temporary pks.
  {
    name: 'a request does not wait for the create of the item that it names',
    file: flights,
    find: 'return before ? [...origins, before.settled] : origins;',
    put: 'return before ? [before.settled] : [];',
  },
  {
    name: 'writes of one line are sent at once',
    file: flights,
    find: 'return before ? [...origins, before.settled] : origins;',
    put: 'return origins;',
  },
  {
    name: 'dependants of a failed create are shown until they are told',
    file: lander,
    find: 'for (const { meta } of ending.orphans ?? none) rebased[meta.requestId] = noChanges;',
    put: '',
  },

  // The journal.
  {
    name: 'rows and lists are forgotten one request too early',
    file: lander,
    find: 'journal.came < since',
    put: 'journal.came < since + 4',
  },
  {
    name: 'an idle store keeps its journal',
    file: journal,
    find: 'if (changes.isOver) return emptyJournal;',
    put: '',
  },

  // What lands as it came.
  {
    name: 'a read beside a hung one is not remembered',
    file: arrival,
    find: 'else this.rows.holdAll(event, told, rows);',
    put: '',
  },
  {
    name: 'a read lands as it came though something newer has come since it was sent',
    file: lander,
    find: "return event?.kind === 'read' && waiting.length === 0 && came < event.sent;",
    put: "return event?.kind === 'read' && waiting.length === 0;",
  },
  {
    name: 'a read lands as it came though a guess counts on what it brings',
    file: lander,
    find: ' && !others.some(isHeeded)',
    put: '',
  },
  {
    name: 'which write has named a field last is forgotten with the next read',
    file: rows,
    find: 'isAll && isCalm && !isWriting ? noRecord',
    put: 'isAll && isCalm ? noRecord',
  },
];
