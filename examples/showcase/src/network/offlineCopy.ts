import type { ResourcesState } from 'rtk-resource';
import { isNumber, isObject, isString, type Guard } from '../guards';
import type { Me } from '../resources/session';
import { connection } from './connection';

/** What a page without a connection shows when it is opened. The outbox has what was written, and nothing of what was loaded. */
interface OfflineCopy {
  readonly person: Me;
  readonly resources: ResourcesState;
}

const key = 'showcase: copy';

// The package itself looks at a slice that comes from elsewhere.
const isSlice = (value: unknown): value is ResourcesState => typeof value === 'object';
const isMe: Guard<Me> = isObject<Me>({ id: isNumber, name: isString, color: isString });
const isCopy = isObject<OfflineCopy>({ person: isMe, resources: isSlice });

/** The copy of the time when the connection went; undefined where there is a connection. */
export function readOfflineCopy(): OfflineCopy | undefined {
  if (connection.isOnline) return undefined;
  const copy: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
  return isCopy(copy) ? copy : undefined;
}

/** Keeps a copy as long as there is no connection. */
export function keepOfflineCopy(
  current: () => { readonly person: Me | null | undefined; readonly resources: object },
): void {
  connection.subscribe(() => {
    const { person, resources } = current();
    if (connection.isOnline || !person) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ person, resources }));
  });
}
