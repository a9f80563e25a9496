import { createSlice, isAnyOf } from '@reduxjs/toolkit';
import { TodoResource } from './resources';

export const pageSize = 5;

const { getList } = TodoResource;

/** By user: whether the server has more todos than have been asked for. */
const initialState: Record<number, boolean> = {};

/** A page that is not full is the last. */
export const pages = createSlice({
  name: 'pages',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    builder.addMatcher(isAnyOf(getList.fulfilled, getList.getPage.fulfilled), (state, { payload, meta }) => {
      // The arguments of an action are not typed; those of both endpoints begin with these.
      const [{ userId }] = meta.arg.args as readonly [{ readonly userId: number }];
      state[userId] = payload.length === pageSize;
    });
  },
});
