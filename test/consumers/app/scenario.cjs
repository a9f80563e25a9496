/**
 * What every consumer does: reads a list, edits an item of it, and shows the list with a hook.
 *
 * @param {object} modules
 * @param {Pick<typeof import('@reduxjs/toolkit'), 'configureStore'>} modules.toolkit
 * @param {typeof import('rtk-resource')} modules.resource
 * @param {Pick<typeof import('rtk-resource/react'), 'useResource'>} modules.hooks
 * @param {typeof import('react')} modules.React
 * @param {typeof import('react-redux').Provider} modules.Provider
 * @param {(element: import('react').ReactElement) => string} modules.render
 * @param {string | undefined} modules.server
 */
exports.scenario = async ({ toolkit, resource, hooks, React, Provider, render, server }) => {
  class Todo extends resource.Entity {
    id = 0;
    title = '';
  }
  Todo.key = 'Todo';
  const TodoResource = resource.createResource({
    urlPrefix: server ?? '',
    path: '/todos/:id',
    schema: Todo,
    searchParams: undefined,
    optimistic: true,
  });
  const resources = resource.configureResources();
  const store = toolkit.configureStore({
    reducer: { [resources.reducerPath]: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });

  const todos = await store.dispatch(TodoResource.getList()).unwrap();
  const edit = store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'edited' }));
  const shown = TodoResource.get.select({ id: 1 })(store.getState())?.title;
  await edit.unwrap();

  const List = () => {
    const { data = [] } = hooks.useResource(TodoResource.getList);
    return React.createElement('p', null, data.map(({ title }) => title).join(', '));
  };
  const tree = React.createElement(Provider, { store, children: React.createElement(List) });
  return { count: todos.length, shown, html: render(tree) };
};
