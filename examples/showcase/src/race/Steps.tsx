import type { Step } from './scenes';

interface Props {
  readonly steps: readonly Step[];
  readonly played: number;
}

/** What happens in a scene, and how far it has got. */
export function Steps({ steps, played }: Props) {
  return (
    <ol className="steps">
      {steps.map(({ says }, i) => (
        <li
          key={says}
          className={i < played ? 'played' : undefined}
          aria-current={i === played - 1 ? 'step' : undefined}
        >
          {says}
        </li>
      ))}
    </ol>
  );
}
