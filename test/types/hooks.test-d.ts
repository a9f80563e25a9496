import {
  createResource,
  Entity,
  RestEndpoint,
  type ArgsOf,
  type EntityClass,
  type RequestDispatch,
  type RequestPromise,
  type ResourceOptions,
  type SerializedFailure,
  type Undeclared,
} from 'rtk-resource';
import {
  skipToken,
  useInfiniteResource,
  useLazyResource,
  useMutation,
  usePrefetch,
  useResetFailures,
  useResource,
  useSuspense,
  type HookEndpoint,
  type ReadEndpoint,
  type ReadRequest,
} from 'rtk-resource/react';
import { describe, expectTypeOf, it } from 'vitest';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
}

const searchParams: { userId?: number } | undefined = {};
const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  paginationField: 'page',
});
const { get, getList, update, partialUpdate } = TodoResource;
class Team extends Entity {
  id = 0;
  name = '';
}
const Teams = createResource({ path: '/teams/:id', schema: Team, paginationField: 'page' });
const Search = new RestEndpoint({
  path: '/search',
  method: 'POST',
  sideEffect: false,
  body: {} as { readonly words: readonly string[] },
  schema: [Todo],
});
declare const id: number | undefined;

describe('a request state', () => {
  it('narrows by its flags and its status', () => {
    const state = useResource(get, { id: 1 });
    expectTypeOf(state.data).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(state.error).toEqualTypeOf<SerializedFailure | undefined>();
    if (state.isSuccess) {
      expectTypeOf(state.data).toEqualTypeOf<Todo>();
      expectTypeOf(state.error).toEqualTypeOf<undefined>();
    }
    if (state.isError) expectTypeOf(state.error).toEqualTypeOf<SerializedFailure>();
    if (state.isLoading) expectTypeOf(state.data).toEqualTypeOf<undefined>();
    if (state.status === 'fulfilled') expectTypeOf(state.data).toEqualTypeOf<Todo>();
    if (state.status === 'rejected') expectTypeOf(state.error).toEqualTypeOf<SerializedFailure>();
  });

  it('narrows when it is taken apart', () => {
    const { data, error, isLoading, isError, isUninitialized } = useResource(get, { id: 1 });
    if (isLoading) return;
    if (isError) {
      expectTypeOf(error).toEqualTypeOf<SerializedFailure>();
      return;
    }
    if (isUninitialized) return;
    expectTypeOf(data).toEqualTypeOf<Todo>();
  });

  it('of selectRequest narrows as well', () => {
    const state = get.selectRequest({ id: 1 })({} as never);
    if (state.isSuccess) expectTypeOf(state.data).toEqualTypeOf<Todo>();
    if (!state.isSuccess && !state.isLoading && !state.isUninitialized)
      expectTypeOf(state.error).toEqualTypeOf<SerializedFailure>();
  });
});

