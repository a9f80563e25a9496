import { configureStore } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { configureResources } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { connection } from './network/connection';
import { keepOfflineCopy, readOfflineCopy } from './network/offlineCopy';
import { Tokens } from './network/Tokens';
import { notices } from './notices';
import { queue } from './outbox/queue';
import { session } from './session/session';

export const resources = configureResources({ setupListeners: connection.setupListeners, outbox: queue });

/** Endpoints get them as `api.extra`. */
export const tokens = new Tokens(() => {
  store.dispatch(session.actions.ended());
});

const copy = readOfflineCopy();

export const store = configureStore({
  ...(copy && { preloadedState: { resources: copy.resources, session: { person: copy.person, isOver: false } } }),
  reducer: {
    [resources.reducerPath]: resources.reducer,
    [session.reducerPath]: session.reducer,
    [notices.reducerPath]: notices.reducer,
  },
  middleware: (getDefault) => getDefault({ thunk: { extraArgument: tokens } }).concat(resources.middleware),
});

keepOfflineCopy(() => {
  const {
    resources: slice,
    session: { person },
  } = store.getState();
  return { person, resources: slice };
});
// From the first request on, the timeline knows everything.
recordResources(store);

export type RootState = ReturnType<typeof store.getState>;

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<typeof store.dispatch>();
