import { isTemporary } from 'rtk-resource';
import type { Issue } from './issues';

/** Issues as the server orders them; what is still being created stands before all. */
export function newestFirst(issues: readonly Issue[]): Issue[] {
  return [...issues].sort((one, other) => placeOf(other) - placeOf(one));
}

function placeOf({ id }: Issue): number {
  return isTemporary(id) ? Number.MAX_SAFE_INTEGER : id;
}
