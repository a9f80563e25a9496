import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';

class Issue extends Entity {
  id = 0;
  status = '';
  title = '';
  static override key = 'Issue';
}

const searchParams: { readonly status?: string } | undefined = {};

/** The issues of an API. A server needs its whole address, and the browser the same one: a request is known by it. */
export function makeIssues(urlPrefix: string) {
  return createResource({
    urlPrefix,
    path: '/api/issues/:id',
    schema: Issue,
    searchParams,
    paginationField: 'page',
    optimistic: true,
    // Long enough for a test to be sure that a retry is the user's.
    errorExpiryLength: 600_000,
  });
}

export type Issues = ReturnType<typeof makeIssues>;

export function makeStore(slice?: ResourcesState) {
  const resources = configureResources();

  return configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
    ...(slice && { preloadedState: { resources: slice } }),
  });
}
