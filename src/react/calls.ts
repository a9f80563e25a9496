import type { useDispatch } from 'react-redux';
import type { Runner, SerializedFailure } from '../store/request.js';

type Dispatch = ReturnType<typeof useDispatch>;

/** How the last call of a mutation stands; the flags and `status` narrow what `data` and `error` are. */
export type Call<Value, ErrorData = unknown> =
  | {
      readonly status: 'uninitialized';
      readonly isUninitialized: true;
      readonly isLoading: false;
      readonly isSuccess: false;
      readonly isError: false;
      readonly isPaused: false;
      readonly data: undefined;
      readonly error: undefined;
    }
  | {
      readonly status: 'pending';
      readonly isUninitialized: false;
      readonly isLoading: true;
      readonly isSuccess: false;
      readonly isError: false;
      /** It is in the outbox, and not under way. */
      readonly isPaused: boolean;
      readonly data: undefined;
      readonly error: undefined;
    }
  | {
      readonly status: 'fulfilled';
      readonly isUninitialized: false;
      readonly isLoading: false;
      readonly isSuccess: true;
      readonly isError: false;
      readonly isPaused: false;
      readonly data: Value;
      readonly error: undefined;
    }
  | {
      readonly status: 'rejected';
      readonly isUninitialized: false;
      readonly isLoading: false;
      readonly isSuccess: false;
      readonly isError: true;
      readonly isPaused: false;
      readonly data: undefined;
      /** What the call was rejected with; it has the fields that a read's error has. */
      readonly error: Error & SerializedFailure<ErrorData>;
    };

const flags = { isUninitialized: false, isLoading: false, isSuccess: false, isError: false, isPaused: false } as const;
const nothing = { data: undefined, error: undefined } as const;

/** Nothing was called, or it was cancelled, or forgotten. */
export const idle: Call<never> = { ...flags, ...nothing, status: 'uninitialized', isUninitialized: true };
export const calling: Call<never> = { ...flags, ...nothing, status: 'pending', isLoading: true };

/** It is in the outbox, and not under way. */
export const pausing: Call<never> = { ...calling, isPaused: true };

export function succeeded<Value>(data: Value): Call<Value> {
  return { ...flags, ...nothing, status: 'fulfilled', isSuccess: true, data };
}

export function failed(error: Error): Call<never> {
  return { ...flags, ...nothing, status: 'rejected', isError: true, error };
}

/** The last call of a mutation, and who shows it. */
interface Line {
  call: Call<unknown>;
  /** What tells the last call from those before. */
  id: unknown;
  readonly listeners: Set<() => void>;
  /** Tells of each reset of the store; known since the first call. */
  runner?: Pick<Runner, 'onReset'>;
  /** Ends that. */
  stop?: (() => void) | undefined;
}

/** Lines by endpoint and fixed key. */
type Lines = Map<unknown, Line>;

/** The lines that components share, in each store. They are no part of the state: nothing but components reads them. */
const shared = new WeakMap<Dispatch, Lines>();

/** Where the last call of a mutation is kept: for one component, or for all in a store that name the same. */
export class Calls<Value> {
  readonly #lines: Lines;
  readonly #name: unknown;
  /** The line that this component has used: hidden, it shows nothing, and goes on from there when it shows again. */
  #own: Line | undefined;

  /** Of one component alone, where no name is given. */
  constructor(dispatch: Dispatch, name?: string) {
    this.#lines = (name === undefined ? undefined : shared.get(dispatch)) ?? new Map<unknown, Line>();
    this.#name = name;
    if (name !== undefined) shared.set(dispatch, this.#lines);
  }

  /** How the last call stands. */
  readonly last = (): Call<Value> => {
    // A name stands for one endpoint, so what is kept under it is what that gives.
    return (this.#known?.call ?? idle) as Call<Value>;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    const line = this.#line();
    const { listeners } = line;
    listeners.add(listener);
    this.#heed(line);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      line.stop?.();
      line.stop = undefined;
      // A component that is mounted again at once, as in strict mode, has not gone.
      if (this.#name !== undefined) queueMicrotask(this.#tidy);
    };
  };

  /** Whether a call is the last one still. */
  isLast(id: unknown): boolean {
    return this.#known?.id === id;
  }

  /** Forgets the last call with each reset of the store, as long as somebody shows it. */
  forgetWith(runner: Pick<Runner, 'onReset'>): void {
    const line = this.#line();
    line.runner = runner;
    this.#heed(line);
  }

  #heed(line: Line): void {
    if (line.listeners.size > 0)
      line.stop ??= line.runner?.onReset(() => {
        this.note(idle);
      });
  }

  /** Notes how the last call stands, and tells who shows it. */
  note(call: Call<Value>, id?: unknown): void {
    const line = this.#line();
    line.call = call;
    line.id = id;
    for (const listener of [...line.listeners]) listener();
    if (this.#name !== undefined && call.status !== 'pending') this.#tidy();
  }

  get #known(): Line | undefined {
    return this.#lines.get(this.#name) ?? this.#own;
  }

  #line(): Line {
    const line = (this.#own = this.#known ?? { call: idle, id: undefined, listeners: new Set() });
    this.#lines.set(this.#name, line);
    return line;
  }

  /** What nobody shows is forgotten. */
  readonly #tidy = (): void => {
    if (this.#lines.get(this.#name)?.listeners.size === 0) this.#lines.delete(this.#name);
  };
}
