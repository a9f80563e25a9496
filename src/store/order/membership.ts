import type { ListsSchema } from '../../schema/ListsSchema.js';
import { fits, isOrder, keyNames, keyValue, listKey } from '../../schema/listKey.js';
import { getOrMake, none, own, pick, refersTo, type Ref, type Row } from '../../schema/Schema.js';
import { type ListChange, identity, refsIn } from '../../tables/members.js';
import type { Place } from '../../tables/Places.js';
import { sameValue } from '../../tables/same.js';
import { listFrom, pksOf, tableOf, type Tables } from '../../tables/tables.js';
import { entityIn, knownIn, rowsIn, type FindRow, type KnownRows } from '../../tables/wireRow.js';
import type { FollowedLists } from './FollowedLists.js';
import { comingBy } from './standing.js';
import { callIn, inPathsOf, listedIn, refOf, toldIn, type Has, type InPaths } from './inPaths.js';
import { areOfOne, argumentNames, indexOf, listsByWord, listsNaming, type Mention } from './listIndex.js';

/** A list that a row is in from now on, or out of. */
export interface Move extends Place {
  readonly ref: Ref;
  readonly isIn: boolean;
  /** A write names a field that the list is filtered by. */
  readonly names: boolean;
  /** The list is to be asked for again. */
  readonly isOpen: boolean;
  /** Only the server knows whether the row belongs to the list from now on, or where it stands there. */
  readonly isLeftToServer: boolean;
  /** The list is a set of values, in which the row has this name. */
  readonly name?: string;
  /** Its class has told that the row is newer, whoever holds its membership. */
  readonly isOrdered: boolean;
}

/** A row that becomes another, or is to be one. */
export interface Edit extends Place {
  /** The row as it was: as it is confirmed, and as it was shown when a write was made. */
  readonly befores: readonly Row[];
  readonly after: Row;
  /** The fields that a write names. */
  readonly named: readonly string[];
  /** An action has made it, that names no field and may have changed any. */
  readonly isByAction?: boolean;
  /** Its class has told that it is newer. */
  readonly isOrdered?: boolean;
}

/** An edit of a row that writes these fields, and names them. */
export function editBy({ table, pk }: Place, before: Row, row: Row): Edit {
  return { table, pk, befores: [before], after: { ...before, ...row }, named: Object.keys(row) };
}

/** What becomes of a row's membership of a list. */
interface Verdicts {
  readonly matches: boolean;
  readonly isLeft: boolean;
  /** It did not match before. */
  readonly isJoined: boolean;
  /** A write names what decides of it. */
  readonly names: boolean;
  readonly isUnsure: boolean;
  /** What the field was by which it leaves was not known. */
  readonly isBlind: boolean;
}

/** Finds the lists that rows leave and join by the fields that the lists are filtered by. */
export class Membership {
  readonly #followed: FollowedLists;
  readonly #tables: Tables;
  readonly #expected: readonly Place[];
  /** What is known before the rows are edited, and after. */
  readonly #before: KnownRows;
  readonly #after: KnownRows;
  /** The names of arguments by which lists are told apart that may hold rows of a table. */
  readonly #names = new Map<string, readonly string[]>();
  /** The lists of which only the server knows what an edit of a field means to them, by their table, the field, and the type of what it is edited to. */
  readonly #foreign = new Map<string, readonly Mention[]>();

  /** `expected` are lists that are under way; `findAfter` finds rows as they are after the edits. */
  constructor(
    followed: FollowedLists,
    tables: Tables,
    expected: readonly Place[] = none,
    findAfter: FindRow = rowsIn(tables),
  ) {
    this.#followed = followed;
    this.#tables = tables;
    this.#expected = expected;
    this.#before = knownIn(tables);
    this.#after = knownIn(tables, findAfter);
  }

  /** Whether lists that may hold rows of a table are told apart by anything. */
  isFiltered(table: string): boolean {
    return this.#namesFor(table).length > 0 || this.#followed.hasRule(table);
  }

  /** Whether lists are told apart by one of these fields. */
  areFilters(table: string, fields: Row): boolean {
    return this.#followed.hasRule(table) || this.#namesFor(table).some((name) => Object.hasOwn(fields, name));
  }

