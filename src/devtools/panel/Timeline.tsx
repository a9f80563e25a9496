import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { timeOf } from '../explain/sentences.js';
import { BarButton } from './BarButton.js';
import { barsOf, lanesOf, percent, ticksOf, type Span } from './bars.js';
import { BarDetails } from './BarDetails.js';
import { useLooking } from './looking.js';
import { placeAfter } from './Tabs.js';
import { HEIGHT, useWindow } from './useWindow.js';
import { ViewTools } from './ViewTools.js';

/** So long a stretch is shown at first, in ms. */
const SPAN = 10_000;

interface Props {
  /** The event that was asked for last, and how often one was. */
  readonly wanted: { readonly eventId: string; readonly times: number } | undefined;
}

/** What is looked at: the latest (`from` is absent), or what begins at a time; in ms. */
interface View {
  readonly from: number | undefined;
  readonly span: number;
}

/** Everything that has happened, as bars on a real axis of time. */
export function Timeline({ wanted }: Props) {
  const { the, now } = useLooking();
  const [view, setView] = useState<View>({ from: undefined, span: SPAN });
  const [chosen, setChosen] = useState<string>();
  const [seen, setSeen] = useState<Props['wanted']>();
  /** How often the chosen bar was to get the focus. */
  const [turns, setTurns] = useState(0);
  const { events, slice } = the;
  // eslint-disable-next-line react-hooks/exhaustive-deps -- what is known is made anew in each render, of these
  const bars = useMemo(() => barsOf(the), [events, slice]);
  if (wanted && wanted !== seen) {
    const bar = bars.find(({ events }) => events.some(({ id }) => id === wanted.eventId));
    setSeen(wanted);
    setTurns(turns + 1);
    if (bar) {
      setChosen(bar.id);
      setView({ from: bar.from - view.span / 5, span: view.span });
    }
  }
  const selected = bars.find(({ id }) => id === chosen);
  // What was looked at is gone, as after a reset.
  if (chosen !== undefined && !selected) {
    setChosen(undefined);
    setView({ from: undefined, span: view.span });
  }
  const span: Span =
    view.from === undefined ? { from: now - view.span, to: now } : { from: view.from, to: view.from + view.span };
  const lanes = lanesOf(bars, span, now);
  const laneOf = new Map(lanes.flatMap((lane, at) => lane.map((bar) => [bar, at] as const)));
  const shown = [...laneOf.keys()].sort((one, other) => one.from - other.from);
  const active = shown.find(({ id }) => id === chosen) ?? shown.at(-1);
  const { box, look, places } = useWindow(lanes.length);
  const seenLanes = new Set(places);
  useEffect(() => {
    if (turns > 0) box.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }, [turns, box]);
  /** The bar that somebody looks at does not move out of sight. */
  const stay = (): void => {
    setView(({ from, span: length }) => ({ from: from ?? span.from, span: length }));
  };
  const choose = (id: string): void => {
    setChosen(id);
    stay();
  };
  const zoom = (factor: number): void => {
    const next = Math.min(86_400_000, Math.max(10, view.span * factor));
    const middle = (span.from + span.to) / 2;
    setView({ from: view.from === undefined ? undefined : middle - next / 2, span: next });
  };
  const pan = (part: number): void => {
    setView({ from: span.from + part * view.span, span: view.span });
  };
  const all = (): void => {
    const first = bars[0]?.from ?? now - SPAN;
    setView({ from: first, span: Math.max(10, (now - first) * 1.02) });
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 0.5 : 2);
    else if (event.shiftKey && event.key.startsWith('Arrow')) pan(event.key === 'ArrowLeft' ? -0.25 : 0.25);
    else {
      const at = placeAfter(event.key, active ? shown.indexOf(active) : 0, shown.length);
      const next = at === undefined ? undefined : shown[at];
      if (!next) return;
      choose(next.id);
      setTurns(turns + 1);
    }
    event.preventDefault();
  };
  return (
    <>
      <ViewTools
        isFollowing={view.from === undefined}
        follow={() => {
          setView({ from: view.from === undefined ? span.from : undefined, span: view.span });
        }}
        zoom={zoom}
        pan={pan}
        all={all}
      />
      <div className="halves">
        <div
          ref={box}
          className="lanes"
          role="group"
          aria-label="Requests by time"
          data-from={span.from}
          data-to={span.to}
          onScroll={look}
          onKeyDown={press}
          tabIndex={shown.length === 0 ? 0 : -1}
        >
          <div className="axis" aria-hidden="true">
            {ticksOf(span).map((at) => (
              <span key={at} style={{ left: `${percent(at, span)}%` }}>
                {timeOf(at).slice(0, view.span < 5_000 ? 12 : 8)}
              </span>
            ))}
          </div>
          <div style={{ position: 'relative', height: lanes.length * HEIGHT }}>
            {shown.flatMap((bar) => {
              const lane = laneOf.get(bar) ?? 0;
              // The bar that may have the focus is always there.
              return bar === active || seenLanes.has(lane) ? (
                <BarButton
                  key={bar.id}
                  bar={bar}
                  top={lane * HEIGHT}
                  span={span}
                  now={now}
                  isChosen={bar.id === chosen}
                  isActive={bar === active}
                  choose={choose}
                  onFocus={stay}
                />
              ) : (
                []
              );
            })}
          </div>
        </div>
        {selected && <BarDetails bar={selected} />}
      </div>
    </>
  );
}
