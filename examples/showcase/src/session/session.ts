import { createSlice } from '@reduxjs/toolkit';
import { getSession, type Me } from '../resources/session';

export interface Session {
  /** Who is signed in; null for nobody, undefined until the server has said so. */
  readonly person: Me | null | undefined;
  /** Whether it came to its end without a sign-out. */
  readonly isOver: boolean;
}

const initialState: Session = { person: undefined, isOver: false };

/** Who is signed in. It outlives a reset of the resources; the token is not here, but in `Tokens`. */
export const session = createSlice({
  name: 'session',
  initialState,
  reducers: {
    /** Who it is, the server says next. */
    signedIn: () => initialState,
    signedOut: (): Session => ({ person: null, isOver: false }),
    // Late requests of somebody who has signed out change nothing.
    ended: (state): Session => (state.person ? { person: null, isOver: true } : state),
  },
  extraReducers: (builder) => {
    builder.addMatcher(getSession.fulfilled.match, (_, { payload }): Session => ({
      person: payload.person,
      isOver: false,
    }));
  },
});
