import type { RequestState } from '../store/reading/requestState.js';
import type { Runner } from '../store/request.js';
import { warnAboutContent, type Asked, type ReadOptions } from './asked.js';
import { makePick, type PickMemory } from './picking.js';
import { tracked } from './tracked.js';

/** How a request stands that was not made. */
const uninitialized: RequestState<never> = {
  status: 'uninitialized',
  isUninitialized: true,
  isLoading: false,
  isFetching: false,
  isSuccess: false,
  isError: false,
  isStale: false,
  isPartial: false,
  isOptimistic: false,
  isPaused: false,
};

/** What the options of a read say of its result. */
type Look<Value, Selected> = Pick<
  ReadOptions<Value, Selected>,
  'select' | 'isEqual' | 'keepPreviousData' | 'refetchOnMount'
>;

/** How a read stands, as a component sees it. */
type Shown<Selected, Extra> = RequestState<Selected> & Extra & { readonly isPrevious: boolean };

/** What was shown last, and what it was made of. */
interface Seen<Value, Selected, Extra> {
  readonly state: RequestState<Value>;
  readonly look: Look<Value, Selected>;
  readonly isBegun: boolean;
  readonly previous: Value | undefined;
  readonly shown: Shown<Selected, Extra>;
}

/** What data is read from. */
interface Source<Value> {
  /** What it was asked for with; undefined for nothing. */
  readonly asked: Asked | undefined;
  /** Reads what there is of it now. */
  readonly read: (rootState: never) => Value | undefined;
}

/** What a component is subscribed to. */
export interface Subscribed {
  /** What that is kept under; undefined before it is shown, and while it is hidden. */
  name?: string | undefined;
}

/** What outlives the views of one component, and their renders. */
export interface ViewMemory extends Subscribed, PickMemory {
  /** What the component has read of results. */
  readonly read: Set<PropertyKey>;
  /** The view that was shown last. */
  view: { readonly endpoint: object | undefined; readonly source: Source<unknown> } | undefined;
}

/** What one component sees of what it asks for. */
export class View<Value, Selected, Extra extends object> {
  readonly #select: (rootState: never) => RequestState<Value>;
  readonly #own: Source<Value>;
  readonly #extra: Extra;
  readonly #show: (next: Shown<Selected, Extra>) => Shown<Selected, Extra>;
  readonly #memory: ViewMemory;
  /** What is asked; undefined for nothing. */
  readonly endpoint: object | undefined;
  /** The data of other arguments of the same endpoint, which was shown before these were asked for; undefined as soon as there has been data of their own. */
  #previous: Source<Value> | undefined;
  readonly #pick;
  #last: Seen<Value, Selected, Extra> | undefined;
  readonly #runner: Runner | undefined;
  /** The state in which it was due, of which the state itself does not tell. */
  #due: RequestState<Value> | undefined;

  constructor(asked: Asked<Value> | undefined, extra: Extra, memory: ViewMemory, runner: Runner | undefined) {
    this.#select = asked ? asked.endpoint.selectRequest(...asked.args) : () => uninitialized;
    this.#own = { asked, read: (rootState) => this.#select(rootState).data };
    this.endpoint = asked?.endpoint;
    this.#memory = memory;
    this.#runner = runner;
    this.#pick = makePick<Value, Selected>(memory);
    this.#extra = extra;
    this.#show = tracked(memory.read);
    const { view } = memory;
    // An endpoint gives values of one type.
    this.#previous = asked && view?.endpoint === asked.endpoint ? (view.source as Source<Value>) : undefined;
  }

  /** What the next view shows until it has data of its own: read anew each time, for it may be edited, deleted or reset meanwhile. */
  get source(): Source<Value> {
    return this.#previous ?? this.#own;
  }

  /** The component subscribes. */
  readonly begin = (): void => {
    this.#memory.view = this;
  };

