import type { Store, UnknownAction } from '@reduxjs/toolkit';
import { warnOnce } from '../../errors.js';
import { connectTo } from '../../store/request.js';
import { Runtime } from '../../store/running/Runtime.js';
import { hasBegun, type ResourcesState } from '../../store/state.js';
import { Case } from '../explain/Case.js';
import { explain } from '../explain/explain.js';
import type { Explanation, Question } from '../explain/question.js';
import { metaOf, told } from './eventOf.js';
import { REPLACED, type EventMeta, type ResourceEvent } from './events.js';
import { Names } from './Names.js';
import { allNews } from './news.js';
import { safely, type Redact } from './redact.js';

/**
 * How a store is recorded.
 *
 * @example
 * const options: RecorderOptions = { maxEvents: 200, redact: (value, path) => (path.endsWith('/password') ? '…' : value) };
 */
export interface RecorderOptions {
  /** How many events are kept; 1 000, unless given. */
  readonly maxEvents?: number;
  /** Where the slice is mounted: only the slice of the middleware is recorded. */
  readonly reducerPath?: string;
  /** Replaces values before they are kept or told; `path` is as `Todo/5/title` for a field, `Todo/update/1/title` for an argument. */
  readonly redact?: (value: unknown, path: string) => unknown;
}

/**
 * What has happened in a store, and why it shows what it shows.
 *
 * @example
 * const { because } = recorder.explain({ entity: 'Todo', pk: '5', field: 'title' });
 */
export interface Recorder {
  /** The newest events, the oldest first. */
  readonly events: readonly ResourceEvent[];
  /** What is shown, and why. */
  explain(question: Question): Explanation;
  /** Ends the recording. */
  stop(): void;
}

const MOST = 1_000;

/** Records one store. */
export class StoreRecorder implements Recorder {
  readonly store: Store;
  /** Why nothing is recorded, in one sentence. */
  readonly problem: string | undefined;
  readonly redact: Redact;
  readonly #isRedacting: boolean;
  #names: Names;
  readonly runtime: Runtime | undefined;
  readonly #maxEvents: number;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #events: ResourceEvent[] = [];
  #copy: readonly ResourceEvent[] | undefined;
  #number = 0;
  /** The slice after the last event. */
  #last: ResourcesState | undefined;
  /** When the last reset was: what was asked for before is the last user's. */
  #resetSeq = -1;
  /** Events had to go, for want of room. */
  #isCut = false;

  constructor(store: Store, { maxEvents = MOST, reducerPath, redact }: RecorderOptions, stopped: () => void) {
    this.store = store;
    this.#maxEvents = maxEvents;
    this.redact = safely(redact);
    this.#isRedacting = redact !== undefined;
    this.#names = this.#newNames();
    const found = runtimeOf(store, reducerPath);
    if (typeof found === 'string') {
      this.problem = found;
      this.#stop = stopped;
      warnOnce(() => [`devtools ${found}`, found]);
      return;
    }
    this.runtime = found;
    this.#last = found.store.sliceIfThere();
    const stop = found.observe((action, before, after) => {
      this.#observed(action, before, after);
    });
    this.#stop = () => {
      stop();
      stopped();
    };
  }

  get events(): readonly ResourceEvent[] {
    return (this.#copy ??= Object.freeze([...this.#events]));
  }

  /** Where the slice is mounted. */
  get path(): string {
    return this.runtime?.store.reducerPath ?? '';
  }

  /** The slice as it is, after all that has happened to it is noted. */
  get slice(): ResourcesState | undefined {
    const store = this.runtime?.store;
    store?.observers.tell();
    const slice = store?.sliceIfThere();
    if (slice && this.#last && slice !== this.#last) this.#replaced(slice);
    this.#last = slice;
    return slice;
  }

  /** All that is known now, told as `redact` gives it, too; undefined where there is nothing to look at. */
  look(redact: Redact = (value) => value): Case | undefined {
    const { slice, runtime, events } = this;
    if (!slice || !runtime) return undefined;
    return new Case({
      slice,
      events,
      isCut: this.#isCut,
      names: this.#names,
      redact: (value, path) => redact(this.redact(value, path), path),
      endpointOf: (name) => runtime.lifetime.endpointOf(name),
      definitions: () => runtime.lifetime.definitions(),
    });
  }

  explain(question: Question): Explanation {
    const the = this.look();
    return the ? explain(question, the) : { value: undefined, because: [] };
  }

  stop(): void {
    this.#stop();
  }

  /** Tells of every event; what it gives ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** A fault of the panel's is no fault of the app's. */
  #observed(action: UnknownAction, before: ResourcesState, after: ResourcesState): void {
    try {
      if (this.#last && this.#last !== before) this.#replaced(before);
      this.#last = after;
      const isCleared = before.anchor !== after.anchor && isEmptied(after);
      if (isCleared) this.#clear(before);
      // Of what is forgotten, nothing is kept.
      const meta = isCleared
        ? {}
        : metaOf(action, this.path, { before, after, names: this.#names, redact: this.redact });
      if ((meta.seq ?? Infinity) > this.#resetSeq) this.#add(action.type, meta);
    } catch (error) {
      warnOnce(() => ['devtools recorder', `The devtools could not record ${action.type}: ${String(error)}`]);
    }
  }

  #newNames(): Names {
    return new Names(this.#isRedacting ? this.redact : undefined, (name) => this.runtime?.lifetime.endpointOf(name));
  }

  #replaced(slice: ResourcesState): void {
    const changes = this.#last ? allNews(this.#last.tables, slice.tables, this.redact) : undefined;
    this.#add(REPLACED, changes ? { changes: told(changes, { names: this.#names }) } : {});
  }

  /** What the last user has seen is forgotten. */
  #clear({ seq }: ResourcesState): void {
    this.#events = [];
    this.#isCut = false;
    this.#names = this.#newNames();
    // Emptied by an action of the app's, a slice begins with another clock, behind that of one that came from elsewhere.
    this.#resetSeq = Math.max(this.#resetSeq, Math.min(seq, this.runtime?.store.seq ?? seq));
  }

  #add(type: string, meta: EventMeta): void {
    this.#events.push(Object.freeze({ id: `event-${++this.#number}`, type, at: Date.now(), meta }));
    if (this.#events.length > this.#maxEvents) {
      this.#events.splice(0, this.#events.length - this.#maxEvents);
      this.#isCut = true;
    }
    this.#copy = undefined;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether a slice is that of nobody yet: `reset`, or an action of the app's, has made it begin anew. */
function isEmptied(slice: ResourcesState): boolean {
  return hasBegun(slice, 'reset') || hasBegun(slice, 'emptied');
}

/** What runs the requests of a store; in place of it, why there is none. */
function runtimeOf(store: Store, reducerPath: string | undefined): Runtime | string {
  try {
    const runner = connectTo(store.dispatch as (action: never) => unknown, 'The devtools');
    if (!(runner instanceof Runtime)) return 'The devtools belong to another version of rtk-resource than this store.';
    if (reducerPath !== undefined && runner.store.reducerPath !== reducerPath)
      return `The devtools were told to record state.${reducerPath}, but this store has its resources at state.${runner.store.reducerPath}.`;
    return runner;
  } catch (error) {
    return `The devtools cannot record this store: it has no middleware of rtk-resource, or of another version of it. ${firstLine(error)}`;
  }
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
