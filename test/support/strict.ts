import { format } from 'node:util';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { slowness } from './slowness.js';

// The files that a process runs share their modules, and so their clock: each begins with the real one, whatever the one before has left.
const real = ((globalThis as { realClock?: object }).realClock ??= {
  ...{ setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, queueMicrotask, Date },
});
vi.useRealTimers();
Object.assign(globalThis, real);

// A busy machine may take its time, here as in vitest.config.ts: by itself, this waits for one second.
const waiting = vi as { waitFor: typeof vi.waitFor; waitForSecond?: typeof vi.waitFor };
const { waitForSecond = (waiting.waitForSecond = vi.waitFor) } = waiting;
waiting.waitFor = (isSo, options = 10_000) => waitForSecond(isSo, options);

let said: string[] = [];
let expected: RegExp[] = [];

/** Declares one `console.warn` or `console.error` that this test must cause; every other one fails it. */
export function expectWarning(pattern: RegExp): void {
  expected.push(pattern);
}

/** What a `console.warn` or `console.error` says is kept, to be judged when the test is over. */
function collect(...words: unknown[]): void {
  const text = format(...words);
  if (!slowness.test(text)) said.push(text);
}

beforeEach(() => {
  said = [];
  expected = [];
  vi.spyOn(console, 'error').mockImplementation(collect);
  vi.spyOn(console, 'warn').mockImplementation(collect);
});

afterEach(() => {
  const unexpected = [...said];
  const missing = expected.filter((pattern) => {
    const found = unexpected.findIndex((text) => pattern.test(text));
    if (found >= 0) unexpected.splice(found, 1);

    return found < 0;
  });

  expect(unexpected, 'console.error or console.warn was called').toEqual([]);
  expect(missing.map(String), 'expectWarning waited in vain').toEqual([]);
});
