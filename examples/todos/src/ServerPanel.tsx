import { useResource } from 'rtk-resource/react';
import { SettingsResource } from './resources';
import { useAppDispatch } from './store';

const longestLatency = 3000;

/** Tells the server how to behave. */
export function ServerPanel() {
  const { data: settings } = useResource(SettingsResource.get);
  const dispatch = useAppDispatch();
  if (!settings) return null;

  const { latency, failWrites } = settings;
  return (
    <fieldset>
      <legend>Server</legend>
      <label>
        Latency <output>{latency} ms</output>
        <input
          type="range"
          min={0}
          max={longestLatency}
          step={100}
          value={latency}
          onChange={({ target }) => void dispatch(SettingsResource.partialUpdate({ latency: target.valueAsNumber }))}
        />
      </label>
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={failWrites}
          onChange={({ target }) => void dispatch(SettingsResource.partialUpdate({ failWrites: target.checked }))}
        />
        Writes fail
      </label>
      <button onClick={() => void startOver()}>Start over</button>
    </fieldset>
  );
}

async function startOver() {
  await fetch('/api/reset', { method: 'POST' });
  location.reload();
}
