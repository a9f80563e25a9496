import type { Sight } from './issueClient.js';
import { createdBy, idsIn, joinedLists, servedAt, type IssueLog, type Request } from './issueLog.js';
import { allFilters, matches, nameOf, type Filters, type IssueRow, type IssueServer } from './issueServer.js';

const filtersOf = new Map(allFilters.map((filters) => [nameOf(filters), filters]));

/** What a row that was told of has come into. */
export interface Told {
  readonly pk: string;
  readonly at: number;
  readonly joined: readonly string[];
  /** The client may not have seen that it came into them. */
  readonly isUnseen?: boolean;
}

/** That a row has come into a list, and when the client got to know. */
interface Joined {
  readonly at: number;
  readonly knownAt: number;
  readonly isUnseen: boolean;
  readonly isOvertaking: boolean;
}

/** The rows of a list: those that must be there, and may be, as far as they are in it on the server; those that answers brought. */
type Members = Readonly<Record<'required' | 'allowed' | 'read', ReadonlySet<string>>>;

/** Looks at every state that is shown, and throws where the law is broken. */
export class IssueWitness {
  readonly #log: IssueLog;
  readonly #server: IssueServer;
  /** The rows that other clients have touched since this one last looked at everything, without telling. */
  readonly touched = new Set<string>();
  readonly told: Told[] = [];
  readonly #kept: Told[] = [];
  /** How many pages a list is made of; undefined where requests that overlapped leave it open. */
  readonly #pages = new Map<string, number | undefined>();
  readonly #pagesAtStart = new Map<Request, number | undefined>();
  #last: Sight['lists'] = new Map();

  constructor(log: IssueLog, server: IssueServer) {
    this.#log = log;
    this.#server = server;
  }

