import { useState } from 'react';
import { Race } from '../race/Race';
import { Timeline } from './Timeline';

/** What happens on the network, or a scene that is played with two libraries. */
export function TimelinePane() {
  const [isRace, setRace] = useState(false);

  return (
    <section className="timeline pane" data-name="timeline" aria-label="Timeline">
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
