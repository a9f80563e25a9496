import { isTemporary, keyOf } from 'rtk-resource';
import { skipToken, useResource } from 'rtk-resource/react';
import { IssueResource } from '../resources/issues';
import type { Me } from '../resources/session';
import { Failure } from '../shell/Failure';
import { useAppSelector } from '../store';
import { IssueDetail } from './IssueDetail';
import { Welcome } from './Welcome';

interface Props {
  readonly id: string | undefined;
  readonly me: Me;
}

/** The issue that is open. What a list has brought of it shows at once; the rest is fetched. */
export function IssuePane({ id, me }: Props) {
  const isNowhere = useAppSelector(
    (state) => id !== undefined && isTemporary(id) && !IssueResource.get.select({ id })(state),
  );
  const {
    data: issue,
    isPartial,
    isError,
    error,
    refetch,
  } = useResource(id === undefined || isNowhere ? skipToken : IssueResource.get({ id }));

  return (
    <section className="issue pane" data-name="issue" aria-label="Issue" aria-busy={isPartial}>
      {issue && <IssueDetail key={keyOf(issue)} issue={issue} me={me} isPartial={isPartial} />}
      {isError && <Failure error={error} retry={refetch} />}
      {isNowhere && <p className="hint">This issue is not created.</p>}
      {id === undefined && <Welcome />}
    </section>
  );
}
