import { labelOf, percent, type Bar, type Span } from './bars.js';

interface BarProps {
  readonly bar: Bar;
  /** Where it begins, in px. */
  readonly top: number;
  readonly span: Span;
  readonly now: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly choose: (id: string) => void;
  readonly onFocus: () => void;
}

/** A request on the axis of time, or a mark. */
export function BarButton({ bar, top, span, now, isChosen, isActive, choose, onFocus }: BarProps) {
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
      style={{ top, left: `${left}%`, width: isMark ? 14 : `max(2px, ${percent(end, span) - left}%)` }}
      onFocus={onFocus}
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
