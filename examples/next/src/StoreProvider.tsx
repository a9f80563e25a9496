'use client';

import { useState, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import type { ResourcesState } from 'rtk-resource';
import { makeStore } from './store';

/** Lets the browser go on with what the server has fetched. */
export function StoreProvider({ slice, children }: { readonly slice: ResourcesState; readonly children: ReactNode }) {
  const [store] = useState(() => makeStore(slice));

  return <Provider store={store}>{children}</Provider>;
}
