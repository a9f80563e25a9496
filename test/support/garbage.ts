import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects all garbage, and lets what was told of it have its effect. */
export async function collectGarbage(): Promise<void> {
  await setImmediate();
  collect();
  await setImmediate();
}