describe('useResource', () => {
  it('takes a request with options', () => {
    expectTypeOf(useResource(getList({ userId: 1 })).data).toEqualTypeOf<Todo[] | undefined>();
    const { data, refetch, isPrevious } = useResource(get({ id: 1 }), {
      skip: false,
      select: (todo) => todo.title,
      isEqual: (one, other) => one.length === other.length,
      keepPreviousData: true,
      pollFrequency: 5_000,
      refetchOnMount: 'always',
    });
    expectTypeOf(data).toEqualTypeOf<string | undefined>();
    expectTypeOf(refetch).returns.toExtend<RequestPromise<Todo> | undefined>();
    expectTypeOf(isPrevious).toBeBoolean();
  });

  it('polls as often as is said, or never', () => {
    const isLive = false as boolean;
    useResource(get({ id: 1 }), { pollFrequency: isLive && 5_000 });
    useSuspense(get({ id: 1 }), { pollFrequency: ({ completed }) => (completed ? false : 1_000) });
    get.extend({ pollFrequency: false });
    // @ts-expect-error: how often, true does not say
    useResource(get({ id: 1 }), { pollFrequency: true });
  });

  it('takes skipToken in place of arguments, or of a request', () => {
    expectTypeOf(useResource(get, id === undefined ? skipToken : { id }).data).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(useResource(id === undefined ? skipToken : get({ id })).data).toEqualTypeOf<Todo | undefined>();
  });

  it('takes one of two requests that bring the same', () => {
    const request = id === undefined ? getList() : Search({ words: [] });
    expectTypeOf(useResource(request).data).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(useResource(request, { select: (todos) => todos.length }).data).toEqualTypeOf<number | undefined>();
    expectTypeOf(useInfiniteResource(request).data).toEqualTypeOf<Todo[] | undefined>();
    // @ts-expect-error: one of them is a write
    useResource(id === undefined ? get({ id: 1 }) : update({ id }, { title: 'x' }));
  });

  it('takes one of several requests, or endpoints, that bring what they have', () => {
    const isTeams = id === undefined;
    const { data, refetch } = useResource(isTeams ? Teams.getList() : getList());
    expectTypeOf(data).toEqualTypeOf<Team[] | Todo[] | undefined>();
    expectTypeOf(refetch).returns.toExtend<RequestPromise<Team[] | Todo[]> | undefined>();
    expectTypeOf(useResource(isTeams ? Teams.get({ id: 1 }) : get({ id })).data).toEqualTypeOf<
      Team | Todo | undefined
    >();
    expectTypeOf(useResource(isTeams ? skipToken : id > 1 ? Teams.getList() : get({ id })).data).toEqualTypeOf<
      Team[] | Todo | undefined
    >();
    const lengths = useResource(isTeams ? Teams.getList() : getList(), { select: (all) => all.map((one) => one.id) });
    expectTypeOf(lengths.data).toEqualTypeOf<number[] | undefined>();
    const Either = isTeams ? Teams.get : get;
    expectTypeOf(useResource(Either, { id: 1 }).data).toEqualTypeOf<Team | Todo | undefined>();
    expectTypeOf(useResource(Either, isTeams ? skipToken : { id }).data).toEqualTypeOf<Team | Todo | undefined>();
    // @ts-expect-error: one of them is a write
    useResource(isTeams ? Teams.get({ id: 1 }) : update({ id }, { title: 'x' }));
    // @ts-expect-error: the same
    useResource(isTeams ? Teams.get : TodoResource.delete, { id: 1 });
    // @ts-expect-error: both need an id
    useResource(Either, { ident: 1 });
    // @ts-expect-error: the other one needs an id
    useResource(isTeams ? Teams.getList : get, {});
  });

  it('knows what the server says of a failure, and the actions, of one request or endpoint', () => {
    const { getList } = createResource({ path: '/todos/:id', schema: Todo, errorData: {} as { hint: string } });
    expectTypeOf(useResource(getList()).error?.data).toEqualTypeOf<{ hint: string } | undefined>();
    expectTypeOf(useResource(getList).error?.data).toEqualTypeOf<{ hint: string } | undefined>();
    expectTypeOf(useResource(getList).refetch).toEqualTypeOf(useResource(getList()).refetch);
  });

  it('knows the data of what a generic function is given', () => {
    const useOne = <R extends ReadRequest<Todo[]>>(request: R) =>
      [useResource(request).data, useSuspense(request)] as const;
    const useOf = <Value>(request: ReadRequest<Value>) => [useResource(request).data, useSuspense(request)] as const;
    expectTypeOf(useOne(getList())).toEqualTypeOf<readonly [Todo[] | undefined, Todo[]]>();
    expectTypeOf(useOf(getList())).toEqualTypeOf<readonly [Todo[] | undefined, Todo[]]>();
  });

  it('takes a read that is sent as POST', () => {
    expectTypeOf(useResource(Search, { words: [] }).data).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(useResource(Search({ words: [] })).data).toEqualTypeOf<Todo[] | undefined>();
  });

  it('takes no write', () => {
    // @ts-expect-error: it would be sent whenever a component is shown
    useResource(update, { id: 1 }, { title: 'x' });
    // @ts-expect-error: the same as a request
    useResource(partialUpdate({ id: 1 }, { title: 'x' }));
    // @ts-expect-error: the same
    useResource(TodoResource.delete, { id: 1 });
    // @ts-expect-error: the same
    useResource(getList.push({ title: 'x' }));
    // @ts-expect-error: the same of a single endpoint
    useResource(new RestEndpoint({ path: '/login', method: 'POST' }));
    // @ts-expect-error: the same of a member that was added
    useResource(TodoResource.extend('archive', { method: 'POST', path: '/todos/:id/archive' }).archive, { id: 1 });
    const Anywhere = createResource({ path: String(id), schema: Todo });
    useResource(Anywhere.get, { id: 1 });
    // @ts-expect-error: the same where the path may be any
    useResource(Anywhere.update, { id: 1 }, { title: 'x' });
  });

  it('takes skipToken nowhere else', () => {
    // @ts-expect-error: it stands for all arguments
    useResource(get, skipToken, { id: 1 });
    // @ts-expect-error: it is no parameter
    useResource(get, { id: skipToken });
    // @ts-expect-error: it is no argument of a request
    get(skipToken);
    // @ts-expect-error: nor of a write
    update({ id: 1 }, skipToken);
  });

  it('takes options that are known, for the data that the request brings', () => {
    // @ts-expect-error: it is called pollFrequency
    useResource(get({ id: 1 }), { pollingInterval: 5_000 });
    // @ts-expect-error: a todo has no name
    useResource(get({ id: 1 }), { select: (todo: { readonly name: string }) => todo.name });
    // @ts-expect-error: true, false or 'always'
    useResource(get({ id: 1 }), { refetchOnMount: 'never' });
  });
});

