import { useEffect, useRef, useState, type RefObject } from 'react';

/** The height of a row, in px. */
export const HEIGHT = 24;
/** So many rows stand ready above and below those that are seen. */
const SPARE = 6;

/** The rows of a box that are seen. */
export interface Window {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Looks again which are seen, after the box was scrolled. */
  readonly look: () => void;
  /** The height of the box, in px. */
  readonly height: number;
  /** The places of the rows that are seen, and of the spare ones. */
  readonly places: readonly number[];
}

/** Which of so many rows of one height are seen. */
export function useWindow(count: number): Window {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 20 * HEIGHT });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight = 0 } = box.current ?? {};
    const height = clientHeight || 20 * HEIGHT;
    setView((last) => (last.top === top && last.height === height ? last : { top, height }));
  };
  useEffect(look);
  const first = Math.max(0, Math.floor(view.top / HEIGHT) - SPARE);
  const end = Math.min(count, Math.ceil((view.top + view.height) / HEIGHT) + SPARE);
  const places = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return { box, look, height: view.height, places };
}
