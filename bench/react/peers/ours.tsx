import { configureStore, createSlice } from '@reduxjs/toolkit';
import { memo } from 'react';
import { Provider, useSelector } from 'react-redux';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { useResource } from 'rtk-resource/react';
import type { Issue as IssueRow, User as UserRow } from '../../Peer.js';
import { IssueRow as Row, MemoRow, serve, type Shape } from '../page.js';

class User extends Entity {
  id = '';
  login = '';
  name = '';
  email = '';
  avatarUrl = '';
  admin = false;
  static override key = 'User';
}

class Issue extends Entity {
  id = '';
  number = 0;
  title = '';
  body = '';
  state = '';
  url = '';
  locked = false;
  comments = 0;
  priority = 0;
  score = 0;
  milestone: string | null = null;
  branch = '';
  createdAt = '';
  updatedAt = '';
  closedAt: string | null = null;
  user: UserRow = User.fromJS();
  static override key = 'Issue';
  static override schema = { user: User };
}

const IssueResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/issues/:id',
  schema: Issue,
  optimistic: true,
});
const { get, getList, partialUpdate } = IssueResource;
const counter = createSlice({ name: 'counter', initialState: 0, reducers: { counted: (count) => count + 1 } });

const resources = configureResources();
const store = configureStore({
  reducer: { resources: resources.reducer, counter: counter.reducer },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});

const SelectorRow = memo(function SelectorRow({ id }: { readonly id: string }) {
  return <Row issue={useSelector(get.select({ id }))} />;
});
const HookRow = memo(function HookRow({ id }: { readonly id: string }) {
  return <Row issue={useResource(get, { id }).data} />;
});

function list(item: (issue: IssueRow) => React.ReactNode) {
  return function List({ shown }: { readonly shown: number }) {
    const { data = [] } = useResource(getList);

    return <ul>{data.slice(0, shown).map(item)}</ul>;
  };
}

const lists: Readonly<Record<Shape, ReturnType<typeof list>>> = {
  props: list((issue) => <MemoRow key={issue.id} issue={issue} />),
  selector: list(({ id }) => <SelectorRow key={id} id={id} />),
  hook: list(({ id }) => <HookRow key={id} id={id} />),
};
const page = (List: ReturnType<typeof list>) =>
  function Page({ shown }: { readonly shown: number }) {
    return (
      <Provider store={store}>
        <List shown={shown} />
      </Provider>
    );
  };

serve({
  pages: { props: page(lists.props), selector: page(lists.selector), hook: page(lists.hook) },
  update: (id, title) => {
    store.dispatch(resources.set(Issue, { id, title }));
  },
  refetch: () => store.dispatch(getList()),
  optimistic: (id, title) => store.dispatch(partialUpdate({ id }, { title })),
  unrelated: () => store.dispatch(counter.actions.counted()),
});
