import { schema } from 'rtk-resource';
import { Issue } from '../resources/issues';
import type { Me } from '../resources/session';
import { resources, useAppSelector } from '../store';

/** Computed anew only when an issue changes. */
const figures = new schema.Query(new schema.All(Issue), (issues: readonly Issue[], myId: number) => ({
  known: issues.length,
  mine: issues.filter(({ assignee, status }) => assignee?.id === myId && status !== 'done').length,
  bugs: issues.filter(({ labels, status }) => status !== 'done' && labels.some(({ id }) => id === 'bug')).length,
}));

/** What can be said of the issues that this browser knows, from whichever answer they came. */
export function Figures({ me }: { readonly me: Me }) {
  const { known, mine, bugs } = useAppSelector(resources.select(figures, me.id)) ?? { known: 0, mine: 0, bugs: 0 };

  return (
    <dl className="figures">
      <div>
        <dt>loaded</dt>
        <dd>{known}</dd>
      </div>
      <div>
        <dt>mine, open</dt>
        <dd>{mine}</dd>
      </div>
      <div>
        <dt>bugs, open</dt>
        <dd>{bugs}</dd>
      </div>
    </dl>
  );
}
