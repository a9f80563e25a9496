import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { across, Grip, LEAST, opposite, type Position } from './Grip.js';
import { remember, remembered } from './memory.js';
import { Panel, type PanelProps } from './Panel.js';
import { isShortcut } from './shortcut.js';

export interface DockProps extends Omit<PanelProps, 'onClose' | 'grip'> {
  readonly initialIsOpen: boolean;
  readonly position: Position;
  readonly buttonPosition: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
  readonly theme: 'system' | 'light' | 'dark';
  readonly shortcut: string | false;
}

/** Its height or width at first, in px. */
const SIZE = 320;

/** A button in a corner, and the panel at an edge of the window. */
export function Dock({ initialIsOpen, position, buttonPosition, theme, shortcut, ...panel }: DockProps) {
  const [isOpen, setOpen] = useState(() => remembered().isOpen ?? initialIsOpen);
  const [size, setSize] = useState(() => Math.max(LEAST, Number(remembered().size) || SIZE));
  const place = useRef<HTMLDivElement>(null);
  /** What had the focus before the panel. */
  const before = useRef<HTMLElement | undefined>(undefined);
  const change = (next: boolean): void => {
    remember({ isOpen: next });
    if (next) before.current = focused();
    setOpen(next);
  };
  const close = (): void => {
    const isInside = place.current?.getRootNode() === focusedRoot();
    change(false);
    if (!isInside) return;
    const target = before.current;
    // The button is there again as soon as the panel is closed.
    setTimeout(() => {
      if (target?.isConnected) target.focus();
      else place.current?.querySelector<HTMLElement>('.open')?.focus();
    });
  };
  const toggle = useRef<() => void>(() => undefined);
  useEffect(() => {
    toggle.current = () => {
      if (isOpen) close();
      else {
        change(true);
        setTimeout(() => place.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus());
      }
    };
  });
  useEffect(() => {
    if (shortcut === false) return undefined;
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (!isShortcut(event, shortcut)) return;
      event.preventDefault();
      toggle.current();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [shortcut]);
  const press = (event: KeyboardEvent): void => {
    const isOurs = shortcut !== false && isShortcut(event.nativeEvent, shortcut);
    if (!isOurs && (event.key !== 'Escape' || !isOpen)) return;
    event.preventDefault();
    toggle.current();
  };
  const side = across[position];
  const resize = (next: number): void => {
    const most = side === 'width' ? window.innerWidth : window.innerHeight;
    const fit = Math.round(Math.min(most, Math.max(LEAST, next)));
    setSize(fit);
    remember({ size: fit });
  };
  return (
    <div ref={place} className="root" data-theme={theme} dir="ltr" lang="en" onKeyDown={press}>
      {isOpen ? (
        <div className="dock" data-at={position} style={{ [opposite[position]]: 'auto', [side]: size }}>
          <Panel {...panel} onClose={close} grip={<Grip position={position} size={size} resize={resize} />} />
        </div>
      ) : (
        <button
          type="button"
          className="open"
          data-at={buttonPosition}
          style={Object.fromEntries(buttonPosition.split('-').map((edge) => [edge, 0]))}
          aria-label="Open rtk-resource devtools"
          {...(shortcut !== false && { 'aria-keyshortcuts': shortcut })}
          onClick={() => {
            toggle.current();
          }}
        >
          resources
        </button>
      )}
    </div>
  );
}

/** The root of what has the focus. */
function focusedRoot(): Node | undefined {
  return document.activeElement?.shadowRoot?.activeElement?.getRootNode();
}

function focused(): HTMLElement | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element instanceof HTMLElement && element !== document.body && !element.matches('.open') ? element : undefined;
}
