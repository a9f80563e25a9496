import type { AnswerMeta, Created, Row } from '../schema/Schema.js';
import type { Changes } from './changes.js';
import type { ListChange } from './members.js';
import type { Place, Places } from './Places.js';
import type { Tables } from './tables.js';

/** What an input is taken apart for. */
export interface NormalizeOptions {
  /** The arguments of the request; they name its list. */
  readonly args?: readonly unknown[];
  /** What of its parameters may tell which row it is about; all of them, unless given. */
  readonly params?: unknown;
  /** Lists that are not there yet, but under way. */
  readonly expected?: readonly Place[];
  /** What is known already; only what differs from it becomes a change. */
  readonly tables?: Tables;
  /** What was shown when the request was made: what a create is answered with may have been there. */
  readonly before?: Tables | undefined;
  /** When the answer came about, for classes that ask. */
  readonly meta?: AnswerMeta;
  /** Whose answer it is, for errors. */
  readonly name?: string;
  /** Tells all that the input says, also what brings nothing new: others were under way, and what of it counts is decided later. */
  readonly complete?: Complete | undefined;
  /** Notes also which rows and lists the input tells of without news. */
  readonly notes?: boolean;
  /** Puts the pages of a list together; undefined for other lists. */
  readonly arrange?: ((change: ListChange) => ListChange | undefined) | undefined;
  /** The row that a write is about. */
  readonly target?: Target | undefined;
  /** When the request was sent. */
  readonly sent?: number;
  /** It answers a write, which is no failure because nothing tells which row it is about. */
  readonly isWrite?: boolean;
  /** The response that an optimistic request expects, or that an empty answer confirms. */
  readonly preview?: Preview;
}

/** The row that a write is about. */
export interface Target extends Place {
  /** The pk that the arguments give. */
  readonly told?: string | undefined;
  /** An answer with another pk has renamed it. */
  readonly renames?: boolean | undefined;
  /** Where addresses name the row: paths that begin so, by these parameters. */
  readonly path?: string | undefined;
  readonly named?: Row | undefined;
}

/** What is needed of an answer that overlapped others. */
export interface Complete {
  /** What of a row lands; asked for classes with a `merge` of their own, which must not see the rest. Of other rows it is decided later. */
  readonly take: (row: IncomingRow) => Row | undefined;
  /** Whether a deletion that it tells of counts: a read may be late with that, too. */
  readonly removes: (table: string, pk: string) => boolean;
  /** Whether a newer answer tells a field of a row, and waits. */
  readonly waits: (table: string, pk: string, field: string) => boolean;
}

/** A row of an answer, before it is merged. */
export interface IncomingRow extends Place {
  readonly row: Row;
  /** It does not lie inside another. */
  readonly isOutermost: boolean;
  /** Its class has said that the answer is in time. */
  readonly isOrdered: boolean;
}

/** How the response that an optimistic request expects is taken apart. */
export interface Preview {
  /** The pk of each item that a create makes. */
  readonly temporaryPk?: (index: number) => string;
  /** The fields of the outermost entity that the request is about; the others only help to find it. */
  readonly fields?: ReadonlySet<string>;
  /** Whether an entity that is not there stays away. */
  readonly existing?: boolean;
  /** Whether only fields that the row has or the class declares are taken: those of a body, of which others may be secret. */
  readonly declared?: boolean;
  /** An empty answer has confirmed it. */
  readonly isConfirmed?: boolean;
}

/** The rows of one table that a response tells of, by pk; of some it may tell not all fields. */
export interface Told {
  readonly table: string;
  readonly rows: ReadonlyMap<string, Row>;
}

/** A row that was given another pk. */
export interface Renamed {
  readonly target: Target;
  /** The parameters by which addresses name it from now on; undefined where the answer does not tell them. */
  readonly now: Row | undefined;
  readonly fields: readonly string[];
}

/** A response taken apart. */
export interface Normalized {
  /** What stands for the value: a pk, references, or a shape with references inside. */
  readonly result: unknown;
  /** What is written. */
  readonly changes: Changes;
  /** All rows that it tells of, where that is noted. */
  readonly told: readonly Told[];
  /** Of rows of which what counts is decided later: which of them do not lie inside others. */
  readonly outermost: Pick<Places, 'has'>;
  /** Of them, and of rows that stand as they are: those of which their class has said that this answer is in time, however the requests overlapped. */
  readonly ordered: Pick<Places, 'has'>;
  /** Rows as they came of which their class has said that the answer is late. */
  readonly behind: Places<Row>;
  /** Lists that have become others, of which the answer does not tell. */
  readonly outdated?: Places;
  /** The tables of entities of which nothing tells which rows they are. */
  readonly unplaced: ReadonlySet<string>;
  /** The row that was given another pk, and the fields that this is made of. */
  readonly renamed?: Renamed | undefined;
  /** What was created. */
  readonly created: readonly Created[];
}
