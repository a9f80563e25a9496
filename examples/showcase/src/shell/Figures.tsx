import { schema } from 'rtk-resource';
import { Issue } from '../resources/issues';
import type { Me } from '../resources/session';
import { resources, useAppSelector } from '../store';

/** Computed anew only when an issue changes. */
const figures = new schema.Query(new schema.All(Issue), (issues: readonly Issue[], myId: number) => ({
  loaded: issues.length,
  mine: issues.filter(({ assignee, status }) => assignee?.id === myId && status !== 'done').length,
  bugs: issues.filter(({ labels, status }) => status !== 'done' && labels.some(({ id }) => id === 'bug')).length,
}));

const unknown = { loaded: '…', mine: '…', bugs: '…' };

/** What can be said of the issues that this browser knows, from whichever answer they came. */
export function Figures({ me }: { readonly me: Me }) {
  const known = useAppSelector(resources.select(figures, me.id));
  // Of no issue, nothing can be said yet.
  const { loaded, mine, bugs } = known?.loaded ? known : unknown;

  return (
    <dl className="figures">
      <div>
        <dt>loaded</dt>
        <dd>{loaded}</dd>
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
