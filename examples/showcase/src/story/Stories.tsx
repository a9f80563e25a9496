import { useState } from 'react';
import { useIsOnline } from '../network/connection';
import { stories, type Story } from './stories';

/** How long each line of a story is looked at, in ms. */
const pause = 2200;

interface Playing {
  readonly story: Story;
  readonly lines: readonly string[];
  readonly isOver: boolean;
}

/** Stories that play by themselves on a click, with what happens and the code that does it. */
export function Stories() {
  const [playing, setPlaying] = useState<Playing>();
  const isOnline = useIsOnline();

  const play = async (story: Story): Promise<void> => {
    let lines: readonly string[] = [];
    setPlaying({ story, lines, isOver: false });
    try {
      await story.play(async (line) => {
        lines = [...lines, line];
        setPlaying({ story, lines, isOver: false });
        await new Promise((resolve) => setTimeout(resolve, pause));
      });
    } finally {
      setPlaying({ story, lines, isOver: true });
    }
  };

  return (
    <section className="stories" aria-label="Stories">
      <p className="watch">
        <span>
          A change shows at once, in every place. When it is refused, it goes back. <strong>Watch:</strong>
        </span>
        {stories.map((story) => (
          <button
            key={story.title}
            className={playing ? undefined : 'main'}
            disabled={!isOnline || playing?.isOver === false}
            aria-pressed={playing?.story === story}
            onClick={() => void play(story)}
          >
            {story.title}
          </button>
        ))}
        {playing?.isOver && (
          <button
            onClick={() => {
              setPlaying(undefined);
            }}
          >
            Close
          </button>
        )}
      </p>
      {playing && (
        <div className="told">
          <pre>
            <code>{playing.story.code}</code>
          </pre>
          <ol aria-live="polite">
            {playing.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}
