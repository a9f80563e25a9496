import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { CommentResource } from './resources/comments';
import { IssueResource } from './resources/issues';
import { signOut } from './resources/session';
import { reasonOf } from './reasonOf';

/** A write that did not succeed, until the user has read of it. */
export interface Notice {
  readonly requestId: string;
  readonly text: string;
}

const attempts: Readonly<Record<string, string>> = {
  [IssueResource.partialUpdate.name]: 'The change was not saved',
  [IssueResource.saveBody.name]: 'The change was not saved',
  [IssueResource.delete.name]: 'The issue was not deleted',
  [IssueResource.getList.unshift.name]: 'The issue was not created',
  [CommentResource.getList.push.name]: 'The comment was not added',
  [CommentResource.delete.name]: 'The comment was not deleted',
  [signOut.name]: 'You were not signed out',
};

const isRejected = isAnyOf(
  IssueResource.partialUpdate.rejected,
  IssueResource.saveBody.rejected,
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
        // Who keeps what somebody else has written knows that it was not saved.
        const isDecided = meta.arg.endpointName === IssueResource.saveBody.name && error.status === 412;
        if (meta.aborted || isForm || isDecided) return state;
        const attempt = attempts[meta.arg.endpointName] ?? meta.arg.endpointName;
        // Without an answer, the server may have done it or not.
        const what =
          error.status === undefined ? 'It is unknown whether this was saved, so it is fetched again' : attempt;
        return [...state, { requestId: meta.requestId, text: `${what}: ${reasonOf(error)}` }];
      });
  },
});
