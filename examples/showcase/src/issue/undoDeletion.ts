import { queue } from '../outbox/queue';
import { IssueResource } from '../resources/issues';
import { store } from '../store';

/** Takes a deletion back: one that waits in the outbox is never sent, after any other the issue is restored. */
export async function undoDeletion(requestId: string, id: string | number): Promise<void> {
  const entry = queue.select(store.getState()).entries.find((one) => one.id === requestId);
  if (entry && entry.status !== 'sent') await store.dispatch(queue.discard(requestId));
  else await store.dispatch(IssueResource.restore({ id }));
}
