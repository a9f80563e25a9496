import { fireEvent, screen } from '@testing-library/react';
import { StrictMode, useEffect, useRef } from 'react';
import { Collection, createResource, Entity } from 'rtk-resource';
import { skipToken, useInfiniteResource, type InfiniteResult } from 'rtk-resource/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Post extends Entity {
  id = 0;
  static override key = 'Post';
}

const server = await serverOfFile();
afterEach(() => {
  vi.unstubAllGlobals();
});

const options = {
  urlPrefix: server.url,
  path: '/posts/:id',
  schema: Post,
  searchParams: {} as { topic?: string } | undefined,
} as const;
const { getList } = createResource({ ...options, paginationField: 'page' });
const Feed = createResource({ ...options, name: 'Feed' }).extend({
  getList: { schema: { items: new Collection([Post], { name: 'Feed' }), next: 0, previous: 0 } },
});
const cursor = (to: number): object | undefined => (to > 0 ? { cursor: to } : undefined);
const getFeed = Feed.getList.paginated({
  next: ({ next }) => cursor(next),
  previous: ({ previous }) => cursor(previous),
});

const posts = (...ids: readonly number[]) => ({ json: ids.map((id) => ({ id })) });
const idsOf = (data: readonly Post[] | undefined): string => data?.map(({ id }) => id).join(' ') ?? 'nothing';

/** A list with a button for the next page, in every render with arguments that are made anew. */
function setupList() {
  const tools = setupScreen(server);
  const seen: InfiniteResult<Post[]>[] = [];
  const List = ({ topic }: { readonly topic?: string | undefined }) => {
    const result = useInfiniteResource(getList, topic === undefined ? skipToken : { topic });
    const { data, hasNextPage, isFetchingNextPage, nextPageError, fetchNextPage } = result;
    seen.push(result);
    const more = isFetchingNextPage ? 'Loading' : nextPageError ? 'Again' : hasNextPage ? 'More' : 'End';

    return (
      <p>
        {idsOf(data)} <button onClick={() => void fetchNextPage()}>{more}</button>
      </p>
    );
  };

  return { ...tools, List, seen, more: () => tools.doing(() => fireEvent.click(screen.getByRole('button'))) };
}

/** The same, with its first page on the screen. */
async function setupFirst() {
  const tools = setupList();
  const view = await tools.show(<tools.List topic="news" />);
  await tools.answer('GET /posts', posts(1, 2));

  return { ...tools, ...view };
}