describe('useSuspense', () => {
  it('gives the data, or undefined where it may be skipped', () => {
    expectTypeOf(useSuspense(get, { id: 1 })).toEqualTypeOf<Todo>();
    expectTypeOf(useSuspense(get, skipToken)).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(useSuspense(get, id === undefined ? skipToken : { id })).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(useSuspense(get({ id: 1 }))).toEqualTypeOf<Todo>();
    expectTypeOf(useSuspense(get({ id: 1 }), { select: (todo) => todo.title })).toEqualTypeOf<string>();
    expectTypeOf(useSuspense(get({ id: 1 }), { skip: id === undefined })).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(useSuspense(id === undefined ? skipToken : get({ id }))).toEqualTypeOf<Todo | undefined>();
  });

  it('takes one of several requests, or endpoints, that bring what they have', () => {
    const isTeams = id === undefined;
    expectTypeOf(useSuspense(isTeams ? Teams.getList() : getList())).toEqualTypeOf<Team[] | Todo[]>();
    expectTypeOf(useSuspense(isTeams ? skipToken : id > 1 ? Teams.getList() : getList())).toEqualTypeOf<
      Team[] | Todo[] | undefined
    >();
    const options = { skip: isTeams };
    expectTypeOf(useSuspense(isTeams ? Teams.getList() : getList(), options)).toEqualTypeOf<
      Team[] | Todo[] | undefined
    >();
    const first = useSuspense(isTeams ? Teams.getList() : getList(), { select: ([one]) => one?.id });
    expectTypeOf(first).toEqualTypeOf<number | undefined>();
    const Either = isTeams ? Teams.get : get;
    expectTypeOf(useSuspense(Either, { id: 1 })).toEqualTypeOf<Team | Todo>();
    expectTypeOf(useSuspense(Either, isTeams ? skipToken : { id })).toEqualTypeOf<Team | Todo | undefined>();
    // @ts-expect-error: one of them is a write
    useSuspense(isTeams ? Teams.get({ id: 1 }) : update({ id }, { title: 'x' }));
    // @ts-expect-error: both need an id
    useSuspense(Either, { ident: 1 });
  });

  it('takes no write', () => {
    // @ts-expect-error: it would be sent whenever a component is shown
    useSuspense(update, { id: 1 }, { title: 'x' });
    // @ts-expect-error: the same as a request
    useSuspense(TodoResource.delete({ id: 1 }));
  });
});

describe('the options of useSuspense', () => {
  it('have nothing that a component which waits has no use for', () => {
    useSuspense(get({ id: 1 }), { refetchOnMount: false });

    // @ts-expect-error: a transition does that
    useSuspense(get({ id: 1 }), { keepPreviousData: true });
    // @ts-expect-error: what was just waited for would be fetched again
    useSuspense(get({ id: 1 }), { refetchOnMount: 'always' });
  });
});

