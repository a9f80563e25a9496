/** One row of the data: 15 fields of its own, and the user inside. */
export interface Issue {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly url: string;
  readonly locked: boolean;
  readonly comments: number;
  readonly priority: number;
  readonly score: number;
  readonly milestone: string | null;
  readonly branch: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly user: User;
}

export interface User {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly avatarUrl: string;
  readonly admin: boolean;
}

type Done = void | Promise<void>;

/** A library as the workloads use it. */
export interface Peer {
  /** Workloads that it cannot express. */
  readonly cannot: readonly WorkloadId[];
  /** Workloads that take it minutes with many rows; they are done with 1 000 alone. */
  readonly slow?: readonly WorkloadId[];
  /** Adds to a response what the library asks of a server, outside of what is timed. */
  prepare?(rows: Issue[]): void;
  /** A store in which nothing has happened yet. */
  open(): Session;
}

/** One store of a library. What it cannot do, it need not have. */
export interface Session {
  /** The server answers the request for the list; the caller does not use the rows again. */
  receive(rows: Issue[]): Done;
  /** The same without a request, so that nothing reads it yet; only where a request does. */
  put?(rows: Issue[]): Done;
  /** The list as a component reads it, each issue with its user. */
  read(): readonly Issue[];
  /** Some fields of an issue arrive. */
  write(id: string, fields: Partial<Issue>): void;
  /** An issue arrives that is in no list. */
  add?(issue: Issue): void;
  /** Some fields of a user arrive. */
  writeUser(id: string, fields: Partial<User>): void;
  /** Lets one subscriber read each of these issues, and look at every change of the store. */
  watch?(issues: readonly Issue[]): Watch;
  /** Shows an issue that is still to be created. */
  create?(issue: Issue): Optimistic;
  /** Shows fields that are still to be confirmed. */
  update?(id: string, fields: Partial<Issue>): Optimistic;
  /** What is kept of all that arrived, for comparing it with what it was before. */
  kept?(): readonly unknown[];
}

interface Watch {
  write(id: string, fields: Partial<Issue>): void;
  /** How many subscribers have seen their issue change. */
  seen(): number;
}

/** A request whose answer is still to come. */
export interface Optimistic {
  succeed(answer: Issue): Done;
  fail(): Done;
}

/** `copy` is no workload, but what some goals are relative to. */
export type WorkloadId =
  'W1' | 'W2' | 'W3' | 'W4' | 'W5' | 'W5b' | 'W6' | 'W6u' | 'W9' | 'W69' | 'W7' | 'W8a' | 'W8b' | 'copy';

/** What is measured beside the workloads, each in a process that no workload runs in. */
export type OtherId = 'S1' | 'S2' | 'S3' | 'S4' | 'M1' | 'M2' | 'D1' | 'D2' | 'D3' | 'D4' | 'Z0' | 'Z1' | 'Z2';
