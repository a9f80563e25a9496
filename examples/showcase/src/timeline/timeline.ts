import { createSlice, isAnyOf, type UnknownAction } from '@reduxjs/toolkit';
import { ColleagueResource } from '../resources/colleague';
import { CommentResource } from '../resources/comments';
import { IssueResource } from '../resources/issues';
import { LabelResource } from '../resources/labels';
import { PersonResource } from '../resources/people';
import { getSession } from '../resources/session';
import { isObject } from '../guards';
import { describeChanges, isChanges, type Changes } from './describe';

/** A request, from sent to answered. */
export interface Bar {
  readonly kind: 'request';
  readonly id: string;
  /** As in `Issue/partialUpdate`. */
  readonly name: string;
  /** As in `PATCH /api/issues/12`. */
  readonly key: string;
  readonly status: 'pending' | 'fulfilled' | 'rejected' | 'aborted';
  /** Moments count what has happened: so many things had when it was sent. */
  readonly from: number;
  readonly to?: number;
  /** ms */
  readonly took?: number;
  /** What was shown before the answer. */
  readonly showed: readonly string[];
  /** What the answer brought, or why there was none. */
  readonly brought: readonly string[];
}

/** A message of somebody else's change. */
export interface Mark {
  readonly kind: 'live';
  readonly id: string;
  readonly from: number;
  readonly brought: readonly string[];
}

interface Timeline {
  readonly moment: number;
  readonly entries: readonly (Bar | Mark)[];
}

const most = 40;
const initialState: Timeline = { moment: 0, entries: [] };

const endpoints = [
  getSession,
  PersonResource.getList,
  LabelResource.getList,
  ColleagueResource.get,
  ColleagueResource.partialUpdate,
  IssueResource.get,
  IssueResource.getList,
  IssueResource.getList.getNextPage,
  IssueResource.getList.unshift,
  IssueResource.partialUpdate,
  IssueResource.delete,
  CommentResource.getList.push,
  CommentResource.delete,
] as const;

interface Live {
  readonly meta: { readonly changes: Changes };
}

const hasChanges = isObject<Live>({ meta: isObject({ changes: isChanges }) });
const isPending = isAnyOf(...endpoints.map(({ pending }) => pending));
const isFulfilled = isAnyOf(...endpoints.map(({ fulfilled }) => fulfilled));
const isRejected = isAnyOf(...endpoints.map(({ rejected }) => rejected));

/** What has been sent, shown and answered lately, as the actions of the store tell it. */
export const timeline = createSlice({
  name: 'timeline',
  initialState,
  reducers: {
    cleared: ({ moment, entries }) => ({ moment, entries: entries.filter(isUnderWay) }),
  },
  extraReducers: (builder) => {
    builder
      .addCase('resources/reset', () => initialState)
      .addMatcher(isPending, (state, { meta }) =>
        add(state, {
          kind: 'request',
          id: meta.requestId,
          name: meta.arg.endpointName,
          key: meta.arg.key,
          status: 'pending',
          showed: describeChanges(meta.changes),
          brought: [],
        }),
      )
      .addMatcher(isFulfilled, (state, { meta }) =>
        end(state, meta.requestId, {
          status: 'fulfilled',
          took: meta.fulfilledTimeStamp - meta.startedTimeStamp,
          brought: describeChanges(meta.changes),
        }),
      )
      .addMatcher(isRejected, (state, { meta, error }) =>
        end(state, meta.requestId, { status: meta.aborted ? 'aborted' : 'rejected', brought: [error.message] }),
      )
      .addMatcher(isLive, (state, { meta }) =>
        add(state, { kind: 'live', id: `live ${state.moment}`, brought: describeChanges(meta.changes) }),
      );
  },
});

function add({ moment, entries }: Timeline, entry: Omit<Bar, 'from'> | Omit<Mark, 'from'>): Timeline {
  return { moment: moment + 1, entries: [...entries, { ...entry, from: moment }].slice(-most) };
}

function end(
  { moment, entries }: Timeline,
  id: string,
  ended: Pick<Bar, 'status' | 'brought'> & Partial<Bar>,
): Timeline {
  return {
    moment: moment + 1,
    entries: entries.map((entry) =>
      entry.id === id && entry.kind === 'request' ? { ...entry, ...ended, to: moment } : entry,
    ),
  };
}

/** What came without a request: in this app, the messages. */
function isLive(action: UnknownAction): action is UnknownAction & Live {
  return hasChanges(action) && (action.type === 'resources/set' || action.type === 'resources/setResponse');
}

function isUnderWay(entry: Bar | Mark): boolean {
  return entry.kind === 'request' && entry.status === 'pending';
}
