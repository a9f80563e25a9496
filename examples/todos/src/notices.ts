import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { reasonOf } from './reason';
import { TodoResource } from './resources';

/** A write that did not succeed, until the user has read of it. */
interface Notice {
  readonly requestId: string;
  readonly text: string;
}

const { getList, partialUpdate } = TodoResource;

const attempts: Readonly<Record<string, string>> = {
  [getList.unshift.name]: 'The todo was not added',
  [partialUpdate.name]: 'The todo was not changed',
  [TodoResource.delete.name]: 'The todo was not deleted',
};

export const notices = createSlice({
  name: 'notices',
  initialState: [] as Notice[],
  reducers: {
    dismissed: (state, { payload }: PayloadAction<string>) => state.filter(({ requestId }) => requestId !== payload),
  },
  extraReducers: (builder) => {
    builder.addMatcher(
      isAnyOf(getList.unshift.rejected, partialUpdate.rejected, TodoResource.delete.rejected),
      (state, { error, meta }) => {
        const attempt = attempts[meta.arg.endpointName] ?? meta.arg.endpointName;
        state.push({ requestId: meta.requestId, text: `${attempt}: ${reasonOf(error)}.` });
      },
    );
  },
});