  /** A state as a subscriber sees it, with what has ended in it. */
  see(sight: Sight, ended: readonly Request[]): void {
    for (const request of ended) this.#keep(request, sight);
    const hasDeleted = ended.some(({ is }) => is === 'delete');
    // What has not changed was looked at.
    const isNew = (name: string): boolean => hasDeleted || sight.lists.get(name) !== this.#last.get(name);
    for (const [name, rows] of sight.lists) {
      if (!isNew(name)) continue;
      const pks = rows.map(({ id }) => String(id));
      const story = `${name} shows ${pks.join() || 'nothing'}`;
      const items = pks.map((pk) => this.#log.itemOf(pk));
      if (new Set(items).size < items.length) throw new Error(`a row is there twice: ${story}`);
      for (const row of rows) {
        if (!matches(filters(name), row)) throw new Error(`${row.id} does not match: ${story} ${JSON.stringify(row)}`);
        if (this.#isDeleted(String(row.id))) throw new Error(`${row.id} is back, and was deleted: ${story}`);
      }
    }
    for (const [name, rows] of this.#last) {
      if (!isNew(name)) continue;
      const now = sight.lists.get(name)?.map(({ id }) => String(id));
      if (!now) throw new Error(`${name} is no more`);
      for (const { id } of rows) {
        if (!now.includes(String(id)) && !this.#mayLeave(String(id), name, now, sight)) {
          throw new Error(`${id} has left ${name}, which shows ${now.join() || 'nothing'}`);
        }
      }
    }
    this.#last = sight.lists;
    for (const request of ended) this.#countPages(request);
  }

  /** A write that names what lists are filtered by keeps its row in lists that show it, though an answer lacks it that is no older. */
  #keep({ is, served: [answer], end }: Request, { lists }: Sight): void {
    const {
      rows: [row],
      restated = [],
    } = answer ?? { rows: [] };
    if (is !== 'edit' || !end?.isDone || !row) return;
    this.#keepWhereShown(String(row.id), end.at, restated, lists);
  }

  /** What a socket tells of a row does so, too. */
  keepTold(row: IssueRow, at: number, { lists }: Sight): void {
    this.#keepWhereShown(String(row.id), at, joinedLists(undefined, row), lists);
  }

  #keepWhereShown(pk: string, at: number, restated: readonly string[], lists: Sight['lists']): void {
    // What else is pending for it may show it elsewhere, or not at all.
    const isMoved = this.#log.all().some((one) => ['edit', 'delete'].includes(one.is) && one.pk === pk && !one.end);
    const isShown = (name: string): boolean =>
      [lists, this.#last].some((shown) => shown.get(name)?.some(({ id }) => String(id) === pk));
    this.#kept.push({ pk, at, joined: restated.filter((name) => isMoved || isShown(name)) });
  }

  /** When all edits of a row had ended that were under way at a moment: what it is then made of both. */
  #settledAt(pk: string, at: number): number {
    const ends = this.#log.all().flatMap((one) => {
      const isUnderWay = one.is === 'edit' && one.pk === pk && one.startedAt < at && (one.end?.at ?? at) > at;
      return isUnderWay && one.end ? [one.end.at] : [];
    });
    return Math.max(at, ...ends);
  }

  /** The deletions of a row that have not failed. */
  #isDeleted(pk: string): boolean {
    return this.#deletions(pk).some(({ end }) => end?.isDone);
  }

  #deletions(pk: string): readonly Request[] {
    const item = this.#log.itemOf(pk);
    return this.#log.all().filter((one) => one.is === 'delete' && this.#log.itemOf(one.pk) === item);
  }

  /** Whether a row that was in a list need not be in it any more. */
  #mayLeave(pk: string, name: string, now: readonly string[], sight: Sight): boolean {
    const row = sight.row(pk);
    if (row && !matches(filters(name), row)) return true;
    const creator = pk.startsWith('~') ? this.#log.creatorOf(pk) : undefined;
    if (creator) {
      if (!creator.end) return this.#isHidden(pk);
      const real = createdBy(creator);
      if (!creator.end.isDone || real === undefined) return true;
      return now.includes(real) || this.#mayLeave(real, name, now, sight);
    }
    if (!row) return this.#isHidden(pk);
    const proof = this.#proofOf(pk, name);
    const wholes = this.#log.answersOf(name).filter(({ is }) => is === 'whole');
    return wholes.some((one) => servedAt(one) > proof && !idsIn(one).includes(pk));
  }

  /** Whether the client itself is deleting a row, or has. */
  #isHidden(pk: string): boolean {
    return this.#deletions(pk).some(({ end }) => !end || end.isDone);
  }

  /** The last moment of which the client knows that a row was in a list on the server. */
  #proofOf(pk: string, name: string): number {
    const answers = this.#log.answersOf(name).flatMap(({ served }) => served);
    const told = answers.filter(({ rows }) => rows.some(({ id }) => String(id) === pk)).map(({ at }) => at);
    return Math.max(0, ...told, ...this.#joins(pk, name).map(({ at }) => at));
  }

  /** When this client has put a row into a list: by its own writes that are confirmed, or as a socket told. */
  #joins(pk: string, name: string): readonly Joined[] {
    const writes = this.#log.all().flatMap(({ is, served: [answer], end }): readonly Joined[] => {
      const { at, joined = [], rows, isUnseen = false, isOvertaking = false } = answer ?? { at: 0, rows: [] };
      const isMeant = (is === 'edit' || is === 'push') && String(rows[0]?.id) === pk && end?.isDone;
      return isMeant && joined.includes(name) ? [{ at, knownAt: end.at, isUnseen, isOvertaking }] : [];
    });
    const told = this.told.filter((one) => one.pk === pk && one.joined.includes(name));
    return [...writes, ...told.map(({ at, isUnseen = false }) => ({ at, knownAt: at, isUnseen, isOvertaking: false }))];
  }

  #countPages(request: Request): void {
    const { is, list, served, end, begins } = request;
    if ((is !== 'whole' && is !== 'page') || !end?.isDone) return;
    const known = this.#pages.get(list);
    if (this.#log.hasOverlapped(request)) {
      this.#pages.set(list, undefined);
      return;
    }
    if (is === 'page') {
      if (!this.#pages.has(list)) this.#pages.set(list, 1);
      else if (known !== undefined) this.#pages.set(list, known + 1);
      return;
    }
    const isAll = served.length === known || served.at(-1)?.next === '';
    if (!begins && known !== undefined && (!isAll || served.length > known)) {
      throw new Error(`${list} has ${known} pages, and ${served.length} are read again`);
    }
    this.#pages.set(list, served.length);
  }

  /** Nothing is under way: of what others have not touched, the lists hold what the server holds, as far as they were read. */
  seeQuiet({ lists, row: rowOf }: Sight): void {
    for (const [name, rows] of lists) {
      const pks = rows.map(({ id }) => String(id));
      const story = `${name} shows ${pks.join() || 'nothing'}`;
      const there = this.#server.matching(filters(name)).map(({ id }) => String(id));
      const { required, allowed, read } = this.#membersOf(name);
      for (const pk of pks) {
        if (this.touched.has(pk)) continue;
        if (!there.includes(pk)) throw new Error(`${pk} is not in this list on the server: ${story}`);
        if (!allowed.has(pk) && !this.#mayStay(pk, name))
          throw new Error(`nothing has brought ${pk} into this list: ${story}`);
        const [shown, held] = [rowOf(pk), this.#server.rows.get(Number(pk))].map((row) => row && fieldsOf(row));
        if (shown !== held) throw new Error(`${pk} is shown as ${shown}, and is ${held}`);
      }
      const isCreated = (pk: string): boolean => !read.has(pk) && this.#log.creatorOf(pk) !== undefined;
      const isRead = (pk: string): boolean =>
        read.has(pk) && !this.touched.has(pk) && this.#joins(pk, name).length === 0;
      const first = pks.findIndex(isCreated);
      if (first >= 0 && pks.slice(first).some(isRead))
        throw new Error(`what was created is not behind pages: ${story}`);
      for (const pk of required) {
        if (!this.touched.has(pk) && there.includes(pk) && !pks.includes(pk))
          throw new Error(`${pk} is missing: ${story}`);
      }
    }
  }

  /** Whether a row may stay in a list through a refetch: what came in by itself does while there is a next page. */
  #mayStay(pk: string, name: string): boolean {
    return this.#hasNext(name) && this.#server.rows.has(Number(pk));
  }

  #hasNext(name: string): boolean {
    return this.#log.answersOf(name).at(-1)?.served.at(-1)?.next !== '';
  }

  /** What must be in a list, and what may be, as far as it is so on the server. */
  #membersOf(name: string): Members {
    const answers = this.#log.answersOf(name);
    const wholes = answers.filter(({ is }) => is === 'whole').sort((one, other) => servedAt(one) - servedAt(other));
    const base = wholes.at(-1) ?? answers[0];
    const pages = answers.filter(
      (one) => one.is === 'page' && one !== base && (!base || (one.end?.at ?? 0) > servedAt(base)),
    );
    const sure = pages.filter((page) => !this.#log.hasOverlapped(page) && base?.end && page.startedAt > base.end.at);
    const read = new Set([...(base ? idsIn(base) : []), ...sure.flatMap(idsIn)]);
    const required = new Set(read);
    const kept = answers.some((one) => isAmid(one, base)) ? answers : pages;
    const allowed = new Set([...required, ...kept.flatMap(idsIn)]);
    for (const row of this.#server.rows.values()) {
      const pk = String(row.id);
      for (const { at, joined, pk: kept } of this.#kept)
        if (kept === pk && joined.includes(name) && (!base || this.#settledAt(pk, at) > servedAt(base)))
          allowed.add(pk);
      for (const { at, knownAt, isUnseen } of this.#joins(pk, name)) {
        if (!isUnseen && (!base || at > servedAt(base))) required.add(pk);
        if (!base || knownAt > servedAt(base)) allowed.add(pk);
      }
    }
    return { required, allowed: new Set([...allowed, ...required]), read };
  }

  /**
   * All lists were read again since anything happened: each is what the server has, cut to the pages that were read. Where
   * they were read just once, a list may show more of it: rows that another list has told to be in it now.
   */
  seeAll({ lists }: Sight, isTwice: boolean): void {
    for (const [name, rows] of lists) {
      const pages = this.#log.answersOf(name).at(-1)?.served.length ?? 0;
      const all = this.#server.matching(filters(name)).map(fieldsOf);
      const held = all.slice(0, pages * this.#server.pageSize);
      const shown = rows.map(fieldsOf);
      // What stands behind the pages that were read is as old as it was told.
      const isMore = shown.length === held.length || this.#hasNext(name);
      const isExact = isMore && held.every((row, i) => row === shown[i]);
      const isLike = !isTwice && held.every((row) => shown.includes(row)) && shown.every((row) => all.includes(row));
      if (!isExact && !isLike)
        throw new Error(`${name} is read again as ${shown.join('; ')}, and is ${held.join('; ')}`);
    }
    // What no list shows was not looked at.
    for (const [name, rows] of lists) {
      const pages = this.#log.answersOf(name).at(-1)?.served.length ?? 0;
      for (const { id } of rows.slice(0, pages * this.#server.pageSize)) {
        if (
          this.#log
            .answersOf(name)
            .at(-1)
            ?.served.some((one) => one.rows.some((row) => row.id === id))
        )
          this.touched.delete(String(id));
      }
    }
  }
}

function filters(name: string): Filters {
  return filtersOf.get(name) ?? {};
}

function fieldsOf({
  id,
  status,
  owner,
  title,
}: Required<Filters> & { readonly id: number | string; readonly title: string }): string {
  return `${id} ${status} ${owner} ${title}`;
}

/**
 * Whether an answer came while another was under way that could not know of its pages: a page that was asked for after the list
 * was begun anew, or an older refetch of more pages. What came with it stays.
 */
function isAmid({ is, startedAt, end }: Request, base: Request | undefined): boolean {
  if (!end || !base?.end || end.at > base.end.at) return false;
  if (is === 'page') return base.begins === true && startedAt > base.startedAt;
  return is === 'whole' && startedAt < base.startedAt && end.at > base.startedAt;
}