describe('useInfiniteResource', () => {
  it('tells of the pages beside those that are there, and fetches them', () => {
    const { data, hasNextPage, isFetchingPreviousPage, nextPageError, fetchNextPage } = useInfiniteResource(getList, {
      userId: 1,
    });
    expectTypeOf(data).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(hasNextPage).toEqualTypeOf<boolean>();
    expectTypeOf(isFetchingPreviousPage).toEqualTypeOf<boolean>();
    expectTypeOf(nextPageError).toEqualTypeOf<SerializedFailure | undefined>();
    expectTypeOf(fetchNextPage).returns.toExtend<RequestPromise<Todo[]> | undefined>();
    const state = useInfiniteResource(getList(), { select: (todos) => todos.length });
    if (state.isSuccess) expectTypeOf(state.data).toEqualTypeOf<number>();
  });

  it('tells what the server has said of a page that could not be had', () => {
    const { getList } = createResource({
      path: '/todos/:id',
      schema: Todo,
      paginationField: 'page',
      errorData: {} as { hint: string },
    });
    expectTypeOf(useInfiniteResource(getList).nextPageError?.data).toEqualTypeOf<{ hint: string } | undefined>();
  });

  it('takes one of several lists that have pages', () => {
    const isTeams = id === undefined;
    expectTypeOf(useInfiniteResource(isTeams ? Teams.getList() : getList()).data).toEqualTypeOf<
      Team[] | Todo[] | undefined
    >();
    expectTypeOf(useInfiniteResource(isTeams ? Teams.getList : getList).data).toEqualTypeOf<
      Team[] | Todo[] | undefined
    >();
    // @ts-expect-error: an item has no pages
    useInfiniteResource(isTeams ? Teams.get : get, { id: 1 });
  });

  it('takes lists that have pages alone', () => {
    // @ts-expect-error: an item has no pages
    useInfiniteResource(get, { id: 1 });
    // @ts-expect-error: nothing says how its pages follow each other
    useInfiniteResource(createResource({ path: '/tags/:id', schema: Todo }).getList);
  });
});

describe('useLazyResource', () => {
  it('gives a function that takes the arguments, and the state of the read', () => {
    const [load, state] = useLazyResource(get);
    expectTypeOf(load).parameters.toEqualTypeOf<Parameters<typeof get>>();
    expectTypeOf(load).returns.toExtend<RequestPromise<Todo>>();
    if (state.isSuccess) expectTypeOf(state.data).toEqualTypeOf<Todo>();
    const [, { data }] = useLazyResource(get, { select: (todo) => todo.title });
    expectTypeOf(data).toEqualTypeOf<string | undefined>();

    // @ts-expect-error: a write is called with useMutation
    useLazyResource(update);
  });
});

describe('usePrefetch and useResetFailures', () => {
  it('give functions that give nothing back', () => {
    const prefetch = usePrefetch(get);
    expectTypeOf(prefetch).parameters.toEqualTypeOf<Parameters<typeof get>>();
    expectTypeOf(prefetch).returns.toBeVoid();
    expectTypeOf(useResetFailures()).toEqualTypeOf<() => void>();

    // @ts-expect-error: a write is not sent before somebody wants it
    usePrefetch(update);
  });
});

describe('useMutation', () => {
  it('has a state that narrows', () => {
    const [, state] = useMutation(update, { fixedKey: 'title' });
    expectTypeOf(state.data).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(state.error).toEqualTypeOf<(Error & SerializedFailure) | undefined>();
    if (state.isSuccess) expectTypeOf(state.data).toEqualTypeOf<Todo>();
    if (state.isError) expectTypeOf(state.error).toEqualTypeOf<Error & SerializedFailure>();
    if (state.status === 'fulfilled') expectTypeOf(state.data).toEqualTypeOf<Todo>();
    const [, { isError, error }] = useMutation(TodoResource.delete);
    if (isError) expectTypeOf(error).toEqualTypeOf<Error & SerializedFailure>();
  });
});