  /** The lists that a row leaves and joins, and those that have it where a write leaves it; `has` tells whether a list has it. */
  moves(edit: Edit, has = listedIn(this.#tables)): readonly Move[] {
    const { table, befores, after, named } = edit;
    const isNews = (name: string): boolean =>
      Object.hasOwn(after, name) && befores.some((before) => own(before, name) !== after[name]);
    const names = this.#namesFor(table).filter((name) => named.includes(name) || isNews(name));
    const isChanged = named.length > 0 || Object.keys(after).some(isNews);
    const collections = this.#followed.of(table);
    const movesBy = (collection: ListsSchema): readonly Move[] => {
      const isRuled = this.#followed.isRuled(collection);
      const lists = isRuled && isChanged ? this.#listsOf(collection) : this.#candidates(collection, names, edit);
      const inPaths = inPathsOf(collection, edit, { tables: this.#tables, has });
      return [...lists].flatMap((pk) => {
        const judge = this.#followed.judgeOf(collection, pk);
        const verdicts = judge.options.belongs
          ? this.#judge(judge, pk, edit, inPaths)
          : this.#compare(judge, pk, edit, inPaths);
        return this.#move(judge, edit, { pk, has, verdicts });
      });
    };
    return names.length === 0 && !this.#followed.hasRule(table) ? none : collections.flatMap(movesBy);
  }

  /** What a rule of the user's own says of a row. */
  #judge(collection: ListsSchema, list: string, edit: Edit, inPaths: InPaths): Verdicts {
    const { table, befores, after, named, isByAction = false } = edit;
    const call = callIn(inPaths, list);
    const of = (row: Row, known: KnownRows): boolean | undefined =>
      call && collection.judge(known.wireRow(collection, table, row), list, known, call);
    const was = befores.map((before) => of(before, this.#before));
    const is = of(after, this.#after);
    return {
      matches: is === true,
      isLeft: is === false && was.some((one) => one !== false),
      isJoined: was.some((one) => one !== true),
      // Which fields the rule looks at, nobody knows: a write names what has changed its mind.
      names: named.length > 0 && was.some((one) => one !== is),
      isBlind: false,
      isUnsure: call !== undefined && is === undefined && (named.length > 0 || isByAction),
    };
  }

  /** What the fields of a row say that a list is filtered by. */
  #compare(collection: ListsSchema, list: string, edit: Edit, inPaths: InPaths): Verdicts {
    const { pk, befores, after, named } = edit;
    const filters = this.#followed.filtersOf({ table: collection.table, pk: list });
    const fitting = filters.map(([name, value]) => {
      const told = toldIn(collection, after, name, pk);
      const isFit = told === undefined ? undefined : fits(told, value);
      return isFit ? true : (inPaths(name, value) ?? isFit);
    });
    // Its rows may have a value by another name than the field: `?assignee=me`.
    const isForeign = ([name]: readonly [string, string]): boolean =>
      befores.every((before) => keyValue(before, name) === keyValue(after, name)) &&
      collection.isForeign(list, name, after, this.#before);
    const denying = filters.filter((_, i) => fitting[i] === false);
    const was = (isFit: boolean, [name, value]: readonly [string, string]): boolean =>
      mayHaveBeen(edit, name, (before) => fits(keyValue(before, name), value) === isFit);
    const isEdited = (filter: readonly [string, string]): boolean => was(false, filter);
    const matches = filters.length > 0 && fitting.every((is) => is === true);
    const isKnown = ([name]: readonly [string, string]): boolean =>
      befores.every((before) => Object.hasOwn(before, name));
    return {
      matches,
      isBlind: denying.length > 0 && !denying.some(isKnown),
      // Of an argument that is no field of the row, only the server knows.
      isUnsure: !matches && denying.every(isForeign) && filters.some((one) => !denying.includes(one) && isEdited(one)),
      isLeft: denying.some((filter) => was(true, filter)),
      isJoined: filters.some(isEdited),
      // What takes a row out is a field that does not fit.
      names: (matches ? filters : denying).some(([name]) => named.includes(name)),
    };
  }

  /** The lists of which only the server knows what an edit means to them: they name an edited field, and not as what it is to equal. */
  openTo(edit: Edit): readonly Place[] {
    const { table, after } = edit;
    const fields = Object.keys(after).filter((name) =>
      mayHaveBeen(edit, name, (before) => !sameValue(before[name], after[name])),
    );
    return this.#followed.of(table).flatMap((collection) => {
      const rows = new Map<string, Row>();
      // What is known of a field is old where it is edited by another name: `ownerId` of `owner`.
      const rowBut = (old: string): Row =>
        this.#after.wireRow(
          collection,
          table,
          pick(after, (field) => field !== old),
        );
      return fields.flatMap((field) => {
        const isOpen = ([pk, name]: Mention): boolean => {
          const isOfOne = areOfOne(field, name);
          // Where both are told, the list follows by its own.
          if (isOfOne && fields.includes(name)) return false;
          const old = isOfOne ? name : '';
          const row = getOrMake(rows, old, () => rowBut(old));
          return this.#followed.judgeOf(collection, pk).judge(row, pk, this.#after) !== false;
        };
        const lists = this.#foreignTo(collection, { table, field, edited: after }).filter(isOpen);
        return lists.map(([pk]) => ({ table: collection.table, pk }));
      });
    });
  }

  #move(
    collection: ListsSchema,
    { table, pk, after, isOrdered = false }: Edit,
    { pk: list, has, verdicts }: { readonly pk: string; readonly has: Has; readonly verdicts: Verdicts },
  ): readonly Move[] {
    const { matches, isLeft, isJoined, names, isUnsure } = verdicts;
    const place = { table: collection.table, pk: list };
    const ref = matches || isLeft || isUnsure ? refOf(collection, table, pk, after) : undefined;
    if (ref === undefined) return none;
    const isPart = (): boolean => collection.isPart(list, this.#before);
    if (isNoNews(verdicts, isPart, () => has(place, ref))) return none;
    const move = {
      ...place,
      ref,
      isIn: matches || (isUnsure && has(place, ref)),
      names,
      ...this.#asks(collection, list, verdicts, () => has(place, ref)),
      isOrdered: isOrdered && isJoined,
    };
    return this.#named(collection, move, { table, pk });
  }

  /** Whether a list is to be asked for again: a part of one is shifted by a row. What the field was is not known where the argument may mean another thing, as `?folder=all` does: of a list that does not have the row, nobody knows then that it has left. */
  #asks(
    collection: ListsSchema,
    list: string,
    { matches, isLeft, isJoined, isUnsure, isBlind }: Verdicts,
    has: () => boolean,
  ): Pick<Move, 'isOpen' | 'isLeftToServer'> {
    const isShifted = (): boolean => (isLeft || isJoined) && collection.isPart(list, this.#before);
    const isOpen = isUnsure || (isBlind ? has() : isShifted());
    return { isOpen, isLeftToServer: isUnsure || (matches && collection.isWindow(list)) };
  }

  /** A move, in a set of values under the name that the row has there, or its pk. */
  #named({ inner }: ListsSchema, move: Move, { table, pk }: Place): readonly Move[] {
    if (!inner.isByName) return [move];
    const kept = listFrom(this.#tables, move.table, move.pk);
    const name = Object.entries(kept ?? {}).find(([, other]) => refersTo(other, table, pk))?.[0] ?? pk;
    // Of a set that nobody has fetched, one value would seem to be all.
    return kept || !move.isIn ? [{ ...move, name }] : none;
  }

  /** The lists of a Collection, also those that are under way. */
  #listsOf({ table }: ListsSchema): ReadonlySet<string> {
    return new Set([...this.#expectedOf(table), ...pksOf(tableOf(this.#tables, table))]);
  }

  #namesFor(table: string): readonly string[] {
    return getOrMake(this.#names, table, () => {
      const collections = this.#followed.of(table);
      const known = collections.flatMap((collection) => {
        const lists = tableOf(this.#tables, collection.table);
        return lists ? argumentNames(lists) : none;
      });
      const expected = this.#expected.filter((list) => collections.some((one) => one.table === list.table));
      return [...new Set([...known, ...expected.flatMap(({ pk }) => Object.keys(listKey(pk)))])];
    });
  }

  /** The lists that have the value of one of these fields for an argument, before or after; any value where it was not known before. */
  #candidates({ table }: ListsSchema, names: readonly string[], { befores, after }: Edit): ReadonlySet<string> {
    const pages = tableOf(this.#tables, table)?.pks.map(indexOf) ?? none;
    const withName = (name: string): readonly string[] =>
      pages.flatMap((index) => [...(index.get(name)?.values() ?? none)].flat());
    const withValue = (name: string, value = ''): readonly string[] =>
      pages.flatMap((index) => index.get(name)?.get(value) ?? none);
    if (names.length === 0) return new Set();
    const known = names.flatMap((name) =>
      befores.every((before) => Object.hasOwn(before, name))
        ? [after, ...befores].flatMap((row) => withValue(name, keyValue(row, name)))
        : withName(name),
    );
    return new Set([...known, ...this.#expectedOf(table)]);
  }

  /** The lists that name a field otherwise than as what it is to equal, or whose rows deny that it is to equal that. */
  #foreignTo(
    collection: ListsSchema,
    { table: ofRows, field, edited }: { readonly table: string; readonly field: string; readonly edited: Row },
  ): readonly Mention[] {
    const { table } = collection;
    const key = `${table} ${field} ${typeof edited[field]}`;
    return getOrMake(this.#foreign, key, () => {
      const pages = tableOf(this.#tables, table)?.pks ?? none;
      const judgeOf = (pk: string): ListsSchema => this.#followed.judgeOf(collection, pk);
      const isDenied = (pk: string): boolean => judgeOf(pk).isForeign(pk, field, edited, this.#before);
      const denied = pages.flatMap((pks) => listsByWord(pks, field)).filter(isDenied);
      // What the keys of lists inside entities are made of are names of ours.
      const isMeant = ([pk, name]: Mention): boolean =>
        !judgeOf(pk).nestNames.has(keyNames(pk)) && isTelling(judgeOf(pk), pk, name);
      // A relation is no field of its own: `?owner=1` of `ownerId`.
      const { nested = none } = entityIn(collection.inner.member, ofRows) ?? {};
      const isRelation = (name: string): boolean => nested.some(([one]) => one === name);
      const fields = Object.keys(edited).filter((name) => !areOfOne(field, name) || !isRelation(name));
      const naming = pages.flatMap((pks) => listsNaming(pks, field, fields)).filter(isMeant);
      return [...denied.map((pk): Mention => [pk, field]), ...naming];
    });
  }

  #expectedOf(table: string): readonly string[] {
    return this.#expected.filter((list) => list.table === table).map(({ pk }) => pk);
  }
}

/** Whether a row tells a list nothing: it matched before, and no write says that it stays where it stands. Which part of a list that is, no write says. */
function isNoNews({ matches, isJoined, names }: Verdicts, isPart: () => boolean, has: () => boolean): boolean {
  return matches && !isJoined && (!names || isPart() || !has());
}

/** Whether something was so of a field before an edit. A field that was not known tells nothing of that, unless the write names it: then it may have been. */
function mayHaveBeen({ befores, named }: Edit, name: string, isSo: (before: Row) => boolean): boolean {
  return befores.some((before) => (Object.hasOwn(before, name) ? isSo(before) : named.includes(name)));
}

/** Whether an argument tells an order, or who is in a list where no rule of the user's own does. */
function isTelling(judge: ListsSchema, pk: string, name: string): boolean {
  return isOrder(name) || (!judge.options.belongs && judge.argumentKind(name, listKey(pk)[name]) === 'filter');
}

/** A move as a change of its list. */
export function changeOf(move: Move): ListChange {
  return { table: move.table, pk: move.pk, moves: true, follows: true, ...comingBy([move]) };
}

/** Whether some changes move a row into a list, or out of it. */
export function isMoved(lists: readonly ListChange[], place: Place, ref: Ref, isIn: boolean): boolean {
  return lists.some((one) => (one.operation !== 'remove') === isIn && isAbout(one, place, ref));
}

function isAbout({ table, pk, list }: ListChange, place: Place, ref: Ref): boolean {
  return table === place.table && pk === place.pk && refsIn(list).some((one) => identity(one) === identity(ref));
}
