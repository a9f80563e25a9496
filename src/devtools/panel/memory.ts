import { orElse } from '../../errors.js';
import { isRecord } from '../../schema/Schema.js';

/** What is remembered of the panel between visits. */
export interface Remembered {
  readonly isOpen?: boolean;
  /** Its height, or its width, in px. */
  readonly size?: number;
  readonly tab?: string;
}

const KEY = 'rtk-resource-devtools';

/** The browser may refuse its storage, and anything may stand there. */
export function remembered(): Remembered {
  const found = orElse(() => JSON.parse(localStorage.getItem(KEY) ?? '') as unknown, undefined);
  return isRecord(found) ? found : {};
}

export function remember(part: Remembered): void {
  orElse(() => {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...part }));
  }, undefined);
}