describe('what is called by hand', () => {
  it('is one of several endpoints, with what each of them takes', () => {
    const one = id === undefined ? Teams : TodoResource;
    const [edit, state] = useMutation(one.partialUpdate);
    expectTypeOf(edit({ id: 1 }, { id: 2 }).unwrap()).resolves.toEqualTypeOf<Team | Todo>();
    expectTypeOf(state.data).toEqualTypeOf<Team | Todo | undefined>();
    const [push] = useMutation(one.getList.push);
    expectTypeOf(push({ id: 2 }).unwrap()).resolves.toEqualTypeOf<Team | Todo>();
    const [load, loaded] = useLazyResource(one.get, { select: (data) => data.id });
    expectTypeOf(load({ id: 1 }).unwrap()).resolves.toEqualTypeOf<Team | Todo>();
    expectTypeOf(loaded.data).toEqualTypeOf<number | undefined>();
    usePrefetch(one.get)({ id: 1 });

    // @ts-expect-error: both need an id
    void load({ ident: 1 });
    // @ts-expect-error: several would be told as one
    void push([{ id: 2 }]);
    // @ts-expect-error: one of them is a write
    usePrefetch(id === undefined ? get : update);
  });

  it('is what a generic function is given', () => {
    const useCalls = <Args extends readonly unknown[], Value, ErrorData>(
      read: ReadEndpoint<Args, Value>,
      write: HookEndpoint<Args, Value, ErrorData>,
      ...args: Args
    ) => {
      const [load] = useLazyResource(read);
      const [save, { error }] = useMutation(write);
      usePrefetch(read)(...args);
      const value: Value = useSuspense(read, ...args);
      const data: Value | undefined = useResource(read, ...args).data;
      const promises: readonly RequestPromise<Value>[] = [load(...args), save(...args)];
      return { promises, value, data, problem: error?.data };
    };
    const Strict = createResource({ path: '/todos/:id', schema: Todo, errorData: {} as { hint: string } });
    const bump = Strict.get.extend({ name: 'bump', method: 'POST', body: undefined });
    const { value, problem } = useCalls(get, bump, { id: 1 });
    expectTypeOf(value).toEqualTypeOf<Todo>();
    expectTypeOf(problem).toEqualTypeOf<{ hint: string } | undefined>();
  });
});

declare const dispatch: RequestDispatch;

/** What hooks that give a function and a state are called with, bring and show. */
type CallsOf<Hooks> = {
  [
    Name in keyof Hooks as Hooks[Name] extends () => readonly [unknown, unknown] ? Name : never
  ]: Hooks[Name] extends () => readonly [
    (...args: infer Args) => { unwrap(): Promise<infer Value> },
    { data: infer Data },
  ]
    ? [Args, Value, Data]
    : never;
};

describe('hooks that are made in a generic function', () => {
  it('have the types of the resource, of any path and entity', () => {
    const makeHooks = <const P extends string, E extends EntityClass>(path: P, entity: E) => {
      const R = createResource({ path, schema: entity, paginationField: 'page' });
      return {
        R,
        usePush: () => useMutation(R.getList.push),
        useUnshift: () => useMutation(R.getList.unshift),
        useRemove: () => useMutation(R.getList.remove),
        useMove: () => useMutation(R.getList.move),
        useAssign: () => useMutation(R.getList.assign),
        useUpdate: () => useMutation(R.update),
        useLazy: () => useLazyResource(R.get),
        useOne: (...args: ArgsOf<typeof R.get>) => useResource(R.get, ...args),
        useOneThere: (...args: ArgsOf<typeof R.get>) => useSuspense(R.get, ...args),
        useAll: (...args: ArgsOf<typeof R.getList>) => useInfiniteResource(R.getList, ...args),
        load: (...args: ArgsOf<typeof R.getList>) => dispatch(R.getList(...args)).unwrap(),
      };
    };
    const made = makeHooks('/teams/:id', Team);
    const _plain = {
      usePush: () => useMutation(Teams.getList.push),
      useUnshift: () => useMutation(Teams.getList.unshift),
      useRemove: () => useMutation(Teams.getList.remove),
      useMove: () => useMutation(Teams.getList.move),
      useAssign: () => useMutation(Teams.getList.assign),
      useUpdate: () => useMutation(Teams.update),
      useLazy: () => useLazyResource(Teams.get),
    };
    expectTypeOf<CallsOf<typeof made>>().toEqualTypeOf<CallsOf<typeof _plain>>();
    expectTypeOf(made.useOne({ id: 1 }).data).toEqualTypeOf<Team | undefined>();
    expectTypeOf(made.useOneThere({ id: 1 })).toEqualTypeOf<Team>();
    expectTypeOf(made.useAll().data).toEqualTypeOf<Team[] | undefined>();
    expectTypeOf(made.load()).resolves.toEqualTypeOf<Team[]>();
    const [push] = made.usePush();
    expectTypeOf(push({ name: 'Ants' }).unwrap()).resolves.toEqualTypeOf<Team>();

    // @ts-expect-error: a team has no such field
    void push({ nam: 'Ants' });
    // @ts-expect-error: the path needs an id
    made.useOne({ ident: 1 });
  });

  it('are called with the arguments of a known path', () => {
    const useTyped = <E extends EntityClass>(entity: E) => {
      const { get } = createResource({ path: '/teams/:id', schema: entity });
      usePrefetch(get)({ id: 1 });
      void useLazyResource(get)[0]({ id: 1 });

      // @ts-expect-error: the path needs an id
      useResource(get, { ident: 1 });
      // @ts-expect-error: and nothing else
      useResource(get, { id: 1, page: 2 });
      // @ts-expect-error: the same
      useSuspense(get, { id: 1, page: 2 });
      return [useResource(get, { id: 1 }).data, useSuspense(get, { id: 1 })] as const;
    };
    expectTypeOf(useTyped(Team)).toEqualTypeOf<readonly [Team | undefined, Team]>();
  });

  it('take nothing where too little is known of a list', () => {
    const useAdd = <const P extends string, S, Search = Undeclared>(
      options: ResourceOptions<P, S, Search, Undeclared, never, RestEndpoint>,
    ) => useMutation(createResource(options).getList.push);
    const [add] = useAdd({ path: '/teams/:id', schema: Team });
    // @ts-expect-error: the search parameters decide what a list has, so its push is to be asked of the resource that is made
    void add({ nam: 'Ants' });
  });

  it('take the types of an endpoint that are given by hand', () => {
    expectTypeOf(useResource<typeof get>(get, { id: 1 }).data).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(useLazyResource<typeof get>(get)[0]).parameters.toEqualTypeOf<ArgsOf<typeof get>>();
    expectTypeOf(usePrefetch<typeof get>(get)).parameters.toEqualTypeOf<ArgsOf<typeof get>>();
  });
});

