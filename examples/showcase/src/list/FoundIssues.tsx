import type { RefObject } from 'react';
import { keyOf } from 'rtk-resource';
import { useInfiniteResource } from 'rtk-resource/react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { IssueResource, type IssueFilter } from '../resources/issues';
import { newestFirst } from '../resources/newestFirst';
import { Failure } from '../shell/Failure';
import { IssueRow } from './IssueRow';

/** So close to its end, in px, the list asks for more. */
const nearEnd = 600;

interface Props {
  readonly filter: IssueFilter;
  readonly virtualizer: RefObject<VirtualizerHandle | null>;
}

/** A list of any length: only the rows in sight are in the page, and the next ones are fetched before they are. */
export function FoundIssues({ filter, virtualizer }: Props) {
  const {
    data: issues = [],
    isSuccess,
    isLoading,
    isPrevious,
    isError,
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    nextPageError,
    fetchNextPage,
  } = useInfiniteResource(IssueResource.getList(filter), { select: newestFirst, keepPreviousData: true });

  const onScroll = (offset: number): void => {
    const { scrollSize = 0, viewportSize = 0 } = virtualizer.current ?? {};
    const isNearEnd = scrollSize - viewportSize - offset < nearEnd;
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !nextPageError) void fetchNextPage();
  };

  return (
    <>
      {isError && <Failure error={error} retry={refetch} />}
      <div className="scroller" aria-busy={isPrevious}>
        <Virtualizer ref={virtualizer} as="ul" item="li" data={issues} onScroll={onScroll}>
          {(issue) => <IssueRow key={keyOf(issue)} issue={issue} />}
        </Virtualizer>
        {isSuccess && !isPrevious && issues.length === 0 && <p className="hint">Nothing found.</p>}
        {nextPageError && <Failure error={nextPageError} retry={fetchNextPage} />}
      </div>
      <p className="foot" role="status">
        {isLoading ? 'Loading…' : `${issues.length}${hasNextPage ? '+' : ''} issues`}
      </p>
    </>
  );
}
