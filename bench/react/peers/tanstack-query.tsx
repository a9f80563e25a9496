import { QueryClient, QueryClientProvider, MutationObserver, useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import type { Issue } from '../../Peer.js';
import { IssueRow, MemoRow, serve } from '../page.js';

// As "Optimistic Updates" and "Render Optimizations" of its documentation teach, without the refetch after an edit.
const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
const queryKey = ['issues'];
const queryFn = async (): Promise<Issue[]> => (await (await fetch('https://example.com/issues')).json()) as Issue[];

function write(id: string, title: string): void {
  client.setQueryData<Issue[]>(queryKey, (issues) =>
    issues?.map((issue) => (issue.id === id ? { ...issue, title } : issue)),
  );
}

const editing = new MutationObserver(client, {
  mutationFn: async ({ id, title }: { readonly id: string; readonly title: string }) => {
    const response = await fetch(`https://example.com/issues/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ title }),
    });
    return (await response.json()) as Issue;
  },
  onMutate: async ({ id, title }) => {
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData<Issue[]>(queryKey);
    write(id, title);
    return { before };
  },
  onError: (_error, _issue, context) => {
    client.setQueryData(queryKey, context?.before);
  },
});

const HookRow = memo(function HookRow({ id }: { readonly id: string }) {
  const { data } = useQuery({ queryKey, queryFn, select: (issues) => issues.find((issue) => issue.id === id) });

  return <IssueRow issue={data} />;
});

const page = (item: (issue: Issue) => ReactNode) => {
  const List = ({ shown }: { readonly shown: number }) => {
    const { data = [] } = useQuery({ queryKey, queryFn });

    return <ul>{data.slice(0, shown).map(item)}</ul>;
  };
  return function Page({ shown }: { readonly shown: number }) {
    return (
      <QueryClientProvider client={client}>
        <List shown={shown} />
      </QueryClientProvider>
    );
  };
};

let count = 0;
serve({
  pages: {
    props: page((issue) => <MemoRow key={issue.id} issue={issue} />),
    hook: page(({ id }) => <HookRow key={id} id={id} />),
  },
  update: write,
  refetch: () => client.refetchQueries({ queryKey }),
  optimistic: (id, title) => editing.mutate({ id, title }),
  unrelated: () => client.setQueryData(['counter'], ++count),
});
