import { describe, expect, it } from 'vitest';
import { openOurs } from './clients/ours.js';
import { judge, told, type Verdict } from './judge.js';
import { regressions, type Regression } from './regressions.js';

const open = regressions.filter(({ isOpen }) => isOpen);
const mended = regressions.filter(({ isOpen }) => !isOpen);

function judged({ steps, isVersioned = false }: Regression): Promise<Verdict> {
  return judge(openOurs({ isVersioned }), steps, 'in order of sending', false);
}

describe('a store shows nothing that is unexplained in', () => {
  it.each(mended)('$name', async (regression) => {
    const verdict = await judged(regression);

    expect(verdict.findings, told(verdict, verdict.findings)).toEqual([]);
  });
});

describe.skipIf(open.length === 0)('the referee still finds something in', () => {
  it.each(open)('$name', async (regression) => {
    const { findings } = await judged(regression);

    expect(findings).not.toEqual([]);
  });
});
