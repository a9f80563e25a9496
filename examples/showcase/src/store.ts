import { configureStore } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { configureResources } from 'rtk-resource';
import { connection } from './network/connection';
import { notices } from './notices';
import { timeline } from './timeline/timeline';

export const resources = configureResources({ setupListeners: connection.setupListeners });

export const store = configureStore({
  reducer: {
    [resources.reducerPath]: resources.reducer,
    [notices.reducerPath]: notices.reducer,
    [timeline.reducerPath]: timeline.reducer,
  },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});

export type RootState = ReturnType<typeof store.getState>;

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<typeof store.dispatch>();