  /** What the component sees; the same object, as long as nothing changes of what it has read. */
  see(rootState: never, look: Look<Value, Selected>): Shown<Selected, Extra> {
    const state = this.#select(rootState);
    const last = this.#last;
    const { asked } = this.#own;
    // As soon as it is subscribed to, the state tells whether something is under way.
    const isBegun = this.#memory.name === asked?.name;
    if (state.data !== undefined) this.#previous = undefined;
    const previous = look.keepPreviousData === true ? this.#previous?.read(rootState) : undefined;
    const isSame = last?.state === state && last.isBegun === isBegun && last.previous === previous;
    if (isSame && isSameLook(look, last.look)) return last.shown;
    if (asked && state.data === undefined && state.status === 'fulfilled') warnAboutContent(asked);
    const begun = this.#begun(state, isBegun, look.refetchOnMount);
    const isPrevious = previous !== undefined && isWithout(begun);
    const raw = isPrevious ? previous : begun.data;
    const data = raw === undefined ? undefined : this.#pick(raw, look);
    // Where data is shown, it is no first load.
    const flags = isPrevious && { isLoading: false, isSuccess: !begun.isError };
    const shown = this.#show({ ...begun, ...flags, ...this.#extra, data, isPrevious } as never);
    this.#last = { state, look, isBegun, previous, shown };
    return shown;
  }

  /** A read begins when the component is shown; in its first render already, what will be fetched is on its way. */
  #begun(state: RequestState<Value>, isBegun: boolean, refetch: ReadOptions['refetchOnMount']): RequestState<Value> {
    const { asked } = this.#own;
    const isAsked = asked && !isBegun && (refetch !== false || state.data === undefined);
    const isUntold = isAsked && (state.isError || isBrought(state));
    const isDue = isUntold && this.#runner?.isDue(asked.endpoint, asked.args);
    // A failure that is over shows until it is answered.
    if (isDue === 'retry' || (isDue && !state.isError)) this.#due = state;
    const known = this.#due ? dueIn(state, this.#due, isBegun) : state;
    return !isBegun && (isDue || isToBeFetched(known, refetch)) ? fetching(known) : known;
  }
}

/** Whether there is nothing to show yet: in place of that, the data before may be. */
function isWithout({ data, isLoading, isError }: RequestState): boolean {
  return data === undefined && (isLoading || isError);
}

function isSameLook<Value, Selected>(one: Look<Value, Selected>, other: Look<Value, Selected>): boolean {
  return one.select === other.select && one.keepPreviousData === other.keepPreviousData;
}

/** Whether data is there that nobody asked for by itself: how old it is, the state does not tell. */
function isBrought({ isUninitialized, isOptimistic, data }: RequestState): boolean {
  return isUninitialized && data !== undefined && !isOptimistic;
}

/** What was due as a component began to read it, until it is answered: a failure that was forgiven does not show, and what others have brought is stale. */
function dueIn<Value>(state: RequestState<Value>, due: RequestState<Value>, isBegun: boolean): RequestState<Value> {
  const { error, data, isFetching, fulfilledTimeStamp } = state;
  if (error !== due.error) return state;
  if (!error) return fulfilledTimeStamp === undefined ? { ...state, isStale: true } : state;
  // One that was tried again, and cancelled, stands.
  if (isBegun && !isFetching) return state;
  return fetching({ ...state, isSuccess: data !== undefined, isError: false, error: undefined } as RequestState<Value>);
}

function isToBeFetched(state: RequestState, refetch: ReadOptions['refetchOnMount']): boolean {
  const { isFetching, isError, isSuccess, data, isPartial, isStale } = state;
  if (isFetching || state === uninitialized) return false;
  if (refetch === 'always') return true;
  // When a failure may be tried again, the store knows.
  if (isError || (refetch === false && data !== undefined)) return false;
  return !isSuccess || isPartial || isStale;
}

/** How a read stands that is on its way. */
function fetching<Value>(state: RequestState<Value>): RequestState<Value> {
  const isLoading = !state.isSuccess && !state.isError;
  return { ...state, status: 'pending', isUninitialized: false, isLoading, isFetching: true } as RequestState<Value>;
}
