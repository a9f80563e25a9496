import { IssueResource } from '../resources/issues';
import { store } from '../store';
import { queue } from './queue';

/** Who was asked about two texts, and has kept the other one, wants to hear no more of their own. */
export function discardDecided(): void {
  store.subscribe(() => {
    for (const { id, endpointName, status, error } of queue.select(store.getState()).entries)
      if (status === 'failed' && endpointName === IssueResource.saveBody.name && error?.status === 412)
        void store.dispatch(queue.discard(id));
  });
}
