import type { UnknownAction } from '@reduxjs/toolkit';
import { isRecord } from '../../schema/Schema.js';
import { withoutGaps } from '../../schema/withoutGaps.js';
import type { Changes } from '../../tables/changes.js';
import {
  isFulfilled,
  isPending,
  isRequestAction,
  type LaidMeta,
  type RequestAction,
  type WriteMeta,
} from '../../store/actions.js';
import type { Unused } from '../../store/lifetime/collect.js';
import type { RequestFilter } from '../../store/endpoint.js';
import { namedRows } from '../../store/order/temporaryIds.js';
import type { ResourcesState } from '../../store/state.js';
import type { EventMeta, News } from './events.js';
import { allNews, guessNews, isNothing, newsOf, noNews, passedOver } from './news.js';
import { messageTold, type Names } from './Names.js';
import type { Redact } from './redact.js';

/** The slice before and after an action, and how it is told of them. */
export interface Slices {
  readonly names: Names;
  readonly before: ResourcesState;
  readonly after: ResourcesState;
  readonly redact: Redact;
}

/** What is kept of an action that has changed the slice. */
export function metaOf(action: UnknownAction, path: string, slices: Slices): EventMeta {
  if (isRequestAction(action)) return requestMeta(action, slices);
  const { type, meta, payload } = action;
  // The actions of the slice are made by it alone, each in one form.
  if (type === `${path}/expire` || type === `${path}/invalidate`)
    return { target: slices.names.target(payload as RequestFilter, slices.before) };
  if (type === `${path}/collect`) {
    const { requests, changes } = payload as Unused;
    return {
      collected: requests.map((name) => slices.names.name(name, slices.before)),
      changes: confirmed(changes, slices),
    };
  }
  if (type === `${path}/outbox` && meta) return laidMeta(meta as LaidMeta, slices);
  const isWrite = type.startsWith(path) && /\/(set|setResponse|patch|commit|release)$/.test(type);
  if (isWrite && isRecord(meta) && 'changes' in meta) return writeMeta(meta as unknown as WriteMeta, slices);
  return { changes: told(allNews(slices.before.tables, slices.after.tables, slices.redact), slices) };
}

function writeMeta(meta: WriteMeta, slices: Slices): EventMeta {
  const { seq, changes, answered, begins } = meta;
  return withoutGaps({
    requestId: begins?.requestId,
    seq,
    ...landed(meta, slices),
    changes: confirmed(changes, slices),
    arg: answered && {
      endpointName: answered.name,
      key: slices.names.keyOf(answered.name, answered.key, slices.after),
      args: [],
    },
  });
}

/** What the outbox shows of another time, or another tab. */
function laidMeta({ changes, begins }: LaidMeta, slices: Slices): EventMeta {
  return {
    changes: confirmed(changes, slices),
    begins: begins.map((one) => pendingMeta(one, slices)),
  };
}

/** What an answer, or the end of a request, does beside what it writes. */
function landed(
  meta: Pick<WriteMeta, 'rebased' | 'expires' | 'passedOver'>,
  slices: Slices,
): Pick<EventMeta, 'rebased' | 'expires' | 'passedOver'> {
  const { before, after, names, redact } = slices;
  const rebased = Object.entries(meta.rebased ?? {}).flatMap(([id, changes]): (readonly [string, News])[] => {
    const news = guessNews(changes, before.intents.find(({ requestId }) => requestId === id)?.changes, redact);
    return isNothing(news) ? [] : [[id, told(news, slices)]];
  });
  return withoutGaps({
    rebased: rebased.length > 0 ? Object.fromEntries(rebased) : undefined,
    passedOver: meta.passedOver && passedOver(meta.passedOver, after.tables, redact),
    expires: meta.expires?.map((name) => names.name(name, after)),
  });
}

function confirmed(changes: Changes | undefined, slices: Slices): News {
  return changes ? told(newsOf(changes, slices.before.tables, slices.after.tables, slices.redact), slices) : noNews;
}

/** News in which lists are called as they are told. */
export function told({ rows, lists }: News, { names }: Pick<Slices, 'names'>): News {
  return {
    rows: rows.map((one) => ({ ...one, pks: one.pks.map((pk) => names.pk(one.table, pk)) })),
    lists: lists.map((list) => ({ ...list, pk: names.pk(list.table, list.pk) })),
  };
}

function aboutRequest({ requestId, arg, startedTimeStamp, seq }: LaidMeta['begins'][number], { names }: Slices) {
  return { requestId, arg: names.request(arg), startedTimeStamp, seq };
}

function pendingMeta(meta: LaidMeta['begins'][number], slices: Slices): EventMeta {
  const { cause, isWrite, holdsRows, changes } = meta;
  return withoutGaps({
    ...aboutRequest(meta, slices),
    requestStatus: 'pending' as const,
    cause,
    isWrite,
    holdsRows,
    changes: changes && told(guessNews(changes, undefined, slices.redact), slices),
  });
}

function requestMeta(action: RequestAction, slices: Slices): EventMeta {
  if (isPending(action)) return pendingMeta(action.meta, slices);
  const { meta } = action;
  const { requestId, requestStatus } = meta;
  const ended = {
    ...aboutRequest(meta, slices),
    requestStatus,
    ...landed(meta, slices),
    came: meta.came,
    changes: confirmed(meta.changes, slices),
    expiresAt: meta.expiresAt,
  };
  if (isFulfilled(action)) {
    const { waits, result } = action.meta;
    const own = slices.before.intents.find((intent) => intent.requestId === requestId);
    const renamed = own && namedRows(own, result);
    return withoutGaps({ ...ended, waits, renamed: renamed && renamed.length > 0 ? renamed : undefined });
  }
  const {
    name,
    message: full,
    status,
    code,
  } = isRecord(action['error']) ? action.error : { name: 'Error', message: '' };
  const message = messageTold(full, meta.arg.key, ended.arg.key);
  return withoutGaps({ ...ended, aborted: action.meta.aborted, error: withoutGaps({ name, message, status, code }) });
}
