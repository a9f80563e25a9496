import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { openOurs } from './clients/ours.js';
import { histories } from './history.js';
import { broken, judge } from './judge.js';
import { wrappers } from './wrappers.js';
import '../support/search.js';

vi.setConfig({ testTimeout: 600_000 });

const serving = 'in order of sending';

describe('the referee notices that', () => {
  it.each(wrappers)('$name', async ({ wrap, world, kind }) => {
    const open = wrap(openOurs());

    let found = 0;
    for (const steps of fc.sample(histories(serving, world), 400)) {
      const findings = broken(await judge(open, steps, serving, true, world), serving);
      found = findings.filter((finding) => kind === undefined || finding.kind === kind).length;
      if (found > 0) break;
    }

    expect(found).toBeGreaterThan(0);
  });
});