describe('a list that is read page by page', () => {
  it('shows its first page, and whether there is another', async () => {
    const { show, answer, List, actions } = setupList();
    await show(<List topic="news" />);
    expect(screenText()).toBe('nothing End');

    await answer('GET /posts', posts(1, 2));

    expect(screenText()).toBe('1 2 More');
    expect(typesOf(actions)).toEqual(['Post/getList/pending', 'Post/getList/fulfilled']);
  });

  it('adds page after page, until one brings nothing new', async () => {
    const { answer, more } = await setupFirst();
    const texts = [screenText()];

    await more();
    texts.push(screenText());
    await answer('GET /posts?page=2&topic=news', posts(3, 4));
    texts.push(screenText());
    await more();
    await answer('GET /posts?page=3&topic=news', posts());
    texts.push(screenText());

    expect(texts).toEqual(['1 2 More', '1 2 Loading', '1 2 3 4 More', '1 2 3 4 End']);
  });

  it('adds page 2 to page 1, where it is asked for by that', async () => {
    const { show, answer, doing } = setupScreen(server);
    const List = () => {
      const { data, fetchNextPage } = useInfiniteResource(getList, { page: 1 });

      return (
        <p>
          {idsOf(data)} <button onClick={() => void fetchNextPage()}>More</button>
        </p>
      );
    };
    await show(<List />);
    await answer('GET /posts?page=1', posts(1, 2));

    await doing(() => fireEvent.click(screen.getByRole('button')));
    await answer('GET /posts?page=2', posts(3));

    expect(screenText()).toBe('1 2 3 More');
  });

  it('asks once for a page, however often it is wanted', async () => {
    const { answer, more } = await setupFirst();

    await more();
    await more();
    await answer('GET /posts?page=2&topic=news', posts(3));

    expect(server.received).toHaveLength(2);
  });

  it('sends its first page once, though the next one is wanted meanwhile', async () => {
    const { List, show, answer, more, actions } = setupList();
    await show(<List topic="news" />);

    await more();
    await answer('GET /posts', posts(1, 2));

    expect(screenText()).toBe('1 2 More');
    expect(typesOf(actions)).toEqual(['Post/getList/pending', 'Post/getList/fulfilled']);
  });

  it('tells why a page could not be had, and keeps those that are there', async () => {
    const { answer, more, seen } = await setupFirst();

    await more();
    await answer('GET /posts?page=2&topic=news', { status: 500 });

    expect(screenText()).toBe('1 2 Again');
    expect(seen.at(-1)).toMatchObject({ isSuccess: true, isError: false, nextPageError: { status: 500 } });

    await more();
    await answer('GET /posts?page=2&topic=news', posts(3));

    expect(screenText()).toBe('1 2 3 More');
  });

  it('is fetched again with all its pages', async () => {
    const { answer, more, seen, doing } = await setupFirst();
    await more();
    await answer('GET /posts?page=2&topic=news', posts(3, 4));
    server.answer('GET /posts?topic=news', posts(1, 2));
    server.answer('GET /posts?page=2&topic=news', posts(3, 5));

    await doing(() => seen.at(-1)?.refetch());

    expect(screenText()).toBe('1 2 3 5 More');
  });

  it('is fetched again with all its pages, by one action, when it is stale as it is shown again', async () => {
    const { List, show, answer, more, rerender, actions, store, resources } = await setupFirst();
    await more();
    await answer('GET /posts', posts(3));
    rerender(<p />);
    store.dispatch(resources.expireAll(getList));
    actions.length = 0;

    await show(
      <StrictMode>
        <List topic="news" />
      </StrictMode>,
    );
    expect(screenText()).toBe('1 2 3 More');
    await server.release('GET /posts', posts(1, 2, 5));
    await answer('GET /posts', posts(3, 6));

    expect(screenText()).toBe('1 2 5 3 6 More');
    expect(typesOf(actions)).toEqual(['Post/getList/pending', 'Post/getList/fulfilled']);
  });

  it('gives the promise of the page that was asked for', async () => {
    const { seen, doing } = await setupFirst();
    server.answer('GET /posts?page=2&topic=news', posts(3));

    const whole = await doing(() => seen.at(-1)?.fetchNextPage()?.unwrap());

    expect(idsOf(whole)).toBe('1 2 3');
  });

  it('gives the same functions in every render, until its arguments change', async () => {
    const { seen, rerender, List, answer } = await setupFirst();
    rerender(<List topic="news" />);
    const functions = (): ReadonlySet<unknown> => new Set(seen.map(({ fetchNextPage }) => fetchNextPage));
    expect(functions().size).toBe(1);

    rerender(<List topic="sport" />);
    await answer('GET /posts?topic=sport', posts(7));

    expect(functions().size).toBe(2);
    expect(screenText()).toBe('7 More');
  });

  it('reads nothing for skipToken', async () => {
    const { show, List, seen, more } = setupList();

    await show(<List topic={undefined} />);
    await more();

    expect(seen.at(-1)).toMatchObject({ status: 'uninitialized', hasNextPage: false, isFetchingPreviousPage: false });
    expect(seen.at(-1)?.fetchPreviousPage()).toBeUndefined();
    expect(server.received).toEqual([]);
  });
});

