import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import type { Body, Fetch, ShownRow } from '../Client.js';
import type { List, World } from '../worlds.js';
import { Note, NoteOrTask, StatefulNote, Task, TypedNote, VersionedNote } from './notes.js';

/** What a client tells of itself with each request. */
function common(fetch: Fetch) {
  return {
    urlPrefix: 'http://notes.test',
    getHeaders: (headers: HeadersInit, api: { readonly requestId: string } | undefined) => ({
      ...(headers as Readonly<Record<string, string>>),
      'x-op': api?.requestId ?? '',
    }),
    fetchResponse: (input: RequestInfo | URL, init: RequestInit) => fetch(input as string, init),
  };
}

interface Search {
  readonly folder?: string;
  readonly state?: string;
  readonly page?: number;
  readonly cursor?: string;
}

/** The class of the rows of a world; what a Union makes of them is typed as one of its classes. */
export function classOf({ fields, types }: World, isVersioned: boolean): typeof Note {
  if (types) return NoteOrTask as unknown as typeof Note;
  if (fields.includes('state')) return StatefulNote;
  return isVersioned ? VersionedNote : Note;
}

/** The classes of the rows of a world, by what rows say of their type. */
export function classesOf(world: World): Readonly<Record<string, typeof Note>> {
  return world.types ? { note: TypedNote, task: Task } : { '': classOf(world, false) };
}

/** The endpoints of rows, shown at once or not. */
export function rowsOf(fetch: Fetch, Row: typeof Note, isPaged: boolean) {
  const definition = {
    ...common(fetch),
    schema: Row,
    path: '/notes/:id' as const,
    searchParams: {} as Search | undefined,
    body: {} as Body,
  };
  const make = (optimistic: boolean) =>
    isPaged
      ? createResource({ ...definition, optimistic, paginationField: 'page' })
      : createResource({ ...definition, optimistic });
  return { loud: make(true), quiet: make(false) };
}

export type Rows = ReturnType<typeof rowsOf>['loud'];

export function voteOf(fetch: Fetch, Row: typeof Note, isVersioned: boolean) {
  const definition = {
    ...common(fetch),
    schema: Row,
    path: '/notes/:id/votes',
    method: 'POST',
    name: 'Note/vote',
    searchParams: {} as { readonly by: string },
    body: undefined,
  } as const;
  if (isVersioned)
    return new RestEndpoint({
      ...definition,
      optimistic: (note, [{ by }]) => {
        note.votes += `+${by}`;
      },
    });
  return new RestEndpoint({
    ...definition,
    getOptimisticResponse: (snapshot, params) => {
      const note = snapshot.get(Row, { id: params.id }) as (Note & { readonly type?: string }) | undefined;
      return note && { id: note.id, votes: `${note.votes}+${params.by}`, ...(note.type && { type: note.type }) };
    },
  });
}

/** How a list is read, and what of its answer are the rows. */
export interface Reading {
  readonly endpoint: ListEndpoint;
  readonly params: object;
  readonly rows: (value: unknown) => readonly ShownRow[] | undefined;
}

/** What is used of an endpoint that reads a list; their own types are of one endpoint each. */
interface ListEndpoint {
  (params: object): never;
  subscribe(params: object): never;
  ifStale(params: object): never;
  select(params: object): (state: unknown) => unknown;
  selectRequest(params: object): (state: unknown) => {
    readonly isOptimistic: boolean;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
  readonly getPage: (params: object) => never;
  readonly getNextPage: (params: object) => never;
  readonly getPreviousPage: (params: object) => never;
}

const asRows = (value: unknown): readonly ShownRow[] | undefined => value as readonly ShownRow[] | undefined;

/** How each list of a world is read. */
export function readingsOf(fetch: Fetch, rows: Rows, world: World, Row: typeof Note): ReadonlyMap<string, Reading> {
  const getList = rows.getList as unknown as ListEndpoint;
  const isNested = world.lists.some((list) => list.isNested);
  const board = boardsOf(fetch, Row);
  const readingOf = (list: List): Reading => {
    const { folder = '' } = list.filter;
    if (list.isNested) {
      const of = (value: unknown) => (value as { readonly notes?: readonly ShownRow[] } | undefined)?.notes;
      return { endpoint: board.detail, params: { id: folder }, rows: of };
    }
    if (isNested && folder !== '') return { endpoint: board.notes, params: { folder }, rows: asRows };
    if (list.pages === 'by cursor') {
      const of = (value: unknown) => (value as { readonly items?: readonly ShownRow[] } | undefined)?.items;
      return { endpoint: byCursor(rows, list), params: list.filter, rows: of };
    }
    return { endpoint: getList, params: list.filter, rows: asRows };
  };
  return new Map(world.lists.map((list) => [list.name, readingOf(list)]));
}

/** A board with its notes inside, which have an address of their own, too. */
export function boardsOf(fetch: Fetch, Row: typeof Note) {
  class Board extends Entity {
    id = '';
    title = '';
    notes: Note[] = [];
    static override key = 'Board';
    static override schema = {
      notes: new Collection([Row], { nestKey: ({ id }: { readonly id: string }) => ({ folder: id }) }),
    };
  }
  const { get } = createResource({ ...common(fetch), path: '/boards/:id', schema: Board });
  const { getList } = createResource({ ...common(fetch), path: '/boards/:folder/notes/:id', schema: Row });
  // Its lists are those of the notes; its name is its own.
  const notes = getList.extend({ name: 'Note/list of a board' });
  return { detail: get as unknown as ListEndpoint, notes: notes as unknown as ListEndpoint };
}

interface Answer {
  readonly next: string;
  readonly previous: string;
}

/** A list whose answers say how to go on; its rows are those of the resource. */
function byCursor(rows: Rows, { name, maxPages }: List): ListEndpoint {
  const { getList } = rows as unknown as { readonly getList: CursorList };
  const turned = (side: keyof Answer) => (answer: Answer, params: object) =>
    answer[side] === '' ? undefined : { ...params, cursor: answer[side] };
  return getList
    .extend({ schema: { items: getList.schema, next: '', previous: '' }, name: `Note/list ${name}` })
    .paginated({ next: turned('next'), previous: turned('previous'), ...(maxPages !== undefined && { maxPages }) });
}

/** What is used of the list that another is made of. */
interface CursorList {
  readonly schema: object;
  extend(options: object): CursorList;
  paginated(options: object): ListEndpoint;
}
