import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { placeAfter } from './Tabs.js';

/** The height of a row, in px. */
const HEIGHT = 24;
/** So many rows stand ready above and below those that are seen. */
const SPARE = 6;

interface Props {
  readonly label: string;
  readonly count: number;
  /** What stands in each row; a cell each. */
  readonly cells: (at: number) => readonly ReactNode[];
  readonly chosen: number | undefined;
  readonly choose: (at: number) => void;
}

/** Rows of one height, of which just those that are seen are there, however many there are. */
export function Rows({ label, count, cells, chosen, choose }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 20 * HEIGHT });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight = 0 } = box.current ?? {};
    const height = clientHeight || 20 * HEIGHT;
    setView((last) => (last.top === top && last.height === height ? last : { top, height }));
  };
  useEffect(look, []);
  const first = Math.max(0, Math.floor(view.top / HEIGHT) - SPARE);
  const end = Math.min(count, Math.ceil((view.top + view.height) / HEIGHT) + SPARE);
  const follow = (event: KeyboardEvent<HTMLElement>): void => {
    const at = placeAfter(event.key, chosen ?? -1, count, Math.max(1, Math.floor(view.height / HEIGHT) - 1));
    if (at === undefined || count === 0) return;
    event.preventDefault();
    choose(at);
    const element = box.current;
    if (!element) return;
    if (at * HEIGHT < element.scrollTop) element.scrollTop = at * HEIGHT;
    else if ((at + 1) * HEIGHT > element.scrollTop + view.height) element.scrollTop = (at + 1) * HEIGHT - view.height;
    look();
  };
  const places = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    <div
      ref={box}
      className="rows"
      role="grid"
      aria-label={label}
      aria-rowcount={count}
      tabIndex={0}
      {...(chosen !== undefined && chosen >= first && chosen < end && { 'aria-activedescendant': `${id}-${chosen}` })}
      onScroll={look}
      onKeyDown={follow}
    >
      <div role="presentation" style={{ height: count * HEIGHT }}>
        {places.map((at) => (
          <div
            key={at}
            id={`${id}-${at}`}
            className="row"
            role="row"
            aria-rowindex={at + 1}
            aria-selected={at === chosen}
            style={{ top: at * HEIGHT }}
            onClick={() => {
              choose(at);
            }}
          >
            {cells(at).map((cell, i) => (
              <span key={i} role="gridcell">
                {cell}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
