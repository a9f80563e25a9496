import { writeFileSync } from 'node:fs';
import type { Explanation } from 'rtk-resource/devtools/production';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openApp, type Fault } from './faults/app.js';
import { ofLists } from './faults/lists.js';
import { ofRows } from './faults/rows.js';

/**
 * Faults that users make or meet: the cause must be named by the first two sentences of what the panel says. `FAULTS=some/path` writes them there as
 * a stranger meets them (`.md`), and what was wrong (`-solutions.md`).
 */
const { FAULTS } = process.env;
const faults = [...ofRows, ...ofLists];
const told: { readonly fault: Fault; readonly explanation: Explanation }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2025, 10, 25, 9) });
});
afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  if (FAULTS === undefined) return;
  const cases = told.map(({ fault, explanation: { value, because } }, i) =>
    [
      `## ${String(i + 1)}`,
      `What the app shows: ${fault.app}`,
      `You ask the panel: ${fault.asked}`,
      `It shows: \`${value === undefined ? 'nothing' : JSON.stringify(value)}\``,
      because.map(({ text }) => `- ${text}`).join('\n'),
    ].join('\n\n'),
  );
  const solutions = told.map(({ fault }, i) => `${String(i + 1)}. ${fault.name}: ${fault.cause}`);
  writeFileSync(`${FAULTS}.md`, `# What is wrong?\n\n${cases.join('\n\n')}\n`);
  writeFileSync(`${FAULTS}-solutions.md`, `${solutions.join('\n')}\n`);
});

describe('the panel names the cause of', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const app = openApp(fault.options);

    const question = await fault.play(app);
    const explanation = app.recorder.explain(question);
    told.push({ fault, explanation });

    const kinds = explanation.because.map(({ kind }) => kind);
    const sentences = explanation.because
      .slice(0, 2)
      .map(({ text }) => text)
      .join(' ');
    expect(kinds.slice(0, fault.kinds.length)).toEqual(fault.kinds);
    for (const words of fault.words) expect(sentences).toMatch(words);
  });
});
