import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { reasonOf } from './reasonOf';
import { IssueResource } from './resources/issues';
import { signOut } from './resources/session';

/** Something that the user is told of, for a while. */
export interface Notice {
  readonly requestId: string;
  readonly text: string;
  /** The issue that was deleted, and may come back. */
  readonly deletedId?: string | number;
}

interface Deletion {
  readonly requestId: string;
  readonly id: string | number;
  readonly title: string;
}

const initialState: readonly Notice[] = [];
const without = (all: readonly Notice[], requestId: string): readonly Notice[] =>
  all.filter((notice) => notice.requestId !== requestId);

/** What has happened, as long as somebody may want to read of it. What was refused stands in the outbox. */
export const notices = createSlice({
  name: 'notices',
  initialState,
  reducers: {
    dismissed: (state, { payload }: PayloadAction<string>) => without(state, payload),
    deleted: (state, { payload: { requestId, id, title } }: PayloadAction<Deletion>) => [
      ...state,
      { requestId, deletedId: id, text: `“${title}” is deleted.` },
    ],
  },
  extraReducers: (builder) => {
    builder
      .addCase('resources/reset', () => initialState)
      .addMatcher(IssueResource.delete.rejected.match, (state, { meta }) => without(state, meta.requestId))
      .addMatcher(signOut.rejected.match, (state, { error, meta }) =>
        meta.aborted
          ? state
          : [...state, { requestId: meta.requestId, text: `You were not signed out: ${reasonOf(error)}` }],
      );
  },
});
