import { configureStore, createSlice } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react';
import { memo, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import type { Issue } from '../../Peer.js';
import { IssueRow, MemoRow, serve } from '../page.js';

// As "Manual Cache Updates" and "Queries: Selecting data from a query result" of its documentation teach.
const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: 'https://example.com' }),
  endpoints: (build) => ({
    getIssues: build.query<Issue[], undefined>({ query: () => '/issues' }),
    updateIssue: build.mutation<Issue, { readonly id: string; readonly title: string }>({
      query: ({ id, ...body }) => ({ url: `/issues/${id}`, method: 'PATCH', body }),
      async onQueryStarted({ id, title }, { dispatch, queryFulfilled }) {
        const patch = dispatch(write(id, title));
        try {
          await queryFulfilled;
        } catch {
          patch.undo();
        }
      },
    }),
  }),
});
const counter = createSlice({ name: 'counter', initialState: 0, reducers: { counted: (count) => count + 1 } });
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer, counter: counter.reducer },
  middleware: (getDefault) => getDefault().concat(api.middleware),
});

function write(id: string, title: string) {
  return api.util.updateQueryData('getIssues', undefined, (issues) => {
    const at = issues.findIndex((issue) => issue.id === id);
    const issue = issues[at];
    if (issue) issues[at] = { ...issue, title };
  });
}

const HookRow = memo(function HookRow({ id }: { readonly id: string }) {
  const { issue } = api.useGetIssuesQuery(undefined, {
    selectFromResult: ({ data }) => ({ issue: data?.find((one) => one.id === id) }),
  });

  return <IssueRow issue={issue} />;
});

const page = (item: (issue: Issue) => ReactNode) => {
  const List = ({ shown }: { readonly shown: number }) => {
    const { data = [] } = api.useGetIssuesQuery(undefined);

    return <ul>{data.slice(0, shown).map(item)}</ul>;
  };
  return function Page({ shown }: { readonly shown: number }) {
    return (
      <Provider store={store}>
        <List shown={shown} />
      </Provider>
    );
  };
};

serve({
  pages: {
    props: page((issue) => <MemoRow key={issue.id} issue={issue} />),
    hook: page(({ id }) => <HookRow key={id} id={id} />),
  },
  update: (id, title) => store.dispatch(write(id, title)),
  refetch: () => store.dispatch(api.endpoints.getIssues.initiate(undefined, { forceRefetch: true, subscribe: false })),
  optimistic: (id, title) => store.dispatch(api.endpoints.updateIssue.initiate({ id, title })),
  unrelated: () => store.dispatch(counter.actions.counted()),
});
