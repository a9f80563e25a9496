/** What the search of the site knows: which pages, by which words, and which of two pages comes first. */

/** Pages for who works on the package. A reader who asks how something is done finds guides. */
const inside =
  /^(?:decisions\/|(?:measurements|profiles|reliability|faults|referee-faults|module-tables|api-report|how-it-works)\.md$)/;

/** Words that readers of other documentation know, and the page that answers them. */
export const otherWords: Readonly<Record<string, string>> = {
  'important-defaults.md': 'staleTime cacheTime gcTime keepUnusedDataFor default settings',
  'getting-started.md': 'install quick start tutorial setup createApi fetchBaseQuery',
  'guides/react.md':
    'useQuery useMutation hook skip enabled skipToken conditional fetching dependent query lazy query isLoading isFetching',
  'guides/infinite-lists.md': 'infinite scroll load more infiniteQuery useInfiniteQuery',
  'guides/numbered-pages.md': 'pagination paginate page number table placeholderData keepPreviousData',
  'guides/search.md': 'debounce throttle typeahead autocomplete filter as you type',
  'guides/freshness.md':
    'polling pollingInterval refetchInterval refetch refetchOnFocus refetchOnReconnect window focus invalidate invalidatesTags providesTags tags cache time keepUnusedDataFor staleTime',
  'guides/nested-entities.md': 'normalize normalizr normalization relations relationships joins includes',
  'guides/collections-and-pagination.md':
    'normalize list filter sort cursor offset pagination add to list remove from list',
  'guides/optimistic-updates.md': 'updateQueryData onQueryStarted onMutate undo rollback patchResult optimistic',
  'guides/ids.md': 'temporary id uuid nanoid client id slug primary key rename',
  'guides/custom-actions.md': 'bulk batch endpoint rpc mutation injectEndpoints',
  'guides/errors.md': 'retry retries backoff error handling validation 404 422 500 isRejectedWithValue',
  'guides/error-boundaries.md': 'error boundary reset suspense',
  'guides/cancelling.md': 'abort cancel timeout unsubscribe AbortController',
  'guides/sockets.md':
    'websocket websockets socket realtime real-time streaming live onCacheEntryAdded server-sent events SSE',
  'guides/auth.md': 'login logout token refresh bearer authorization prepareHeaders session 401',
  'guides/request-headers.md': 'header idempotency key language',
  'guides/uploads.md': 'file upload FormData multipart progress',
  'guides/transforming-data.md': 'transformResponse transform envelope snake_case camelCase dates decimal',
  'guides/derived-data.md': 'selectFromResult selector createSelector reselect memoize computed',
  'guides/redux.md': 'slice extraReducers matcher listener middleware thunk dispatch',
  'guides/testing.md': 'mock msw test jest vitest storybook',
  'guides/server-rendering.md': 'SSR next.js hydration hydrate server components',
  'guides/persistence.md': 'redux-persist localStorage offline rehydrate',
  'guides/typescript.md': 'types infer generics typed',
  'guides/your-server.md': 'REST API custom backend slug total count',
};

/** Whether the search finds this page; its path is from docs. */
export function isSearched(page: string): boolean {
  return !inside.test(page);
}

/** How terms are found. The functions are sent to the page as text, so they know nothing that stands around them. */
export const searching = {
  options: {
    processTerm: (term: string): string | null =>
      /^(?:a|an|and|are|be|can|do|does|for|how|i|in|is|it|my|not|of|on|or|the|to|what|when|where|why|with)$/i.test(term)
        ? null
        : term.toLowerCase(),
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    // Guides before the reference, and that before errors.
    boostDocument: (id: string): number => {
      if (id.startsWith('/guides/server-') && !id.startsWith('/guides/server-rendering')) return 0.5;
      if (/^\/(?:guides|getting-started|important-defaults)/.test(id)) return 2;
      if (id.startsWith('/reference/hooks')) return 1;
      return 0.5;
    },
  },
};

/** The page as it is searched: with its other words below its title. */
export function withOtherWords(page: string, html: string): string {
  const words = otherWords[page];
  return words === undefined ? html : html.replace('</h1>', `</h1>\n<p>${words}</p>`);
}
