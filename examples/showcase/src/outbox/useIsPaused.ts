import type { EntityClass } from 'rtk-resource';
import { useAppSelector } from '../store';
import { queue } from './queue';

/** Whether the outbox keeps something about an entity that cannot be sent yet. */
export function useIsPaused(entity: EntityClass, id: string | number): boolean {
  const entries = useAppSelector(queue.selectFor(entity, id));

  return entries.some(({ status }) => status === 'queued' || status === 'waiting');
}