describe('a list whose pages name those beside them', () => {
  it('is read in both directions', async () => {
    const { show, answer, doing } = setupScreen(server);
    const Shown = () => {
      const { data, fetchNextPage, fetchPreviousPage, hasPreviousPage } = useInfiniteResource(getFeed, {
        topic: 'news',
      });

      return (
        <>
          <button onClick={() => void fetchPreviousPage()}>Earlier</button>
          {idsOf(data?.items)}
          <button onClick={() => void fetchNextPage()}>Later</button>
          {hasPreviousPage ? 'more before' : 'first'}
        </>
      );
    };
    const page = (ids: readonly number[], previous: number, next: number) => ({
      json: { items: ids.map((id) => ({ id })), previous, next },
    });
    await show(<Shown />);
    await answer('GET /posts', page([5, 6], 3, 7));

    await doing(() => fireEvent.click(screen.getByText('Later')));
    await answer(/cursor=7/, page([7, 8], 5, 0));
    await doing(() => fireEvent.click(screen.getByText('Earlier')));
    await answer(/cursor=3/, page([3, 4], 0, 5));

    expect(screenText()).toBe('Earlier3 4 5 6 7 8Laterfirst');
  });
});

describe('an element behind the last row that fetches when it is in view', () => {
  it('goes on after a page without new rows', async () => {
    // It is always in view: a browser tells so once of each element that is observed.
    class InView {
      readonly #tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void;

      constructor(tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
        this.#tell = tell;
      }
      observe() {
        queueMicrotask(() => {
          this.#tell([{ isIntersecting: true }]);
        });
      }
      disconnect() {
        // Nothing is held.
      }
    }
    vi.stubGlobal('IntersectionObserver', InView);
    const NextPage = ({ fetchNextPage }: { readonly fetchNextPage: () => unknown }) => {
      const ref = useRef<HTMLDivElement>(null);
      useEffect(() => {
        const observer = new IntersectionObserver(([entry]) => {
          if (entry?.isIntersecting) fetchNextPage();
        });
        if (ref.current) observer.observe(ref.current);

        return () => {
          observer.disconnect();
        };
      }, [fetchNextPage]);

      return <div ref={ref} />;
    };
    const All = () => {
      const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteResource(getFeed);

      return (
        <>
          {idsOf(data?.items)} {hasNextPage && !isFetchingNextPage && <NextPage fetchNextPage={fetchNextPage} />}
        </>
      );
    };
    const { show, answer } = setupScreen(server);
    await show(<All />);
    await answer('GET /posts', { json: { items: [{ id: 1 }], next: 2, previous: 0 } });
    await answer('GET /posts?cursor=2', { json: { items: [], next: 3, previous: 0 } });

    await answer('GET /posts?cursor=3', { json: { items: [{ id: 2 }], next: 0, previous: 0 } });

    expect(screenText()).toBe('1 2 ');
  });
});

describe('a component renders', () => {
  it('for a page that is loading only where it has read that', async () => {
    const { show, answer, doing, store } = setupScreen(server);
    const renders: string[] = [];
    const Ids = () => {
      const { data } = useInfiniteResource(getList({ topic: 'news' }));
      renders.push(idsOf(data));

      return null;
    };
    await show(<Ids />);
    await answer('GET /posts', posts(1));

    await doing(() => void store.dispatch(getList.getNextPage({ topic: 'news' })));
    await answer('GET /posts?page=2&topic=news', posts(2));

    expect(renders).toEqual(['nothing', '1', '1 2']);
  });
});

describe('a list without pages', () => {
  it('is told of by R24', async () => {
    const { show } = setupScreen(server);
    const errors: unknown[] = [];
    const Wrong = () => <p>{useInfiniteResource(Feed.get as never, { id: 1 } as never).status}</p>;
    expectWarning(/R24/);

    await show(
      <Boundary onError={(error) => errors.push(error)}>
        <Wrong />
      </Boundary>,
    );

    expect(errors).toMatchObject([{ code: 'R24' }]);
  });
});
