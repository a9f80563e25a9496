import { ResourceDevtoolsPanel } from 'rtk-resource/devtools/production';
import { gate, type Mode } from '../network/Gate';
import { useTheme } from '../shell/theme';
import { HeldRequests } from './HeldRequests';
import { useGate } from './useGate';

const modes: readonly Mode[] = ['nothing', 'writes', 'everything'];

/** What the store does with requests, in the devtools; those that are held wait for a word. */
export function Timeline({ race }: { readonly race: () => void }) {
  const { mode, held } = useGate();
  const theme = useTheme();
  const isHeld = Object.keys(held).length > 0;

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
          disabled={!isHeld}
          onClick={() => {
            gate.releaseAll();
          }}
        >
          Answer all
        </button>
        <button onClick={race}>Beside RTK Query</button>
      </div>
      {isHeld && <HeldRequests />}
      <ResourceDevtoolsPanel theme={theme} style={{ height: '100%' }} />
    </>
  );
}
