import { useState } from 'react';
import { useAppSelector, type RootState } from '../store';
import { Race } from '../race/Race';
import { Timeline } from './Timeline';

/** What happens on the network, or a scene that is played with two libraries. */
export function TimelinePane() {
  const [isRace, setRace] = useState(false);
  const isBusy = useAppSelector(isUnderWay);

  return (
    <section className="timeline pane" data-name="timeline" aria-label="Timeline" aria-busy={isBusy}>
      {isRace ? (
        <Race
          leave={() => {
            setRace(false);
          }}
        />
      ) : (
        <Timeline
          race={() => {
            setRace(true);
          }}
        />
      )}
    </section>
  );
}

/** Whether any request waits for its answer. */
function isUnderWay({ resources: { requests } }: RootState): boolean {
  return requests.rows.some((page) => page.some((record) => record !== null && record.pending.length > 0));
}