describe('subscribe', () => {
  it('takes no write', () => {
    get.subscribe({ id: 1 });
    Search.subscribe({ words: [] });

    // @ts-expect-error: it would be sent again and again
    update.subscribe({ id: 1 }, { title: 'x' });
    // @ts-expect-error: the same
    TodoResource.delete.subscribe({ id: 1 });
  });
});

describe('a mistake in the call of a hook', () => {
  it('leaves its result with a value, and the code below it reachable', () => {
    const name = 'Ada' as string | null;
    // @ts-expect-error: the list has no such parameter
    useResource(getList, { user: 1 });
    // @ts-expect-error: the list has no such parameter
    const listed = useResource(getList, { usr: 1 });
    // @ts-expect-error: the same
    const suspended = useSuspense(getList, { usr: 1 });
    // @ts-expect-error: the same
    const paged = useInfiniteResource(getList, { usr: 1 });
    // @ts-expect-error: there is no such option
    const asked = useResource(get({ id: 1 }), { pollFreq: 5 });
    // @ts-expect-error: it would be sent whenever a component is shown
    const written = useResource(update, { id: 1 }, { title: 'Read' });

    if (name === null) return;
    expectTypeOf(name).toEqualTypeOf<string>();
    expectTypeOf(listed.data).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(suspended).toEqualTypeOf<Todo[]>();
    expectTypeOf(paged.hasNextPage).toEqualTypeOf<boolean>();
    expectTypeOf(asked.data).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(written.data).toEqualTypeOf<unknown>();
  });

  it('is told where it stands: an option, a name, a value', () => {
    useResource(
      get({ id: 1 }),
      // @ts-expect-error: it is called pollFrequency
      { pollFrequenzy: 5 },
    );
    useResource(getList(), {
      select: (todos) => todos.length,
      // @ts-expect-error: a number
      pollFrequency: '5',
    });
    useResource(id === undefined ? skipToken : get({ id }), {
      // @ts-expect-error: true, false or 'always'
      refetchOnMount: 'never',
    });
    useResource(id === undefined ? Teams.getList() : getList(), {
      // @ts-expect-error: there is no such option
      pollFrequenzy: 5,
    });
    useSuspense(get({ id: 1 }), {
      // @ts-expect-error: a transition does that
      keepPreviousData: true,
    });
    useSuspense(get({ id: 1 }), {
      // @ts-expect-error: true or false
      refetchOnMount: 'always',
    });
    useInfiniteResource(getList(), {
      // @ts-expect-error: it is called pollFrequency
      pollFrequenzy: 5,
    });
    useResource(get, {
      // @ts-expect-error: the path needs an id
      ident: 1,
    });
    useInfiniteResource(getList, {
      // @ts-expect-error: a number
      userId: '1',
    });
    useResource(
      // @ts-expect-error: it would be sent whenever a component is shown
      update({ id: 1 }, { title: 'Read' }),
      { pollFrequency: 5 },
    );
  });
});
