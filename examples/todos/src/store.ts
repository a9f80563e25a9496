import { configureStore } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { configureResources } from 'rtk-resource';
import { notices } from './notices';

export const resources = configureResources();

export const store = configureStore({
  reducer: {
    [resources.reducerPath]: resources.reducer,
    [notices.reducerPath]: notices.reducer,
  },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});

type RootState = ReturnType<typeof store.getState>;
type AppDispatch = typeof store.dispatch;

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
