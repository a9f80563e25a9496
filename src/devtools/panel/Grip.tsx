import type { KeyboardEvent, PointerEvent } from 'react';

/** The edge of the window at which the panel is. */
export type Position = 'bottom' | 'top' | 'left' | 'right';

/** Its height or width at least, in px. */
export const LEAST = 160;
/** A key makes it so much larger or smaller, in px. */
const STEP = 24;

/** Which of its sizes changes with it, and the edge that it does not touch. */
export const across = { bottom: 'height', top: 'height', left: 'width', right: 'width' } as const;
export const opposite = { bottom: 'top', top: 'bottom', left: 'right', right: 'left' } as const;

interface GripProps {
  readonly position: Position;
  readonly size: number;
  readonly resize: (size: number) => void;
}

/** Makes the panel larger and smaller, by the pointer or by arrows. */
export function Grip({ position, size, resize }: GripProps) {
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (event.buttons !== 1) return;
    const { clientX, clientY } = event;
    const { innerWidth, innerHeight } = window;
    resize({ bottom: innerHeight - clientY, top: clientY, left: clientX, right: innerWidth - clientX }[position]);
  };
  const press = (event: KeyboardEvent): void => {
    const larger = { bottom: 'ArrowUp', top: 'ArrowDown', left: 'ArrowRight', right: 'ArrowLeft' }[position];
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    resize(size + (event.key === larger ? STEP : -STEP));
  };
  return (
    <div
      className="grip"
      role="separator"
      aria-label="Size of the panel"
      aria-orientation={across[position] === 'width' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={LEAST}
      style={{ [position]: 'auto', [across[position]]: 5 }}
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => {
        currentTarget.setPointerCapture(pointerId);
      }}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
