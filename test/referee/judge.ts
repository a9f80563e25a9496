import type { OpenClient } from './Client.js';
import type { Finding, Kind } from './findings.js';
import type { Serving, Step } from './history.js';
import { gaps } from './known.js';
import { Match } from './Match.js';
import { plain } from './worlds.js';

/** What a history has brought to light. */
export interface Verdict {
  readonly findings: readonly Finding[];
  /** The known gaps that it fell into; what follows from them is left out. */
  readonly excused: readonly string[];
  readonly story: readonly string[];
}

/** Plays a history and judges it; known gaps of this package are excused where `isOurs`. */
export async function judge(
  open: OpenClient,
  steps: readonly Step[],
  serving: Serving,
  isOurs: boolean,
  world = plain,
): Promise<Verdict> {
  const match = new Match(open, serving, world);
  const found = await match.play(steps);
  const gapOf = (finding: Finding): string | undefined =>
    isOurs ? gaps.find(({ isIt }) => isIt(finding, match.ops, match.server))?.name : undefined;
  return {
    findings: found.filter((finding) => gapOf(finding) === undefined),
    excused: [...new Set(found.flatMap((finding) => gapOf(finding) ?? []))],
    story: match.story,
  };
}

/** What is promised whatever the server does; the rest is promised of a server that serves in the order of sending. */
const always: ReadonlySet<Kind> = new Set<Kind>([
  'unexplained',
  'edit lost to a read',
  'hidden write',
  'row twice',
  'wrong list',
  'too many pages',
  'not as answered',
  'two values',
  'mark',
  'temporary id',
  'thrown',
  'not converged',
]);

/** What of a verdict breaks a promise. */
export function broken({ findings }: Verdict, serving: Serving): readonly Finding[] {
  return serving === 'in order of sending' ? findings : findings.filter(({ kind }) => always.has(kind));
}

/** What happened, with what was wrong where it was seen. */
export function told({ story }: Verdict, findings: readonly Finding[]): string {
  const lines = [...story, ''].flatMap((line, i) => [
    ...findings.filter(({ after }) => after === i).map(({ kind, text }) => `  >> ${kind}: ${text}`),
    line,
  ]);
  const late = findings.filter(({ after }) => after > story.length).map(({ kind, text }) => `  >> ${kind}: ${text}`);
  return [...lines, ...late].join('\n');
}
