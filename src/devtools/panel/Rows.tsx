import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { placeAfter } from './Tabs.js';
import { HEIGHT, useWindow } from './useWindow.js';

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
  const { box, look, height, places } = useWindow(count);
  const follow = (event: KeyboardEvent<HTMLElement>): void => {
    const at = placeAfter(event.key, chosen ?? -1, count, Math.max(1, Math.floor(height / HEIGHT) - 1));
    if (at === undefined || count === 0) return;
    event.preventDefault();
    choose(at);
    const { currentTarget: element } = event;
    if (at * HEIGHT < element.scrollTop) element.scrollTop = at * HEIGHT;
    else if ((at + 1) * HEIGHT > element.scrollTop + height) element.scrollTop = (at + 1) * HEIGHT - height;
    look();
  };
  return (
    <div
      ref={box}
      className="rows"
      role="grid"
      aria-label={label}
      aria-rowcount={count}
      tabIndex={0}
      {...(chosen !== undefined && places.includes(chosen) && { 'aria-activedescendant': `${id}-${chosen}` })}
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
