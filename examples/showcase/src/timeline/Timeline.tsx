import { gate, type Mode } from '../network/Gate';
import { useAppDispatch, useAppSelector } from '../store';
import { BarRow } from './BarRow';
import { timeline } from './timeline';
import { useGate } from './useGate';

const modes: readonly Mode[] = ['nothing', 'writes', 'everything'];

/** Every request as a bar, newest first, with what it showed and what it brought; those that are held wait for a word. */
export function Timeline({ race }: { readonly race: () => void }) {
  const { moment, entries } = useAppSelector((state) => state.timeline);
  const { mode, held } = useGate();
  const dispatch = useAppDispatch();
  const first = entries[0]?.from ?? 0;

  return (
    <>
      <div className="controls">
        <h2>Timeline</h2>
        <fieldset>
          <legend>Hold</legend>
          {modes.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="hold"
                checked={one === mode}
                onChange={() => {
                  gate.setMode(one);
                }}
              />
              {one}
            </label>
          ))}
        </fieldset>
        <button
          disabled={Object.keys(held).length === 0}
          onClick={() => {
            gate.releaseAll();
          }}
        >
          Answer all
        </button>
        <button onClick={() => dispatch(timeline.actions.cleared())}>Clear</button>
        <button onClick={race}>Beside RTK Query</button>
      </div>
      <ol className="bars" tabIndex={0} aria-label="Requests, newest first">
        {entries.toReversed().map((entry) => (
          <BarRow key={entry.id} entry={entry} first={first} span={moment + 1 - first} verdict={held[entry.id]} />
        ))}
      </ol>
    </>
  );
}
