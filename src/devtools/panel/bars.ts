import { eachRow } from '../../tables/tables.js';
import { isEnd, type Case } from '../explain/Case.js';
import { timeOf, titleOf } from '../explain/sentences.js';
import { waitsFor } from '../explain/waits.js';
import type { ResourceEvent } from '../record/events.js';

/** A request from its making to its end, or what happened without one. */
export interface Bar {
  /** Tells it from the others: its request, or its event. */
  readonly id: string;
  readonly title: string;
  /** ms since the epoch. */
  readonly from: number;
  /** When it ended; absent where it is under way. */
  readonly to?: number;
  readonly state: 'pending' | 'fulfilled' | 'rejected' | 'aborted' | 'mark';
  /** It was under way when the recording began. */
  readonly isOpen: boolean;
  /** It showed, or shows, a guess. */
  readonly isGuess: boolean;
  /** It waits: before it is sent for another request or the outbox, or its answer for others. */
  readonly waits: boolean;
  readonly events: readonly ResourceEvent[];
}

/** All that has happened, the earliest first. */
export function barsOf(the: Case): readonly Bar[] {
  const groups = new Map<string, ResourceEvent[]>();
  for (const event of the.events) {
    const { requestId } = event.meta;
    const id = event.meta.requestStatus && requestId !== undefined ? requestId : event.id;
    const group = groups.get(id);
    if (group) group.push(event);
    else groups.set(id, [event]);
  }
  const bars = [...groups].map(([id, events]) => barOf(the, id, events));
  eachRow(the.slice.requests, ({ pending }, name) => {
    for (const { requestId, startedTimeStamp: from } of pending)
      if (!groups.has(requestId)) bars.push({ ...untold, id: requestId, title: the.keyOf(name), from, isOpen: true });
  });
  return bars.sort((one, other) => one.from - other.from);
}

const untold = { state: 'pending', isGuess: false, waits: false, events: [] } as const;

function barOf(the: Case, id: string, events: readonly ResourceEvent[]): Bar {
  const begun = events.find(({ meta }) => meta.requestStatus === 'pending');
  const ended = events.find(({ meta }) => isEnd(meta));
  // Of a request, one of both ends may be missing.
  const event = begun ?? ended;
  if (!event) return ofMark(id, events);
  const isUnsent = begun !== undefined && !ended && waitsFor(the, id) !== undefined;
  return {
    id,
    title: titleOf(event),
    from: event.meta.startedTimeStamp ?? event.at,
    ...(ended && { to: ended.at }),
    state: ended ? stateOf(ended) : 'pending',
    // What was refused before it was sent has no key.
    isOpen: !begun && event.meta.arg?.key !== '',
    isGuess: begun?.meta.changes !== undefined,
    waits: isUnsent || the.slice.journal.waiting.some(({ requestId }) => requestId === id),
    events,
  };
}

/** What happened without a request, at one moment. */
function ofMark(id: string, events: readonly ResourceEvent[]): Bar {
  const { type = '', at = 0 } = events[0] ?? {};
  const title = type.slice(type.lastIndexOf('/') + 1);
  return { ...untold, id, title, from: at, to: at, state: 'mark', isOpen: false, events };
}

function stateOf({ meta }: ResourceEvent): Bar['state'] {
  if (meta.requestStatus === 'fulfilled') return 'fulfilled';
  return meta.aborted ? 'aborted' : 'rejected';
}

/** A bar in words: what it is of, when it began, how long it took. */
export function labelOf({ title, from, to, state, isOpen }: Bar): string {
  if (state === 'mark') return `${title}, ${timeOf(from)}`;
  const took = to === undefined ? 'not answered' : `${to - from} ms`;
  const end = state === 'rejected' ? ', failed' : state === 'aborted' ? ', aborted' : '';
  return `${title}, ${timeOf(from)}, ${took}${end}${isOpen ? ', under way before the recording' : ''}`;
}

/** A stretch of time, in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where a time is on the axis, in percent of it. */
export function percent(at: number, { from, to }: Span): number {
  return ((at - from) / (to - from)) * 100;
}

/** So much of the width, at least, is a bar's own, and a mark's. */
const LEAST = 0.004;
const MARK = 0.022;

/** The bars that a stretch of time shows, in lanes in which none covers another. */
export function lanesOf(bars: readonly Bar[], { from, to }: Span, now: number): readonly (readonly Bar[])[] {
  const lanes: { end: number; readonly bars: Bar[] }[] = [];
  for (const bar of bars) {
    const width = (bar.state === 'mark' ? MARK : LEAST) * (to - from);
    const end = Math.max(bar.to ?? Math.max(now, to), bar.from + width);
    if (end < from || bar.from > to) continue;
    const lane = lanes.find((one) => one.end <= bar.from);
    if (lane) {
      lane.bars.push(bar);
      lane.end = end;
    } else lanes.push({ end, bars: [bar] });
  }
  return lanes.map((lane) => lane.bars);
}

/** Round times that divide a stretch of time, at most ten. */
export function ticksOf({ from, to }: Span): readonly number[] {
  const rough = (to - from) / 6;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? 10 * power;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}
