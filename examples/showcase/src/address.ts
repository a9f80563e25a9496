import { isTemporary } from 'rtk-resource';
import { IssueResource } from './resources/issues';
import { getRoute, renameIssue } from './route';
import { store } from './store';

/** An issue may be opened while it is being created. When it has its id, the address gets it, so that it can be kept and shared. */
export function startAddress(): void {
  store.subscribe(() => {
    const { issueId } = getRoute();
    if (issueId === undefined || !isTemporary(issueId)) return;
    // A row is read by the temporary id that it had, too.
    const issue = IssueResource.get.select({ id: issueId })(store.getState());
    if (issue && !isTemporary(issue.id)) renameIssue(issue.id);
  });
}
