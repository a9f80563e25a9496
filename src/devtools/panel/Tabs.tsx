import type { KeyboardEvent } from 'react';
import { own } from '../../schema/Schema.js';

interface Props<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
  /** The id of the element that they choose what is shown in. */
  readonly controls: string;
}

/** Where a key leads from one of several things that stand side by side or below each other. */
export function placeAfter(key: string, at: number, count: number, page = 10): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: count - 1,
    PageDown: at + page,
    PageUp: at - page,
  };
  const to = own(places, key);
  return to === undefined ? undefined : Math.max(0, Math.min(to, count - 1));
}

export function Tabs<Name extends string>({ label, names, chosen, choose, controls }: Props<Name>) {
  const follow = (event: KeyboardEvent<HTMLElement>): void => {
    const at = placeAfter(event.key, names.indexOf(chosen), names.length);
    const name = at === undefined ? undefined : names[at];
    if (name === undefined) return;
    event.preventDefault();
    choose(name);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[at ?? 0]?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={follow}>
      {names.map((name, i) => (
        <button
          key={name}
          role="tab"
          type="button"
          id={`${controls}-${i}`}
          aria-selected={name === chosen}
          aria-controls={controls}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => {
            choose(name);
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
