import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { timeOf } from '../explain/sentences.js';
import { barsOf, labelOf, lanesOf, ticksOf, type Bar, type Span } from './bars.js';
import { BarDetails } from './BarDetails.js';
import { useLooking } from './looking.js';
import { placeAfter } from './Tabs.js';

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
  const place = useRef<HTMLDivElement>(null);
  const bars = barsOf(the);
  if (wanted && wanted !== seen) {
    const bar = bars.find(({ events }) => events.some(({ id }) => id === wanted.eventId));
    setSeen(wanted);
    if (bar) {
      setChosen(bar.id);
      setView({ from: bar.from - view.span / 5, span: view.span });
    }
  }
  useEffect(() => {
    if (seen) place.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }, [seen]);

  const span: Span =
    view.from === undefined ? { from: now - view.span, to: now } : { from: view.from, to: view.from + view.span };
  const lanes = lanesOf(bars, span, now);
  const shown = lanes.flat().sort((one, other) => one.from - other.from);
  const active = shown.find(({ id }) => id === chosen) ?? shown.at(-1);
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
  const follow = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 0.5 : 2);
    else if (event.shiftKey && event.key.startsWith('Arrow')) pan(event.key === 'ArrowLeft' ? -0.25 : 0.25);
    else {
      const at = placeAfter(event.key, active ? shown.indexOf(active) : 0, shown.length);
      const next = at === undefined ? undefined : shown[at];
      if (!next) return;
      setChosen(next.id);
      event.currentTarget.querySelector<HTMLElement>(`[data-bar="${CSS.escape(next.id)}"]`)?.focus();
    }
    event.preventDefault();
  };
  const selected = bars.find(({ id }) => id === chosen);
  return (
    <>
      <div className="tools" role="group" aria-label="View">
        <button
          type="button"
          aria-pressed={view.from === undefined}
          onClick={() => {
            setView({ from: view.from === undefined ? span.from : undefined, span: view.span });
          }}
        >
          Follow
        </button>
        <button
          type="button"
          aria-label="Zoom in"
          onClick={() => {
            zoom(0.5);
          }}
        >
          +
        </button>
        <button
          type="button"
          aria-label="Zoom out"
          onClick={() => {
            zoom(2);
          }}
        >
          −
        </button>
        <button
          type="button"
          aria-label="Earlier"
          onClick={() => {
            pan(-0.25);
          }}
        >
          ←
        </button>
        <button
          type="button"
          aria-label="Later"
          onClick={() => {
            pan(0.25);
          }}
        >
          →
        </button>
        <button type="button" onClick={all}>
          All
        </button>
        <span className="quiet">hollow: guess · hatched: waits · dashed: failed</span>
      </div>
      <div className="halves">
        <div
          ref={place}
          className="lanes"
          role="group"
          aria-label="Requests by time"
          data-from={span.from}
          data-to={span.to}
          onKeyDown={follow}
          tabIndex={shown.length === 0 ? 0 : -1}
        >
          <div className="axis" aria-hidden="true">
            {ticksOf(span).map((at) => (
              <span key={at} style={{ left: `${String(percent(at, span))}%` }}>
                {timeOf(at).slice(0, view.span < 5_000 ? 12 : 8)}
              </span>
            ))}
          </div>
          {lanes.map((lane, i) => (
            <div key={i} className="lane">
              {lane.map((bar) => (
                <BarButton
                  key={bar.id}
                  bar={bar}
                  span={span}
                  now={now}
                  isChosen={bar.id === chosen}
                  isActive={bar === active}
                  choose={setChosen}
                />
              ))}
            </div>
          ))}
        </div>
        {selected && <BarDetails bar={selected} />}
      </div>
    </>
  );
}

function percent(at: number, { from, to }: Span): number {
  return ((at - from) / (to - from)) * 100;
}

interface BarProps {
  readonly bar: Bar;
  readonly span: Span;
  readonly now: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly choose: (id: string) => void;
}

function BarButton({ bar, span, now, isChosen, isActive, choose }: BarProps) {
  const isMark = bar.state === 'mark';
  const end = bar.to ?? Math.max(now, bar.from);
  const left = percent(bar.from, span);
  return (
    <button
      type="button"
      className={isMark ? 'event mark' : 'event'}
      data-bar={bar.id}
      data-state={bar.state}
      {...(bar.isGuess && bar.state === 'pending' && { 'data-guess': '' })}
      {...(bar.waits && { 'data-waits': '' })}
      {...(bar.isOpen && { 'data-before': '' })}
      aria-label={labelOf(bar)}
      aria-pressed={isChosen}
      title={labelOf(bar)}
      tabIndex={isActive ? 0 : -1}
      style={
        isMark
          ? { left: `${String(left)}%`, width: 14 }
          : { left: `${String(left)}%`, width: `max(2px, ${String(percent(end, span) - left)}%)` }
      }
      onClick={() => {
        choose(bar.id);
      }}
    >
      <span aria-hidden="true">
        {isMark ? bar.title.slice(0, 1) : `${bar.state === 'rejected' ? '✕ ' : ''}${bar.title}`}
      </span>
    </button>
  );
}
