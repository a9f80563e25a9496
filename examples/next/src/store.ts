import { configureStore } from '@reduxjs/toolkit';
import { configureResources, type ResourcesState } from 'rtk-resource';

export const resources = configureResources();

/** A store: one for each request to the server, one for each page that a browser has open. */
export function makeStore(slice?: ResourcesState) {
  return configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
    ...(slice && { preloadedState: { resources: slice } }),
  });
}
