import type { EntityClass } from 'rtk-resource';
import { useIsPaused } from './useIsPaused';

interface Props {
  readonly entity: EntityClass;
  readonly id: string | number;
}

/** Marks what the outbox keeps until it can be sent. */
export function Waits({ entity, id }: Props) {
  return useIsPaused(entity, id) && <span className="waits">waits</span>;
}
