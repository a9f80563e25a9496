import { useState } from 'react';
import { Lane } from './Lane';
import { openRun, play, type Run } from './Run';
import { scenes, type Scene } from './scenes';
import { Steps } from './Steps';

/** How long a step is looked at when a scene plays by itself, in ms. */
const pause = 1000;

interface Show {
  readonly run: Run;
  /** So many steps are played. */
  readonly played: number;
  readonly isPlaying: boolean;
}

/** The same scene on rtk-resource, and on RTK Query in the two ways that its documentation shows, step by step. */
export function Race({ leave }: { readonly leave: () => void }) {
  const [show, setShow] = useState<Show>();
  const steps = show?.run.scene.steps ?? [];

  const open = (scene: Scene | undefined, isPlaying = false): Run | undefined => {
    const run = scene && openRun(scene);
    setShow(run && { run, played: 0, isPlaying });
    return run;
  };

  const next = async (run: Run, step: number): Promise<void> => {
    const { steps: all } = run.scene;
    // Another scene may have been chosen meanwhile.
    setShow((current) => (current?.run === run ? { ...current, played: step + 1 } : current));
    if (all[step]) await play(all[step], run);
  };

  const playAll = async (run: Run): Promise<void> => {
    for (const step of run.scene.steps.keys()) {
      await next(run, step);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    setShow((current) => (current?.run === run ? { ...current, isPlaying: false } : current));
  };

  return (
    <>
      <div className="controls">
        <h2>Beside RTK Query</h2>
        <select
          aria-label="Scene"
          value={show?.run.scene.title ?? ''}
          onChange={({ target }) => {
            open(scenes.find(({ title }) => title === target.value));
          }}
        >
          <option value="">Choose a scene</option>
          {scenes.map(({ title }) => (
            <option key={title}>{title}</option>
          ))}
        </select>
        {show && (
          <>
            <button
              className="main"
              disabled={show.isPlaying || show.played === steps.length}
              onClick={() => void next(show.run, show.played)}
            >
              Next step
            </button>
            <button
              disabled={show.isPlaying}
              onClick={() => {
                const anew = open(show.run.scene, true);
                if (anew) void playAll(anew);
              }}
            >
              Play it
            </button>
          </>
        )}
        <button onClick={leave}>Back to the timeline</button>
      </div>
      <div className="race" tabIndex={0} role="group" aria-label="What is played">
        {show ? (
          <>
            <Steps steps={steps} played={show.played} />
            {show.run.lanes.map(({ app, server }) => (
              <Lane key={app.name} app={app} server={server} expected={steps[show.played - 1]?.expected} />
            ))}
          </>
        ) : (
          <p className="hint">
            All apps get the same clicks, and the same answers in the same order. RTK Query is shown in the two ways of
            its documentation: patched by hand and undone on failure, of which it says that overlapping patches may be
            undone wrongly; and by tags, which it prefers: nothing shows before the server has answered, then all is
            fetched again.
          </p>
        )}
      </div>
    </>
  );
}
