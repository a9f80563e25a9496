import { createContext, useContext, useEffect, useState } from 'react';
import type { MockServer } from '../../mock/options.js';
import type { Case } from '../explain/Case.js';
import type { StoreRecorder } from '../record/Recorder.js';

/** The panel renders at most this often, in ms. */
const PAUSE = 100;
/** What grows older is told anew this often, in ms. */
const SECOND = 1_000;

/** What the panel shows: one store, as it is now. */
export interface Looking {
  readonly recorder: StoreRecorder;
  /** What is known of it. */
  readonly the: Case;
  /** ms since the epoch. */
  readonly now: number;
  readonly server: MockServer | undefined;
  /** Shows an event on the timeline. */
  readonly show: (eventId: string) => void;
  /** Tells something to who cannot see it. */
  readonly say: (text: string) => void;
}

export const LookingContext = createContext<Looking | undefined>(undefined);

export function useLooking(): Looking {
  const looking = useContext(LookingContext);
  if (!looking) throw new Error('Outside of the panel.');
  return looking;
}

/** The time, again whenever something has happened in a store, at most ten times a second. */
export function useNow(recorder: StoreRecorder): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setNow(Date.now());
      }, PAUSE);
    };
    const stops = [recorder.subscribe(later), recorder.store.subscribe(later)];
    const clock = setInterval(later, SECOND);
    return () => {
      for (const stop of stops) stop();
      clearInterval(clock);
      clearTimeout(timer);
    };
  }, [recorder]);
  return now;
}
