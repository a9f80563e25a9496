import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { CommentResource } from './resources/comments';
import { IssueResource } from './resources/issues';
import { signOut } from './resources/session';
import { reasonOf } from './reasonOf';

/** A write that did not succeed, until the user has read of it. */
interface Notice {
  readonly requestId: string;
  readonly text: string;
}

const attempts: Readonly<Record<string, string>> = {
  [IssueResource.partialUpdate.name]: 'The change was not saved',
  [IssueResource.delete.name]: 'The issue was not deleted',
  [IssueResource.getList.unshift.name]: 'The issue was not created',
  [CommentResource.getList.push.name]: 'The comment was not added',
  [CommentResource.delete.name]: 'The comment was not deleted',
  [signOut.name]: 'You were not signed out',
};

const isRejected = isAnyOf(
  IssueResource.partialUpdate.rejected,
  IssueResource.delete.rejected,
  IssueResource.getList.unshift.rejected,
  CommentResource.getList.push.rejected,
  CommentResource.delete.rejected,
  signOut.rejected,
);

const initialState: readonly Notice[] = [];

/** What went wrong with writes; the rows they were about are as before already. */
export const notices = createSlice({
  name: 'notices',
  initialState,
  reducers: {
    dismissed: (state, { payload }: PayloadAction<string>) => state.filter(({ requestId }) => requestId !== payload),
  },
  extraReducers: (builder) => {
    builder
      .addCase('resources/reset', () => initialState)
      .addMatcher(isRejected, (state, { error, meta }) => {
        // What is wrong with a form stands in the form.
        const isForm = meta.arg.endpointName === IssueResource.getList.unshift.name && error.status === 422;
        if (meta.aborted || isForm) return state;
        const attempt = attempts[meta.arg.endpointName] ?? meta.arg.endpointName;
        return [...state, { requestId: meta.requestId, text: `${attempt}: ${reasonOf(error)}` }];
      });
  },
});
