interface Props {
  readonly isFollowing: boolean;
  readonly follow: () => void;
  /** Shows a stretch that is so many times as long. */
  readonly zoom: (factor: number) => void;
  /** Moves by a part of the stretch: earlier where it is negative. */
  readonly pan: (part: number) => void;
  readonly all: () => void;
}

/** The buttons above the axis of time. */
export function ViewTools({ isFollowing, follow, zoom, pan, all }: Props) {
  const moves = [
    { name: 'Zoom in', sign: '+', move: zoom, by: 0.5 },
    { name: 'Zoom out', sign: '−', move: zoom, by: 2 },
    { name: 'Earlier', sign: '←', move: pan, by: -0.25 },
    { name: 'Later', sign: '→', move: pan, by: 0.25 },
  ];
  return (
    <div className="tools" role="group" aria-label="View">
      <button type="button" aria-pressed={isFollowing} onClick={follow}>
        Follow
      </button>
      {moves.map(({ name, sign, move, by }) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          onClick={() => {
            move(by);
          }}
        >
          {sign}
        </button>
      ))}
      <button type="button" onClick={all}>
        All
      </button>
      <span className="quiet">hollow: guess · hatched: waits · dashed: failed</span>
    </div>
  );
}
