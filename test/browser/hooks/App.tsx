import { Component, StrictMode, Suspense, useEffect, useState, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import {
  skipToken,
  useInfiniteResource,
  useLazyResource,
  useMutation,
  usePrefetch,
  useResetFailures,
  useResource,
  useSuspense,
} from 'rtk-resource/react';
import type { Issues, makeStore } from './issues.js';

interface Props {
  readonly issues: Issues;
}

/** How often each component was put on the screen; a test reads it there. */
const renders = new Map<string, number>();
Object.assign(globalThis, { renders });

function useRenders(name: string): void {
  useEffect(() => {
    renders.set(name, (renders.get(name) ?? 0) + 1);
  });
}

function Row({ issues, id }: Props & { readonly id: number }) {
  const { data: title } = useResource(issues.get({ id }), { select: (issue) => issue.title });
  useRenders(`row ${id}`);

  return <li>{title}</li>;
}

function List({ issues, status }: Props & { readonly status: string }) {
  const { data, isPrevious, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteResource(
    issues.getList({ status }),
    { keepPreviousData: true, select: (list) => list.map(({ id }) => id), isEqual: isSameList },
  );
  useRenders('list');
  if (!data) return <p>Loading</p>;

  return (
    <section aria-label="Issues" aria-busy={isPrevious}>
      <ul>
        {data.map((id) => (
          <Row key={id} issues={issues} id={id} />
        ))}
      </ul>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>{isFetchingNextPage ? 'Loading' : 'More'}</button>}
    </section>
  );
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id, i) => id === other[i]);
}

function Actions({ issues }: Props) {
  const [add] = useMutation(issues.getList.push, { fixedKey: 'new' });
  const [rename] = useMutation(issues.partialUpdate);
  const [search, { data, isFetching }] = useLazyResource(issues.get);
  const { refetch } = useResource(issues.getList, { status: 'open' });
  const prefetch = usePrefetch(issues.get);
  useRenders('actions');

  return (
    <nav>
      <button onClick={() => void add({ status: 'open' }, { status: 'open', title: 'Added' })}>Add</button>
      <button onClick={() => void rename({ id: 1 }, { title: 'Renamed' })}>Rename</button>
      <button onClick={() => void refetch()}>Refetch</button>
      <button onClick={() => void search({ id: 2 })}>Search</button>
      <button
        onMouseEnter={() => {
          prefetch({ id: 9 });
        }}
      >
        Prefetch
      </button>
      <output aria-label="Found">{isFetching ? 'Searching' : data?.title}</output>
    </nav>
  );
}

function Toast({ issues }: Props) {
  const [, { isSuccess, data, reset }] = useMutation(issues.getList.push, { fixedKey: 'new' });

  return isSuccess ? <button onClick={reset}>{`Created ${data.id}`}</button> : null;
}

function Detail({ issues, id }: Props & { readonly id: number }) {
  return <h2>{useSuspense(issues.get, { id }).title}</h2>;
}

interface BoundaryProps {
  readonly children: ReactNode;
  readonly onReset: () => void;
}

class Boundary extends Component<BoundaryProps, { readonly isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError(): { readonly isFailed: boolean } {
    return { isFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.isFailed) return this.props.children;
    const tryAgain = (): void => {
      this.props.onReset();
      this.setState({ isFailed: false });
    };
    return <button onClick={tryAgain}>Try again</button>;
  }
}

function Failing({ issues }: Props) {
  const [isShown, setShown] = useState(false);
  const tryAgain = useResetFailures();

  return (
    <section aria-label="Failing">
      <button
        onClick={() => {
          setShown(true);
        }}
      >
        Show
      </button>
      {isShown && (
        <Boundary onReset={tryAgain}>
          <Suspense fallback={<p>Waiting</p>}>
            <Detail issues={issues} id={13} />
          </Suspense>
        </Boundary>
      )}
    </section>
  );
}

function First({ issues, isRead }: Props & { readonly isRead: boolean }) {
  const { data } = useResource(issues.get, isRead ? { id: 1 } : skipToken);

  return <output aria-label="First">{data?.title ?? 'nothing'}</output>;
}

function Board({ issues }: Props) {
  const [status, setStatus] = useState<string>();

  return (
    <main>
      {['open', 'done'].map((next) => (
        <button
          key={next}
          onClick={() => {
            setStatus(next);
          }}
        >
          {next}
        </button>
      ))}
      <First issues={issues} isRead={status !== undefined} />
      {status !== undefined && <List issues={issues} status={status} />}
      <Actions issues={issues} />
      <Toast issues={issues} />
      <Failing issues={issues} />
    </main>
  );
}

/** A page that a server streams: some of it was fetched before, for some it waits. */
function Streamed({ issues }: Props) {
  return (
    <main>
      <List issues={issues} status="open" />
      <Suspense fallback={<p>Waiting</p>}>
        <Detail issues={issues} id={5} />
      </Suspense>
    </main>
  );
}

export function App({
  store,
  issues,
  page,
}: Props & { readonly store: ReturnType<typeof makeStore>; readonly page: string }) {
  return (
    <StrictMode>
      <Provider store={store}>
        {page === 'streamed' ? <Streamed issues={issues} /> : <Board issues={issues} />}
      </Provider>
    </StrictMode>
  );
}
