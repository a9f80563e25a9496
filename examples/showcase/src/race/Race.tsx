import { useState } from 'react';
import { Lane } from './Lane';
import { openRun, play, type Run } from './Run';
import { scenes, type Scene } from './scenes';

const pause = 1000;

/** The same scene on rtk-resource and on RTK Query, step by step. */
export function Race({ leave }: { readonly leave: () => void }) {
  const [run, setRun] = useState<Run>();
  const [played, setPlayed] = useState(0);
  const steps = run?.scene.steps ?? [];
  const last = steps[played - 1];

  const start = (scene: Scene | undefined): Run | undefined => {
    const next = scene && openRun(scene);
    setRun(next);
    setPlayed(0);
    return next;
  };

  const playAll = async (current: Run): Promise<void> => {
    for (const [i, step] of current.scene.steps.entries()) {
      await play(step, current);
      setPlayed(i + 1);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };

  const next = async (current: Run): Promise<void> => {
    const step = steps[played];
    if (!step) return;
    setPlayed(played + 1);
    await play(step, current);
  };

  return (
    <>
      <div className="controls">
        <h2>Beside RTK Query</h2>
        <select
          aria-label="Scene"
          value={run?.scene.title ?? ''}
          onChange={({ target }) => {
            start(scenes.find(({ title }) => title === target.value));
          }}
        >
          <option value="">Choose a scene</option>
          {scenes.map(({ title }) => (
            <option key={title}>{title}</option>
          ))}
        </select>
        {run && (
          <>
            <button className="main" disabled={played === steps.length} onClick={() => void next(run)}>
              Next step
            </button>
            <button
              onClick={() => {
                const anew = start(run.scene);
                if (anew) void playAll(anew);
              }}
            >
              Play it
            </button>
          </>
        )}
        <button onClick={leave}>Back to the timeline</button>
      </div>
      <div className="race" tabIndex={0} role="group" aria-label="The scene">
        <ol className="steps">
          {steps.map((step, i) => (
            <li
              key={step.says}
              className={i < played ? 'played' : undefined}
              aria-current={i === played - 1 ? 'step' : undefined}
            >
              {step.says}
            </li>
          ))}
        </ol>
        {run?.lanes.map(({ app, server }) => (
          <Lane key={app.name} app={app} server={server} expected={last?.expected} />
        ))}
        {!run && (
          <p className="hint">
            Both apps get the same clicks, and the same answers in the same order. RTK Query updates its cache by hand,
            as its documentation shows; with tags it is right again once it has fetched.
          </p>
        )}
      </div>
    </>
  );
}
